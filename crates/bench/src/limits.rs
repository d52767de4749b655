//! The accuracy of limits on time and memory, on inputs of each kind of work that would take much longer.
//!
//! Inputs are synthetic, and the measurement is the time of the whole process. Other work of the machine shows in the
//! difference between time and processor time.

use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use sundry_report::{Alignment, Table};
use sundry_testing::process;

/// A process that has not ended so long after its limit is ended.
const GRACE: Duration = Duration::from_secs(120);

/// Arguments of the experiment.
#[derive(Args)]
pub struct LimitsArguments {
    /// Large formulas to sample in addition to the synthetic inputs
    #[arg(value_name = "FILE")]
    formulas: Vec<PathBuf>,
    /// Seconds asked for, each in turn
    #[arg(long, value_name = "SECONDS", value_delimiter = ',', default_value = "2,5,10")]
    seconds: Vec<f64>,
    /// The program; the one built beside this one if not given
    #[arg(long, value_name = "FILE")]
    sundry: Option<PathBuf>,
}

/// An input with its job.
struct Case {
    name: &'static str,
    text: String,
    jobs: &'static [&'static [&'static str]],
}

const SAMPLE: &[&str] = &["sample", "FILE", "-q"];
const SOLVE: &[&str] = &["solve", "FILE", "-q"];
const GUIDED: &[&str] = &["sample", "FILE", "--strategy", "guided", "--random-predicates", "1000000", "-q"];
/// No part of the script can be removed.
const REDUCE: &[&str] = &["reduce", "FILE", "--check", "grep -c assert", "-q"];

/// Runs the experiment.
///
/// # Errors
/// An input cannot be written, or the program not be run.
pub fn run(arguments: &LimitsArguments) -> Result<(), String> {
    let program = crate::program(arguments.sundry.as_deref())?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut table = Table::new(&[
        ("input", Alignment::Left),
        ("job", Alignment::Left),
        ("asked", Alignment::Right),
        ("seconds", Alignment::Right),
        ("processor", Alignment::Right),
        ("exit", Alignment::Right),
    ]);
    let mut measure = |name: &str, job: &[&str], file: &Path| -> Result<(), String> {
        for &asked in &arguments.seconds {
            let limit = format!("{asked}");
            let words: Vec<&OsStr> = job
                .iter()
                .map(|&word| if word == "FILE" { file.as_os_str() } else { word.as_ref() })
                .collect();
            let mut command = Command::new(&program);
            command.args(words).args(["--timeout", &limit]).current_dir(folder.path());
            let finished = process::run(&mut command, Duration::from_secs_f64(asked) + GRACE)
                .map_err(|error| format!("{}: {error}", program.display()))?;
            let options = job.iter().filter(|word| !["FILE", "-q"].contains(word));
            table.push(vec![
                name.to_string(),
                options.copied().collect::<Vec<_>>().join(" "),
                limit,
                format!("{:.2}", finished.wall.as_secs_f64()),
                format!("{:.2}", finished.processor.as_secs_f64()),
                finished.status.code().map_or("killed".to_string(), |code| code.to_string()),
            ]);
        }
        Ok(())
    };
    for Case { name, text, jobs } in cases() {
        let file = folder.path().join("input.smt2");
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        for job in jobs {
            measure(name, job, &file)?;
        }
    }
    for formula in &arguments.formulas {
        let formula = formula.canonicalize().map_err(|error| format!("{}: {error}", formula.display()))?;
        let name = formula.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        measure(&name, SAMPLE, &formula)?;
    }
    print!("{table}");
    Ok(())
}

fn cases() -> Vec<Case> {
    vec![
        Case { name: "200 MB of assertions", text: assertions(200 << 20), jobs: &[SAMPLE] },
        Case { name: "10^6 nested lets", text: nested(1_000_000), jobs: &[SAMPLE, SOLVE] },
        Case { name: "10^6 flat lets", text: flat(1_000_000), jobs: &[SAMPLE, SOLVE] },
        Case { name: "10^5 declarations", text: declarations(100_000), jobs: &[SAMPLE, SOLVE] },
        Case { name: "10^6 predicates", text: declarations(20), jobs: &[GUIDED] },
        Case { name: "product of 2048 bits", text: product(), jobs: &[SAMPLE, SOLVE] },
        Case { name: "400,000 commands", text: commands(200_000), jobs: &[REDUCE] },
        Case { name: "model of 4 GB", text: wide_constants(16_000), jobs: &[SOLVE] },
    ]
}

/// Text by lines; writing to a text cannot fail.
fn lines(head: &str, count: usize, mut line: impl FnMut(&mut String, usize) -> std::fmt::Result) -> String {
    let mut text = format!("(set-logic QF_BV)\n{head}");
    for number in 0..count {
        let written = line(&mut text, number);
        debug_assert!(written.is_ok(), "there is room");
    }
    text
}

/// Comparisons of sums of a thousand constants.
fn assertions(bytes: usize) -> String {
    let mut text = lines("", 1000, |text, number| writeln!(text, "(declare-const x{number} (_ BitVec 32))"));
    let mut number: u32 = 1;
    while text.len() < bytes {
        // A linear congruential generator, so that no two are alike.
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (a, b) = (number >> 8 & 1023, number >> 20 & 1023);
        let (a, b) = (a.min(999), b.min(999));
        text.push_str(&format!(
            "(assert (or (bvult (bvadd x{a} x{b}) #x{number:08x}) (= x{a} (bvnot x{b}))))\n"
        ));
    }
    text + "(check-sat)\n"
}

fn nested(count: usize) -> String {
    let head = "(declare-const x (_ BitVec 32))\n(assert (let ((v0 x))\n";
    let text = lines(head, count - 1, |text, number| {
        writeln!(text, "(let ((v{} (bvadd v{number} (bvmul x #x{number:08x}))))", number + 1)
    });
    format!("{text}(= v{} x){}\n(check-sat)\n", count - 1, ")".repeat(count + 1))
}

fn flat(count: usize) -> String {
    let text = lines("(declare-const x (_ BitVec 32))\n(assert (let (", count, |text, number| {
        writeln!(text, "(v{number} (bvult (bvmul x #x{number:08x}) #x0fffffff))")
    });
    let uses: String = (0..count).map(|number| format!(" v{number}")).collect();
    format!("{text}) (or{uses})))\n(check-sat)\n")
}

fn declarations(count: usize) -> String {
    let text = lines("", count, |text, number| writeln!(text, "(declare-const y{number} (_ BitVec 32))"));
    let related: String = (0..count)
        .map(|number| format!("(assert (bvult y{number} (bvadd y{} #x{number:08x})))\n", number * 7 % count))
        .collect();
    text + &related + "(check-sat)\n"
}

fn product() -> String {
    "(declare-const x (_ BitVec 2048))(declare-const y (_ BitVec 2048))\n\
     (assert (= (bvmul x y) (_ bv12345678901234567 2048)))(check-sat)\n"
        .to_string()
}

fn commands(count: usize) -> String {
    lines("", count, |text, number| {
        let before = number.saturating_sub(1);
        writeln!(text, "(declare-const p{number} Bool)\n(assert (or p{number} (not p{before})))")
    }) + "(check-sat)\n"
}

fn wide_constants(count: usize) -> String {
    let text =
        lines("", count, |text, number| writeln!(text, "(declare-const z{number} (_ BitVec 1048576))"));
    text + "(check-sat)(get-model)\n"
}
