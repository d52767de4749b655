//! Options of real solvers: the tables of options fit the current releases, and no option changes an answer.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sundry_external::{
    Circumstances, Fault, Inquiry, Limits, OptionPool, Profiles, Reply, Respondent, Solver, Standing, Verdict,
};

/// The solvers of the tables that are installed beside the tests, with the options that a current build may lack: those of
/// older releases, and SAT solvers that a build may leave out.
const INSTALLED: [(&str, &[&str]); 3] = [
    ("z3", &[]),
    ("cvc5", &["--bv-sat-solver=cryptominisat", "--bv-sat-solver=kissat"]),
    ("bitwuzla", &["--sat-solver=kissat", "--sat-solver=cms", "--sat-solver=gimsatul"]),
];

fn limits() -> Limits {
    Limits { wall: Duration::from_secs(10), ..Limits::default() }
}

/// A solver of `.venv`, or nothing, which the test reports.
fn installed(name: &str) -> Option<Solver> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin").join(name);
    if !path.exists() {
        println!("SKIPPED: {} is missing (tools/oracles installs it)", path.display());
        return None;
    }
    let command = shlex::try_quote(path.to_str()?).ok()?.into_owned();
    Some(Solver::new(&command, &Profiles::built_in()).expect("a command"))
}

/// The options that a build takes.
fn pool(solver: &Solver) -> OptionPool {
    let folder = tempfile::tempdir().expect("a folder");
    let (limits, interrupted) = (limits(), Arc::default());
    let here = Circumstances::new(folder.path(), &limits, &interrupted);
    solver.find_options(here).expect("it can be started")
}

#[test]
fn current_releases_take_the_options_of_the_tables() {
    for (name, lacking) in INSTALLED {
        let Some(solver) = installed(name) else { continue };
        let pool = pool(&solver);
        let dropped: Vec<_> = pool.dropped.iter().filter(|(it, _)| !lacking.contains(&it.as_str())).collect();
        assert!(dropped.is_empty(), "{name}: {dropped:#?}");
        for standing in [Standing::Regular, Standing::Experimental, Standing::Unknown] {
            let count = pool.options.iter().filter(|option| option.standing == standing).count();
            println!("{name}: {count} options with values, {standing}");
            assert!(count > 0 || (name, standing) == ("bitwuzla", Standing::Unknown), "{name}: {standing}");
        }
        assert!(pool.suspects().count() > 5, "{name}: {:?}", pool.suspects);
    }
}

