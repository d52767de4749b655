//! Samples of formulas with a small number of bits against the list of all their models.
//!
//! The list determines which AST-bits are valid, and the least number of solutions that cover them. A run without
//! limits must end complete with exactly these AST-bits, its lower bound and its number of solutions must enclose the
//! least number, and a repetition must give the same result.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_coverage::{Coverage, ModelBits};
use sundry_sample::{Control, Problem, Request, SetSummary, StopReason, Summary, sample};
use sundry_smtlib::Formula;
use sundry_testing::generate::Options;

use crate::campaign;
use crate::case::Case;
use crate::enumerate::{all_model_bits, assignment_count};
use crate::set_cover::minimum;
use crate::shrink::shrink;

/// Assignments of a formula, at most.
const MAXIMAL_ASSIGNMENTS: u64 = 1 << 10;

/// A formula with a small number of bits; half of the seeds have Bool and bit-vectors only.
pub fn small_case(seed: u64) -> Case {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(2);
    let plain = seed.is_multiple_of(2);
    loop {
        let options = Options {
            operations: random.random_range(2..=12),
            widths: 1..=if plain { random.random_range(1..=4) } else { 2 },
            wide_percent: 0,
            greatest_width: 8,
            constants: if plain { random.random_range(1..=4) } else { 2 },
            arrays: !plain,
            functions: !plain,
            uninterpreted_sorts: false,
            ..Options::default()
        };
        let case = Case::with_options(random.random(), random.random_range(1..=3), options);
        let formula = case.formula();
        let tables = formula.symbols.iter().any(|&symbol| {
            let declared = case.store.symbol(symbol);
            !declared.arguments.is_empty() || case.store.array_parts(declared.result).is_some()
        });
        let count = assignment_count(&case.store, &formula.symbols);
        if (4..=MAXIMAL_ASSIGNMENTS).contains(&count) && tables != plain {
            return Case { seed, ..case };
        }
    }
}

/// The case as something to sample.
pub fn problem(case: &Case) -> Problem {
    let Formula { symbols, assertions, .. } = case.formula();
    Problem::new(case.store.clone(), assertions, symbols)
}

#[test]
fn samples_are_exact() {
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    let mut failures = 0;
    for seed in campaign::seeds(600, 10) {
        let case = small_case(seed);
        match compare(&case) {
            Ok(summary) => *tally.entry(summary).or_default() += 1,
            Err(why) => {
                failures += 1;
                let shrunk = shrink(&case, &mut |candidate| compare(candidate).is_err());
                let again = compare(&shrunk).err().unwrap_or_default();
                println!("seed {seed}: {why}\nshrunk to\n{}{again}\n", shrunk.script());
            }
        }
        if failures >= 5 {
            break;
        }
    }
    for (what, count) in &tally {
        println!("{count:>8} {what}");
    }
    assert_eq!(failures, 0, "defects, printed above");
}

/// Whether the sample of a formula agrees with the list of its models; if so, a summary.
fn compare(case: &Case) -> Result<String, String> {
    let problem = problem(case);
    let models = all_model_bits(&problem);
    let request = Request { seed: case.seed, ..Request::cover() };
    let run = || sample(&problem, &request, &mut |_| ControlFlow::Continue(()));
    let summary = run().map_err(|error| error.to_string())?;
    let again = run().map_err(|error| error.to_string())?;
    if fingerprint(&summary) != fingerprint(&again) {
        return Err(format!("not repeatable:\n{}\n{}", fingerprint(&summary), fingerprint(&again)));
    }
    if summary.rejected > 0 {
        return Err(format!("{} wrong models", summary.rejected));
    }
    let outcome = set(&summary);
    if models.is_empty() {
        let right = outcome.solutions.is_empty() && summary.stopped_by == StopReason::Unsatisfiable;
        return if right {
            Ok("unsatisfiable".into())
        } else {
            Err(format!("unsatisfiable, but {outcome:?}"))
        };
    }
    check_solutions(&problem, &models, outcome)?;
    if summary.stopped_by != StopReason::Complete {
        return Err(format!("ended by {:?}", summary.stopped_by));
    }
    check_validity(&problem, &models, outcome)?;
    check_bound(&models, outcome)
}

