//! Integers as words of a width: how products of unknowns get values that facts about them do not find.
//!
//! Each integer constant becomes the number that a word of bits stands for, so that the circuit computes everything exactly. A model in words is a
//! model; where there is none, there may be one in longer words.

use rustc_hash::FxHashMap;
use sundry_circuit::BuildError;
use sundry_term::{
    ArithmeticOp, Control, Model, Op, SortId, SymbolId, TermId, TermStore, Value, evaluate, substitute,
};

use crate::engine::{Checked, Engine, EngineOptions, Query};

/// The widths, in the order in which they are tried.
const WIDTHS: [u32; 6] = [4, 8, 12, 20, 32, 64];

/// Ticks of the first turn of each search.
const FIRST_TURN: u64 = 5_000_000;

/// The factor by which turns get longer.
const GROWTH: u64 = 4;

/// The turns that the search by facts and those in words take: each is as long in one round, and longer in the next.
pub(super) struct Turns {
    /// The ticks of a turn in this round.
    turn: u64,
    /// The widths in which there may be a model.
    widths: Vec<u32>,
    /// The ticks that all searches together may still take.
    left: Option<u64>,
}

impl Turns {
    /// The turns of a question that may take so many ticks.
    pub(super) fn new(searches_words: bool, ticks: Option<u64>) -> Turns {
        let widths = if searches_words { WIDTHS.to_vec() } else { Vec::new() };
        Turns { turn: FIRST_TURN, widths, left: ticks }
    }

    /// The ticks of the next search by facts: a turn, or what is left where no other search goes on.
    pub(super) fn ticks(&self) -> Option<u64> {
        if self.are_over() { self.left } else { Some(self.turn_within_limit()) }
    }

    fn turn_within_limit(&self) -> u64 {
        self.left.map_or(self.turn, |left| self.turn.min(left))
    }

    fn spend(&mut self, ticks: u64) {
        self.left = self.left.map(|left| left.saturating_sub(ticks));
    }

    /// Takes the turns in words, after that of the search by facts. Returns a model, if there is one, which is not judged yet.
    pub(super) fn search_in_words(
        &mut self,
        store: &TermStore,
        formula: &[TermId],
        options: &EngineOptions,
        control: &Control,
    ) -> Option<Model> {
        self.spend(self.turn_within_limit());
        for width in std::mem::take(&mut self.widths) {
            let ticks = self.turn_within_limit();
            match search_in_words(store, formula, width, options, ticks, control) {
                InWords::Model(model) => return Some(model),
                InWords::None => {}
                InWords::Unknown => self.widths.push(width),
            }
            self.spend(ticks);
        }
        self.turn = self.turn.saturating_mul(GROWTH);
        None
    }

    /// Whether no width is left: the next search, by facts, is the last one.
    pub(super) fn are_over(&self) -> bool {
        self.widths.is_empty()
    }

    /// Whether all ticks are spent.
    pub(super) fn are_spent(&self) -> bool {
        self.left == Some(0)
    }
}

/// The outcome of a search in words.
enum InWords {
    /// A model of the formula, not judged yet.
    Model(Model),
    /// No words of the width, or circuits that are too large: longer searches would not help.
    None,
    /// A limit was reached.
    Unknown,
}

/// An integer constant, the word that stands for it, and the number that the word stands for.
struct Word {
    symbol: SymbolId,
    word: SymbolId,
    number: TermId,
}

/// Looks for a model in which every integer constant is a number in two's complement of this width, within a number of ticks.
fn search_in_words(
    store: &TermStore,
    formula: &[TermId],
    width: u32,
    options: &EngineOptions,
    ticks: u64,
    control: &Control,
) -> InWords {
    let mut store = store.clone();
    let mut words: Vec<Word> = Vec::new();
    let mut replacements = FxHashMap::default();
    let Ok(terms) = store.reachable_within(formula, control) else { return InWords::Unknown };
    let sort = store.bit_vec_sort(width).expect("widths are not zero");
    for term in terms {
        let Some(symbol) = store.constant_symbol(term).filter(|_| store.sort_of(term) == SortId::INT) else {
            continue;
        };
        let word = store.declare("word", &[], sort);
        let word_term = store.symbol_term(word);
        let number = store.make(Op::Arithmetic(ArithmeticOp::SignedToInt), &[word_term]);
        words.push(Word { symbol, word, number });
        replacements.insert(term, number);
    }
    let formula: Vec<TermId> = (formula.iter())
        .map(|&assertion| substitute(&mut store, assertion, &replacements).expect("numbers replace numbers"))
        .collect();
    let mut engine = Engine::new(options, control);
    match engine.assert_initial(&mut store, &formula) {
        Ok(()) => {}
        Err(BuildError::Refused(_)) => return InWords::None,
        Err(BuildError::Stopped) => return InWords::Unknown,
    }
    match engine.check(Query::default().within(ticks)) {
        Checked::Sat(found) => {
            let mut model = found.model(&store);
            for Word { symbol, word, number } in words {
                // A word that nothing depends on has any value.
                let value = evaluate(&store, &model, number).ok();
                model.set_constant(symbol, value.unwrap_or_else(|| Value::default_of(&store, SortId::INT)));
                model.remove_constant(word);
            }
            InWords::Model(model)
        }
        Checked::Unsat(_) => InWords::None,
        Checked::Unknown => match engine.undecided() {
            Some(_) => InWords::None,
            None => InWords::Unknown,
        },
    }
}
