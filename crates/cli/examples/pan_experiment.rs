//! The paper's experiment with the strategy `pan`: solutions needed per coverage level, in the order
//! in which they were found, against the published figures of PanSampler.
//!
//! A formula counts as a success at a level when at most `--max-solutions` solutions reach it within
//! `--seconds`. Coverage is taken over the AST-bits that are not proved impossible; `--valid` names a
//! file with those counts from elsewhere (lines `formula,count`), for runs too short to decide them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Parser;
use sundry_coverage::Coverage;
use sundry_sample::{Control, Goal, Pan, PanOptions, Problem, Step, StopReason, Strategy};
use sundry_smtlib::{SourceText, parse_script};
use sundry_term::TermStore;

const LEVELS: [&str; 6] = ["80", "90", "95", "98", "99", "99.5"];

#[derive(Parser)]
struct Arguments {
    /// Names of formulas, one a line, relative to the folder and without `.smt2`.
    #[arg(long)]
    list: PathBuf,
    /// The folder of the formulas.
    #[arg(long)]
    folder: PathBuf,
    /// Published figures: benchmark,tool,coverage_percent,solutions,seconds.
    #[arg(long)]
    published: PathBuf,
    #[arg(long)]
    valid: Option<PathBuf>,
    #[arg(long, default_value_t = 20.0)]
    seconds: f64,
    #[arg(long, default_value_t = 1000)]
    max_solutions: usize,
    #[arg(long, default_value_t = 50)]
    candidates: usize,
    #[arg(long)]
    no_diversity: bool,
    #[arg(long)]
    manhattan: bool,
    #[arg(long)]
    no_optimisation: bool,
    #[arg(long)]
    push_uncovered: bool,
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Only every n-th formula, starting from the k-th: `k/n`.
    #[arg(long)]
    part: Option<String>,
}

/// Solutions needed and seconds taken at each level reached.
type Levels = [Option<(usize, f64)>; LEVELS.len()];

struct Row {
    name: String,
    ours: Levels,
    published: Levels,
}

/// Solutions and seconds, ours and published.
type Pair = ((usize, f64), (usize, f64));

fn main() {
    let arguments = Arguments::parse();
    let published = read_published(&arguments.published);
    let valid = arguments.valid.as_deref().map(read_valid).unwrap_or_default();
    let list = std::fs::read_to_string(&arguments.list).expect("the list of formulas");
    let mut rows = Vec::new();
    let (first, step) = match &arguments.part {
        Some(part) => part.split_once('/').map(|(k, n)| (k.parse().unwrap(), n.parse().unwrap())).unwrap(),
        None => (0, 1),
    };
    for name in list.lines().skip(first).step_by(step) {
        let row = Row {
            name: name.into(),
            ours: run(&arguments, name, valid.get(name).copied()),
            published: published.get(name).copied().unwrap_or_default(),
        };
        rows.push(row);
    }
    print_table(&rows);
}

