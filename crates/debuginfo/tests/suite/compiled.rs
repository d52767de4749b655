//! Modules compiled in the test: other versions of DWARF, other languages, several units, and a module without DWARF.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sundry_debuginfo::{DebugInfo, TypeKind};
use sundry_testing::skipped::skip;

/// A module that clang makes of these files, or nothing if there is no clang.
fn compile(test: &str, files: &[(&str, &str)], options: &[&str]) -> Option<DebugInfo> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let module = folder.path().join("a.wasm");
    let mut command = Command::new("clang-19");
    command.args(["--target=wasm32", "-nostdlib", "-Wl,--no-entry", "-Wl,--export-all", "-o"]);
    command.arg(&module).args(options);
    for (name, text) in files {
        let path: PathBuf = folder.path().join(name);
        fs::write(&path, text).expect("written");
        command.arg(path);
    }
    let Ok(output) = command.output() else {
        skip(test, "there is no clang-19");
        return None;
    };
    if !output.status.success() && !Path::new("/usr/bin/wasm-ld-19").exists() {
        skip(test, "there is no wasm-ld-19");
        return None;
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let info = DebugInfo::read(&fs::read(module).expect("a module")).expect("a module");
    assert_eq!(info.warnings(), []);
    Some(info)
}

const SUM: &str = "\
int table[3][5];
static inline int twice(int x) {
    return x * 2;
}
int sum(int *from, int count) {
    int total = table[1][1];
    for (int i = 0; i < count; i++)
        total += twice(from[i]);
    return total;
}
";

#[test]
fn all_versions_and_levels_agree() {
    for version in ["-gdwarf-3", "-gdwarf-4", "-gdwarf-5"] {
        for level in ["-O0", "-O1", "-O2"] {
            let Some(info) = compile("versions of DWARF", &[("sum.c", SUM)], &[version, level]) else {
                return;
            };
            let sum = info.functions().iter().find(|it| it.name.as_deref() == Some("sum")).expect("sum");
            assert_eq!(sum.declared.expect("a place").line, 5, "{version} {level}");
            let file = info.path(sum.declared.expect("a place").file);
            assert!(file.ends_with("/sum.c") && file.starts_with('/'), "{file}");
            let names: Vec<_> =
                info.parameters(sum.index).expect("parameters").iter().map(|it| it.name.as_deref()).collect();
            assert_eq!(names, [Some("from"), Some("count")]);
            let table =
                info.data_objects().iter().find(|it| it.name.as_deref() == Some("table")).expect("table");
            assert_eq!(table.size, 60, "{version} {level}");
            let of_twice =
                info.lines().iter().find(|it| it.source.is_some_and(|it| it.line == 3)).expect("line 3");
            let frames = info.frames(of_twice.range.start);
            assert_eq!(frames[0].function.as_deref(), Some("twice"), "{version} {level}");
            assert_eq!(frames.len(), if level == "-O0" { 1 } else { 2 });
        }
    }
}

#[test]
fn variables_that_are_not_optimised_are_in_the_frame() {
    let Some(info) = compile("variables", &[("sum.c", SUM)], &["-g", "-O0"]) else { return };
    let sum = info.functions().iter().find(|it| it.name.as_deref() == Some("sum")).expect("sum");
    let mut names: Vec<_> = sum.frame.objects.iter().filter_map(|object| object.name.as_deref()).collect();
    names.sort_unstable();
    assert_eq!(names, ["count", "from", "i", "total"]);
    let i = sum.frame.objects.iter().find(|object| object.name.as_deref() == Some("i")).expect("i");
    assert!(*i.scope != [sum.range.clone()], "the scope of i is the loop");
}

#[test]
fn names_of_c_plus_plus_are_whole() {
    let source = "\
        namespace shapes {\n\
        struct Base { virtual int area(int scale) = 0; static int count; };\n\
        struct Square : Base { int side; int area(int scale) override; };\n\
        int Square::area(int scale) { return side * side * scale; }\n\
        template <typename T> T largest(const T &a, T b) { return a < b ? b : a; }\n\
        template int largest<int>(const int &, int);\n\
        }\n\
        extern \"C\" int use(shapes::Square &square) { return square.area(2); }\n";
    let options = ["-g", "-O1", "-fno-exceptions", "-fno-rtti", "-Wl,--unresolved-symbols=ignore-all"];
    let Some(info) = compile("names of C++", &[("shapes.cpp", source)], &options) else { return };
    let names: Vec<_> = info.functions().iter().filter_map(|function| function.name.as_deref()).collect();
    assert!(names.contains(&"shapes::Square::area(int)"), "{names:?}");
    assert!(names.contains(&"int shapes::largest<int>(int const&, int)"), "{names:?}");
    let area = info.functions().iter().find(|it| it.name.as_deref() == Some("shapes::Square::area(int)"));
    let parameters = info.parameters(area.expect("area").index).expect("parameters");
    assert_eq!(parameters[0].name.as_deref(), Some("this"));
    let TypeKind::Pointer { target, .. } = info.types().get(parameters[0].r#type).kind else {
        panic!("an address")
    };
    let TypeKind::Struct { members } = &info.types().get(target).kind else { panic!("a class") };
    assert_eq!(members.iter().map(|member| member.name.as_deref()).collect::<Vec<_>>(), [None, Some("side")]);
}

#[test]
fn a_declared_type_is_the_one_defined_in_another_unit() {
    let user = "struct box; int get(struct box *b); int use(struct box *b) { return get(b) + 1; }";
    let owner = "struct box { int first, second; }; int get(struct box *b) { return b->second; }";
    let files = [("user.c", user), ("owner.c", owner)];
    let Some(info) = compile("declared types", &files, &["-g", "-O1"]) else { return };
    let user = info.functions().iter().find(|it| it.name.as_deref() == Some("use")).expect("use");
    let TypeKind::Pointer { target, .. } =
        info.types().get(info.parameters(user.index).expect("one")[0].r#type).kind
    else {
        panic!("an address")
    };
    assert_eq!(info.types().get(target).size, Some(8));
}

#[test]
fn a_module_without_dwarf_has_names() {
    let Some(info) = compile("no DWARF", &[("sum.c", SUM)], &["-O1"]) else { return };
    let sum = info.functions().iter().find(|it| it.name.as_deref() == Some("sum")).expect("sum");
    assert_eq!((info.parameters(sum.index), sum.declared), (None, None));
    let frames = info.frames(sum.range.end - 1);
    assert_eq!(frames.len(), 1);
    assert_eq!((frames[0].function.as_deref(), frames[0].line), (Some("sum"), None));
    assert!(info.files().is_empty() && info.data_objects().is_empty());
}
