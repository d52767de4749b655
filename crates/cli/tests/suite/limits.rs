//! Limits of time and memory hold everywhere: while texts are read, circuits are built, values are computed and models
//! are written. What has no end by itself in these tests, or takes minutes, ends soon after its time.

use std::io::Write;
use std::process;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::common::{Place, Run, SMALL, right};

/// Runs the program, which has a second, and ends within many.
#[track_caller]
fn stopped(place: &Place, arguments: &[&str]) -> Run {
    let start = Instant::now();
    let run = place.run(arguments);
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(20), "{arguments:?} took {elapsed:?}");
    run.expect(3)
}

/// Some hundred thousand variables, one in the other or side by side: it takes seconds to read them.
fn many_variables(nested: bool) -> String {
    let count = 400_000;
    let mut text = String::from("(declare-const x (_ BitVec 32)) (assert ");
    if nested {
        text.push_str("(let ((v0 x)) ");
        for number in 1..count {
            let before = number - 1;
            text.push_str(&format!("(let ((v{number} (bvadd v{before} (bvmul x #x{number:08x})))) "));
        }
        text.push_str(&format!("(= v{} x){}", count - 1, ")".repeat(count)));
    } else {
        text.push_str("(let (");
        (0..count).for_each(|number| text.push_str(&format!("(v{number} (bvult x #x{number:08x})) ")));
        text.push_str(") (or");
        (0..count).for_each(|number| text.push_str(&format!(" v{number}")));
        text.push_str("))");
    }
    text + ") (check-sat)"
}

#[test]
fn while_a_formula_is_read() {
    for nested in [true, false] {
        let place = Place::new();
        place.write("f.smt2", many_variables(nested));
        let expected = "time was up before the text was read past this place";
        for job in [&["sample", "f.smt2"][..], &["coverage", "f.smt2", "f.smt2"]] {
            let run = stopped(&place, &[job, &["-t", "0.2"]].concat());
            assert!(run.err.contains(expected) && run.err.starts_with("f.smt2:1:"), "{}", run.err);
        }
        let run = stopped(&place, &["solve", "f.smt2", "-t", "0.2"]);
        // Without the assertion any answer would be wrong.
        assert!(run.out.starts_with("(error \"f.smt2:1:") && run.out.contains(expected), "{}", run.out);
        assert!(!run.out.contains("sat\n"), "{}", run.out);
    }
}

#[test]
fn while_a_script_to_reduce_and_a_seed_are_read() {
    let place = Place::new();
    place.write("f.smt2", many_variables(true));
    let run = stopped(&place, &["reduce", "f.smt2", "--check", "true", "-t", "0.2"]);
    assert!(run.err.contains("time was up before the text was read past this place"), "{}", run.err);
    let solver = right();
    let run = stopped(&place, &["fuzz", "f.smt2", "--solver", &solver, "-t", "3"]);
    assert!(!run.err.contains("cannot be read"), "{}", run.err);
}

#[test]
fn while_a_model_of_a_configurable_system_is_read() {
    let place = Place::new();
    let clauses: String = (1..400_000).map(|number| format!("{number} -{} 0\n", number + 1)).collect();
    place.write("f.dimacs", format!("p cnf 400000 399999\n{clauses}"));
    let features: String = (0..200_000).map(|number| format!("\t\t\tF{number}\n")).collect();
    place.write("f.uvl", format!("features\n\tRoot\n\t\toptional\n{features}"));
    let parameters: String = (0..200_000).map(|number| format!("P{number}: a, b, c\n")).collect();
    place.write("f.pict", parameters);
    for name in ["f.dimacs", "f.uvl", "f.pict"] {
        let run = stopped(&place, &["sample", name, "-t", "0.1"]);
        assert!(run.err.contains("time was up before"), "{}", run.err);
    }
}

/// A circuit of tens of millions of gates.
const PRODUCT: &str = "
    (declare-const x (_ BitVec 2048)) (declare-const y (_ BitVec 2048))
    (assert (= (bvmul x y) (_ bv12345678901234567 2048)))
    (check-sat)";

#[test]
fn while_a_circuit_is_built() {
    let place = Place::with(&[("f.smt2", PRODUCT)]);
    let run = stopped(&place, &["sample", "f.smt2", "-t", "0.5"]);
    assert!(run.err.contains("stopped by --timeout"), "{}", run.err);
    assert_eq!(stopped(&place, &["solve", "f.smt2", "-t", "0.5"]).out, "unknown\n");
}

#[test]
fn while_predicates_are_made_and_compiled() {
    let place = Place::with(&[("f.smt2", "(declare-const x (_ BitVec 32)) (assert (bvult x #x10000000))")]);
    for strategy in ["guided", "classes-soft"] {
        let predicates = ["--random-predicates", "1000000", "-n", "10"];
        let arguments = [&["sample", "f.smt2", "--strategy", strategy, "-t", "1"], &predicates[..]].concat();
        stopped(&place, &arguments);
    }
}

#[test]
fn while_a_model_is_written() {
    let symbols: String = (0..4000).map(|n| format!("(declare-const x{n} (_ BitVec 1048576))\n")).collect();
    let place = Place::new();
    place.write("f.smt2", format!("{symbols}(check-sat)\n(get-model)\n(get-info :reason-unknown)\n"));
    let run = stopped(&place, &["solve", "f.smt2", "-t", "0.5"]);
    assert!(run.out.starts_with("sat\n"), "{}", run.out);
    assert!(run.out.contains("time was up before the model was written"), "{}", run.out);
}

