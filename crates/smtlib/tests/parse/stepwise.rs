//! A parser that reads one command at a time, one term, or a text of definitions.

use sundry_smtlib::{
    Command, Definition, Parser, SourceText, Span, TheorySet, parse_script_with, print_term,
};
use sundry_term::{Control, Op, TermStore};

#[test]
fn after_an_error_the_next_command_is_read_and_the_bad_one_had_no_effect() {
    let text = "(declare-const p Bool)
        (define-fun q () Bool (! (and p (let ((p #b1)) (or p p))) :named r))
        (assert (! (and p #b1) :named s)) ) word
        (declare-const q Bool) (declare-const r Bool) (declare-const s Bool) (assert (and p q r s))";
    let mut store = TermStore::new();
    let mut parser = Parser::new(&mut store, TheorySet::DECIDED);
    let source = SourceText::new("t", text);
    let mut commands = 0;
    let mut errors = Vec::new();
    loop {
        match parser.next_command(&mut store, &source) {
            Ok(None) => break,
            Ok(Some(_)) => commands += 1,
            Err(diagnostic) => errors.push(source.position(diagnostic.span.start).line),
        }
    }
    assert_eq!(errors, [2, 3, 3, 3]);
    assert_eq!(commands, 5);
    assert_eq!(parser.declared_symbols().len(), 4);
    assert_eq!(parser.position(), text.len());
}

#[test]
fn a_text_may_grow_between_commands() {
    let mut store = TermStore::new();
    let mut parser = Parser::new(&mut store, TheorySet::DECIDED);
    let mut source = SourceText::new("stdin", "(declare-const p Bool) ");
    assert!(matches!(parser.next_command(&mut store, &source), Ok(Some((Command::DeclareSymbol(_), _)))));
    assert_eq!(parser.next_command(&mut store, &source), Ok(None));
    source.append("\n(assert p)\n; more\n(assert q)");
    assert!(matches!(parser.next_command(&mut store, &source), Ok(Some((Command::Assert(_), _)))));
    let diagnostic = parser.next_command(&mut store, &source).expect_err("q is unknown");
    assert!(diagnostic.render(&source).starts_with("stdin:4:9: error: unknown symbol 'q'"));
    source.append(" (exit) (assert p)");
    assert!(matches!(parser.next_command(&mut store, &source), Ok(Some((Command::Exit, _)))));
    assert_eq!(parser.next_command(&mut store, &source), Ok(None));
}

#[test]
fn single_terms_are_read_in_scope() {
    let mut store = TermStore::new();
    let mut parser = Parser::new(&mut store, TheorySet::DECIDED);
    let source = SourceText::new("t", "(declare-const p Bool)");
    parser.next_command(&mut store, &source).expect("reads");
    let term = parser.parse_term(&mut store, &SourceText::new("option", " (not p) ")).expect("a term");
    assert_eq!(store.op(term), Op::Not);
    let more = parser.parse_term(&mut store, &SourceText::new("option", "p p")).expect_err("two terms");
    assert_eq!(more.span.range(), 2..3);
}

/// The definitions that are read at the first question of a script, printed, or the message about a mistake in them.
fn definitions_at_question(script: &str, definitions: &str) -> Result<Vec<(String, String)>, String> {
    let mut store = TermStore::new();
    let source = SourceText::new("script", script);
    let text = SourceText::new("definitions", definitions);
    let control = Control::default();
    let (_, read) = parse_script_with(&mut store, &source, TheorySet::DECIDED, &control, |parser, store| {
        parser.read_definitions(store, &text)
    })
    .unwrap_or_else(|error| panic!("{}", error.render(&source)));
    let print = |(definition, _): (Definition, Span)| (definition.name, print_term(&store, definition.body));
    read.map(|all| all.into_iter().map(print).collect()).map_err(|error| error.render(&text))
}

#[test]
fn definitions_are_read_with_the_names_of_the_question() {
    let script =
        "(declare-const p Bool) (push 1) (declare-const q Bool) (define-fun r () Bool (or p q)) (assert r)
        (check-sat) (pop 1) (declare-const late Bool) (define-fun both () Bool p) (assert both) (check-sat)";
    let read = definitions_at_question(
        script,
        "(set-info :source |by hand|) (define-fun both () Bool (and p q r)) (define-fun |not both| () Bool (not both))",
    );
    let expected = [("both", "(and p q (or p q))"), ("not both", "(not (and p q (or p q)))")];
    assert_eq!(read, Ok(expected.map(|(name, term)| (name.to_string(), term.to_string())).to_vec()));
    let again = definitions_at_question(
        script,
        "(define-fun f () Bool p) (define-fun f () Bool (not f)) (define-fun g () Bool f)",
    );
    let expected = [("f", "p"), ("f", "(not p)"), ("g", "(not p)")];
    assert_eq!(again, Ok(expected.map(|(name, term)| (name.to_string(), term.to_string())).to_vec()));
    let late = definitions_at_question(script, "(define-fun f () Bool late)").expect_err("declared later");
    assert!(late.starts_with("definitions:1:23: error: unknown symbol 'late'"), "{late}");
    let at_end = definitions_at_question("(declare-const p Bool)", "(define-fun f () Bool p)");
    assert_eq!(at_end, Ok(vec![("f".to_string(), "p".to_string())]));
}

#[test]
fn only_definitions_are_read_among_definitions() {
    for (command, name) in [
        ("(declare-const q Bool)", "declare-const"),
        ("(assert p)", "assert"),
        ("(push 1)", "push"),
        ("(reset)", "reset"),
        ("(exit)", "exit"),
    ] {
        let text = format!("(define-fun f () Bool p)\n{command}");
        let error = definitions_at_question("(declare-const p Bool) (check-sat)", &text).expect_err(command);
        let message = format!("definitions:2:2: error: '{name}' does not belong among definitions\n");
        assert!(error.starts_with(&message), "{error}");
    }
    let twice = "(define-fun f () Bool p) (define-fun p () Bool f)";
    let error = definitions_at_question("(declare-const p Bool)", twice).expect_err("declared twice");
    assert!(error.starts_with("definitions:1:38: error: "), "{error}");
    let unknown = definitions_at_question("(declare-const p Bool)", "(define p)").expect_err("no command");
    assert!(unknown.contains("unknown command 'define'"), "{unknown}");
}
