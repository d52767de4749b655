//! Answers of the solver, and the description of AST-bits.

use sundry::{Answer, Control, Formula, Possibility};

#[test]
fn the_assertions_of_a_core_have_no_solution() {
    let text = "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const p Bool)
        (assert (or p (bvult x #x10))) (assert (bvugt x #x20)) (assert (= y (bvadd x #x01)))
        (assert (not p)) (assert (bvugt y #x00))";
    let formula = Formula::parse(text).unwrap();
    let Answer::Unsatisfiable { core: Some(core) } = formula.solver().with_core(true).run().unwrap() else {
        panic!("there is no solution")
    };
    assert!(core.len() < 5 && core.is_sorted());
    let mut alone =
        String::from("(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const p Bool)");
    for &number in &core {
        alone.push_str(&format!("(assert {})", formula.assertion(number).unwrap().text));
    }
    assert!(matches!(
        Formula::parse(alone).unwrap().solve(None).unwrap(),
        Answer::Unsatisfiable { core: None }
    ));
}

#[test]
fn nodes_stand_at_their_places() {
    let text = "(declare-const x (_ BitVec 4))\n(define-fun twice ((y (_ BitVec 4))) (_ BitVec 4) (bvadd y y))\n\
        (define-fun small () Bool (bvult x #x9))\n(assert small)\n(assert (let ((z (bvnot x))) (bvult z (twice z))))\n(check-sat)\n\
        (assert (= x #x0))\n";
    let formula = Formula::reader()
        .predicates("(define-fun odd () Bool (= ((_ extract 0 0) x) #b1))")
        .read(text)
        .unwrap();
    let reader = formula.ast_bit_reader(&Control::default()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut seen = Vec::new();
    for bit in (0..).map_while(|number| reader.ast_bit(number)) {
        let place = bit.place.expect("every node has one");
        let rest = &lines[place.line - 1][place.column - 1..];
        seen.push((bit.term, rest.chars().take(5).collect::<String>()));
    }
    seen.sort();
    seen.dedup();
    let place = |term: &str| {
        let found = seen.iter().find(|(node, _)| node == term);
        found.unwrap_or_else(|| panic!("no {term} in {seen:?}")).1.clone()
    };
    assert_eq!(place("x"), "x #x9");
    assert_eq!(place("#x9"), "#x9))");
    assert_eq!(place("(bvult x #x9)"), "(bvul");
    assert_eq!(place("(bvnot x)"), "(bvno");
    // The sum comes from the body of a function, and stands where that is called.
    assert_eq!(place("(let ((_let_0 (bvnot x))) (bvadd _let_0 _let_0))"), "(twic");
}

#[test]
fn every_ast_bit_is_decided_once() {
    let formula =
        Formula::parse("(declare-const x (_ BitVec 6)) (assert (bvult (bvmul x x) #b000111))").unwrap();
    let decided = formula.decide(&Control::default()).unwrap();
    assert_eq!(decided.unknown, 0);
    let count = |wanted| {
        (0..formula.ast_bits()).filter(|&number| decided.ast_bit(number) == Some(wanted)).count() as u64
    };
    assert_eq!(count(Possibility::Possible), decided.valid);
    assert_eq!(count(Possibility::Impossible), decided.impossible);
    assert_eq!(decided.ast_bit(formula.ast_bits()), None);
    // By brute force: the values of x that are solutions.
    let solutions: Vec<u64> = (0..64).filter(|x| x * x % 64 < 7).collect();
    let reader = formula.ast_bit_reader(&Control::default()).unwrap();
    for bit in (0..).map_while(|number| reader.ast_bit(number)).filter(|bit| bit.term == "x") {
        let is_possible = solutions.iter().any(|x| (x >> bit.bit & 1 == 1) == bit.value);
        let said = decided.ast_bit(bit.number) == Some(Possibility::Possible);
        assert_eq!(said, is_possible, "bit {} of x is {}", bit.bit, bit.value);
    }
}
