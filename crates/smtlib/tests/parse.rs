//! What the parser makes of commands and terms, and what it says about mistakes.

use sundry_smtlib::{
    Command, Definition, Diagnostic, DiagnosticKind, Formula, Parser, Script, SourceText, Span, TheorySet,
    parse_script, parse_script_with, print_formula, print_script, print_term,
};
use sundry_term::{Control, Op, TermId, TermStore};

fn script(store: &mut TermStore, text: &str) -> Script {
    let source = SourceText::new("test.smt2", text);
    parse_script(store, &source, TheorySet::DECIDED)
        .unwrap_or_else(|error| panic!("{}", error.render(&source)))
}

fn error(text: &str) -> Diagnostic {
    let source = SourceText::new("test.smt2", text);
    parse_script(&mut TermStore::new(), &source, TheorySet::DECIDED).expect_err(text)
}

/// The text that an error points at.
fn pointed_at(text: &str) -> &str {
    &text[error(text).span.range()]
}

fn assertions(script: &Script) -> Vec<TermId> {
    let asserted = script.commands.iter().filter_map(|(command, _)| match command {
        Command::Assert(term) => Some(*term),
        _ => None,
    });
    asserted.collect()
}

const DECLARATIONS: &str = "
    (declare-const p Bool) (declare-const q Bool)
    (declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const b (_ BitVec 1))
    (declare-fun f ((_ BitVec 8) Bool) (_ BitVec 8))
    (declare-sort S 0) (declare-const u S) (declare-fun g (S) S)
    (declare-const m (Array (_ BitVec 8) (_ BitVec 8)))";

/// The one assertion behind the declarations, printed.
fn reprinted(term: &str) -> String {
    let mut store = TermStore::new();
    let script = script(&mut store, &format!("{DECLARATIONS} (assert {term})"));
    print_term(&store, assertions(&script)[0])
}

#[test]
fn every_operator_is_read_and_printed_as_written() {
    let terms = [
        "p",
        "true",
        "(not p)",
        "(and p)",
        "(and p q p)",
        "(or p q)",
        "(xor p q p)",
        "(=> p q p)",
        "(= p q p)",
        "(distinct x y #x00)",
        "(ite p q true)",
        "(= ((_ extract 7 0) x) x)",
        "(= ((_ extract 0 0) x) b)",
        "(= (concat b b b) #b101)",
        "(= ((_ repeat 2) b) #b11)",
        "(= ((_ zero_extend 0) x) x)",
        "(= ((_ sign_extend 7) b) x)",
        "(= ((_ rotate_left 9) x) x)",
        "(= ((_ rotate_right 1) x) x)",
        "(= (bvnot x) (bvneg x))",
        "(= (bvand x y x) (bvor x y x))",
        "(= (bvxor x y x) (bvxnor x y x))",
        "(= (bvnand x y) (bvnor x y))",
        "(= (bvadd x y x) (bvmul x y x))",
        "(= (bvsub x y x) x)",
        "(= (bvudiv x y) (bvurem x y))",
        "(= (bvsdiv x y) (bvsrem x y))",
        "(= (bvsmod x y) x)",
        "(= (bvshl x y) (bvlshr x y))",
        "(= (bvashr x y) x)",
        "(= (bvcomp x y) b)",
        "(= (bvredand x) (bvredor x))",
        "(= (bvredxor x) b)",
        "(= (bvinc x) (bvdec y))",
        "(= (ext_rotate_left x y) (ext_rotate_right x y))",
        "(< (+ (ubv_to_int x) 1) (* 2 (sbv_to_int y)) 7)",
        "(= (abs (- (mod 7 3))) (div (- 7 1) (- 2)))",
        "((_ divisible 3) (ite p 1 2))",
        "(distinct ((_ int_to_bv 8) (ubv_to_int x)) x)",
        "(bvult x y)",
        "(bvule x y)",
        "(bvugt x y)",
        "(bvuge x y)",
        "(bvslt x y)",
        "(bvsle x y)",
        "(bvsgt x y)",
        "(bvsge x y)",
        "(bvnego x)",
        "(bvuaddo x y)",
        "(bvsaddo x y)",
        "(bvumulo x y)",
        "(bvsmulo x y)",
        "(bvusubo x y)",
        "(bvssubo x y)",
        "(bvsdivo x y)",
        "(= (select m x) (f x p))",
        "(= (store m x y) m)",
        "(= ((as const (Array (_ BitVec 8) (_ BitVec 8))) x) m)",
        "(= (g (g u)) u)",
        "(= x #x0f)",
        "(= b #b1)",
    ];
    for term in terms {
        assert_eq!(reprinted(term), term);
    }
}

