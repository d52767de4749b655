//! Files that no compiler or runtime has written are errors, never panics, and take neither memory nor time.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use common::{compile, has, prepared, succeed};
use sundry_counters::{CounterProvider, Gcov};
use tempfile::tempdir;

/// Numbers from a seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % below.max(1)
    }

    /// Changes, cuts or extends a file.
    fn mutate(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.next(3) {
            let place = self.next(bytes.len());
            match self.next(6) {
                0 => bytes.truncate(place),
                1 => bytes.extend((0..self.next(40)).map(|byte| byte as u8)),
                2 if place + 4 <= bytes.len() => bytes[place..place + 4].fill(0xff),
                3 if place + 4 <= bytes.len() => bytes[place..place + 4].copy_from_slice(&[0, 0, 0, 0x7f]),
                _ if !bytes.is_empty() => bytes[place] = self.next(256) as u8,
                _ => {}
            }
        }
        bytes
    }
}

const ROUNDS: usize = 400;
const PATIENCE: Duration = Duration::from_secs(10);

fn only(folder: &Path, extension: &str) -> PathBuf {
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                return path;
            }
        }
    }
    panic!("there is no .{extension}")
}

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
    let data = fs::canonicalize(&counters).expect("a folder");
    let data = data.join(build.strip_prefix("/").expect("an absolute path")).join("shapes.c.gcda");
    let (data, notes) =
        (if data.exists() { data } else { only(&counters, "gcda") }, build.join("shapes.c.gcno"));
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
