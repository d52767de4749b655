//! What a run at volume hands out: up to 64 solutions at a time, as models or as plain values.

use sundry_coverage::Class;
use sundry_lanes::{LANES, Memory, Slot};
use sundry_term::{Model, Sort, SymbolId, TermStore};

use crate::rows::Judge;

/// Up to 64 new solutions that were found together.
pub struct Samples<'a> {
    pub(super) store: &'a TermStore,
    pub(super) judge: &'a Judge,
    pub(super) symbols: &'a [SymbolId],
    /// The lanes that hold them.
    pub(super) lanes: u64,
}

impl Samples<'_> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.lanes.count_ones() as usize
    }

    /// The classes of the solutions, one by one.
    pub fn classes(&self) -> impl Iterator<Item = Class> + '_ {
        let columns = self.judge.classes();
        let lanes = lanes_of(self.lanes);
        lanes.map(move |lane| {
            Class::from_words(columns.iter().map(|column| column[lane]).collect(), self.judge.predicates())
        })
    }

    /// The solutions without models, where all symbols are Boolean or bit-vector constants.
    pub fn plain(&self) -> Option<PlainSamples<'_>> {
        let slot = |&symbol: &SymbolId| {
            let width = match *self.store.sort(self.store.symbol(symbol).result) {
                Sort::Bool => None,
                Sort::BitVec(width) => Some(width),
                _ => return None,
            };
            Some((self.judge.slot_of(symbol)?, width))
        };
        let slots = self.symbols.iter().map(slot).collect::<Option<_>>()?;
        Some(PlainSamples { judge: self.judge, slots, lanes: self.lanes })
    }

    /// The models, one by one, with elements of declared sorts numbered by what the model says of them.
    pub fn models(&self) -> impl Iterator<Item = Model> + '_ {
        let lanes = lanes_of(self.lanes);
        lanes.map(|lane| {
            let model = self.judge.model(self.store, self.symbols, lane);
            model.canonical(self.store).unwrap_or(model)
        })
    }
}

/// The lanes of a mask, ascending.
fn lanes_of(mask: u64) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}

/// Values of Boolean and bit-vector constants in up to 64 solutions: what is written a million times a second.
pub struct PlainSamples<'a> {
    judge: &'a Judge,
    /// By symbol, in order of declaration, where its values are, and the width of a bit-vector.
    slots: Vec<(Slot, Option<u32>)>,
    lanes: u64,
}

impl PlainSamples<'_> {
    /// The solutions, each named by its lane.
    pub fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        lanes_of(self.lanes)
    }

    /// The values of a solution in the order of the symbols.
    pub fn values(&self, lane: usize) -> impl Iterator<Item = PlainValue<'_>> {
        self.slots.iter().map(move |&(slot, width)| match width {
            None => PlainValue::Bool(self.judge.memory().mask(slot) >> lane & 1 == 1),
            Some(width) => PlainValue::Bits(PlainBits { memory: self.judge.memory(), slot, lane, width }),
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
    /// How many there are.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// 64 of them, the least significant ones first.
    pub fn limb(&self, number: usize) -> u64 {
        self.memory.limb(self.slot, number, self.lane)
    }
}
