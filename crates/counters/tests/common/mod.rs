//! Programs in C and C++ that tests compile and run.

#![allow(dead_code, reason = "each test binary uses some of them")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use sundry_counters::{CounterProvider, FileCounters, Preparation};
use sundry_testing::skipped::skip;

/// The programs of these tests.
pub fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

/// Whether all of these tools are installed; if not, the test is skipped.
pub fn has(test: &str, tools: &[&str]) -> bool {
    for tool in tools {
        let found = Command::new(tool).arg("--version").output().is_ok();
        if !found {
            skip(test, format_args!("there is no {tool}; tools/test installs it"));
            return false;
        }
    }
    true
}

/// Runs a command that has to succeed.
pub fn succeed(command: &mut Command) -> Output {
    let output = command.output().expect("the command starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Compiles files of the tests in a folder into a program `program`, each into an object of its own.
pub fn compile(folder: &Path, compiler: &str, options: &[&str], sources: &[&str], link: &[&str]) -> PathBuf {
    let mut objects = Vec::new();
    for source in sources {
        let object = format!("{source}.o");
        succeed(
            Command::new(compiler)
                .current_dir(folder)
                .args(options)
                .arg("-c")
                .arg(programs().join(source))
                .args(["-o", &object]),
        );
        objects.push(object);
    }
    succeed(
        Command::new(compiler)
            .current_dir(folder)
            .args(options)
            .args(objects)
            .args(link)
            .args(["-o", "program"]),
    );
    folder.join("program")
}

/// Writes a runtime into a folder and compiles it, without warnings.
pub fn compile_runtime(folder: &Path, compiler: &str, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("the runtime is written");
    let options = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-c", name];
    succeed(Command::new(compiler).current_dir(folder).args(options));
}

/// A command with what a run needs.
pub fn prepared(program: &Path, preparation: &Preparation) -> Command {
    let mut command = Command::new(program);
    command
        .envs(preparation.environment.iter().map(|(name, value)| (name, value)))
        .args(&preparation.arguments);
    command
}

/// Runs a program with an argument, and takes its counters.
pub fn run(
    provider: &dyn CounterProvider,
    program: &Path,
    folder: &Path,
    argument: &str,
) -> Vec<FileCounters> {
    let preparation = provider.prepare(folder).expect("the folder is prepared");
    let output = succeed(prepared(program, &preparation).arg(argument));
    provider.take(folder, &String::from_utf8_lossy(&output.stdout)).expect("there are counters")
}

/// Starts a program and waits for its first line.
pub fn begin(command: &mut Command) -> Child {
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("it is piped"))
        .read_line(&mut line)
        .expect("the program has begun");
    thread::sleep(Duration::from_millis(20));
    child
}

/// Sends a signal by its name.
pub fn signal(child: &Child, signal: i32) {
    succeed(Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()));
}

/// The count of a line of the file with this name.
pub fn count(provider: &dyn CounterProvider, counters: &[FileCounters], name: &str, line: u32) -> u64 {
    let named = |file: u32| provider.file_name(file).is_some_and(|full| Path::new(&full).ends_with(name));
    let file = counters.iter().find(|counters| named(counters.file));
    file.and_then(|file| file.lines.iter().find(|counter| counter.line == line))
        .map_or(0, |counter| counter.count)
}

/// A file with this extension below a folder.
pub fn only(folder: &Path, extension: &str) -> PathBuf {
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

/// Numbers from a seed.
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below another one.
    pub fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % below.max(1)
    }

    /// Changes, cuts or extends a file.
    pub fn mutate(&mut self, bytes: &[u8]) -> Vec<u8> {
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
