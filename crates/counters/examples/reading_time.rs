//! Measures how long the counters of a run take to read, for an instrumented program of yours.
//!
//! ```text
//! cargo run --release -p sundry-counters --example reading_time -- gcov=build/ build/z3 formula.smt2
//! ```

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use sundry_counters::open;

/// The number of runs.
const RUNS: usize = 10;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [counters, program, rest @ ..] = &arguments[..] else {
        eprintln!("usage: reading_time KIND[=PATH] PROGRAM [ARGUMENTS]");
        return ExitCode::from(2);
    };
    match measure(counters, program, rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(counters: &str, program: &str, arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let (kind, path) =
        counters.split_once('=').map_or((counters, None), |(kind, path)| (kind, Some(Path::new(path))));
    let start = Instant::now();
    let provider = open(kind, path)?;
    println!("opened in {:.0?}", start.elapsed());
    let folder: PathBuf = env::temp_dir().join(format!("reading-time-{}", std::process::id()));
    for _ in 0..RUNS {
        let start = Instant::now();
        let preparation = provider.prepare(&folder)?;
        let prepared = start.elapsed();
        let mut command = Command::new(program);
        command
            .envs(preparation.environment)
            .args(&preparation.arguments)
            .args(arguments)
            .stdin(Stdio::null());
        let start = Instant::now();
        let output = command.output()?;
        let run = start.elapsed();
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        let start = Instant::now();
        let files = provider.take(&folder, &text)?;
        let taken = start.elapsed();
        let lines: usize = files.iter().map(|file| file.lines.len()).sum();
        println!(
            "prepared in {prepared:.1?}, run in {run:.1?}, taken in {taken:.1?}: {lines} {} in {} files",
            provider.unit(),
            files.len()
        );
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
