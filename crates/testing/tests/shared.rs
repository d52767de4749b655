//! Processes of real solvers that answer several scripts.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sundry_external::{
    Circumstances, Inquiry, Limits, Profiles, Respondent, SharedProcesses, Solver, Verdict,
};
use sundry_testing::oracle::Oracle;

/// The verdicts of a build on each of its scripts that it decides alone, and after others in one process.
fn verdicts(oracle: Oracle, scripts: &[Inquiry]) -> Vec<[Option<Verdict>; 2]> {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits { wall: Duration::from_secs(10), ..Limits::default() };
    let interrupted = Arc::<AtomicBool>::default();
    let alone = Circumstances::new(folder.path(), &limits, &interrupted);
    let program = format!("'{}'", oracle.program().display());
    let solver = Solver::new(&program, &Profiles::built_in()).expect("a command");
    let solver = solver.probed(alone).expect("it answers");
    assert!(solver.capabilities().answers_repeatedly, "{program}");
    let processes = SharedProcesses::new(folder.path());
    let ask = |inquiry, here| solver.ask(inquiry, here).expect("it can be started").verdict();
    let both = |inquiry| [ask(inquiry, alone), ask(inquiry, alone.sharing(Some(&processes)))];
    scripts.iter().map(both).filter(|[alone, _]| alone.is_some()).collect()
}

#[test]
fn answers_do_not_depend_on_the_scripts_before() {
    let mut scripts = Vec::new();
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/seeds")).expect("the seeds") {
        let path = entry.expect("a seed").path();
        if path.extension().is_none_or(|extension| extension != "smt2") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a text");
        // The other seeds have theories that Sundry does not know.
        if let Ok(inquiry) = Inquiry::parse(&format!("{text}\n(get-model)\n")) {
            scripts.push(inquiry);
        }
    }
    for (oracle, least) in [(Oracle::Z3, 20), (Oracle::Cvc5, 20), (Oracle::Bitwuzla, 5)] {
        let verdicts = verdicts(oracle, &scripts);
        assert!(verdicts.len() >= least, "{} of {} are decided", verdicts.len(), scripts.len());
        for [alone, shared] in verdicts {
            assert_eq!(alone, shared);
        }
    }
}
