//! Commands of a script, and the formula that they make.

use sundry_smtlib::{Command, Formula, print_script, print_term};
use sundry_term::{Op, TermStore};

use crate::script;

#[test]
fn the_formula_is_that_of_the_first_question() {
    let mut store = TermStore::new();
    let text = "(set-logic QF_UF) (declare-const a Bool) (push 1) (declare-const b Bool) (assert b) (pop 1)
        (declare-const c Bool) (assert a) (check-sat-assuming (c (not a))) (assert c) (check-sat)";
    let formula = script(&mut store, text).formula();
    let printed: Vec<String> = formula.assertions.iter().map(|&term| print_term(&store, term)).collect();
    assert_eq!(printed, ["a", "c", "(not a)"]);
    let names: Vec<&str> = formula.symbols.iter().map(|&symbol| &*store.symbol(symbol).name).collect();
    assert_eq!(names, ["a", "c"]);
    assert_eq!((formula.logic.as_deref(), formula.check_sats), (Some("QF_UF"), 2));

    let mut store = TermStore::new();
    let none = script(&mut store, "(declare-const a Bool) (assert a) (push) (assert (not a))").formula();
    assert_eq!((none.assertions.len(), none.check_sats), (2, 0));
    let symbols = Formula::of_assertions(&store, none.assertions.clone()).symbols;
    assert_eq!(symbols, none.symbols);
}

#[test]
fn all_commands() {
    let text = "(set-logic ALL)\n(set-info :status sat)\n(set-info :source |a (b|)\n(set-option :produce-models true)\n\
        (set-option :flag)\n(declare-fun x () Bool)\n(define-fun d ((y Bool)) Bool (and x y))\n(assert x)\n\
        (push 1)\n(pop 1)\n(check-sat)\n(check-sat-assuming (x (not x)))\n(get-model)\n(get-value (x))\n\
        (get-unsat-assumptions)\n(get-assertions)\n(get-unsat-core)\n(get-info :name)\n\
        (get-option :produce-models)\n(echo \"a \"\"b\"\"\")\n(reset-assertions)\n(reset)\n(exit)\n";
    let mut store = TermStore::new();
    let read = script(&mut store, text);
    assert_eq!(read.status().as_deref(), Some("sat"));
    assert_eq!(print_script(&store, &read), text);
    let (Command::Echo(echo), _) = &read.commands[19] else { panic!("{:?}", read.commands[19]) };
    assert_eq!(echo, "a \"b\"");
    let (Command::SetInfo(info), _) = &read.commands[2] else { panic!("{:?}", read.commands[2]) };
    assert_eq!(info.text().as_deref(), Some("a (b"));
    assert_eq!(read.commands[0].1.range(), 0..15);
}

#[test]
fn what_follows_an_exit_is_not_read() {
    let mut store = TermStore::new();
    assert_eq!(script(&mut store, "(check-sat)(exit) ) garbage |").commands.len(), 2);
}

#[test]
fn asked_terms_keep_their_text() {
    let mut store = TermStore::new();
    let read = script(&mut store, "(declare-const x Bool)(get-value (x (let ((y x))  (not y))))");
    let (Command::GetValue(terms), _) = &read.commands[1] else { panic!("{:?}", read.commands[1]) };
    let texts: Vec<&str> = terms.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["x", "(let ((y x))  (not y))"]);
    assert_eq!(store.op(terms[1].0), Op::Not);
}
