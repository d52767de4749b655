//! Probing of the builds of solvers that `tools/oracles` installs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sundry_external::{
    Circumstances, Dialect, Fault, Feature, Inquiry, Limits, Profiles, Respondent, Solver, Verdict,
};
use sundry_testing::oracle::Oracle;

fn probed(oracle: Oracle, arguments: &[&str]) -> Solver {
    let folder = tempfile::tempdir().expect("a folder");
    let mut words = vec![oracle.program().display().to_string()];
    words.extend(arguments.iter().map(|argument| argument.to_string()));
    let words: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let solver = Solver::new(&words.join(" "), &Profiles::built_in()).expect("a command");
    let limits = Limits { wall: Duration::from_secs(10), ..Limits::default() };
    let interrupted = Arc::<AtomicBool>::default();
    let circumstances = Circumstances::new(folder.path(), &limits, &interrupted);
    solver.probed(circumstances).expect("it answers")
}

fn lacking(solver: &Solver) -> Vec<Feature> {
    solver.capabilities().lacking.keys().copied().collect()
}

#[test]
fn z3_reads_everything() {
    let z3 = probed(Oracle::Z3, &[]);
    assert_eq!(lacking(&z3), []);
    assert!(z3.capabilities().version.as_ref().is_some_and(|version| version.contains("Z3")));
}

#[test]
fn cvc5_reads_what_its_options_let_it() {
    let plain = probed(Oracle::Cvc5, &[]);
    assert_eq!(lacking(&plain), [Feature::HalfAndQuadruple, Feature::OtherFormats]);
    assert_eq!(plain.profile().dialect, Dialect::Current);
    assert_eq!(lacking(&probed(Oracle::Cvc5, &["--fp-exp"])), []);
}

#[test]
fn bitwuzla_is_not_asked_about_what_it_does_not_read() {
    let bitwuzla = probed(Oracle::Bitwuzla, &[]);
    let lacking = lacking(&bitwuzla);
    for feature in [Feature::Integers, Feature::Strings, Feature::Datatypes, Feature::OtherFormats] {
        assert!(lacking.contains(&feature), "{feature}");
    }
    for feature in [Feature::BitVectors, Feature::Arrays, Feature::FloatingPoint, Feature::Models] {
        assert!(!lacking.contains(&feature), "{feature}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let ask = |script: &str| {
        let (limits, interrupted) = (Limits::default(), Arc::<AtomicBool>::default());
        let circumstances = Circumstances::new(folder.path(), &limits, &interrupted);
        let inquiry = Inquiry::parse(script).expect("a legal script");
        bitwuzla.ask(&inquiry, circumstances).expect("it can be started")
    };
    let reply = ask("(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (< 0 x))\n(check-sat)\n");
    assert!(matches!(reply.fault, Some(Fault::Unsupported(why)) if why.starts_with("integers: ")));
    assert_eq!(reply.finished.wall, Duration::ZERO);
    let reply = ask("(set-logic QF_BV)\n(declare-fun x () (_ BitVec 2))\n(assert (= x #b01))\n(check-sat)\n");
    assert_eq!(reply.verdict(), Some(Verdict::Sat));
}
