//! Files that no compiler or runtime has written are errors, never panics, and take neither memory nor time.

mod common;

use std::fs;
use std::time::{Duration, Instant};

use common::{Numbers, compile, has, only, prepared, succeed};
use sundry_counters::{CounterProvider, Gcov};
use tempfile::tempdir;

const ROUNDS: usize = 400;
const PATIENCE: Duration = Duration::from_secs(10);

#[test]
fn mutated_notes_and_counters_do_no_harm() {
    if !has("mutated_notes_and_counters_do_no_harm", &["gcc"]) {
        return;
    }
    let folder = tempdir().expect("a folder");
    let (build, counters) = (folder.path().join("build"), folder.path().join("counters"));
    fs::create_dir(&build).expect("a folder");
    let program = compile(&build, "gcc", &["--coverage"], &["other.c", "shapes.c"], &[]);
    fs::remove_file(build.join("other.c.gcno")).expect("one object is enough");
    let provider = Gcov::open(&build).expect("the build is read");
    let preparation = provider.prepare(&counters).expect("the folder is prepared");
    succeed(&mut prepared(&program, &preparation));
    fs::remove_file(only(&counters, "gcda").with_file_name("other.c.gcda")).expect("one file is enough");
    let (data, notes) = (only(&counters, "gcda"), build.join("shapes.c.gcno"));
    let (good_data, good_notes) = (fs::read(&data).expect("counters"), fs::read(&notes).expect("notes"));
    let mut numbers = Numbers(1);
    let begin = Instant::now();
    let mut refused = 0;
    for _ in 0..ROUNDS {
        fs::write(&data, numbers.mutate(&good_data)).expect("a file");
        refused += usize::from(provider.take(&counters, "").is_err());
        fs::write(&notes, numbers.mutate(&good_notes)).expect("a file");
        match Gcov::open(&build) {
            Ok(provider) => {
                fs::write(&data, &good_data).expect("a file");
                let _ = provider.take(&counters, "");
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > ROUNDS / 2, "{refused}");
    assert!(begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
}
