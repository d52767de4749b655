//! Every rule is proved by two solvers, over sorts of different sizes; those over strings are tried.

use std::time::Duration;

use sundry_fuzz::{Direction, RuleBook};
use sundry_smtlib::{Formula, print_term};
use sundry_term::{
    FloatFormat, Model, Op, Sort, SortDisplay, SortId, SymbolId, TermId, TermStore, Text, Value, evaluate,
};
use sundry_testing::oracle::{Answer, Oracle};

/// Longest for all rules of a sort.
const LIMIT: Duration = Duration::from_secs(240);

/// What each rule over a sort claims, with its literal and formula as text.
fn claims(store: &mut TermStore, sort: SortId) -> Vec<(TermId, String)> {
    let mut book = RuleBook::default();
    let rules = book.of_sort(store, sort).expect("there are rules").all().to_vec();
    let claim = |rule: sundry_fuzz::Rule| {
        let (from, to) = match rule.direction {
            Some(Direction::Over) => (rule.literal, rule.formula),
            Some(Direction::Under) => (rule.formula, rule.literal),
            None => (rule.literal, rule.formula),
        };
        let op = if rule.direction.is_some() { Op::Implies } else { Op::Equal };
        let claim = store.make(op, &[from, to]);
        let claim = match rule.condition {
            Some(condition) => store.make(Op::Implies, &[condition, claim]),
            None => claim,
        };
        (
            claim,
            format!(
                "{:?} {} {}",
                rule.direction,
                print_term(store, rule.literal),
                print_term(store, rule.formula)
            ),
        )
    };
    rules.into_iter().map(claim).collect()
}

/// Which rules over a sort a solver does not prove; one that is refuted is a failure.
fn unproved(oracle: Oracle, store: &mut TermStore, sort: SortId, limit: Duration) -> Vec<String> {
    let claims = claims(store, sort);
    let text = SortDisplay::new(store, sort).to_string();
    let declarations: String =
        ["x", "y", "a"].map(|name| format!("(declare-fun {name} () {text})\n")).concat();
    let questions: Vec<String> =
        claims.iter().map(|(claim, _)| format!("(assert (not {}))", print_term(store, *claim))).collect();
    let answers = oracle.ask(&format!("(set-logic ALL)\n{declarations}"), &questions, limit);
    let mut open = Vec::new();
    for ((_, rule), answer) in claims.into_iter().zip(answers) {
        assert_ne!(answer, Answer::Sat, "{oracle} refutes over {text}: {rule}");
        if answer == Answer::Unknown {
            open.push(rule);
        }
    }
    open
}

fn proved_by_both(sort: impl Fn(&mut TermStore) -> SortId) {
    for oracle in [Oracle::Z3, Oracle::Cvc5] {
        let mut store = TermStore::new();
        let sort = sort(&mut store);
        let open = unproved(oracle, &mut store, sort, LIMIT);
        assert!(open.is_empty(), "{oracle} does not prove:\n{}", open.join("\n"));
    }
}

#[test]
fn numbers() {
    proved_by_both(|_| SortId::INT);
    proved_by_both(|_| SortId::REAL);
}

#[test]
fn bit_vectors() {
    for width in [1, 2, 5, 8] {
        proved_by_both(|store| store.bit_vec_sort(width).expect("a width"));
    }
}

#[test]
fn floating_point() {
    for (exponent_bits, significand_bits) in [(2, 3), (3, 5)] {
        let format = FloatFormat::new(exponent_bits, significand_bits).expect("a format");
        proved_by_both(|store| store.intern_sort(Sort::Float(format)).expect("a sort"));
    }
}

/// Neither solver proves much about the order of strings: they refute nothing in their time, and the evaluator
/// tries short strings.
#[test]
fn strings() {
    for oracle in [Oracle::Z3, Oracle::Cvc5] {
        unproved(oracle, &mut TermStore::new(), SortId::STRING, Duration::from_secs(15));
    }
    let mut store = TermStore::new();
    let claims = claims(&mut store, SortId::STRING);
    let texts = short_strings();
    for (claim, rule) in claims {
        let symbols: Vec<SymbolId> =
            Formula::of_assertions(&store, vec![claim]).symbols.into_iter().collect();
        for choice in 0..texts.len().pow(symbols.len() as u32) {
            let mut model = Model::new();
            for (position, &symbol) in symbols.iter().enumerate() {
                let text = &texts[choice / texts.len().pow(position as u32) % texts.len()];
                model.set_constant(symbol, Value::String(text.clone()));
            }
            assert_eq!(evaluate(&store, &model, claim), Ok(Value::Bool(true)), "{rule}");
        }
    }
}

/// All strings of two characters with up to two of them, and some longer ones.
fn short_strings() -> Vec<Text> {
    let all: [&[u32]; 10] = [
        &[],
        &[0x61],
        &[0x62],
        &[0x61, 0x61],
        &[0x61, 0x62],
        &[0x62, 0x61],
        &[0x62, 0x62],
        &[0x61, 0x62, 0x61],
        &[0x62, 0x62, 0x61],
        &[0x61, 0x61, 0x61, 0x62],
    ];
    all.iter().map(|characters| Text::new(characters).expect("characters of the theory")).collect()
}
