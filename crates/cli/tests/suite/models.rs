//! Models in DIMACS, UVL and PICT through all of the program.

use sundry_testing::skipped::shared_folder;

use crate::common::{Place, example};

fn rows(csv: &str) -> Vec<&str> {
    csv.lines().skip(1).collect()
}

#[test]
fn all_solutions_have_the_names_of_the_text() {
    let place = Place::new();
    let run = |name: &str| {
        place.run(&["sample", &example(name), "--strategy", "all", "--format", "csv"]).expect(0).out
    };
    let backup = run("backup.pict");
    assert!(backup.starts_with("Target,Encryption,Compression,Interval,Keep\n"), "{backup}");
    // Counted by hand: 8 pairs of interval and keeping time, of which 6 are with an interval of a day or more.
    assert_eq!(rows(&backup).len(), 3 * 3 * 8 + 2 * 3 * 8 + 3 * 2 * 6);
    assert!(rows(&backup).iter().all(|row| !row.starts_with("server,none")), "{backup}");
    let mailer = run("mailer.dimacs");
    assert!(mailer.starts_with("Mailer,IMAP,POP3,Encryption,Address book,Directory service\n"), "{mailer}");
    // IMAP with or without POP3 and encryption, or POP3 alone; three ways to have books and directories.
    assert_eq!(rows(&mailer).len(), (4 + 1) * 3);
    let coffee = run("coffee.uvl");
    assert!(
        coffee.starts_with("Machine,Size,Small,Medium,Large,Drinks,Espresso,Filter,Milk foam,"),
        "{coffee}"
    );
    assert!(rows(&coffee).iter().all(|row| row.starts_with("true,true,")), "{coffee}");
}

#[test]
fn every_strategy_writes_the_names() {
    let place = Place::with(&[("p.smt2", "(define-fun day () Bool (= Interval #b01))\n")]);
    for strategy in ["cover", "pan", "t-wise", "all", "uniform", "smtsampler", "guided", "classes-hard"] {
        let backup = example("backup.pict");
        let mut arguments =
            vec!["sample", &backup, "--strategy", strategy, "--format", "jsonl", "-n", "5", "-t", "60"];
        if strategy == "guided" || strategy == "classes-hard" {
            arguments.extend(["--predicates", "p.smt2"]);
        }
        let run = place.run(&arguments).expect(0);
        assert!(!run.out.is_empty(), "{strategy}");
        for line in run.out.lines() {
            let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let has = |name: &str, values: &[&str]| values.iter().any(|value| row[name] == *value);
            assert!(has("Target", &["disk", "server", "tape"]), "{strategy}: {line}");
            assert!(has("Keep", &["0", "7", "365"]), "{strategy}: {line}");
        }
    }
}

#[test]
fn a_parameter_is_one_factor_with_its_values() {
    let place = Place::with(&[("m.pict", "A: a, b, c, d, e\nB: x\nC: 1, 2\n")]);
    let run = place.run(&["sample", "m.pict", "--strength", "2", "--format", "csv"]).expect(0);
    // Five by one, five by two, one by two; codes that mean nothing are not even counted as impossible.
    assert!(run.err.contains("all 10 solutions with all 17 valid pairs of 3 factors"), "{}", run.err);
    let text = "c 2$ aux\np cnf 3 2\n-2 1 0\n2 -1 0\n";
    let run = place.run_with_input(&["sample", "-", "--strength", "2", "--format", "csv"], text).expect(0);
    assert!(run.out.starts_with("1,3\n") && run.err.contains("4 valid pairs of 2 factors"), "{}", run.err);
}

