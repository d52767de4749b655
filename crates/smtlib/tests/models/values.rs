//! Models given by a text for each value, as rows of a table have them.

use sundry_smtlib::{ModelReader, print_model};
use sundry_term::SymbolId;

use crate::formula;

/// Each value is a text, as in rows of a table.
#[test]
fn models_are_read_value_by_value() {
    let mut case = formula(
        "(declare-sort S 0)(declare-const p Bool)(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 3))\
         (declare-const s S)(declare-const t S)(declare-const m (Array (_ BitVec 3) S))\
         (declare-fun f (Bool (_ BitVec 3)) (_ BitVec 8))\
         (assert (and p (= x #x0a) (= y #b101) (distinct s t) (= (select m y) t) (= (f true y) x) (= (f p #b000) #x01)))",
    );
    let mut reader = ModelReader::new(&mut case.store, &case.formula.symbols);
    let texts = [
        ("p", "true"),
        ("x", "(_ bv10 8)"),
        ("y", "#b101"),
        ("s", "(as @S!0 S)"),
        ("t", "(as @S!1 S)"),
        ("m", "(store ((as const (Array (_ BitVec 3) S)) (as @S!0 S)) #b101 (as @S!1 S))"),
        ("f", "(lambda ((a Bool) (b (_ BitVec 3))) (ite (and (= a true) (= b #b101)) #x0a #x01))"),
    ];
    let values: Vec<(SymbolId, &str)> = texts.iter().map(|&(name, text)| (case.symbol(name), text)).collect();
    for _ in 0..2 {
        let model = reader.values(&mut case.store, &values).expect("values");
        assert!(case.satisfies(&model), "{model:?}");
        let printed = print_model(&case.store, &model, &case.formula.symbols);
        let read = case.accept(&printed).model;
        assert_eq!(print_model(&case.store, &read, &case.formula.symbols), printed);
    }
    for (name, text, words) in [
        ("p", "1", "sort"),
        ("x", "#x0", "sort (_ BitVec 4)"),
        ("x", "#x00 #x01", "expected the end of the value"),
        ("x", "#x0g", "hexadecimal digits"),
        ("x", "", "ends too early"),
        ("x", "(bvadd #x00", "not closed"),
        ("x", "z", "unknown symbol"),
        ("f", "#x00", "expected '('"),
        ("f", "(lambda ((a Bool)) #x00)", "gives 'f' the sorts"),
        ("f", "(lambda ((a Bool) (b (_ BitVec 3))) #x00", "not closed"),
        ("f", "(lambda ((a Bool) (b (_ BitVec 3))) #x00) x", "follows the value"),
    ] {
        let wrong = [values[0], (case.symbol(name), text)];
        let error = reader.values(&mut case.store, &wrong).expect_err(text);
        assert_eq!(error.position, Some(1));
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
}
