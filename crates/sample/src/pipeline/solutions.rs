//! Solutions as a run hands them out: some at a time, as models or as plain values.

use sundry_coverage::Class;
use sundry_lanes::{LANES, Memory, Slot};
use sundry_term::{Model, Sort, SymbolId, TermStore};

use crate::rows::Judge;

/// Solutions that were found together, at most 64.
pub struct Solutions<'a>(Source<'a>);

/// The source of the values of solutions.
enum Source<'a> {
    /// Side by side in the memory of the judge, and not models yet.
    Lanes {
        store: &'a TermStore,
        judge: &'a Judge,
        symbols: &'a [SymbolId],
        /// The lanes that hold solutions.
        lanes: u64,
    },
    /// Solutions in models.
    Models(&'a [Model]),
}

impl<'a> Solutions<'a> {
    pub(crate) fn in_lanes(
        store: &'a TermStore,
        judge: &'a Judge,
        symbols: &'a [SymbolId],
        lanes: u64,
    ) -> Self {
        Solutions(Source::Lanes { store, judge, symbols, lanes })
    }

    pub(crate) fn of_models(models: &'a [Model]) -> Self {
        Solutions(Source::Models(models))
    }

    /// The number of solutions.
    pub fn count(&self) -> usize {
        match self.0 {
            Source::Lanes { lanes, .. } => lanes.count_ones() as usize,
            Source::Models(models) => models.len(),
        }
    }

    /// The classes of the solutions, one by one; none where the run has no predicates.
    pub fn classes(&self) -> impl Iterator<Item = Class> + '_ {
        let (judge, lanes) = match self.0 {
            Source::Lanes { judge, lanes, .. } => (Some(judge), lanes),
            Source::Models(_) => (None, 0),
        };
        judge.into_iter().flat_map(move |judge| {
            let columns = judge.classes();
            lanes_of(lanes).map(move |lane| {
                Class::from_words(columns.iter().map(|column| column[lane]).collect(), judge.predicates())
            })
        })
    }

    /// The solutions without models, where all symbols are Boolean or bit-vector constants and the run has made no models.
    pub fn plain(&self) -> Option<PlainSolutions<'a>> {
        let Source::Lanes { store, judge, symbols, lanes } = self.0 else { return None };
        let width = |&symbol: &SymbolId| match *store.sort(store.symbol(symbol).result) {
            Sort::Bool => Some(None),
            Sort::BitVec(width) => Some(Some(width)),
            _ => None,
        };
        let widths: Vec<Option<u32>> = symbols.iter().map(width).collect::<Option<_>>()?;
        let (memory, places) = judge.places(symbols)?;
        let slots = places.into_iter().zip(widths).collect();
        Some(PlainSolutions { memory, slots, lanes })
    }

    /// The models, one by one. Where the solutions are not models yet, elements of declared sorts are numbered by what the
    /// model says of them.
    pub fn models(&self) -> impl Iterator<Item = Model> + '_ {
        (0..LANES).filter_map(|number| match self.0 {
            Source::Lanes { store, judge, symbols, lanes } => (lanes >> number & 1 == 1).then(|| {
                let model = judge.model(store, symbols, number);
                model.canonical(store).unwrap_or(model)
            }),
            Source::Models(models) => models.get(number).cloned(),
        })
    }
}

/// The lanes of a mask, ascending.
fn lanes_of(mask: u64) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}

/// Values of Boolean and bit-vector constants in up to 64 solutions, for writing a million of them a second.
pub struct PlainSolutions<'a> {
    memory: &'a Memory,
    /// The place of each symbol's values, in order of declaration, and the width of a bit-vector.
    slots: Vec<(Slot, Option<u32>)>,
    lanes: u64,
}

impl PlainSolutions<'_> {
    /// The solutions, each named by its lane.
    pub fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        lanes_of(self.lanes)
    }

    /// The values of a solution in the order of the symbols.
    pub fn values(&self, lane: usize) -> impl Iterator<Item = PlainValue<'_>> {
        self.slots.iter().map(move |&(slot, width)| match width {
            None => PlainValue::Bool(self.memory.mask(slot) >> lane & 1 == 1),
            Some(width) => PlainValue::Bits(PlainBits { memory: self.memory, slot, lane, width }),
        })
    }
}

/// A value that has no memory of its own.
pub enum PlainValue<'a> {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    Bits(PlainBits<'a>),
}

/// The bits of a bit-vector.
pub struct PlainBits<'a> {
    memory: &'a Memory,
    slot: Slot,
    lane: usize,
    width: u32,
}

impl PlainBits<'_> {
    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The word of 64 bits with this number, the least significant word first.
    pub fn limb(&self, number: usize) -> u64 {
        self.memory.limb(self.slot, number, self.lane)
    }
}
