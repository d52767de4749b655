//! Synthetic configurable systems with faults, so that an order of solutions can be judged on more than the six
//! systems with known faults.
//!
//! A system is drawn from a [`Shape`] (`shapes.rs`): feature trees that are deep or flat, with alternative groups or
//! with many constraints across the tree, random clauses that are hard to satisfy, parameters of test specifications
//! with values that restrict the others, and numbers with thresholds. Its faults are conjunctions of one, two and
//! three values of its options, values of inner nodes of its constraints, disjunctions of larger conjunctions, and
//! common values of some options in a random configuration. Faults of the last kind are those that users meet; of the
//! others, all possible ones are equally likely, and the program decides which are possible.

mod shapes;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::{Args, ValueEnum};
use rand::Rng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_testing::process;

use crate::program;
use shapes::{Shape, System};

/// The number of faults of each kind in a system.
const FAULTS: usize = 10;

/// The maximal number of faults that are drawn for one that is kept.
const DRAWS: usize = 20;

/// The number of random configurations that show typical values.
const CONFIGURATIONS: usize = 200;

/// The number of systems that are drawn for one that has a configuration.
const ATTEMPTS: u64 = 50;

/// A process that runs longer than this is killed.
const LIMIT: Duration = Duration::from_secs(60);

/// Arguments of the generator.
#[derive(Args)]
pub struct SubjectsArguments {
    /// Folder that the subjects are written to: X.smt2 with X.faults.smt2
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Number of systems of each shape
    #[arg(long, value_name = "N", default_value_t = 3)]
    each: u64,
    /// Only systems of this shape
    #[arg(long, value_name = "NAME", value_enum)]
    shape: Option<Shape>,
    /// Seed of all that is random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The program; the one built beside this one if not given
    #[arg(long, value_name = "FILE")]
    sundry: Option<PathBuf>,
}

/// The kind of a fault.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Kind {
    /// Combinations of this number of values, each of another option.
    Values(usize),
    /// The value of an inner node, alone or with the value of an option.
    Node,
    /// A disjunction of larger conjunctions.
    Either,
    /// The values of some options in a random configuration.
    Typical,
}

const KINDS: [Kind; 6] =
    [Kind::Values(1), Kind::Values(2), Kind::Values(3), Kind::Node, Kind::Either, Kind::Typical];

/// Writes the subjects.
pub fn run(arguments: &SubjectsArguments) -> Result<(), String> {
    let program = program(arguments.sundry.as_deref())?;
    let fail = |error: std::io::Error| format!("{}: {error}", arguments.folder.display());
    fs::create_dir_all(&arguments.folder).map_err(fail)?;
    let wanted = |shape: &Shape| arguments.shape.is_none_or(|only| only == *shape);
    for (stream, &shape) in (1..).zip(Shape::value_variants()).filter(|(_, shape)| wanted(shape)) {
        let mut random = ChaCha8Rng::seed_from_u64(arguments.seed);
        random.set_stream(stream);
        for number in 1..=arguments.each {
            let subject = subject(&program, shape, &mut random)?;
            let name = format!("{}-{number}", shape.name());
            let write = |extension: &str, text: &str| {
                fs::write(arguments.folder.join(format!("{name}.{extension}")), text).map_err(fail)
            };
            write("smt2", &subject.system.script())?;
            write("faults.smt2", &subject.definitions())?;
            let (options, faults) = (subject.system.options.len(), subject.faults.len());
            println!("{name}: {options} options, {faults} faults");
        }
    }
    Ok(())
}

/// A system with its faults.
struct Subject {
    system: System,
    faults: Vec<String>,
}

impl Subject {
    fn definitions(&self) -> String {
        let define =
            |(number, fault): (usize, &String)| format!("(define-fun fault{number} () Bool {fault})\n");
        self.faults.iter().enumerate().map(define).collect()
    }
}

/// Draws a system that has configurations, and faults that some of them show.
fn subject(program: &Path, shape: Shape, random: &mut ChaCha8Rng) -> Result<Subject, String> {
    for _ in 0..ATTEMPTS {
        let system = shape.draw(random);
        // Faults of real systems lie where options are on more often than not.
        let polarity = *[0.5, 0.75].choose(random).expect("two");
        let configurations = configurations(program, &system)?;
        if configurations.is_empty() {
            continue;
        }
        let mut faults = Vec::new();
        for kind in KINDS {
            let draw = |_| fault(&system, kind, &configurations, polarity, random);
            let drawn: BTreeSet<String> = (0..DRAWS * FAULTS).map(draw).collect();
            let drawn: Vec<String> = drawn.into_iter().choose_multiple(random, 2 * FAULTS);
            let possible = possible(program, &system, &drawn)?;
            faults.extend(drawn.into_iter().zip(possible).filter(|it| it.1).map(|it| it.0).take(FAULTS));
        }
        return Ok(Subject { system, faults });
    }
    Err(format!("no system of shape {} has configurations", shape.name()))
}