#[test]
fn literals_and_qualified_identifiers() {
    assert_eq!(reprinted("(= x (_ bv255 8))"), "(= x #xff)");
    assert_eq!(reprinted("(= x #b00001111)"), "(= x #x0f)");
    assert_eq!(reprinted("(= (as x (_ BitVec 8)) ((as f (_ BitVec 8)) y p))"), "(= x (f y p))");
    assert_eq!(reprinted("(= u (as u S))"), "(= u u)");
    assert_eq!(reprinted("|p|"), "p");
}

#[test]
fn names_of_other_solvers_are_read() {
    assert_eq!(reprinted("(implies p (iff p (if p p false)))"), "(=> p (= p (ite p p false)))");
    assert_eq!(reprinted("(= x ((_ nat2bv 8) (bv2nat x)))"), "(= x ((_ int_to_bv 8) (ubv_to_int x)))");
    let mut store = TermStore::new();
    script(
        &mut store,
        "(declare-fun iff (Bool Bool Bool) Bool) (declare-const if Bool) (assert (iff if if if))",
    );
    for wrong in ["(assert (iff true))", "(assert (iff true true true))", "(assert (iff #b1 #b1))"] {
        assert_eq!(error(wrong).kind, DiagnosticKind::Sort, "{wrong}");
    }
}

#[test]
fn integers_have_a_bound() {
    let mut deep = String::from("(ubv_to_int x)");
    for _ in 0..18 {
        deep = format!("(let ((n {deep})) (* n n))");
    }
    let text = format!("(declare-const x (_ BitVec 8)) (assert (< 0 {deep}))");
    let diagnostic = error(&text);
    assert_eq!(diagnostic.kind, DiagnosticKind::Limit, "{diagnostic}");
    assert!(diagnostic.message.contains("may need more than 1048576 bits"), "{diagnostic}");
    let diagnostic = error("(declare-const x (_ BitVec 8)) (assert (= (bvadd x 1) x))");
    assert_eq!(diagnostic.kind, DiagnosticKind::Sort);
    assert!(diagnostic.help.is_some_and(|help| help.contains("#b0101")));
}

#[test]
fn let_binds_in_parallel_and_leaves_no_node() {
    assert_eq!(reprinted("(let ((x y) (y x)) (bvult x y))"), "(bvult y x)");
    assert_eq!(reprinted("(let ((z x)) (let ((z (bvnot z))) (= z x)))"), "(= (bvnot x) x)");
    assert_eq!(reprinted("(let ((p q)) p)"), "q");
    assert_eq!(reprinted("(and (let ((p q)) p) p)"), "(and q p)");
    assert_eq!(reprinted("(let ((|and| p)) |and|)"), "p");
}

#[test]
fn annotations_leave_no_node() {
    assert_eq!(reprinted("(! p :weight 3 :pattern ((f x p) (\"(\")) :flag :other (a b))"), "p");
    assert_eq!(reprinted("(and (! (not p) :named np) np)"), "(let ((_let_0 (not p))) (and _let_0 _let_0))");
    let mut store = TermStore::new();
    let text = "(declare-const p Bool)(assert (! p :named a1))(assert (or (! (not p) :named |n 2|) p))";
    let script = script(&mut store, text);
    let names: Vec<(&str, usize)> =
        script.named_terms.iter().map(|named| (named.name.as_str(), named.command)).collect();
    assert_eq!(names, [("a1", 1), ("n 2", 2)]);
    assert!(print_script(&store, &script).contains("(assert (! p :named a1))"));
}