#[test]
fn the_format_is_told_by_name_content_or_option() {
    let pict = "A: 1, 2\n";
    let place = Place::with(&[("m.txt", pict), ("n.txt", "p cnf 1 1\n1 0\n"), ("wrong.smt2", pict)]);
    place.run(&["sample", "m.txt", "--input-format", "pict"]).expect(0);
    place.run(&["sample", "n.txt"]).expect(0);
    place.run_with_input(&["sample", "-"], "features\n\tA\n").expect(0);
    place.run(&["coverage", "m.txt", "-", "--input-format", "smt2"]).expect(2);
    assert!(place.run(&["sample", "m.txt"]).expect(2).err.contains("m.txt:1:1: error: "));
    assert!(place.run(&["sample", "wrong.smt2"]).expect(2).err.starts_with("wrong.smt2:1:1: error: "));
    let wrong =
        place.run_with_input(&["sample", "-", "--input-format", "pict"], "A: 1, 2\n[B] = 1;\n").expect(2);
    assert!(wrong.err.starts_with("<stdin>:2:1: error: there is no parameter 'B'\n"), "{}", wrong.err);
}

#[test]
fn models_in_smt_lib_are_measured() {
    let place = Place::new();
    let coffee = example("coffee.uvl");
    place.run(&["sample", &coffee, "-o", "models.txt"]).expect(0);
    let run = place.run(&["coverage", &coffee, "models.txt", "--decide"]).expect(0);
    assert!(run.out.ends_with("complete\n"), "{}", run.out);
}

#[test]
fn negative_values_weights_and_sub_models_are_followed() {
    let model = "A: ~x, 1, 2\nB: ~y, 1, 2\nC: a, b (9)\nD: a, b\n{ B, C, D } @ 3\n";
    let place = Place::with(&[("m.pict", model)]);
    let run = place.run(&["sample", "m.pict", "--strength", "2", "--format", "csv"]).expect(0);
    let rows = rows(&run.out);
    assert!(rows.iter().all(|row| row.matches('~').count() <= 1), "{}", run.out);
    // All valid pairs are shown without a negative value, all triples of the sub-model too.
    for (first, second) in [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")] {
        assert!(rows.iter().any(|row| row.starts_with(&format!("{first},{second},"))), "{}", run.out);
    }
    for triple in ["1,a,a", "1,a,b", "1,b,a", "1,b,b", "2,a,a", "2,a,b", "2,b,a", "2,b,b", "~y,a,a", "~y,b,b"]
    {
        let is_shown = |row: &&str| row.ends_with(&format!(",{triple}")) && !row.starts_with('~');
        assert!(rows.iter().any(is_shown), "{triple}\n{}", run.out);
    }
    assert!(run.err.contains("valid combinations of 4 factors"), "{}", run.err);
    let closer = place.run(&["sample", "m.pict", "--strength", "3"]).expect(0);
    assert!(closer.err.contains("valid triples of 4 factors"), "{}", closer.err);
    let notes = place.run(&["sample", "m.pict"]).expect(0).err;
    assert!(notes.contains("m.pict:5:1: note: orders of sub-models") && notes.contains("weights"), "{notes}");
    place.write("wide.pict", "A: 1, 2\nB: 1, 2\nC: 1, 2\nD: 1, 2\n{ A, B, C, D } @ 4\n");
    let wide = place.run(&["sample", "wide.pict", "--strength", "2"]).expect(2).err;
    assert!(wide.starts_with("wide.pict:5:1: error: an order of 4 is not supported"), "{wide}");
    place.write("loose.pict", "A: 1, 2\nB: 1, 2\n{ A, B } @ 1\n");
    let loose = place.run(&["sample", "loose.pict", "--strength", "2"]).expect(2).err;
    assert!(loose.contains("use --strength 1"), "{loose}");
}