/// Definitions that name an array sort whose text has about 2^count parts, and a question about such an array.
fn doubled_sorts(count: usize) -> String {
    let mut text = String::from("(define-sort S0 () (Array Bool Bool))\n");
    for number in 1..=count {
        text.push_str(&format!("(define-sort S{number} () (Array S{0} S{0}))\n", number - 1));
    }
    text + &format!("(declare-const a S{count})\n(assert (= a a))\n(check-sat)\n(get-model)\n")
}

#[test]
fn sorts_that_cannot_be_written_are_refused() {
    let place = Place::with(&[("small.smt2", &doubled_sorts(13)), ("large.smt2", &doubled_sorts(60))]);
    let run = place.run(&["solve", "small.smt2"]).expect(0);
    assert!(run.out.starts_with("sat\n(\n  (define-fun a () (Array (Array "), "{}", &run.out[..100]);
    let run = place.run(&["sample", "large.smt2"]).expect(2);
    let message = "large.smt2:16:21: error: written out, this sort would have more than 65536 parts\n";
    assert!(run.err.starts_with(message), "{}", run.err);
    assert!(run.err.contains("(define-sort S15 () (Array S14 S14))"), "{}", run.err);
}

/// A gibibyte of blanks, as a mebibyte.
fn bomb() -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let blanks = vec![b' '; 1 << 20];
    for _ in 0..1 << 10 {
        encoder.write_all(&blanks).expect("written to memory");
    }
    encoder.finish().expect("written to memory")
}

#[track_caller]
fn used_up(run: &Run, of: &str) {
    let told = format!(" in use, and the limit is {of}; --memory raises it\n");
    assert!(run.err.contains("stopped: ") && run.err.ends_with(&told), "{}", run.err);
}

#[test]
fn every_job_stops_where_a_text_needs_more_memory() {
    let place = Place::with(&[("small.smt2", SMALL)]);
    place.write("f.smt2.gz", bomb());
    place.write("f.uvl.gz", bomb());
    let solver = right();
    for job in [
        &["sample", "f.smt2.gz"][..],
        &["sample", "f.smt2.gz", "--strategy", "smtsampler", "-n", "1"],
        &["coverage", "f.smt2.gz", "small.smt2"],
        &["coverage", "small.smt2", "f.smt2.gz"],
        &["solve", "f.smt2.gz"],
        &["convert", "f.uvl.gz"],
        &["reduce", "f.smt2.gz", "--check", "true"],
    ] {
        let run = stopped(&place, &[job, &["--memory", "200M"]].concat());
        assert!(run.err.contains("memory was used up before all of the text was read"), "{}", run.err);
        used_up(&run, "200 MiB");
    }
    let run = stopped(&place, &["fuzz", "f.smt2.gz", "--solver", &solver, "--memory", "200M"]);
    assert!(run.err.contains("stopped by --memory"), "{}", run.err);
    used_up(&run, "200 MiB");
}

#[test]
fn what_was_found_is_kept_when_memory_is_used_up() {
    // The assertion holds whatever the product is; what its bits can be takes more and more of its circuit.
    let text = PRODUCT
        .replace("(assert ", "(declare-const p Bool) (assert (or p (not p) ")
        .replace("2048)))", "2048))))");
    let place = Place::with(&[("f.smt2", &text)]);
    let run = stopped(&place, &["sample", "f.smt2", "--memory", "150M", "--record", "r.json", "-o", "o.txt"]);
    assert!(run.err.contains("; stopped by --memory"), "{}", run.err);
    used_up(&run, "150 MiB");
    assert!(place.read("o.txt").contains("define-fun x"), "{}", run.err);
    assert!(place.read("r.json").contains("\"stopped_by\": \"memory\""), "{}", place.read("r.json"));
    let text = format!("{PRODUCT}(get-info :reason-unknown)");
    let place = Place::with(&[("f.smt2", &text)]);
    let run = stopped(&place, &["solve", "f.smt2", "--memory", "150M"]);
    assert_eq!(run.out, "unknown\n(:reason-unknown memout)\n");
    used_up(&run, "150 MiB");
}

/// Limits of the system end allocations, and with them the program; so it ends before.
#[test]
fn limits_of_the_system_are_kept() {
    let place = Place::with(&[("product.smt2", PRODUCT)]);
    place.write("variables.smt2", many_variables(true));
    for (kibibytes, job, name) in [
        (250_000, "solve", "product.smt2"),
        (250_000, "sample", "product.smt2"),
        (250_000, "sample", "variables.smt2"),
        (500_000, "solve", "product.smt2"),
    ] {
        let line = format!("ulimit -v {kibibytes}; exec '{}' {job} {name}", env!("CARGO_BIN_EXE_sundry"));
        let output = process::Command::new("sh")
            .args(["-c", &line])
            .current_dir(place.path("."))
            .output()
            .expect("a shell");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{line}: {err}");
        assert!(err.ends_with(", half of what 'ulimit -v' leaves\n"), "{line}: {err}");
    }
}

#[test]
fn amounts_of_memory_have_units() {
    let place = Place::with(&[("f.smt2", SMALL)]);
    let run = place.run(&["sample", "f.smt2", "--memory", "200"]).expect(2);
    assert!(run.err.contains("expected an amount such as 512M or 2G"), "{}", run.err);
    place.run(&["sample", "f.smt2", "--memory", "50%"]).expect(0);
}
