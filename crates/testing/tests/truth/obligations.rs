//! What complete runs claim, written as scripts and confirmed by Bitwuzla.

use sundry_sample::{SampleOptions, obligations, sample};
use sundry_testing::oracle::{Answer, Oracle};

use crate::brute_force::{problem, small_case};
use crate::campaign;
use crate::oracle_answers::{ask, supports};

#[test]
fn bitwuzla_confirms_every_obligation() {
    let mut scripts = Vec::new();
    let mut names = Vec::new();
    for seed in campaign::seeds(150, 20) {
        let case = small_case(seed);
        if !supports(Oracle::Bitwuzla, &case.store, &case.assertions) {
            continue;
        }
        let problem = problem(&case);
        let outcome = sample(&problem, &SampleOptions::default(), &mut |_| {}).expect("small circuits");
        for obligation in obligations(&problem, &outcome) {
            names.push((seed, obligation.name));
            scripts.push(obligation.script);
        }
    }
    let kinds = ["impossible", "exclusive", "minimum", "unsatisfiable"];
    for kind in kinds {
        let count = names.iter().filter(|(_, name)| name.starts_with(kind)).count();
        println!("{count:>8} obligations: {kind}");
        assert!(count > 0, "no obligation of the kind {kind}");
    }
    for chunk in (0..scripts.len()).collect::<Vec<_>>().chunks(200) {
        let asked: Vec<String> = chunk.iter().map(|&number| scripts[number].clone()).collect();
        for (&number, reply) in chunk.iter().zip(ask(Oracle::Bitwuzla, &asked)) {
            let (seed, name) = &names[number];
            assert_eq!(
                reply.answer,
                Answer::Unsat,
                "seed {seed}, {name}: {}\n{}",
                reply.text,
                scripts[number]
            );
        }
    }
}
