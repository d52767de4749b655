//! A folder of its own for each test, and the program run in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use tempfile::TempDir;

/// What a run of the program has left.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// A folder in which the program runs.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        Place { folder: tempfile::tempdir().expect("temporary folder") }
    }

    /// A folder with these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let place = Place::new();
        for (name, content) in files {
            place.write(name, content);
        }
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("in the folder")).expect("folder");
        fs::write(path, content).expect("written");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The command that runs a file as a script of the shell.
    pub fn script(&self, name: &str) -> String {
        format!("sh '{}'", self.path(name).display())
    }

    /// Names of everything in a folder below, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).expect("folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sundry"));
        command.current_dir(self.folder.path()).args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        finish(&mut self.command(arguments))
    }

    pub fn run_with_input(&self, arguments: &[&str], input: impl Into<Vec<u8>>) -> Run {
        finish(self.command(arguments).write_stdin(input))
    }
}

fn finish(command: &mut Command) -> Run {
    let output = command.output().expect("the program starts");
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

impl Run {
    /// Checks the exit code, and shows everything where it is another.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "\nstandard output:\n{}\nstandard error:\n{}", self.out, self.err);
        self
    }
}

/// Starts the program with pipes for what it prints.
pub fn start(folder: &Place, arguments: &[&str]) -> Child {
    let mut command = process::Command::new(env!("CARGO_BIN_EXE_sundry"));
    command.args(arguments).current_dir(folder.path("."));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// Sends a signal, say `-INT`.
pub fn signal(child: &Child, name: &str) {
    let status = process::Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.expect("kill can be run").success());
}

/// Waits until a condition holds.
pub fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what} does not happen");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The formulas that come with the project.
pub fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    path.canonicalize().expect("an example").to_string_lossy().into_owned()
}

/// Two solutions are needed and enough: `p` varies.
pub const SMALL: &str = "\
(set-logic QF_BV)
(declare-const p Bool)
(declare-const x (_ BitVec 4))
(declare-const unused (_ BitVec 8))
(assert (= p (= x #x3)))
(check-sat)
";

pub const UNSATISFIABLE: &str = "(declare-const p Bool)\n(assert p)\n(assert (not p))\n(check-sat)\n";

/// Takes much longer than any test: factors of a product of two primes.
pub const HARD: &str = "\
(set-logic QF_BV)
(declare-const x (_ BitVec 48))
(declare-const y (_ BitVec 48))
(declare-const found Bool)
(assert (bvult #x000000000001 x))
(assert (bvult #x000000000001 y))
(assert (= found (= (bvmul ((_ zero_extend 48) x) ((_ zero_extend 48) y)) #xa9d4fb46869b049b643414b9)))
(check-sat)
";

/// The command of a solver that answers right, as far as we know.
pub fn right() -> String {
    format!("'{}' solve", env!("CARGO_BIN_EXE_sundry"))
}
