//! What a file has from earlier runs is judged before a run goes on with it.

use crate::common::{Place, SMALL, example};

/// Constants, an array, a function and a declared sort.
const WIDE: &str = "\
(declare-sort S 0)
(declare-const x (_ BitVec 8))
(declare-const |odd, \"name\"| Bool)
(declare-const s S)
(declare-const t S)
(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))
(declare-fun f (Bool) (_ BitVec 8))
(assert (bvult (select m x) x))
(assert (= |odd, \"name\"| (distinct s t)))
(assert (bvule (f true) x))
";

const PLAIN: &str = "\
(declare-const x (_ BitVec 8))
(declare-const p Bool)
(declare-const y (_ BitVec 9))
(assert (=> p (bvult ((_ zero_extend 1) x) y)))
(assert (bvult #x10 x))
";

/// Runs that go on with a file of good solutions, and with one of which a solution is none.
#[track_caller]
fn is_judged(place: &Place, formula: &str, format: &str, good: &str, bad: &str) {
    let arguments = ["sample", formula, "--strategy", "smtsampler", "-n", "200", "-f", format, "-o", "out"];
    place.run(&arguments).expect(0);
    let resume = [&arguments[..], &["--resume"]].concat();
    let before = place.read("out");
    let run = place.run(&resume).expect(0);
    assert!(run.err.contains("200 solutions, 0 of them new"), "{}", run.err);
    let position = before[before.len() / 2..].find(good).expect("a solution of this kind") + before.len() / 2;
    let changed = format!("{}{bad}{}", &before[..position], &before[position + good.len()..]);
    place.write("out", &changed);
    let run = place.run(&resume).expect(2);
    // The solution begins at the line that has the value, or some lines before.
    let line = changed[..=position].matches('\n').count() + 1;
    let told = run.err.split("error: cannot continue out: the text in line ").nth(1).expect(&run.err);
    let told: usize = told.split(' ').next().and_then(|number| number.parse().ok()).expect(&run.err);
    let lines = if format == "smt2" { line - 9..=line } else { line..=line };
    assert!(lines.contains(&told), "line {line}: {}", run.err);
    assert!(run.err.contains(&format!(" is not a solution of {formula}: ")), "{}", run.err);
    assert_eq!(place.read("out"), changed);
}

#[test]
fn a_solution_that_is_none_is_told_with_its_line() {
    let place = Place::with(&[("plain.smt2", PLAIN), ("wide.smt2", WIDE)]);
    for (format, good, bad) in [
        ("csv", "\n#x", "\n#x00,true,#b000000000\n#x"),
        ("csv", "\n#x", "\n#xzz,true,#b000000000\n#x"),
        ("jsonl", "{\"x\":\"#x", "{\"x\":\"#x0"),
        ("smt2", "x () (_ BitVec 8) #x", "x () (_ BitVec 8) #x0"),
    ] {
        is_judged(&place, "plain.smt2", format, good, bad);
    }
    let array = "((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00)";
    let function = "(lambda ((x!0 Bool)) #x00)";
    // Nothing is below zero.
    let row = format!("\n#x00,true,(as @S!0 S),(as @S!1 S),{array},{function}\n#x");
    let object = format!(
        "{{\"x\":\"#x00\",\"odd, \\\"name\\\"\":\"false\",\"s\":\"(as @S!0 S)\",\"t\":\"(as @S!0 S)\",\
         \"m\":\"{array}\",\"f\":\"{function}\"}}\n{{\"x\":"
    );
    for (format, good, bad) in
        [("csv", "\n#x", &*row), ("jsonl", "{\"x\":", &object), ("smt2", "Bool false)", "Bool true)")]
    {
        is_judged(&place, "wide.smt2", format, good, bad);
    }
}

#[test]
fn products_are_judged_by_their_names() {
    let place = Place::new();
    let backup = example("backup.pict");
    let arguments = ["sample", &backup, "--strategy", "smtsampler", "-n", "50", "-f", "csv", "-o", "out"];
    place.run(&arguments).expect(0);
    let before = place.read("out");
    let resume =
        ["sample", &backup, "--strategy", "smtsampler", "-n", "100", "-f", "csv", "-o", "out", "--resume"];
    place.run(&resume).expect(0);
    let after = place.read("out");
    assert!(after.starts_with(&before) && after.lines().count() == 101);
    // The model excludes a server without encryption.
    place.write("out", format!("{before}server,none,fast,daily,7\n"));
    let run = place.run(&resume).expect(2);
    assert!(
        run.err.contains("error: cannot continue out: the text in line 52 is not a solution"),
        "{}",
        run.err
    );
    // Auxiliary variables have no column.
    let text = "c 1 x\nc 2$ y\nc 3 z\np cnf 3 4\n1 2 0\n-1 -2 0\n2 3 0\n-2 -3 0\n";
    place.write("f.dimacs", text);
    place.write("rows", "x,z\ntrue,true\n");
    let all = ["sample", "f.dimacs", "--strategy", "smtsampler", "-f", "csv", "-o", "rows", "--resume"];
    place.run(&all).expect(0);
    assert_eq!(place.read("rows"), "x,z\ntrue,true\nfalse,false\n");
    place.write("rows", "x,z\nfalse,true\n");
    assert!(place.run(&all).expect(2).err.contains("line 2 is not a solution"));
}

/// Rows have no room for how many elements a sort has.
#[test]
fn rows_of_small_sorts_are_solutions() {
    let formula = "(declare-sort S 0)(declare-const x S)(declare-const p Bool)(declare-const q Bool)(assert (or p q))\
        (assert (= (store ((as const (Array S (_ BitVec 1))) #b0) x #b1) ((as const (Array S (_ BitVec 1))) #b1)))";
    let place = Place::with(&[("f.smt2", formula)]);
    for format in ["smt2", "csv", "jsonl"] {
        let arguments =
            ["sample", "f.smt2", "--strategy", "smtsampler", "-f", format, "-o", "out", "--resume", "-n"];
        place.run(&[&arguments[..], &["2"]].concat()).expect(0);
        let run = place.run(&[&arguments[..], &["3"]].concat()).expect(0);
        assert!(run.err.contains("3 solutions, 1 of them new"), "{}", run.err);
        std::fs::remove_file(place.path("out")).expect("removed");
    }
}

#[test]
fn a_batch_does_not_trust_files_that_were_changed() {
    let place = Place::with(&[
        ("set/a.smt2", SMALL),
        ("set/b.smt2", SMALL),
        ("set/c.smt2", SMALL),
        ("set/d.smt2", SMALL),
    ]);
    for (strategy, out) in [("cover", "cover"), ("t-wise", "pairs")] {
        let arguments =
            ["sample", "set", "--strategy", strategy, "--record", "runs", "-f", "csv", "-v", "-o", out];
        place.run(&arguments).expect(0);
        let name = |name: &str| format!("{out}/{name}.csv");
        let right = place.read(&name("a"));
        place.write(&name("a"), right.replace("true,#x3", "false,#x3"));
        place.write(&name("b"), right.trim_end_matches('\n'));
        place.write(&name("c"), format!("{right}true,#x3,#x00\n"));
        let run = place.run(&[&arguments[..], &["--resume"]].concat()).expect(0);
        for changed in ["a", "b", "c"] {
            let note =
                format!("set/{changed}.smt2: note: {changed}.csv no longer has the solutions of its record");
            assert!(run.err.contains(&note), "{}", run.err);
            assert_eq!(place.read(&name(changed)), right);
        }
        assert_eq!(run.err.matches("taken from the record").count(), 1, "{}", run.err);
        assert!(run.err.contains("set/d.smt2: taken from the record"), "{}", run.err);
    }
}
