//! Printed text is read back as the same: random terms, values, models and scripts. And no text, however broken,
//! makes the readers panic.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sundry_smtlib::{
    Formula, Parser, SourceText, TextEncoding, TheorySet, parse_script, print_formula, print_model,
    print_term, print_value, read_models,
};
use sundry_term::{
    ArrayValue, BitVector, FunctionValue, Model, Op, Sort, SortId, SymbolId, TermId, TermStore, Value,
};

const DECLARATIONS: &str = "
    (declare-sort S 0) (declare-sort |odd name| 1)
    (declare-const p Bool) (declare-const _let_0 Bool) (declare-const |x y| Bool)
    (declare-const a (_ BitVec 4)) (declare-const |let| (_ BitVec 4)) (declare-const x!0 (_ BitVec 4))
    (declare-const s S) (declare-const t S) (declare-const o (|odd name| S))
    (declare-const m (Array (_ BitVec 4) (_ BitVec 4))) (declare-const n (Array S Bool))
    (declare-fun f ((_ BitVec 4) Bool) (_ BitVec 4)) (declare-fun g (S) S) (declare-fun h (S S) Bool)
    (declare-fun k ((Array S Bool)) (|odd name| S))";

/// A store with the declarations above, a parser that knows them, and their symbols.
fn declared() -> (TermStore, Parser, Vec<SymbolId>) {
    let mut store = TermStore::new();
    let mut parser = Parser::new(&mut store, TheorySet::DECIDED);
    let source = SourceText::new("declarations", DECLARATIONS);
    while parser.next_command(&mut store, &source).expect("declarations are right").is_some() {}
    let symbols = parser.declared_symbols().to_vec();
    (store, parser, symbols)
}

/// Builds terms from random numbers: each step applies an operator to existing terms; applications that are not
/// well-sorted are skipped.
fn grow(store: &mut TermStore, symbols: &[SymbolId], steps: &[(u8, [usize; 3])]) -> Vec<TermId> {
    use Op::*;
    let map = store.symbol(symbols[9]).result;
    let decided = |op: &Op| TheorySet::DECIDED.contains(op.theory());
    let indexed =
        [Extract { high: 2, low: 1 }, ZeroExtend(2), SignExtend(0), RotateLeft(3), RotateRight(1), Repeat(2)];
    let operators: Vec<Op> =
        Op::plain().iter().copied().filter(decided).chain(indexed).chain([ConstArray(map)]).collect();
    let mut terms: Vec<TermId> = Vec::new();
    for &symbol in symbols {
        if store.symbol(symbol).arguments.is_empty() {
            terms.push(store.symbol_term(symbol));
        }
    }
    terms.push(store.bool(true));
    terms.push(store.bit_vector(BitVector::from_u64(4, 9)));
    for &(choice, picks) in steps {
        let choice = choice as usize % (operators.len() + symbols.len());
        let op = operators.get(choice).copied().unwrap_or_else(|| Apply(symbols[choice - operators.len()]));
        let arguments = picks.map(|pick| terms[terms.len() - 1 - pick % terms.len()]);
        for count in [1, 2, 3] {
            if let Ok(term) = store.term(op, &arguments[..count]) {
                terms.push(term);
                break;
            }
        }
    }
    terms
}

fn steps() -> impl Strategy<Value = Vec<(u8, [usize; 3])>> {
    prop::collection::vec((any::<u8>(), prop::array::uniform3(0usize..12)), 1..80)
}

/// Random values of a sort out of random bytes.
fn value(store: &TermStore, sort: SortId, bytes: &mut impl Iterator<Item = u8>) -> Value {
    let byte = bytes.next().unwrap_or(0);
    match *store.sort(sort) {
        Sort::Bool => Value::Bool(byte.is_multiple_of(2)),
        Sort::BitVec(width) => Value::BitVec(BitVector::from_u64(width, u64::from(byte))),
        Sort::Uninterpreted { .. } => Value::Uninterpreted { sort, index: u32::from(byte % 5) },
        Sort::Array { index, element } => {
            let mut array = ArrayValue::constant(store, index, value(store, element, bytes));
            for _ in 0..byte % 4 {
                array = array.store(value(store, index, bytes), value(store, element, bytes));
            }
            Value::Array(array)
        }
        ref other => unreachable!("no formula here has {other:?}"),
    }
}