fn fault(
    system: &System,
    kind: Kind,
    configurations: &[Vec<String>],
    polarity: f64,
    random: &mut ChaCha8Rng,
) -> String {
    match kind {
        Kind::Values(count) => values(system, count, polarity, random),
        Kind::Node => {
            let node = system.nodes.choose(random).expect("systems have constraints");
            let node = if random.random() { node.clone() } else { format!("(not {node})") };
            match random.random() {
                true => node,
                false => format!("(and {node} {})", values(system, 1, polarity, random)),
            }
        }
        Kind::Either => {
            let parts: Vec<String> = (0..random.random_range(1..=3))
                .map(|_| {
                    let count = random.random_range(1..=5);
                    values(system, count, polarity, random)
                })
                .collect();
            if let [only] = &parts[..] { only.clone() } else { format!("(or {})", parts.join(" ")) }
        }
        Kind::Typical => {
            let values = configurations.choose(random).expect("some");
            let options = system.options.iter().zip(values);
            let count = random.random_range(3..=7);
            let mut shown = options.filter(|(option, _)| option.is_narrow()).choose_multiple(random, count);
            shown.sort();
            all_of(shown.into_iter().map(|(option, value)| option.has(value)).collect())
        }
    }
}

/// A conjunction of values of `count` different options.
fn values(system: &System, count: usize, polarity: f64, random: &mut ChaCha8Rng) -> String {
    let mut options = system.options.iter().choose_multiple(random, count);
    options.sort();
    all_of(options.into_iter().map(|option| option.some_value(polarity, random)).collect())
}

fn all_of(values: Vec<String>) -> String {
    if let [only] = &values[..] { only.clone() } else { format!("(and {})", values.join(" ")) }
}

/// The values of the options in random configurations; empty if there are no configurations.
fn configurations(program: &Path, system: &System) -> Result<Vec<Vec<String>>, String> {
    let number = CONFIGURATIONS.to_string();
    let arguments =
        ["sample", "--strategy", "uniform", "--quick", "--quiet", "--format", "csv", "-n", &number];
    let text = execute(program, &arguments, &system.script())?;
    let row = |line: &str| line.split(',').map(str::to_string).collect();
    Ok(text.lines().skip(1).map(row).collect())
}

/// The faults that some configuration of the system shows.
fn possible(program: &Path, system: &System, faults: &[String]) -> Result<Vec<bool>, String> {
    let mut script = system.declarations();
    for fault in faults {
        script.push_str(&format!("(push 1) (assert {fault}) (check-sat) (pop 1)\n"));
    }
    let text = execute(program, &["solve"], &script)?;
    let answers: Vec<bool> = text.lines().map(|line| line == "sat").collect();
    match answers.len() == faults.len() {
        true => Ok(answers),
        false => Err(format!("sundry solve: {} of {} answers", answers.len(), faults.len())),
    }
}

/// The output of the program for a script.
fn execute(program: &Path, arguments: &[&str], script: &str) -> Result<String, String> {
    let file = tempfile::Builder::new().suffix(".smt2").tempfile().map_err(|error| error.to_string())?;
    fs::write(file.path(), script).map_err(|error| error.to_string())?;
    let finished = process::run(Command::new(program).args(arguments).arg(file.path()), LIMIT)
        .map_err(|error| format!("{}: {error}", program.display()))?;
    match finished.stopped {
        Some(_) => Err(format!("sundry {}: did not end in time", arguments.join(" "))),
        None => Ok(finished.output.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shapes::SystemOption;
    use sundry_smtlib::{SourceText, TheorySet, parse_script};
    use sundry_term::TermStore;

    #[test]
    fn systems_and_faults_are_scripts_and_the_same_for_the_same_seed() {
        for &shape in Shape::value_variants() {
            for seed in 0..20 {
                let draw = || {
                    let mut random = ChaCha8Rng::seed_from_u64(seed);
                    let system = shape.draw(&mut random);
                    let value = |option: &SystemOption| option.text_of(0);
                    let configurations = [system.options.iter().map(value).collect()];
                    let faults = KINDS
                        .iter()
                        .flat_map(|&kind| (0..5).map(move |_| kind))
                        .map(|kind| fault(&system, kind, &configurations, 0.5, &mut random))
                        .collect();
                    Subject { system, faults }
                };
                let (one, two) = (draw(), draw());
                assert_eq!(one.system.script(), two.system.script());
                assert_eq!(one.definitions(), two.definitions());
                let text = format!("{}{}", one.system.declarations(), one.definitions());
                let source = SourceText::new(shape.name(), text.as_str());
                let parsed = parse_script(&mut TermStore::new(), &source, TheorySet::DECIDED);
                assert!(parsed.is_ok(), "{}: {:?}\n{text}", shape.name(), parsed.err());
                assert!(one.system.options.len() >= 8 && !one.system.nodes.is_empty());
            }
        }
    }
}
