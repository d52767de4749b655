//! Inputs that are compressed, for every job. What each format is like, the tests beside the decoders know.

use std::io::Write;

use crate::common::{Place, SMALL, UNSATISFIABLE, right};

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).expect("in memory");
    encoder.finish().expect("in memory")
}

#[test]
fn solutions_are_those_of_the_formula_inside() {
    let folder = Place::with(&[("f.smt2", SMALL)]);
    folder.write("g.smt2.gz", gzip(SMALL));
    folder.write("no-suffix", gzip(SMALL));
    let plain = folder.run(&["sample", "f.smt2"]).expect(0).out;
    for name in ["g.smt2.gz", "no-suffix"] {
        assert_eq!(folder.run(&["sample", name]).expect(0).out, plain);
    }
    assert_eq!(folder.run_with_input(&["sample", "-"], gzip(SMALL)).expect(0).out, plain);
}

#[test]
fn formulas_and_outputs_of_a_folder_are_named_without_the_suffix() {
    let folder = Place::new();
    folder.write("set/f.smt2.gz", gzip(SMALL));
    folder.write("set/sub/g.smt2.gz", gzip(SMALL));
    folder.write("set/notes.gz", gzip("none"));
    folder.run(&["sample", "set", "-o", "out", "--format", "csv"]).expect(0);
    assert_eq!(folder.names("out"), ["f.csv", "sub"]);
    assert_eq!(folder.names("out/sub"), ["g.csv"]);
}

#[test]
fn every_job_reads_them() {
    let folder = Place::new();
    folder.write("f.smt2.gz", gzip(SMALL));
    let models = folder.run(&["sample", "f.smt2.gz"]).expect(0).out;
    folder.write("models.gz", gzip(&models));
    folder.write("predicates.gz", gzip("(define-fun low () Bool (bvult x #x8))"));
    let run = folder.run(&["coverage", "f.smt2.gz", "models.gz", "--predicates", "predicates.gz"]).expect(0);
    assert!(run.out.contains("models.gz#2"), "{}", run.out);

    folder.write("u.smt2.gz", gzip(UNSATISFIABLE));
    assert_eq!(folder.run(&["solve", "u.smt2.gz"]).expect(0).out, "unsat\n");
    assert_eq!(folder.run_with_input(&["solve"], gzip(UNSATISFIABLE)).expect(0).out, "unsat\n");

    let reduced = folder.run(&["reduce", "u.smt2.gz", "--check", &right(), "-o", "small.smt2"]).expect(0);
    assert!(folder.read("small.smt2").contains("check-sat"), "{}", reduced.err);

    let fuzz = ["fuzz", "u.smt2.gz", "--solver", &right(), "--mutants", "2", "-o", "found"];
    let run = folder.run(&fuzz).expect(0);
    assert!(run.err.contains("no defect found"), "{}", run.err);
}

#[test]
fn what_is_damaged_is_told_with_the_file_and_a_remedy() {
    let folder = Place::new();
    let whole = gzip(SMALL);
    folder.write("short.smt2.gz", &whole[..whole.len() - 9]);
    let mut corrupt = whole.clone();
    let last = corrupt.len() - 6;
    corrupt[last] ^= 1;
    folder.write("corrupt.smt2.gz", corrupt);
    let run = folder.run(&["sample", "short.smt2.gz"]).expect(2);
    assert!(run.err.starts_with("error: short.smt2.gz: this gzip data ends too early"), "{}", run.err);
    assert!(run.err.contains("'gzip -t short.smt2.gz' checks the file"), "{}", run.err);
    let run = folder.run(&["sample", "corrupt.smt2.gz"]).expect(2);
    assert!(run.err.starts_with("error: corrupt.smt2.gz: this gzip data is corrupt"), "{}", run.err);
    let run = folder.run_with_input(&["sample", "-"], &whole[..20]).expect(2);
    assert!(run.err.starts_with("error: <stdin>: this gzip data ends too early"), "{}", run.err);
}
