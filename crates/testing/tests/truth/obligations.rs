//! The claims of complete runs, written as scripts and confirmed by Bitwuzla.

use std::ops::ControlFlow;

use sundry_sample::{Obligation, Over, Problem, Request, SampleError, obligations, sample};
use sundry_testing::oracle::{Answer, Oracle};

use crate::brute_force::{problem, small_case};
use crate::campaign;
use crate::oracle_answers::{ask, supports};
use crate::tuples;

#[test]
fn bitwuzla_confirms_every_obligation() {
    let mut claims = Vec::new();
    for (seed, problem) in problems(20) {
        let summary = sample(&problem, &Request::cover(), &mut |_| ControlFlow::Continue(()));
        let summary = summary.expect("small circuits");
        claims.extend(obligations(&problem, &summary).into_iter().map(|claim| (seed, claim)));
    }
    confirm(&claims, &["impossible", "exclusive", "minimum", "unsatisfiable"]);
}

#[test]
fn bitwuzla_confirms_what_makes_tuples_impossible() {
    let mut claims = Vec::new();
    for (seed, problem) in problems(10) {
        let strength = 1 + usize::try_from(seed % 3).expect("small");
        for over in [Over::Values, Over::Bits] {
            match tuples::run(&problem, over, strength, seed) {
                Ok((_, summary)) => {
                    claims.extend(obligations(&problem, &summary).into_iter().map(|claim| (seed, claim)))
                }
                Err(SampleError::Unsupported(_) | SampleError::NoFactors) => {}
                Err(error) => panic!("seed {seed}: {error:?}"),
            }
        }
    }
    confirm(&claims, &["impossible", "further", "unsatisfiable"]);
}

/// Small formulas that Bitwuzla can read, with their seeds; `share` as for [`campaign::seeds`].
fn problems(share: u64) -> impl Iterator<Item = (u64, Problem)> {
    let cases = campaign::seeds(150, share).map(|seed| (seed, small_case(seed)));
    let readable = cases.filter(|(_, case)| supports(Oracle::Bitwuzla, &case.store, &case.assertions));
    readable.map(|(seed, case)| (seed, problem(&case)))
}

/// Asks Bitwuzla for all claims, of which there have to be some of each kind.
fn confirm(claims: &[(u64, Obligation)], kinds: &[&str]) {
    for kind in kinds {
        let count = claims.iter().filter(|(_, claim)| claim.name.starts_with(kind)).count();
        println!("{count:>8} obligations: {kind}");
        assert!(count > 0, "no obligation of the kind {kind}");
    }
    for chunk in claims.chunks(200) {
        let asked: Vec<String> = chunk.iter().map(|(_, claim)| claim.script.clone()).collect();
        for ((seed, Obligation { name, script }), reply) in chunk.iter().zip(ask(Oracle::Bitwuzla, &asked)) {
            assert_eq!(reply.answer, Answer::Unsat, "seed {seed}, {name}: {}\n{script}", reply.text);
        }
    }
}