fn run(arguments: &Arguments, name: &str, valid: Option<u64>) -> Levels {
    let path = arguments.folder.join(format!("{name}.smt2"));
    let start = Instant::now();
    let problem = read(&path);
    let control = Control { deadline: Some(start + Duration::from_secs_f64(arguments.seconds)), stop: None };
    let options = PanOptions {
        candidates: arguments.candidates,
        no_diversity: arguments.no_diversity,
        manhattan: arguments.manhattan,
        no_optimisation: arguments.no_optimisation,
        push_uncovered: arguments.push_uncovered,
    };
    let goal = Goal { target: 1.0, max_solutions: Some(arguments.max_solutions) };
    let mut pan = Pan::new(&problem, goal, options, arguments.seed, &control).expect("a circuit that fits");
    let mut coverage = Coverage::new(&problem.ast_bits);
    let mut curve: Vec<(usize, f64)> = Vec::new();
    let reason = loop {
        match pan.step() {
            Step::Found(solution) => {
                coverage.add(&solution.bits);
                curve.push((coverage.covered(), start.elapsed().as_secs_f64()));
                // Enough for every level: more would only take time.
                if valid.is_some_and(|valid| coverage.covered() as f64 >= 0.995 * valid as f64) {
                    break StopReason::Target;
                }
            }
            Step::Replaced(_) => unreachable!("pan replaces nothing"),
            Step::Failed(wrong) => eprintln!("{name}: {wrong}"),
            Step::Stopped(reason) => break reason,
        }
    };
    let validity = pan.validity();
    let base = valid.unwrap_or(validity.valid + validity.unknown);
    let mut levels = Levels::default();
    for (level, percent) in levels.iter_mut().zip(LEVELS) {
        let share = percent.parse::<f64>().expect("a number") / 100.0;
        let reached = curve.iter().position(|&(covered, _)| covered as f64 >= share * base as f64 - 1e-9);
        *level = reached.map(|position| (position + 1, curve[position].1));
    }
    let covered = coverage.covered();
    println!(
        "{name},{},n={},{},covered={covered},valid={},unknown={},cov={:.5},t={:.2}",
        reason.name(),
        curve.len(),
        levels
            .iter()
            .zip(LEVELS)
            .map(|(&at, level)| format!("{level}={}", count(at)))
            .collect::<Vec<_>>()
            .join(","),
        validity.valid,
        validity.unknown,
        covered as f64 / base as f64,
        start.elapsed().as_secs_f64(),
    );
    levels
}

fn count(at: Option<(usize, f64)>) -> String {
    at.map_or("-".into(), |(solutions, _)| solutions.to_string())
}

fn read(path: &Path) -> Problem {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let source = SourceText::new(path.display().to_string(), text);
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &source).unwrap_or_else(|error| panic!("{error:?}"));
    let formula = script.formula();
    Problem::new(store, formula.assertions.clone(), formula.symbols.clone())
}

fn read_valid(path: &Path) -> BTreeMap<String, u64> {
    let text = std::fs::read_to_string(path).expect("the file of valid counts");
    let pairs = text.lines().filter_map(|line| line.rsplit_once(','));
    pairs.filter_map(|(name, count)| Some((name.into(), count.parse().ok()?))).collect()
}

fn read_published(path: &Path) -> BTreeMap<String, Levels> {
    let text = std::fs::read_to_string(path).expect("the published figures");
    let mut published: BTreeMap<String, Levels> = BTreeMap::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split(',').collect();
        let [name, "PanSampler", percent, solutions, seconds] = fields[..] else { continue };
        let Some(level) = LEVELS.iter().position(|&level| level == percent) else { continue };
        let levels = published.entry(name.into()).or_default();
        levels[level] = solutions.parse().ok().zip(seconds.parse().ok());
    }
    published
}

fn print_table(rows: &[Row]) {
    println!("formulas: {}", rows.len());
    println!(
        "level  #suc ours/publ.  common  geo. mean ratio  mean #sol ours/publ.  mean seconds ours/publ."
    );
    for (position, level) in LEVELS.iter().enumerate() {
        let ours = rows.iter().filter(|row| row.ours[position].is_some()).count();
        let theirs = rows.iter().filter(|row| row.published[position].is_some()).count();
        let common: Vec<((usize, f64), (usize, f64))> =
            rows.iter().filter_map(|row| row.ours[position].zip(row.published[position])).collect();
        let number = common.len() as f64;
        let mean = |value: &dyn Fn(&Pair) -> f64| common.iter().map(value).sum::<f64>() / number;
        let ratio = mean(&|(ours, theirs)| (ours.0 as f64 / theirs.0 as f64).ln()).exp();
        println!(
            "{level:>5}  {ours:>5} {theirs:>5}     {:>5}   {ratio:>8.3}        {:>8.2} {:>8.2}    {:>8.2} {:>8.2}",
            common.len(),
            mean(&|(ours, _)| ours.0 as f64),
            mean(&|(_, theirs)| theirs.0 as f64),
            mean(&|(ours, _)| ours.1),
            mean(&|(_, theirs)| theirs.1),
        );
    }
    let lost = rows.iter().filter(|row| row.published[5].is_some() && row.ours[5].is_none());
    let lost: Vec<&str> = lost.map(|row| row.name.as_str()).collect();
    println!("not reached at 99.5 though published: {}", lost.join(" "));
}
