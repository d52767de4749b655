//! Floats that are made of bytes: a variable of the search for the float, instead of one for each byte.
//!
//! Programs read floats from memory, so that path conditions have `to_fp` of a concatenation of bytes. A step of one byte is
//! no small step of the float, and nearly all floats near another one differ from it in several bytes.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{FloatFormat, FloatOp, Op, Sort, SymbolId, TermId, TermStore, substitute};

use super::Equations;

/// The symbols of floats that are made of other symbols, so that each question about the same bytes has the same one.
#[derive(Clone, Default)]
pub struct JoinedFloats {
    known: FxHashMap<(TermId, FloatFormat), SymbolId>,
}

impl JoinedFloats {
    /// The terms with a symbol for each float that is made of symbols, and these symbols as parts of the floats.
    pub(super) fn join(&mut self, store: &mut TermStore, roots: &[TermId]) -> (Vec<TermId>, Equations) {
        let mut replacements: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut parts = Equations::new();
        let mut joined: FxHashSet<SymbolId> = FxHashSet::default();
        for term in store.reachable(roots) {
            let (Op::Float(FloatOp::ToFp(format)), &[word]) = (store.op(term), store.args(term)) else {
                continue;
            };
            let Some(leaves) = symbols_of(store, word) else { continue };
            if leaves.len() < 2 || leaves.iter().any(|(symbol, _)| joined.contains(symbol)) {
                continue;
            }
            let Some(float) = self.symbol(store, word, format) else { continue };
            let float = store.symbol_term(float);
            let encoding = store.make(Op::Float(FloatOp::ToIeeeBv), &[float]);
            replacements.insert(term, float);
            replacements.insert(word, encoding);
            let mut low = 0;
            for (symbol, width) in leaves {
                let part = store.make(Op::Extract { high: low + width - 1, low }, &[encoding]);
                low += width;
                joined.insert(symbol);
                replacements.insert(store.symbol_term(symbol), part);
                parts.push((symbol, part));
            }
        }
        if replacements.is_empty() {
            return (roots.to_vec(), parts);
        }
        let replace = |&root: &TermId| substitute(store, root, &replacements).unwrap_or(root);
        (roots.iter().map(replace).collect(), parts)
    }

    fn symbol(&mut self, store: &mut TermStore, word: TermId, format: FloatFormat) -> Option<SymbolId> {
        if let Some(&known) = self.known.get(&(word, format)) {
            return Some(known);
        }
        let sort = store.intern_sort(Sort::Float(format)).ok()?;
        let symbol = store.declare("float of several symbols", &[], sort);
        self.known.insert((word, format), symbol);
        Some(symbol)
    }
}

/// The symbols of which a word is the concatenation, lowest first, with their widths; none if it is made of anything else or has a symbol twice.
fn symbols_of(store: &TermStore, word: TermId) -> Option<Vec<(SymbolId, u32)>> {
    let (mut leaves, mut seen, mut open) = (Vec::new(), FxHashSet::default(), vec![word]);
    while let Some(term) = open.pop() {
        match store.op(term) {
            Op::Concat => open.extend(store.args(term)),
            _ => {
                let symbol = store.constant_symbol(term)?;
                if !seen.insert(symbol) {
                    return None;
                }
                leaves.push((symbol, store.width(term)?));
            }
        }
    }
    Some(leaves)
}

#[cfg(test)]
mod tests {
    use sundry_descent::StrategyKind;
    use sundry_smtlib::{SourceText, TheorySet, parse_script};
    use sundry_term::{Control, TermStore, Value, evaluate};

    use crate::descent::{FloatSearch, FloatTurns, JoinedFloats};

    #[test]
    fn the_search_finds_floats_that_are_made_of_bytes() {
        let mut text = String::new();
        for byte in 0..8 {
            text += &format!("(declare-const b{byte} (_ BitVec 8))");
        }
        text += "(define-fun x () (_ FloatingPoint 11 53) ((_ to_fp 11 53) (concat b7 b6 b5 b4 b3 b2 b1 b0)))
            (assert (fp.lt ((_ to_fp 11 53) RNE 1.99999999) (fp.mul RNE x x) ((_ to_fp 11 53) RNE 2.00000001)))
            (assert (= #b1 ((_ extract 7 7) b7)))";
        let mut store = TermStore::new();
        let source = SourceText::new("formula", text);
        let script = parse_script(&mut store, &source, TheorySet::SOLVED).expect("a script");
        let assertions = script.formula().assertions;
        let control = Control::default();
        let mut joined = JoinedFloats::default();
        for _ in 0..2 {
            let symbols = store.symbol_count();
            let strategy = StrategyKind::default();
            let search = FloatSearch::new(&mut store, &assertions, &mut joined, strategy, 1, &control);
            let mut search = search.expect("no limit").expect("floats");
            let model = search.take_turn(&store, FloatTurns { number: 0 }, &control, None);
            let model = model.expect("no limit").expect("a root of two");
            for &assertion in &assertions {
                assert_eq!(evaluate(&store, &model, assertion), Ok(Value::Bool(true)));
            }
            assert!(store.symbol_count() <= symbols + 1);
        }
        assert_eq!(joined.known.len(), 1);
    }
}