#[test]
fn definitions_are_expanded() {
    let definitions = "(define-fun zero () (_ BitVec 8) #x00)
        (define-const one (_ BitVec 8) (bvnot zero))
        (define-fun add ((x (_ BitVec 8)) (z (_ BitVec 8))) (_ BitVec 8) (bvadd z x y))
        (define-fun twice ((y (_ BitVec 8))) (_ BitVec 8) (add y y))
        (define-fun constant ((y (_ BitVec 8))) (_ BitVec 8) x)
        (define-fun same ((y (_ BitVec 8))) (_ BitVec 8) y)";
    let mut store = TermStore::new();
    let script = script(
        &mut store,
        &format!(
            "{DECLARATIONS} {definitions}
            (assert (= one (add x zero))) (assert (= (twice x) (constant y) (same (same x))))
            (assert (= (twice x) (bvadd x x y)))"
        ),
    );
    let asserted = assertions(&script);
    assert_eq!(print_term(&store, asserted[0]), "(= (bvnot #x00) (bvadd #x00 x y))");
    assert_eq!(print_term(&store, asserted[1]), "(= (bvadd x x y) x x)");
    let &[left, right] = store.args(asserted[2]) else { panic!("an equality") };
    assert_eq!(left, right, "expanded and written are one term");
}

