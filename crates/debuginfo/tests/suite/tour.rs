//! The module of the tour in `examples/explore`, which has a whole C library in it.

use std::fs;
use std::path::Path;

use sundry_debuginfo::DebugInfo;
use sundry_debuginfo::coverage::{Executed, Sites, measure};

#[test]
fn the_module_of_the_tour_is_that_of_its_source() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/explore");
    let module = fs::read(folder.join("labels.wasm")).expect("the module");
    assert!(module.len() < 100_000, "{} bytes", module.len());
    let info = DebugInfo::read(&module).expect("a module");
    assert_eq!(info.warnings(), []);

    let source = fs::read_to_string(folder.join("labels.c")).expect("the source");
    let sites = Sites::read(&module).expect("a module");
    let coverage = measure(&info, &sites, &Executed::default()).of_files(|path| path.ends_with("labels.c"));
    let [file] = &coverage.files[..] else { panic!("one file") };
    // Where the program is explored from the root of the repository, the source is found.
    assert_eq!(&*file.path, "examples/explore/labels.c");
    let lines: Vec<&str> = source.lines().collect();
    for function in &file.functions {
        let line = lines[function.line as usize - 1];
        assert!(line.contains(&format!("{}(", function.name)), "line {} is '{line}'", function.line);
    }
    assert!(file.lines.keys().all(|&line| !lines[line as usize - 1].trim().is_empty()));
    let input =
        info.data_objects().iter().find(|object| object.name.as_deref() == Some("input")).expect("input");
    assert_eq!(input.size, 64);
}
