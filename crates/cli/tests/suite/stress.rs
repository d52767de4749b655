//! `sundry stress` with a small solver in C, `programs/picky.c`, which is slow where there are products.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use sundry_testing::skipped::skip;

use crate::common::{Place, Run, signal, start, wait_for};

/// Compiles the small solver with a compiler and its flags, together with a runtime if one is named. `None`, visibly, if the compiler
/// is missing.
fn picky(place: &Place, test: &str, compiler: &str, flags: &[&str], runtime: Option<&str>) -> Option<String> {
    let has_compiler = Command::new(compiler).arg("--version").stdout(Stdio::null()).status();
    if has_compiler.is_err() {
        skip(test, format_args!("there is no {compiler}"));
        return None;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/picky.c");
    let mut command = Command::new(compiler);
    command.current_dir(place.path(".")).args(["-O1", "-Wall", "-Wextra", "-Werror"]).args(flags);
    command.arg(source).args(["-o", "picky"]);
    if let Some(runtime) = runtime {
        place.run(&["stress", "--write-runtime", "runtime"]).expect(0);
        let source = place.path("runtime").join(runtime);
        let object = place.path("runtime.o");
        let compiled = Command::new(compiler).arg("-c").arg(source).arg("-o").arg(&object).status();
        assert!(compiled.expect("it starts").success());
        command.arg(object).args(["-pthread"]);
    }
    assert!(command.status().expect("it starts").success());
    Some(format!("'{}' '{}'", place.path("picky").display(), env!("CARGO_BIN_EXE_sundry")))
}

/// The arguments of a search for bit-vectors in which little is enough; the rest has precedence.
fn arguments<'a>(target: &'a str, reference: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    let usual = [
        ("--target", target),
        ("--reference", reference),
        ("--logic", "QF_BV"),
        ("--population", "12"),
        ("--limit", "0.4"),
        ("--factor", "2"),
        if rest.contains(&"--confirm") { ("--reduction-timeout", "20") } else { ("--confirm", "0") },
        ("--timeout", "100"),
        ("-j", "2"),
    ];
    let usual = usual.into_iter().filter(|(option, _)| !rest.contains(option));
    std::iter::once("stress")
        .chain(usual.flat_map(|(option, value)| [option, value]))
        .chain(rest.iter().copied())
        .collect()
}

fn stress(place: &Place, target: &str, rest: &[&str]) -> Run {
    place.run(&arguments(target, &format!("{target} --easy"), rest))
}

fn record(place: &Place, folder: &str) -> Value {
    serde_json::from_str(&place.read(&format!("{folder}/record.json"))).expect("JSON")
}

/// The command of a solver that is a script of the shell; `SUNDRY` in its text stands for the program.
fn script(place: &Place, name: &str, text: &str) -> String {
    place.write(name, text.replace("SUNDRY", env!("CARGO_BIN_EXE_sundry")));
    place.script(name)
}