#[test]
fn sorts_are_declared_defined_and_applied() {
    let mut store = TermStore::new();
    let text = "(declare-sort Pair 2) (declare-sort T)
        (define-sort Byte () (_ BitVec 8))
        (define-sort Map (K V) (Array K (Pair V K)))
        (declare-const a (Map Byte T)) (declare-const i (Pair T Byte))
        (assert (= (select a #x00) i))";
    let script = script(&mut store, text);
    let printed = print_formula(&store, &script.formula());
    assert!(printed.contains("(declare-fun a () (Array (_ BitVec 8) (Pair T (_ BitVec 8))))"), "{printed}");
    assert!(printed.contains("(declare-sort Pair 2)\n(declare-sort T 0)\n"), "{printed}");
}

#[test]
fn levels_scope_names() {
    let mut store = TermStore::new();
    let text = "(declare-const p Bool) (push 2)
        (declare-const x Bool) (declare-sort S 0) (define-fun d () Bool (not x)) (define-fun h ((z Bool)) Bool z)
        (assert (! (and x d) :named n)) (pop 1) (push) (declare-const x (_ BitVec 4)) (pop 2)
        (declare-const x p2) ";
    let text = text.replace("(declare-const x p2) ", "(declare-const x S)");
    let source = SourceText::new("t", text);
    let diagnostic = parse_script(&mut store, &source, TheorySet::DECIDED).expect_err("S is out of scope");
    assert_eq!((diagnostic.kind, diagnostic.message.as_str()), (DiagnosticKind::Unknown, "unknown sort 'S'"));
    for name in ["x", "d", "n", "(h p)"] {
        let text = format!("{} (assert {name})", source.text().replace("(declare-const x S)", ""));
        let diagnostic = error(&text);
        assert_eq!(diagnostic.kind, DiagnosticKind::Unknown, "{name}: {diagnostic}");
    }
}

#[test]
fn global_declarations_survive() {
    let mut store = TermStore::new();
    let text = "(set-option :global-declarations true) (push 1) (declare-const x Bool)
        (define-fun d () Bool (not x)) (declare-sort S 0) (assert d) (pop 1)
        (declare-const s S) (assert (or x d)) (reset-assertions) (assert (not d)) (check-sat)";
    let formula = script(&mut store, text).formula();
    assert_eq!(formula.assertions.len(), 1);
    assert_eq!((formula.symbols.len(), formula.sorts.len()), (2, 1));
    let late = error("(declare-const x Bool) (set-option :global-declarations true)");
    assert_eq!(late.kind, DiagnosticKind::Mode);
}

#[test]
fn resets_forget() {
    assert_eq!(error("(declare-const x Bool)(reset)(assert x)").kind, DiagnosticKind::Unknown);
    assert_eq!(error("(declare-const x Bool)(reset-assertions)(assert x)").kind, DiagnosticKind::Unknown);
    let mut store = TermStore::new();
    let text =
        "(declare-const x Bool)(assert x)(push)(reset)(declare-const x (_ BitVec 2))(assert (= x #b01))";
    let formula = script(&mut store, text).formula();
    assert_eq!((formula.assertions.len(), formula.symbols.len()), (1, 1));
}

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

#[test]
fn quoted_and_simple_names_are_one() {
    let mut store = TermStore::new();
    let read = script(
        &mut store,
        "(declare-const |x y| Bool)(declare-const |let| Bool)(declare-const |z| Bool)\
        (assert (and |x y| |let| z))",
    );
    assert_eq!(print_term(&store, assertions(&read)[0]), "(and |x y| |let| z)");
}

// ---- mistakes

#[test]
fn mistakes_have_kinds_and_places() {
    use DiagnosticKind::*;
    let cases = [
        ("(assert (and true", Syntax, "("),
        ("(assert true", Syntax, "("),
        ("(assert true false)", Syntax, "false"),
        ("(assert)", Syntax, ")"),
        ("assert", Syntax, "assert"),
        (")", Syntax, ")"),
        ("(asser true)", Syntax, "asser"),
        ("(assert (let ((x true)) ))", Syntax, ")"),
        ("(assert (let (x true) x))", Syntax, "x"),
        ("(assert (! true))", Syntax, ")"),
        ("(assert (and))", Syntax, "(and)"),
        ("(assert (true))", Syntax, "(true)"),
        ("(assert (true true))", Sort, "true"),
        ("(assert ((and true) true))", Syntax, "and"),
        ("(assert and)", Sort, "and"),
        ("(assert x)", Unknown, "x"),
        ("(assert (foo true))", Unknown, "foo"),
        ("(assert ((_ foo 1) true))", Unknown, "foo"),
        ("(declare-const x Foo)", Unknown, "Foo"),
        ("(declare-const x (Array Bool))", Sort, "(Array Bool)"),
        ("(declare-const x Bool)(declare-const x Bool)", Redeclared, "x"),
        ("(declare-const and Bool)", Redeclared, "and"),
        ("(declare-const true Bool)", Redeclared, "true"),
        ("(declare-sort Bool 0)", Redeclared, "Bool"),
        ("(declare-const let Bool)", Syntax, "let"),
        ("(assert (let ((x true) (x false)) x))", Redeclared, "x"),
        ("(define-fun f ((x Bool) (x Bool)) Bool x)", Redeclared, "x"),
        ("(define-fun f () Bool #b1)", Sort, "#b1"),
        ("(define-fun f ((x Bool)) Bool x)(assert (f #b0))", Sort, "#b0"),
        ("(define-fun f ((x Bool)) Bool x)(assert (f true true))", Sort, "f"),
        ("(assert (and true #b1))", Sort, "#b1"),
        ("(assert (bvult #b1 #b11))", Sort, "#b11"),
        ("(assert #b1)", Sort, "#b1"),
        ("(assert (= #b1 (_ bv2 1)))", Sort, "bv2"),
        ("(assert (= #b1 (_ bv2 0)))", Sort, "0"),
        ("(assert (= #b1 ((_ extract 1 0) #b1)))", Sort, "(_ extract 1 0)"),
        ("(assert (= #b1 ((_ extract 1) #b1)))", Sort, "(_ extract 1)"),
        ("(assert (= #b1 (_ extract 1 0)))", Sort, "(_ extract 1 0)"),
        ("(assert (= #b1 (extract #b1)))", Syntax, "extract"),
        ("(assert (as true (_ BitVec 1)))", Sort, "(as true (_ BitVec 1))"),
        ("(declare-const x (_ BitVec 0))", Sort, "(_ BitVec 0)"),
        ("(declare-const x (_ BitVec 99999999))", Limit, "(_ BitVec 99999999)"),
        ("(declare-const x (_ BitVec 99999999999))", Limit, "99999999999"),
        ("(declare-const x BitVec)", Syntax, "BitVec"),
        ("(define-fun f ((x Bool)) Bool (! (not x) :named n))", Syntax, "n"),
        ("(pop 1)", Mode, "pop 1"),
        ("(push 99999999)", Limit, "99999999"),
        ("(get-value ())", Syntax, "()"),
        ("(assert (and true\n(check-sat)", Syntax, "check-sat"),
    ];
    for (text, kind, place) in cases {
        let diagnostic = error(text);
        assert_eq!(diagnostic.kind, kind, "{text}: {diagnostic}");
        assert_eq!(pointed_at(text), place, "{text}: {diagnostic}");
    }
}

#[test]
fn other_theories_are_unsupported_not_wrong() {
    let cases = [
        ("(declare-const x Int)", "Int", "integers"),
        ("(declare-const x (_ FloatingPoint 8 24))", "FloatingPoint", "floating point"),
        ("(declare-fun f (Real) Bool)", "Real", "reals"),
        ("(declare-const x (Seq Bool))", "Seq", "sequences"),
        ("(assert (forall ((x Bool)) x))", "forall", "quantifiers"),
        ("(declare-fun f ((Array Int Bool)) Bool)", "(Array Int Bool)", "integers"),
        (
            "(declare-const x (_ BitVec 4))(assert (= 1 (mod 7 (ubv_to_int x))))",
            "(= 1 (mod 7 (ubv_to_int x)))",
            "(mod 7 (ubv_to_int x))",
        ),
        (
            "(define-fun d ((a Int) (b Int)) Int (div a b))(assert (= 1 (d 7 (- 2 2))))",
            "(= 1 (d 7 (- 2 2)))",
            "(div 7 (- 2 2))",
        ),
        ("(assert (= 1.5 2.0))", "1.5", "reals"),
        ("(assert (= \"a\" \"b\"))", "\"a\"", "strings"),
        ("(assert (str.prefixof true))", "str.prefixof", "strings"),
        ("(assert (> (/ 1 2) 0))", "/", "reals"),
        ("(assert ((_ to_fp 8 24) true))", "to_fp", "floating point"),
        ("(assert (match true ((x x))))", "match", "datatypes"),
        ("(declare-datatypes ((T 0)) (((c))))", "declare-datatypes", "datatypes"),
        ("(define-fun-rec f () Bool f)", "define-fun-rec", "recursive definitions"),
    ];
    for (text, place, theory) in cases {
        let diagnostic = error(text);
        assert_eq!(diagnostic.kind, DiagnosticKind::Unsupported, "{text}: {diagnostic}");
        assert!(!diagnostic.kind.is_input_at_fault());
        assert_eq!(pointed_at(text), place, "{text}: {diagnostic}");
        assert!(diagnostic.message.contains(theory), "{text}: {diagnostic}");
    }
}

#[test]
fn names_of_other_theories_may_be_declared() {
    assert_eq!(
        {
            let mut store = TermStore::new();
            let text =
                "(declare-fun abs ((_ BitVec 2)) Bool) (declare-const RNE (_ BitVec 2)) (assert (abs RNE))";
            let read = script(&mut store, text);
            print_term(&store, assertions(&read)[0])
        },
        "(abs RNE)"
    );
    // Operators that the standard gained later may be defined by older scripts.
    let mut store = TermStore::new();
    script(
        &mut store,
        "(define-fun bvredor ((x (_ BitVec 2))) Bool (distinct x #b00)) (assert (bvredor #b01))",
    );
}

#[test]
fn mistakes_suggest_what_was_meant() {
    let help = |text: &str| error(text).help.unwrap_or_default();
    assert_eq!(help("(asert true)"), "did you mean 'assert'?");
    assert_eq!(help("(declare-const count Bool)(assert cuont)"), "did you mean 'count'?");
    assert_eq!(help("(assert (bvaddd #b1 #b1))"), "did you mean 'bvadd'?");
    assert_eq!(help("(declare-const x Boool)"), "did you mean 'Bool'?");
    assert_eq!(help("(assert ((_ extarct 0 0) #b1))"), "did you mean 'extract'?");
}

#[test]
fn errors_render_with_line_and_caret() {
    let source =
        SourceText::new("dir/f.smt2", "(set-logic QF_BV)\n(assert (bvult #b1\n  (concat #b1 #b1)))\n");
    let diagnostic =
        parse_script(&mut TermStore::new(), &source, TheorySet::DECIDED).expect_err("sorts differ");
    assert_eq!(
        diagnostic.render(&source),
        "dir/f.smt2:3:3: error: argument 2 of 'bvult' has sort (_ BitVec 2), expected (_ BitVec 1)\n\
         3 |   (concat #b1 #b1)))\n  \
           |   ^^^^^^^^^^^^^^^^\n"
    );
}

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

/// What definitions mean that are read at the first question of a script, printed, or what is wrong with them.
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

#[test]
fn sorts_that_double_with_every_definition_give_short_messages() {
    let doubled = |count: usize| {
        let mut text = String::from("(define-sort A0 () Bool)");
        for i in 1..=count {
            text.push_str(&format!("(define-sort A{i} () (Array A{} A{}))", i - 1, i - 1));
        }
        text + &format!("(declare-const a A{count})")
    };
    let text = doubled(15);
    script(&mut TermStore::new(), &text);
    assert!(error(&format!("{text}(assert a)")).message.len() < 200);
    let refused = error(&doubled(200));
    let expected = "written out, this sort would have more than 65536 parts";
    assert_eq!((refused.kind, &*refused.message), (DiagnosticKind::Limit, expected));
}