#[test]
fn solutions_that_look_the_same_are_one() {
    // The auxiliary variables may have any value where 1 holds.
    let text = "c 3$ x\nc 4$ y\np cnf 4 3\n1 2 0\n1 -3 0\n1 -4 0\n";
    for strategy in ["all", "smtsampler", "t-wise"] {
        let mut arguments =
            vec!["sample", "-", "--strategy", strategy, "--format", "csv", "-t", "60", "-n", "3"];
        if strategy == "t-wise" {
            arguments.push("--fill");
        }
        let run = Place::new().run_with_input(&arguments, text).expect(0);
        let mut rows = rows(&run.out);
        rows.sort_unstable();
        assert_eq!(rows, ["false,true", "true,false", "true,true"], "{strategy}");
    }
    let arguments = ["sample", "-", "--strategy", "uniform", "--format", "csv", "-n", "600"];
    let run = Place::new().run_with_input(&arguments, text).expect(0);
    assert!(run.err.contains("exactly uniform of 3 solutions"), "{}", run.err);
    let count = rows(&run.out).iter().filter(|row| **row == "false,true").count();
    assert!((120..280).contains(&count), "{count} of 600 draws");
}

#[test]
fn models_are_converted_and_solved() {
    let place = Place::with(&[("no.cnf", "p cnf 1 2\n1 0\n-1 0\n")]);
    for name in ["backup.pict", "coffee.uvl", "mailer.dimacs"] {
        let script = place.run(&["convert", &example(name)]).expect(0).out;
        let run = place.run_with_input(&["solve"], script).expect(0);
        assert_eq!(run.out, "sat\n", "{name}");
        assert_eq!(place.run(&["solve", &example(name)]).expect(0).out, "sat\n");
    }
    assert_eq!(place.run(&["solve", "no.cnf"]).expect(0).out, "unsat\n");
    place.run(&["convert", "no.cnf", "-o", "no.smt2"]).expect(0);
    assert!(place.read("no.smt2").starts_with("; From no.cnf.\n"));
    assert!(place.run(&["convert", "no.cnf", "-o", "no.cnf"]).expect(2).err.contains("the model itself"));
    assert!(place.run(&["convert", "no.smt2"]).expect(2).err.contains("this is not a model"));
}

/// A configurable system of the benchmarks, whose assertions are clauses, gives the same as DIMACS.
#[test]
fn a_shared_system_is_the_same_in_dimacs() {
    let Some(folder) = shared_folder("a_shared_system_is_the_same_in_dimacs", "benchmarks/faults") else {
        return;
    };
    let script = std::fs::read_to_string(folder.join("drupal.smt2")).expect("a system of the collection");
    let declared = script.lines().filter_map(|line| line.strip_prefix("(declare-const "));
    let names: Vec<&str> = declared.filter_map(|rest| rest.split(' ').next()).collect();
    let mut clauses = String::new();
    let mut count = 0;
    for line in script.lines().filter(|line| line.starts_with("(assert ")) {
        let mut before = "";
        for piece in line.split("(= ") {
            if let Some((equation, _)) = piece.split_once(')').filter(|_| !before.is_empty()) {
                let (name, value) = equation.split_once(' ').expect("a name and a value");
                let number = names.iter().position(|known| *known == name).expect("declared") + 1;
                let is_negative = before.ends_with("(not ") == (value == "true");
                clauses += &format!("{}{number} ", if is_negative { "-" } else { "" });
            }
            before = piece;
        }
        clauses += "0\n";
        count += 1;
    }
    let mut dimacs: String = (1..).zip(&names).map(|(number, name)| format!("c {number} {name}\n")).collect();
    dimacs += &format!("p cnf {} {count}\n{clauses}", names.len());
    let place = Place::with(&[("drupal.dimacs", &dimacs), ("drupal.smt2", &script)]);
    let figures = |name: &str| {
        let run = place.run(&["sample", name, "--strength", "2", "--json"]).expect(0);
        let record: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        ["factors", "tuples", "covered", "impossible", "open"].map(|figure| record[figure].clone())
    };
    let of_script = figures("drupal.smt2");
    assert_eq!(of_script[0], names.len());
    assert_eq!(figures("drupal.dimacs"), of_script);
}