/// A compiler with its flags, the counters that it gives, a runtime to link, and whether anything is counted.
type Kind = (&'static str, &'static [&'static str], &'static str, Option<&'static str>, bool);

/// The folders of findings.
fn findings(place: &Place, folder: &str) -> Vec<String> {
    place.names(folder).into_iter().filter(|name| name.starts_with("slow-")).collect()
}

#[test]
fn a_slow_input_is_bred_confirmed_reduced_and_reported() {
    let place = Place::new();
    let test = "a_slow_input_is_bred_confirmed_reduced_and_reported";
    let Some(target) = picky(&place, test, "cc", &[], None) else { return };
    let run = stress(&place, &target, &["--findings", "1", "--confirm", "0.8"]).expect(1);
    assert!(run.err.contains("takes more than 0.80 s"), "{}", run.err);
    assert!(run.err.contains("1 slow input, 0 defects, in stress"), "{}", run.err);
    let [folder] = &findings(&place, "stress")[..] else { panic!("{}", run.err) };
    let reduced = place.read(&format!("stress/{folder}/reduced.smt2"));
    assert!(reduced.matches("(bvmul").count() >= 3 && reduced.len() < 400, "{reduced}");
    let report = place.read(&format!("stress/{folder}/report.md"));
    assert!(report.contains("| stopped at its limit | more than 0.80 s | 1 |"), "{report}");
    assert!(report.contains(&reduced), "{report}");
    let page = place.read("stress/index.html");
    assert!(page.matches("<svg").count() == 6 && page.contains(&format!("href=\"{folder}/report.md\"")));
    let record = record(&place, "stress");
    assert_eq!(record["ended_by"], "findings");
    assert_eq!(record["population"].as_array().map(Vec::len), Some(12));
    let solvers = record["solvers"].as_array().expect("solvers");
    assert_eq!((solvers.len(), &solvers[1]["is_reference"]), (2, &true.into()), "{record}");
    assert!(solvers[0]["stopped"].as_u64() > Some(0) && solvers[1]["sat"].as_u64() > Some(0), "{record}");
    let named = format!("<td>{} (under test)</td>", target.replace('\'', "&#39;"));
    assert!(page.contains(&named), "{page}");
    let case =
        record["cases"].as_array().and_then(|cases| cases.iter().find(|it| it["status"] == "confirmed"));
    let case = case.expect("a confirmed case");
    assert_eq!(case["targets"][0]["outcome"], "limit", "{case}");
    assert_eq!(case["references"][0]["outcome"]["decided"], "sat", "{case}");
    let number = case["number"].to_string();
    let again = stress(&place, &target, &["--replay", &number, "--confirm", "0.8"]).expect(0);
    assert_eq!(again.out, place.read(&format!("stress/{folder}/formula.smt2")));
    stress(&place, &target, &["--replay", "9999"]).expect(2);
}

/// An input that cannot become smaller is reported in its reduced form as well.
#[test]
fn a_minimal_input_has_a_reduced_form() {
    let minimal = "(declare-const x (_ BitVec 1))\n(assert (= x (bvmul x (bvmul x (bvmul x x)))))\n";
    let place = Place::with(&[("minimal.smt2", &format!("{minimal}(check-sat)\n"))]);
    let Some(target) = picky(&place, "a_minimal_input_has_a_reduced_form", "cc", &[], None) else { return };
    let seeds = ["--mix", "seeds=1", "minimal.smt2", "--generations", "0", "--confirm", "0.8"];
    let run = stress(&place, &target, &seeds).expect(1);
    let [folder] = &findings(&place, "stress")[..] else { panic!("{}", run.err) };
    assert!(place.read(&format!("stress/{folder}/reduced.smt2")).contains(minimal));
}

#[test]
fn every_variant_breeds_with_every_kind_of_counters() {
    let test = "every_variant_breeds_with_every_kind_of_counters";
    let kinds: [Kind; 4] = [
        ("gcc", &["--coverage", "-Wl,-u,__gcov_dump"], "gcov=.", Some("flush.c"), true),
        ("clang", &["-fprofile-instr-generate"], "llvm", Some("flush.c"), true),
        ("gcc", &["-fsanitize-coverage=trace-pc"], "edges", Some("edges.c"), true),
        ("cc", &[], "none", None, false),
    ];
    let variants = [
        "default",
        "only-time",
        "no-coverage",
        "no-complexity",
        "default-crowding",
        "stringfuzz",
        "stringfuzz-difference",
    ];
    for (number, (compiler, flags, counters, runtime, is_counted)) in kinds.into_iter().enumerate() {
        let place = Place::with(&[("profile.toml", PROFILE)]);
        let Some(target) = picky(&place, test, compiler, flags, runtime) else { continue };
        // Each kind with the default and two more, so that all variants have their turn.
        let others = [1 + 2 * number, 2 + 2 * number].map(|number| variants.get(number).copied());
        for variant in [Some("default")].into_iter().chain(others).flatten() {
            let more = ["--variant", variant, "--counters", counters, "--generations", "2"];
            // Processor time once, where runs are stopped and still deliver their counters; the rest is counted, which is faster.
            let counted = ["--measure", "resource", "--profiles", "profile.toml", "--limit", "20"];
            let measure = if variant == "default" { &["--limit", "0.2"][..] } else { &counted };
            let run = stress(&place, &target, &[&more[..], measure, &["-o", variant]].concat()).expect(0);
            let record = record(&place, variant);
            let last = record["generations"].as_array().and_then(|all| all.last()).expect("generations");
            assert_eq!((&record["ended_by"], &last["lost_counters"]), (&"generations".into(), &0.into()));
            assert_eq!(last["total_lines"].as_u64() > Some(5), is_counted, "{counters} {variant}: {last}");
            let takes_time =
                |work: &str| last["own_work"][work].as_f64().is_some_and(|seconds| seconds > 0.0);
            assert!(takes_time("breeding") && takes_time("keeping"), "{counters} {variant}: {last}");
            let compares_traces =
                is_counted && !matches!(variant, "default-crowding" | "stringfuzz" | "stringfuzz-difference");
            assert_eq!(takes_time("crowding"), compares_traces, "{counters} {variant}: {last}");
            let page = place.read(&format!("{variant}/index.html"));
            assert!(page.contains("<h2>Own work</h2>") && page.contains("similarities of traces"));
            let scores = record["population"][0]["scores"].as_array().map(Vec::len);
            let has_coverage = is_counted && variant != "no-coverage";
            let expected = match variant {
                "stringfuzz" | "stringfuzz-difference" => 1,
                "no-complexity" => 1 + usize::from(has_coverage),
                _ => 2 + usize::from(has_coverage),
            };
            assert_eq!(scores, Some(expected), "{counters} {variant}: {}", run.err);
        }
    }
}

/// A profile by which the small solver counts its own work.
const PROFILE: &str = "\
[picky]
programs = ['picky']
resource = { limit = '--units={}', report = ['--report'], count = 'units:', units = 400 }
";

/// The last population, as text with scores.
fn population(place: &Place, folder: &str) -> String {
    let record = record(place, folder);
    let members = record["population"].as_array().expect("members").iter();
    let lines = members.map(|member| {
        let file = member["file"].as_str().expect("a name");
        format!("{} {}\n", member["scores"], place.read(&format!("{folder}/{file}")))
    });
    lines.collect()
}

#[test]
fn counted_work_gives_the_same_bytes_with_any_number_of_workers_and_after_a_kill() {
    let test = "counted_work_gives_the_same_bytes_with_any_number_of_workers_and_after_a_kill";
    // With a limit that most inputs reach, it rises.
    let profile = PROFILE.replace("units = 400", "units = 100");
    let place = Place::with(&[("profile.toml", &*profile)]);
    let flags = ["--coverage", "-Wl,-u,__gcov_dump"];
    let Some(target) = picky(&place, test, "gcc", &flags, Some("flush.c")) else { return };
    let more =
        ["--measure", "resource", "--profiles", "profile.toml", "--limit", "20", "--counters", "gcov=."];
    let more = [&more[..], &["--generations", "40", "--seed", "4", "--limit-doublings", "2"]].concat();
    stress(&place, &target, &[&more[..], &["-o", "two"]].concat()).expect(0);
    stress(&place, &target, &[&more[..], &["-o", "one", "-j", "1"]].concat()).expect(0);
    let expected = population(&place, "two");
    assert!(expected.len() > 1000 && population(&place, "one") == expected);
    // The limit rises while inputs are bred that reach it, and efforts rise with it.
    let last = record(&place, "two")["generations"][40].clone();
    assert!(last["doublings"].as_u64() > Some(0) && last["best_score"].as_f64() > Some(2.0), "{last}");
    // Killed three times, within a generation as a rule.
    let reference = format!("{target} --easy");
    let arguments = arguments(&target, &reference, &[&more[..], &["-o", "killed"]].concat());
    for milliseconds in [300, 700, 500] {
        let mut child = start(&place, &arguments);
        let has_run =
            || place.path("killed/runs.jsonl").exists() || child.try_wait().is_ok_and(|it| it.is_some());
        wait_for("the first runs", has_run);
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    let run = place.run(&arguments).expect(0);
    assert!(run.err.contains("continuing the campaign"), "{}", run.err);
    assert_eq!(population(&place, "killed"), expected);
    let total = |folder: &str| record(&place, folder)["generations"][40]["runs"].clone();
    assert_eq!(total("killed"), total("two"));
    // Other options are another campaign.
    let other: Vec<&str> = more.iter().map(|&word| if word == "4" { "5" } else { word }).collect();
    let other = stress(&place, &target, &[&other[..], &["-o", "two"]].concat()).expect(2);
    assert!(other.err.contains("belongs to a campaign with other options"), "{}", other.err);
}

#[test]
fn ctrl_c_keeps_what_was_bred() {
    let place = Place::new();
    let Some(target) = picky(&place, "ctrl_c_keeps_what_was_bred", "cc", &[], None) else { return };
    let reference = format!("{target} --easy");
    let child = start(&place, &arguments(&target, &reference, &[]));
    wait_for("a generation", || place.path("stress/state.json").exists());
    signal(&child, "-INT");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("interrupted; the same command continues"), "{text}");
    assert_eq!(record(&place, "stress")["ended_by"], "interrupt");
    assert_eq!(place.names("stress/population").len(), 12);
}

#[test]
fn solvers_of_no_use_and_wrong_options_are_refused() {
    let place = Place::with(&[
        ("seed.smt2", "(declare-const x (_ BitVec 8))\n(assert (= x #x01))\n(check-sat)\n"),
        ("empty.smt2", "(check-sat)\n"),
    ]);
    let unknown =
        script(&place, "unknown.sh", "grep -q bv \"$1\" && echo unknown || exec SUNDRY solve \"$1\"\n");
    let right = crate::common::right();
    let run = |more: &[&str]| {
        let more = [more, &["--population", "4", "--generations", "0"]].concat();
        place.run(&arguments(&right, &right, &more)).expect(2).err
    };
    for (more, message) in [
        (&["--target", "no-such-solver"][..], "'no-such-solver' cannot be used"),
        (&["--target", &unknown], "answers unknown at once"),
        (&["--reference", &unknown], "no reference decides any input"),
        (&["--counters", "gcov=."], "there are no .gcno files below"),
        (&["--counters", "llvm"], "leaves no counters"),
        (&["--measure", "resource"], "does not report the units"),
        (&["--logic", "QF_XY"], "the logic 'QF_XY' is not known"),
        (&["--mix", "seeds=1"], "there are none"),
        (&["--limit", "0"], "--limit 0 lets no solver run"),
        (&["--objective", "memory", "--limit-doublings", "1"], "--limit-doublings raises the limit on time"),
        (&["missing.smt2"], "missing.smt2"),
    ] {
        let error = run(&[more, &["-o", "refused"]].concat());
        assert!(error.contains(message) && error.contains("error: "), "{more:?}: {error}");
        fs::remove_dir_all(place.path("refused")).unwrap_or_default();
    }
    let seeds = ["--mix", "seeds=1", "--population", "4", "seed.smt2", "empty.smt2", "--generations", "1"];
    let run = place.run(&arguments(&right, "built-in", &seeds)).expect(0);
    assert!(run.err.contains("no slow input found"), "{}", run.err);
}

/// Somebody who exchanges two solvers is not left with a search that can find nothing.
#[test]
fn references_that_are_slower_on_everything_are_reported() {
    let place = Place::new();
    let text = "i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; exec SUNDRY solve \"$1\"\n";
    let slow = script(&place, "slow.sh", text);
    let right = crate::common::right();
    let more = ["--population", "4", "--generations", "0", "--limit", "5"];
    let warning = "on each of 4 inputs, a solver under test was at least as fast as the references";
    let exchanged =
        place.run(&arguments(&right, &slow, &[&more[..], &["-o", "exchanged"]].concat())).expect(0);
    assert_eq!(exchanged.err.matches(warning).count(), 1, "{}", exchanged.err);
    let correct = place.run(&arguments(&slow, &right, &[&more[..], &["-o", "correct"]].concat()));
    assert!(!correct.err.contains("at least as fast"), "{}", correct.err);
}

/// A campaign says at its end that many of its inputs were lost.
#[test]
fn a_solver_that_refuses_many_inputs_is_named() {
    let place = Place::new();
    let text = "grep -q bvudiv \"$1\" && echo '(error \"no division\")' || exec SUNDRY solve \"$1\"\n";
    let picky = script(&place, "picky.sh", text);
    let campaign = ["--logic", "QF_BV", "--population", "12", "--generations", "0"];
    let run = place.run(&arguments(&picky, "built-in", &campaign));
    let line =
        run.err.lines().find(|line| line.contains(" failed on ")).unwrap_or_else(|| panic!("{}", run.err));
    assert!(line.contains("picky.sh") && line.contains("of 12 inputs"), "{line}");
}

/// A search for slow inputs reports invalid models that it meets.
#[test]
fn invalid_models_are_reported() {
    let place = Place::new();
    let text = "SUNDRY solve \"$1\" | sed 's/0)$/1)/'\n";
    let wrong = script(&place, "wrong.sh", text);
    let campaign = ["--logic", "QF_BV", "--population", "12", "--generations", "0", "--confirm", "1"];
    let run = place.run(&arguments(&wrong, "built-in", &campaign)).expect(1);
    assert!(run.err.contains("wrong.sh': invalid model: defects/"), "{}", run.err);
    let folder = place.names("stress/defects").into_iter().find(|name| name.contains("invalid-model"));
    let report = place.read(&format!("stress/defects/{}/report.md", folder.expect("a folder of the defect")));
    assert!(report.contains("invalid model"), "{report}");
    let right = script(&place, "right.sh", "exec SUNDRY solve \"$1\"\n");
    place.run(&arguments(&right, "built-in", &[&campaign[..], &["-o", "right"]].concat())).expect(0);
    assert!(place.names("right/defects").iter().all(|name| !name.contains("invalid-model")));
}
