//! Ranges of integers that the solver proves, and walks over all values that constants can have together.
//!
//! An integer has infinitely many values, unless the assertions bound it. The search for a bound starts at the value in a solution and doubles
//! the distance until nothing is farther away, then halves the doubt. Reading bounds off the assertions was rejected: most bounds
//! follow from several.

use dashu_int::IBig;
use rustc_hash::FxHashMap;
use sundry_solver::{BuildError, Query, Verdict};
use sundry_term::{ArithmeticOp, Op, Sort, SortId, SymbolId, TermId, TermStore, Value};

use crate::enumeration::Enumeration;
use crate::formula_engine::FormulaEngine;
use crate::rows::Range;

/// Effort for a question about a bound, beyond which there is none.
const TICKS: u64 = 5_000_000;

/// The distance beyond which bounds are no nearer than twice the least.
const EXACT: u64 = 1 << 16;

/// The distance from a solution beyond which a bound is none, for those who list all values.
pub(crate) const FARTHEST: u64 = 1 << 62;

/// Whether the values of a symbol can be listed if integers have ranges.
pub(crate) fn is_listable(store: &TermStore, symbol: SymbolId) -> bool {
    let declared = store.symbol(symbol);
    let sort = store.sort(declared.result);
    declared.arguments.is_empty()
        && matches!(sort, Sort::Bool | Sort::BitVec(_) | Sort::Float(_) | Sort::RoundingMode | Sort::Int)
}

impl FormulaEngine {
    /// The ranges of those of some constants that are integers no farther from a solution than this, as far as the solver proves them.
    ///
    /// # Errors
    /// An operation whose circuit is too large, or time is up.
    pub(crate) fn find_ranges(
        &mut self,
        symbols: impl IntoIterator<Item = SymbolId>,
        farthest: u64,
    ) -> Result<FxHashMap<SymbolId, Range>, BuildError> {
        let mut ranges = FxHashMap::default();
        for symbol in symbols {
            let declared = self.store().symbol(symbol);
            let is_integer = declared.arguments.is_empty() && declared.result == SortId::INT;
            let Some(first) = self.first().filter(|_| is_integer) else { continue };
            let start = match first.model.constant(symbol) {
                Some(Value::Int(value)) => value.clone(),
                _ => IBig::ZERO,
            };
            let Some(below) = self.bound(symbol, &start, farthest, false)? else { continue };
            let Some(above) = self.bound(symbol, &start, farthest, true)? else { continue };
            let range = Range { least: start - IBig::from(below), span: below + above };
            ranges.insert(symbol, range);
        }
        Ok(ranges)
    }

    /// The distance from a value that a constant has nowhere exceeded, above or below it; none where the solver proves none.
    fn bound(
        &mut self,
        symbol: SymbolId,
        start: &IBig,
        farthest: u64,
        above: bool,
    ) -> Result<Option<u64>, BuildError> {
        if !self.is_never_beyond(symbol, start, farthest, above)? {
            return Ok(None);
        }
        let (mut reached, mut limit) = (0, farthest);
        while reached < limit {
            let next = if reached < limit / 2 { 2 * reached } else { (reached + limit) / 2 };
            match self.is_never_beyond(symbol, start, next, above)? {
                true => limit = next,
                false => reached = next + 1,
            }
            if limit >= EXACT && limit / 2 <= reached {
                break;
            }
        }
        Ok(Some(limit))
    }

    /// Whether the solver proves that a constant is nowhere farther from a value than this, above or below it.
    fn is_never_beyond(
        &mut self,
        symbol: SymbolId,
        start: &IBig,
        distance: u64,
        above: bool,
    ) -> Result<bool, BuildError> {
        let store = self.store_mut();
        let constant = store.symbol_term(symbol);
        let (limit, op) = match above {
            true => (start + IBig::from(distance), ArithmeticOp::Greater),
            false => (start - IBig::from(distance), ArithmeticOp::Less),
        };
        let limit = store.constant(Value::Int(limit));
        let beyond = store.make(Op::Arithmetic(op), &[constant, limit]);
        let literal = self.literal_of(beyond)?;
        Ok(self.check(Query::assuming(&[literal]).within(TICKS)).verdict() == Verdict::Unsat)
    }

    /// A walk over all values that these constants can have together, integers within these ranges.
    ///
    /// # Errors
    /// An operation whose circuit is too large, or time is up.
    pub(crate) fn enumeration(
        &mut self,
        constants: &[SymbolId],
        ranges: &FxHashMap<SymbolId, Range>,
    ) -> Result<Enumeration, BuildError> {
        let store = self.store_mut();
        let term = |&symbol: &SymbolId| {
            let constant = store.symbol_term(symbol);
            ranges.get(&symbol).map_or(constant, |range| distance(store, constant, range))
        };
        let terms: Vec<TermId> = constants.iter().map(term).collect();
        let edges = self.bits_of_all(&terms)?;
        Ok(Enumeration::new(self.engine_mut(), edges.iter().flat_map(|edges| edges.iter().copied())))
    }
}

/// The distance of an integer from the least value of its range, as a word.
fn distance(store: &mut TermStore, constant: TermId, range: &Range) -> TermId {
    let least = store.constant(Value::Int(range.least.clone()));
    let difference = store.make(Op::Arithmetic(ArithmeticOp::Sub), &[constant, least]);
    store.make(Op::Arithmetic(ArithmeticOp::IntToBits(range.bits())), &[difference])
}
