//! t-wise coverage of formulas with a small number of bits against the list of all their models: no model has an
//! impossible tuple, and the solutions have all others.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use sundry_coverage::ModelBits;
use sundry_sample::{
    Control, Over, Problem, Request, SampleError, StopReason, Summary, TWiseOptions, TupleSummary, sample,
};
use sundry_term::Model;

use crate::brute_force::{problem, small_case};
use crate::campaign;
use crate::enumerate::for_each_model;

#[test]
fn all_valid_tuples_are_covered() {
    let mut tally: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in campaign::seeds(300, 10) {
        let problem = problem(&small_case(seed));
        for strength in 1..=3 {
            let what = check(&problem, strength, seed)
                .unwrap_or_else(|why| panic!("seed {seed}, strength {strength}: {why}"));
            *tally.entry(what).or_default() += 1;
        }
    }
    println!("{tally:?}");
    assert!(tally["several"] > 100, "formulas are too easy: {tally:?}");
}

fn check(problem: &Problem, strength: usize, seed: u64) -> Result<&'static str, String> {
    let (mut of_values, mut of_bits) = (BTreeSet::new(), BTreeSet::new());
    let mut models = 0;
    for_each_model(problem, &mut |model, bits| {
        models += 1;
        add_tuples(&values(problem, model), strength, &mut of_values);
        // Triples of bits are too many to be listed.
        add_tuples(&positions(problem, &bits), strength.min(2), &mut of_bits);
    });
    let mut what = "unsupported";
    for (over, expected) in [(Over::Values, &of_values), (Over::Bits, &of_bits)] {
        let (outcome, summary) = match run(problem, over, strength, seed) {
            Ok(found) => found,
            Err(SampleError::Unsupported(_) | SampleError::NoFactors) => continue,
            Err(error) => return Err(format!("{error:?}")),
        };
        let (mut found, mut gains) = (BTreeSet::new(), 0);
        for solution in &outcome.solutions {
            gains += solution.gain;
            let judged = problem
                .judge((*solution.model).clone(), &Control::default())
                .map_err(|error| error.to_string())?;
            match over {
                Over::Bits => add_tuples(&positions(problem, &judged.bits), strength.min(2), &mut found),
                _ => add_tuples(&values(problem, &judged.model), strength, &mut found),
            }
        }
        if found != *expected {
            return Err(format!("{over:?}: {} of {} tuples in {outcome:?}", found.len(), expected.len()));
        }
        let counted = if over == Over::Values { expected.len() as u64 } else { outcome.tuples.covered };
        let is_right = outcome.tuples.open() == 0
            && outcome.tuples.covered == counted
            && gains == counted
            && summary.rejected == 0
            && outcome.lower_bound <= outcome.solutions.len();
        let reason = if models == 0 { StopReason::Unsatisfiable } else { StopReason::Complete };
        if summary.stopped_by != reason || (reason == StopReason::Complete && !is_right) {
            return Err(format!("{over:?}: {} tuples, but {outcome:?}", expected.len()));
        }
        what = match outcome.solutions.len() {
            0 => "none",
            1 => "one",
            _ => "several",
        };
    }
    Ok(what)
}

/// A run with claims, made twice.
pub fn run(
    problem: &Problem,
    over: Over,
    strength: usize,
    seed: u64,
) -> Result<(TupleSummary, Summary), SampleError> {
    let options = TWiseOptions { strength, over, ..TWiseOptions::default() };
    let request = Request { obligations: true, seed, ..Request::tuples(options) };
    let run = || sample(problem, &request, &mut |_| ControlFlow::Continue(()));
    let (mut summary, mut again) = (run()?, run()?);
    let untimed = [&mut summary, &mut again].map(|summary| {
        let mut tuples = summary.tuples().expect("tuples").clone();
        tuples.solutions.iter_mut().for_each(|rated| rated.seconds = 0.0);
        tuples
    });
    assert_eq!(format!("{:?}", untimed[0]), format!("{:?}", untimed[1]), "not repeatable");
    assert_eq!(summary.stopped_by, again.stopped_by, "not repeatable");
    let [tuples, _] = untimed;
    Ok((tuples, summary))
}

/// The values of the constants that are Boolean or bit-vectors, with their positions.
fn values(problem: &Problem, model: &Model) -> Vec<String> {
    let values = problem.symbols.iter().filter_map(|&symbol| {
        let sort = problem.store.symbol(symbol).result;
        let has_bits = sort == sundry_term::SortId::BOOL || problem.store.bit_vec_width(sort).is_some();
        model.constant(symbol).filter(|_| has_bits)
    });
    values.enumerate().map(|(number, value)| format!("{number}={value:?}")).collect()
}

fn positions(problem: &Problem, bits: &ModelBits) -> Vec<String> {
    (0..problem.ast_bits.positions()).map(|bit| format!("{bit}={}", bits.ones.contains(bit))).collect()
}

/// Adds all choices of a number of items from those of a solution.
fn add_tuples(items: &[String], strength: usize, tuples: &mut BTreeSet<Vec<String>>) {
    let mut chosen: Vec<(usize, Vec<String>)> = vec![(0, Vec::new())];
    for _ in 0..strength.min(items.len()) {
        chosen = chosen
            .iter()
            .flat_map(|(first, some)| {
                (*first..items.len()).map(move |next| (next + 1, [&some[..], &items[next..=next]].concat()))
            })
            .collect();
    }
    tuples.extend(chosen.into_iter().map(|(_, tuple)| tuple));
}