/// Formulas of several theories, with their answers.
const FORMULAS: [(&str, Verdict); 4] = [
    (
        "(set-logic QF_AUFBV)(declare-const x (_ BitVec 6))(declare-const y (_ BitVec 6))
        (declare-const a (Array (_ BitVec 6) (_ BitVec 6)))(declare-fun f ((_ BitVec 6)) (_ BitVec 6))
        (assert (bvult (bvmul x y) (bvudiv (f x) #b000011)))(assert (bvsgt y #b000001))
        (assert (not (= (select (store a x y) (f y)) (select a x))))",
        Verdict::Sat,
    ),
    (
        "(set-logic QF_BV)(declare-const x (_ BitVec 6))(declare-const y (_ BitVec 6))
        (assert (= (bvand x #b000001) #b000000))(assert (= (bvurem x #b000010) (bvor y #b000001)))",
        Verdict::Unsat,
    ),
    (
        "(set-logic QF_NIRA)(declare-const x Real)(declare-const y Real)(declare-const n Int)
        (assert (or (< (* x x) (- 1.0)) (< x y)))(assert (< (+ y (to_real (mod n 3))) x))(assert (< (* 2 n) (* n n)))",
        Verdict::Unsat,
    ),
    (
        "(set-logic QF_SLIA)(declare-const s String)(declare-const t String)
        (assert (= (str.++ s \"b\") (str.++ \"a\" s)))(assert (str.in_re t (re.+ (str.to_re \"ab\"))))
        (assert (= (str.len t) 3))",
        Verdict::Unsat,
    ),
];

/// Whether a reply to a formula has another answer: `unknown`, a crash, and what is not supported, are none.
fn has_other_answer(reply: &Reply, right: Verdict) -> bool {
    reply.verdict().is_some_and(|verdict| verdict != right && verdict != Verdict::Unknown)
}

#[test]
fn options_of_the_tables_change_no_answer() {
    for (name, _) in INSTALLED {
        let Some(solver) = installed(name) else { continue };
        let folder = tempfile::tempdir().expect("a folder");
        let limits = Limits { wall: Duration::from_secs(2), ..Limits::default() };
        let interrupted = Arc::default();
        let here = Circumstances::new(folder.path(), &limits, &interrupted);
        let solver = solver.probed(here).expect("it answers");
        let options: BTreeSet<String> = pool(&solver)
            .options
            .into_iter()
            .filter(|option| option.standing != Standing::Unknown)
            .map(|option| option.argument)
            .collect();
        let (mut answered, mut asked) = (0, 0);
        for (text, right) in FORMULAS {
            let inquiry = Inquiry::parse(&format!("{text}(check-sat)")).expect("a legal script");
            if !solver.capabilities().reads(inquiry.needs) {
                continue;
            }
            for option in &options {
                let reply = solver.ask(&inquiry.with_arguments(vec![option.clone()]), here).expect("it runs");
                asked += 1;
                answered += usize::from(reply.verdict().is_some_and(|it| it != Verdict::Unknown));
                assert!(!has_other_answer(&reply, right), "{name} {option}: {text}");
                if let Some(Fault::Crash(signature)) = &reply.fault {
                    println!("{name} {option} crashes ({signature}): {text}");
                }
            }
        }
        println!("{name}: {answered} of {asked} answers");
        assert!(2 * answered > asked, "{name}: {answered} of {asked}");
    }
}

/// A solver that is a script of the shell, which sees all arguments as `$*`.
fn script(folder: &Path, body: &str, more: &str, table: &str) -> Solver {
    let path = folder.join("solver.sh");
    fs::write(&path, body).expect("written");
    let mut profiles = Profiles::built_in();
    profiles
        .extend(&format!("[script]\nprograms = ['sh']\n[script.options]\n{table}"))
        .expect("legal profiles");
    Solver::new(&format!("sh '{}' {more}", path.display()), &profiles).expect("a command")
}

/// Options that do not go together are still options, those that the user has set stay as they are, and of a list only
/// what is harmless is added.
#[test]
fn a_build_says_which_options_it_takes() {
    let folder = tempfile::tempdir().expect("a folder");
    let body = "case \"$*\" in
        *one=*two=*|*two=*one=*) echo '(error \"one and two exclude each other\")';;
        *bad=*) echo '(error \"no option bad\")';;
        *) echo sat; echo '((define-fun p () Bool true))';;
        esac\n";
    let table = "setting = '{name}={value}'\nregular = ['one=1', 'bad=1', 'two=1|2', 'set=1']\nexperimental = ['three=true']\n";
    let pool = pool(&script(folder.path(), body, "set=2", table));
    let mut taken: Vec<&str> = pool.options.iter().map(|option| option.argument.as_str()).collect();
    taken.sort_unstable();
    assert_eq!(taken, ["one=1", "three=true", "two=1", "two=2"]);
    let dropped: Vec<_> = pool.dropped.iter().collect();
    assert_eq!(dropped, [(&"bad=1".to_string(), &"no option bad".to_string())]);
}

#[test]
fn a_list_of_the_build_decides_and_adds() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("list.sh");
    fs::write(&list, "printf '  --fast  [*]\\n  --new-way  [*]\\n  --dump-all  [*]\\n'\n").expect("written");
    let table = format!(
        "setting = '--{{name}}={{value}}'\non = '--{{name}}'\noff = '--no-{{name}}'\nregular = ['fast=true', 'gone=true']\n\
         lists = [['{}']]\nlisted = ['new-', 'dump-']\nnever = ['dump']\n",
        list.display()
    );
    let pool = pool(&script(folder.path(), "echo sat\n", "", &table));
    let taken: Vec<(&str, Standing)> =
        pool.options.iter().map(|option| (option.argument.as_str(), option.standing)).collect();
    let unknown = Standing::Unknown;
    assert_eq!(taken, [("--fast", Standing::Regular), ("--new-way", unknown), ("--no-new-way", unknown)]);
    assert_eq!(pool.dropped.keys().collect::<Vec<_>>(), ["--gone"]);
}