fn set(summary: &Summary) -> &SetSummary {
    summary.set().expect("a set that covers AST-bits")
}

/// Everything about a run but times.
fn fingerprint(summary: &Summary) -> String {
    let outcome = set(summary);
    let solutions: Vec<String> =
        outcome.solutions.iter().map(|rated| format!("{} {:?}", rated.gain, rated.model)).collect();
    format!(
        "{solutions:#?} {} {:?} {:?} {} {:?} {:?}",
        outcome.covered(),
        outcome.validity,
        outcome.impossible,
        outcome.lower_bound,
        outcome.exclusive,
        summary.stopped_by
    )
}

/// Solutions are models, and their gains are the coverage that they add.
fn check_solutions(problem: &Problem, models: &[ModelBits], outcome: &SetSummary) -> Result<(), String> {
    let mut coverage = Coverage::new(&problem.ast_bits);
    for rated in &outcome.solutions {
        let judged =
            problem.judge((*rated.model).clone(), &Control::default()).map_err(|error| error.to_string())?;
        if !models.contains(&judged.bits) {
            return Err(format!("{:?} is no model", rated.model));
        }
        let gain = coverage.add(&judged.bits) as u64;
        if gain != rated.gain {
            return Err(format!("gain {} where {gain} is added", rated.gain));
        }
        if gain == 0 {
            return Err("a solution without gain".into());
        }
    }
    if coverage != outcome.coverage {
        return Err(format!("covers {}, says {}", coverage.covered(), outcome.covered()));
    }
    Ok(())
}

/// The AST-bits called impossible are those that no model covers, and all others are covered.
fn check_validity(problem: &Problem, models: &[ModelBits], outcome: &SetSummary) -> Result<(), String> {
    let total = problem.ast_bits.total();
    let impossible: Vec<usize> =
        (0..total).filter(|&ast_bit| !models.iter().any(|model| model.covers(ast_bit))).collect();
    if !outcome.impossible.iter().eq(impossible.iter().copied()) {
        return Err(format!("impossible are {impossible:?}, not {:?}", outcome.impossible));
    }
    let validity = outcome.validity;
    let valid = (total - impossible.len()) as u64;
    let right = validity.valid == valid
        && validity.impossible == impossible.len() as u64
        && validity.unknown == 0
        && outcome.covered() == valid
        && outcome.is_complete();
    if right { Ok(()) } else { Err(format!("{valid} are valid, but {outcome:?}")) }
}

/// The least number of solutions is where the outcome says.
fn check_bound(models: &[ModelBits], outcome: &SetSummary) -> Result<String, String> {
    let (bound, found) = (outcome.lower_bound, outcome.solutions.len());
    for (position, &left) in outcome.exclusive.iter().enumerate() {
        for &right in &outcome.exclusive[position + 1..] {
            if models.iter().any(|model| model.covers(left) && model.covers(right)) {
                return Err(format!("AST-bits {left} and {right} do not exclude one another"));
            }
        }
    }
    let Some(minimum) = minimum(models) else { return Ok("minimum too hard to find".into()) };
    if bound == 0 || bound > minimum || found < minimum || outcome.exclusive.len() > bound {
        let exclusive = outcome.exclusive.len();
        return Err(format!("least is {minimum}; bound {bound} ({exclusive} exclusive), found {found}"));
    }
    let proof = if outcome.exclusive.len() < bound && bound > 1 { "by copies" } else { "by exclusion" };
    Ok(match (bound == found, found == minimum) {
        (true, _) => format!("proved minimal {proof}, {found:>2} solutions"),
        (false, true) => "minimal, not proved".to_string(),
        (false, false) => format!("{} too many", found - minimum),
    })
}
