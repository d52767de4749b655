//! Narrower bit-vectors and floating-point formats.

use rustc_hash::FxHashMap;
use sundry_term::{FloatFormat, FloatOp, Op, Sort, SortId, SymbolId, TermId, TermStore, Value};

use super::subject::Subject;

/// How the width of a sort changes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum SortChange {
    /// To the narrowest.
    Least,
    /// To two or four bits more than that.
    Small(u32),
    /// To half.
    Half,
    /// By one bit.
    OneLess,
}

/// All changes, in the order in which they are tried.
pub(super) const SORT_CHANGES: &[SortChange] =
    &[SortChange::Least, SortChange::Small(1), SortChange::Small(3), SortChange::Half, SortChange::OneLess];

impl SortChange {
    /// What becomes of a number of bits of which there must be `least`; nothing if it does not get smaller.
    fn of(self, bits: u32, least: u32) -> Option<u32> {
        let new = match self {
            SortChange::Least => least,
            SortChange::Small(more) => least + more,
            SortChange::Half => (bits / 2).max(least),
            SortChange::OneLess => bits.checked_sub(1)?,
        };
        (least..bits).contains(&new).then_some(new)
    }
}

/// Scripts in which one sort is narrower everywhere: one for each sort that can be.
pub(super) fn with_narrower_sorts(
    store: &mut TermStore,
    subject: &Subject,
    change: SortChange,
) -> Vec<Subject> {
    let roots = subject.roots();
    let terms = store.reachable(&roots);
    let mut sorts: Vec<SortId> = terms.iter().map(|&term| store.sort_of(term)).collect();
    sorts.sort_unstable();
    sorts.dedup();
    let mut candidates = Vec::new();
    for sort in sorts {
        for narrower in narrower(store, sort, change) {
            let mut narrowing = Narrowing { from: sort, to: narrower, symbols: FxHashMap::default() };
            if let Some(results) = narrowing.of_terms(store, &terms)
                && let Some(candidate) = subject.mapped(&mut |term| results.get(&term).copied())
            {
                candidates.push(candidate);
            }
        }
    }
    candidates
}

/// A sort with fewer bits; of a floating-point format with fewer of either kind, or of both.
fn narrower(store: &mut TermStore, sort: SortId, change: SortChange) -> Vec<SortId> {
    let sorts: Vec<Sort> = match *store.sort(sort) {
        Sort::BitVec(width) => change.of(width, 1).map(Sort::BitVec).into_iter().collect(),
        Sort::Float(format) => {
            let (exponent, significand) = (format.exponent_bits(), format.significand_bits());
            let (less_exponent, less_significand) = (change.of(exponent, 2), change.of(significand, 2));
            [
                (less_exponent.unwrap_or(exponent), less_significand.unwrap_or(significand)),
                (less_exponent.unwrap_or(exponent), significand),
                (exponent, less_significand.unwrap_or(significand)),
            ]
            .into_iter()
            .filter(|&bits| bits != (exponent, significand))
            .filter_map(|(exponent, significand)| FloatFormat::new(exponent, significand).map(Sort::Float))
            .collect()
        }
        _ => Vec::new(),
    };
    sorts.into_iter().filter_map(|sort| store.intern_sort(sort).ok()).collect()
}

/// A sort that takes the place of another.
struct Narrowing {
    from: SortId,
    to: SortId,
    /// The symbols that have been declared anew.
    symbols: FxHashMap<SymbolId, SymbolId>,
}

impl Narrowing {
    /// What becomes of terms, given in ascending order; nothing if they do not fit together any more.
    fn of_terms(&mut self, store: &mut TermStore, terms: &[TermId]) -> Option<FxHashMap<TermId, TermId>> {
        let mut results: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &term in terms {
            let arguments: Vec<TermId> = store.args(term).iter().map(|argument| results[argument]).collect();
            let result = match store.value(term).cloned() {
                Some(value) if store.sort_of(term) == self.from => self.literal(store, &value)?,
                Some(_) => term,
                None => {
                    let op = self.op(store, term, &arguments)?;
                    store.term(op, &arguments).ok()?
                }
            };
            results.insert(term, result);
        }
        Some(results)
    }

    fn literal(&self, store: &mut TermStore, value: &Value) -> Option<TermId> {
        let value = match (value, store.sort(self.to)) {
            (Value::BitVec(bits), &Sort::BitVec(width)) => Value::BitVec(bits.extract(width - 1, 0)),
            (Value::Float(_), Sort::Float(_)) => Value::default_of(store, self.to),
            _ => return None,
        };
        Some(store.value_term(self.to, &value))
    }

    /// The operator of a term, given its new arguments.
    fn op(&mut self, store: &mut TermStore, term: TermId, arguments: &[TermId]) -> Option<Op> {
        Some(match store.op(term) {
            Op::Apply(symbol) => Op::Apply(self.symbol(store, symbol)),
            Op::Forall(binder) => Op::Forall(self.binder(store, binder)),
            Op::Exists(binder) => Op::Exists(self.binder(store, binder)),
            Op::ConstArray(sort) => Op::ConstArray(self.sort(store, sort)?),
            Op::Extract { high, low } => {
                let highest = store.width(*arguments.first()?)? - 1;
                // What was cut out of the upper end is still cut out of it.
                let shift = high.saturating_sub(highest);
                Op::Extract { high: high - shift, low: low.saturating_sub(shift) }
            }
            Op::Float(FloatOp::ToFp(format)) => Op::Float(FloatOp::ToFp(self.format(store, format))),
            op => op,
        })
    }

    fn format(&self, store: &TermStore, format: FloatFormat) -> FloatFormat {
        match (store.sort(self.from), store.sort(self.to)) {
            (&Sort::Float(from), &Sort::Float(to)) if from == format => to,
            _ => format,
        }
    }

    fn symbol(&mut self, store: &mut TermStore, symbol: SymbolId) -> SymbolId {
        if let Some(&known) = self.symbols.get(&symbol) {
            return known;
        }
        let declared = store.symbol(symbol).clone();
        let arguments: Vec<SortId> =
            declared.arguments.iter().map(|&sort| self.sort(store, sort).unwrap_or(sort)).collect();
        let result = self.sort(store, declared.result).unwrap_or(declared.result);
        let is_same = arguments[..] == declared.arguments[..] && result == declared.result;
        let new = match declared.kind {
            _ if is_same => symbol,
            // Its definition keeps the sort, so what applies it is ill-sorted and dropped.
            sundry_term::SymbolKind::Defined => symbol,
            sundry_term::SymbolKind::Declared => store.declare(&declared.name, &arguments, result),
            sundry_term::SymbolKind::Variable => store.variable(&declared.name, result),
            sundry_term::SymbolKind::Parameter => store.parameter(&declared.name, result),
        };
        self.symbols.insert(symbol, new);
        new
    }

    fn binder(&mut self, store: &mut TermStore, binder: sundry_term::BinderId) -> sundry_term::BinderId {
        let variables = store.bound_variables(binder).to_vec();
        let variables: Vec<SymbolId> =
            variables.into_iter().map(|variable| self.symbol(store, variable)).collect();
        store.binder(&variables)
    }

    /// What becomes of a sort; of an array its parts may change.
    fn sort(&self, store: &mut TermStore, sort: SortId) -> Option<SortId> {
        if sort == self.from {
            return Some(self.to);
        }
        match *store.sort(sort) {
            Sort::Array { index, element } => {
                let (index, element) = (self.sort(store, index)?, self.sort(store, element)?);
                Some(store.array_sort(index, element))
            }
            _ => Some(sort),
        }
    }
}