fn model(store: &TermStore, symbols: &[SymbolId], bytes: &mut impl Iterator<Item = u8>) -> Model {
    let mut model = Model::new();
    for &symbol in symbols {
        let declared = store.symbol(symbol);
        if declared.arguments.is_empty() {
            model.set_constant(symbol, value(store, declared.result, bytes));
            continue;
        }
        let default = value(store, declared.result, bytes);
        let mut entries = BTreeMap::new();
        for _ in 0..bytes.next().unwrap_or(0) % 4 {
            let point = declared.arguments.iter().map(|&sort| value(store, sort, bytes)).collect();
            entries.insert(point, value(store, declared.result, bytes));
        }
        entries.retain(|_, value| *value != default);
        model.set_function(symbol, FunctionValue::Table { entries, default });
    }
    model
}

proptest! {
    #[test]
    fn terms_are_read_back_as_themselves(steps in steps()) {
        let (mut store, mut parser, symbols) = declared();
        for term in grow(&mut store, &symbols, &steps) {
            let source = SourceText::new("term", print_term(&store, term));
            let again = parser.parse_term(&mut store, &source).map_err(|error| error.render(&source));
            prop_assert_eq!(again, Ok(term), "{}", source.text());
        }
    }

    #[test]
    fn formulas_are_read_back_with_the_same_assertions(steps in steps()) {
        let (mut store, _, symbols) = declared();
        let mut terms = grow(&mut store, &symbols, &steps);
        terms.retain(|&term| store.is_bool(term));
        let formula = Formula::of_assertions(&store, terms);
        let printed = print_formula(&store, &formula);
        let source = SourceText::new("formula", printed.clone());
        let mut other = TermStore::new();
        let script = parse_script(&mut other, &source, TheorySet::DECIDED).map_err(|error| error.render(&source));
        let again = script.expect("what is printed is right").formula();
        prop_assert_eq!(again.symbols.len(), formula.symbols.len());
        prop_assert_eq!(print_formula(&other, &again), printed);
    }

    #[test]
    fn models_are_read_back_as_themselves(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let (mut store, _, symbols) = declared();
        let mut bytes = bytes.into_iter();
        let models = [model(&store, &symbols, &mut bytes), model(&store, &symbols, &mut bytes)];
        let text: String = models.iter().map(|model| print_model(&store, model, &symbols)).collect();
        let source = SourceText::new("models", text);
        let read = read_models(&mut store, &source, &symbols).map_err(|error| error.render(&source));
        let read = read.expect("what is printed is right");
        prop_assert_eq!(read.len(), 2);
        for (read, model) in read.iter().zip(&models) {
            prop_assert_eq!(&read.model, model, "{}", source.text());
            prop_assert!(read.missing.is_empty() && read.unused.is_empty());
        }
    }

    #[test]
    fn bodies_of_functions_are_read_back_with_the_same_meaning(steps in steps()) {
        let (mut store, _, symbols) = declared();
        // Bodies over parameters: a declared constant of the same sort is replaced by each.
        let function = symbols[11];
        let arguments = store.symbol(function).arguments.clone();
        let parameters: Vec<SymbolId> = arguments.iter().map(|&sort| store.parameter("x!0", sort)).collect();
        let mut known = symbols.clone();
        known.extend(&parameters);
        let result = store.symbol(function).result;
        known.retain(|&symbol| symbol != function);
        let body = grow(&mut store, &known, &steps).into_iter().rfind(|&term| store.sort_of(term) == result);
        let body = body.expect("a constant has the sort");
        let mut model = Model::new();
        model.set_function(function, FunctionValue::Body { parameters, body });
        let source = SourceText::new("model", print_model(&store, &model, &[function]));
        // All symbols are known to the reader; only one is defined.
        let read = read_models(&mut store, &source, &symbols).map_err(|error| error.render(&source));
        let read = &read.expect("what is printed is right")[0].model;
        for number in 0..4u64 {
            let bits = store.bit_vector(BitVector::from_u64(4, number));
            let truth = store.bool(number % 2 == 0);
            let call = store.term(Op::Apply(function), &[bits, truth]).expect("well-sorted");
            prop_assert_eq!(
                sundry_term::evaluate(&store, read, call),
                sundry_term::evaluate(&store, &model, call),
                "{}", source.text()
            );
        }
    }

    #[test]
    fn values_have_balanced_texts(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let (store, _, symbols) = declared();
        let sort = store.symbol(symbols[10]).result;
        let text = print_value(&store, sort, &value(&store, sort, &mut bytes.into_iter()));
        prop_assert_eq!(text.matches('(').count(), text.matches(')').count());
    }

    #[test]
    fn no_text_makes_the_readers_panic(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "(", ")", "(", ")", "assert", "declare-fun", "define-fun", "let", "!", "_", "as", "const", "lambda",
                "p", "a", "m", "f", "bvadd", "select", "extract", "BitVec", "Array", "Bool", "S", "4", "0", "#b1",
                "#x", "|", "\"", ":named", "bv3", ";", "\n", "é", "\u{0}", "push", "pop", "forall", "define-sort",
                "check-sat-assuming", "model", "sat", "as-array", "99999999999", "1.5", "reset", "get-value",
            ]),
            0..60,
        )
    ) {
        let (mut store, mut parser, symbols) = declared();
        let text = pieces.join(" ");
        let source = SourceText::new("noise", text);
        parser.restart();
        while let Ok(Some(_)) | Err(_) = parser.next_command(&mut store, &source).map_err(|error| error.render(&source)) {}
        let _ = read_models(&mut store, &source, &symbols).map_err(|error| error.render(&source));
        let _ = parser.parse_term(&mut store, &source);
    }

    #[test]
    fn cut_scripts_are_errors_not_panics(cut in 0usize..700, insert in "[()|\"# a0]{0,3}") {
        let (mut store, _, symbols) = declared();
        let text = format!("{DECLARATIONS} (assert (let ((z (f a p))) (and (h s (g t)) (! (= z |let|) :named q))))
            (check-sat) (define-fun a () (_ BitVec 4) #x3)");
        let cut = cut.min(text.len());
        let source = SourceText::new("cut", format!("{}{insert}{}", &text[..cut], &text[cut..]));
        let mut other = TermStore::new();
        let mut parser = Parser::new(&mut other, TheorySet::DECIDED);
        while let Ok(Some(_)) | Err(_) = parser.next_command(&mut other, &source).map_err(|error| error.render(&source)) {}
        let _ = read_models(&mut store, &source, &symbols);
    }

    #[test]
    fn any_bytes_and_any_text_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..60), text in "\\PC{0,60}") {
        let source = SourceText::from_bytes("bytes", bytes.clone());
        prop_assert_eq!(source.encoding() == TextEncoding::Utf8, std::str::from_utf8(&bytes).is_ok());
        prop_assert_eq!(&source.encode(source.text())[..], bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes));
        for source in [source, SourceText::new("text", text)] {
            if let Err(error) = parse_script(&mut TermStore::new(), &source, TheorySet::DECIDED) {
                let start = format!("{}:", source.name());
                prop_assert!(error.render(&source).starts_with(&start));
            }
        }
    }

    #[test]
    fn names_of_any_bytes_are_read_back_the_same(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
        let name: Vec<u8> = bytes.into_iter().filter(|byte| !b"|\\".contains(byte)).collect();
        let text = [b"(declare-const |n", &name[..], b"| Bool)\n(assert |n", &name[..], b"|)"].concat();
        let source = SourceText::from_bytes("names", text);
        let mut store = TermStore::new();
        let formula = parse_script(&mut store, &source, TheorySet::DECIDED).expect("a quoted symbol").formula();
        let printed = print_formula(&store, &formula);
        let again = SourceText::from_bytes("again", printed.clone().into_bytes());
        prop_assert_eq!(again.encoding(), TextEncoding::Utf8);
        let mut other = TermStore::new();
        let read = parse_script(&mut other, &again, TheorySet::DECIDED).expect("what was printed").formula();
        let (before, after) = (store.symbol(formula.symbols[0]), other.symbol(read.symbols[0]));
        prop_assert_eq!(&before.name, &after.name);
        prop_assert_eq!(&source.encode(&before.name)[1..], &name[..]);
    }
}
