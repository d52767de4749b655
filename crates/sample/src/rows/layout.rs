//! Assignments as rows of words, which can be combined bit by bit.
//!
//! A row has a bit for each Boolean constant, the limbs of each bit-vector constant, and for each array and function
//! its default and the element at each of finitely many *points*: those that a solution of the epoch has. Constants
//! that the assertions define by terms have no place: they follow from the others.
//!
//! Floating-point values are their bits, and integers with a proved range the bits of their distance from its least value. Whatever has no
//! words, such as reals, other integers, and arrays of numbers, is the *rest* of a solution: a row says of which solution
//! of the epoch it has the rest, by number.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use sundry_lanes::{Column, Content, LANES, Memory, Program};
use sundry_term::{Model, Sort, SortId, SymbolId, TermStore, Value};

use super::judge::Judge;
use super::packing::{Packing, Range};
use super::rest::Rests;
use super::table::{TableLayout, width_of};
use super::transpose::transpose;

/// The position of one bit that may be flipped.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Position {
    /// A bit of a constant: the word of a row, and the bit in it.
    Constant { word: u32, bit: u32 },
    /// A bit of an element: the table and point, and the word and bit in the element.
    Element { table: u32, point: u32, word: u32, bit: u32 },
}

/// A constant that is no truth value.
pub(super) struct Word {
    pub(super) symbol: SymbolId,
    pub(super) packing: Packing,
    /// Its number among the constants of the judge.
    number: usize,
    pub(super) first: usize,
}

/// The layout of a row.
pub(crate) struct Layout {
    /// The declared sorts of which it matters how many elements there are. A row has a word for each, behind the
    /// constants: the number, or 0 for more than can be listed.
    pub(super) bounded: Vec<SortId>,
    /// Whether there are elements of declared sorts: then rows are compared up to their names.
    pub(super) has_elements: bool,
    /// The Boolean constants, with their numbers among those of the judge.
    pub(super) bools: Vec<(SymbolId, usize)>,
    pub(super) words: Vec<Word>,
    /// The number of words of all constants together.
    pub(super) constants: usize,
    pub(super) tables: Vec<TableLayout>,
    /// Whatever has no words, if there is any. A row has a word for it, the last.
    pub(super) rests: Option<Rests>,
    pub(super) width: usize,
}

impl Layout {
    /// A layout without points for what the judge expects, where integers have these ranges.
    pub(crate) fn new(store: &TermStore, judge: &Judge, ranges: &FxHashMap<SymbolId, Range>) -> Self {
        let mut layout = Layout {
            bounded: judge.bounded_sorts().to_vec(),
            has_elements: false,
            bools: Vec::new(),
            words: Vec::new(),
            constants: 0,
            tables: Vec::new(),
            rests: None,
            width: 0,
        };
        let mut rest = Vec::new();
        let mut words = Vec::new();
        for (number, symbol) in judge.constants().enumerate() {
            let sort = store.symbol(symbol).result;
            match Packing::of(store, sort, ranges.get(&symbol)) {
                _ if sort == SortId::BOOL => layout.bools.push((symbol, number)),
                Some(packing) => words.push((symbol, packing, number)),
                None => rest.push(symbol),
            }
        }
        layout.constants = layout.bools.len().div_ceil(64);
        for (symbol, packing, number) in words {
            let first = layout.constants;
            layout.constants += packing.limbs();
            layout.words.push(Word { symbol, packing, number, first });
        }
        for symbol in judge.tables() {
            let sort = store.symbol(symbol).result;
            let element = store.array_parts(sort).map_or(sort, |(_, element)| element);
            let width = width_of(store, element);
            let limbs = width.div_ceil(64) as usize;
            let arguments = match store.array_parts(sort) {
                Some((index, _)) => vec![index],
                None => store.symbol(symbol).arguments.to_vec(),
            };
            let domain = arguments.iter().map(|&sort| store.cardinality(sort)).collect();
            layout.tables.push(TableLayout {
                symbol,
                first: 0,
                limbs,
                width,
                points: Vec::new(),
                domain,
                arguments,
                element,
            });
        }
        let is_declared = |sort: SortId| matches!(store.sort(sort), Sort::Uninterpreted { .. });
        let mut in_tables =
            layout.tables.iter().flat_map(|table| table.arguments.iter().chain([&table.element]).copied());
        let has_elements = |word: &Word| matches!(word.packing, Packing::Element(_));
        layout.has_elements =
            layout.words.iter().any(has_elements) || in_tables.any(is_declared) || judge.has_elements();
        drop(in_tables);
        if judge.has_rest() || !rest.is_empty() {
            layout.rests = Some(Rests::of(rest.into_iter().chain(judge.others())));
        }
        layout.place_tables();
        layout
    }

    /// Takes away all points.
    pub(crate) fn clear(&mut self) {
        for table in &mut self.tables {
            table.points.clear();
        }
        if let Some(rests) = &mut self.rests {
            rests.clear();
        }
        self.place_tables();
    }

    /// Adds the points of a model, behind those that are there.
    pub(crate) fn add_points(&mut self, store: &TermStore, model: &Model) {
        for table in &mut self.tables {
            let content = Content::of(store, table.symbol, model);
            content.entries.into_iter().for_each(|(key, _)| table.add(key));
            table.fill_from_half();
        }
        if let Some(rests) = &mut self.rests {
            rests.add(store, model);
        }
        self.place_tables();
    }

    fn place_tables(&mut self) {
        let mut next = self.constants + self.bounded.len();
        for table in &mut self.tables {
            table.first = next;
            next += table.limbs * (1 + table.points.len());
        }
        self.width = next + usize::from(self.rests.is_some());
    }

    /// The number of words in a row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The word and the bit of a position in a row.
    pub(crate) fn place(&self, position: Position) -> (usize, u32) {
        match position {
            Position::Constant { word, bit } => (word as usize, bit),
            Position::Element { table, point, word, bit } => {
                let table = &self.tables[table as usize];
                (table.first + table.limbs * (1 + point as usize) + word as usize, bit)
            }
        }
    }

    /// The word and the bit in it of a bit of a constant; none if the constant follows from others.
    pub(crate) fn place_of(&self, symbol: SymbolId, bit: u32) -> Option<(usize, u32)> {
        if let Some(number) = self.bools.iter().position(|&(other, _)| other == symbol) {
            return Some((number / 64, number as u32 % 64));
        }
        let word = self.words.iter().find(|word| word.symbol == symbol)?;
        Some((word.first + bit as usize / 64, bit % 64))
    }

    /// Whether rows depend on the solutions that were added: there are arrays, functions, or values without words.
    pub(crate) fn depends_on_models(&self) -> bool {
        !self.tables.is_empty() || self.rests.is_some()
    }

    /// All bits of constants and of elements at points.
    pub(crate) fn positions(&self) -> Vec<Position> {
        let bools = (0..self.bools.len() as u32)
            .map(|number| Position::Constant { word: number / 64, bit: number % 64 });
        let words = self.words.iter().flat_map(|word| {
            (0..word.packing.width())
                .map(|bit| Position::Constant { word: word.first as u32 + bit / 64, bit: bit % 64 })
        });
        let elements = (0..).zip(&self.tables).flat_map(|(table, layout)| {
            (0..layout.points.len() as u32).flat_map(move |point| {
                (0..layout.width).map(move |bit| Position::Element {
                    table,
                    point,
                    word: bit / 64,
                    bit: bit % 64,
                })
            })
        });
        bools.chain(words).chain(elements).collect()
    }

    /// The constant at a position, and which of its bits; none for elements.
    pub(crate) fn bit_at(&self, position: Position) -> Option<(SymbolId, u32)> {
        let Position::Constant { word, bit } = position else { return None };
        if (word as usize) < self.bools.len().div_ceil(64) {
            return Some((self.bools[(64 * word + bit) as usize].0, 0));
        }
        let behind = self.words.partition_point(|layout| layout.first <= word as usize);
        let layout = &self.words[behind - 1];
        Some((layout.symbol, 64 * (word - layout.first as u32) + bit))
    }

    /// Gives those constants random values that a model leaves out: the formula does not depend on them.
    pub(crate) fn complete(&self, model: &mut Model, random: &mut ChaCha8Rng) {
        for &(symbol, _) in &self.bools {
            if model.constant(symbol).is_none() {
                model.set_constant(symbol, Value::Bool(random.random()));
            }
        }
        for word in &self.words {
            if model.constant(word.symbol).is_none()
                && let Some(value) = word.packing.random(random)
            {
                model.set_constant(word.symbol, value);
            }
        }
    }

    /// The row of a model. What it leaves out is zero.
    pub(crate) fn row(&self, store: &TermStore, model: &Model) -> Vec<u64> {
        let mut row = vec![0; self.width];
        for (number, &(symbol, _)) in self.bools.iter().enumerate() {
            if let Some(Value::Bool(true)) = model.constant(symbol) {
                row[number / 64] |= 1 << (number % 64);
            }
        }
        for word in &self.words {
            if let Some(value) = model.constant(word.symbol) {
                let limbs = word.packing.words(value);
                row[word.first..][..limbs.len()].copy_from_slice(&limbs);
            }
        }
        for (number, &sort) in self.bounded.iter().enumerate() {
            row[self.constants + number] = model.universes().count(sort).map_or(0, u64::from);
        }
        for table in &self.tables {
            let Content { entries, default } = Content::of(store, table.symbol, model);
            let elements = &mut row[table.first..][..table.limbs * (1 + table.points.len())];
            for element in elements.chunks_exact_mut(table.limbs) {
                element.copy_from_slice(&default);
            }
            for (key, element) in entries {
                let point = table
                    .points
                    .iter()
                    .position(|point| **point == *key)
                    .expect("the model's points were added");
                elements[table.limbs * (1 + point)..][..table.limbs].copy_from_slice(&element);
            }
        }
        if let Some(rests) = &self.rests {
            row[self.width - 1] = rests.number(store, model);
        }
        row
    }

    /// Tells the judge's memory the points of the tables.
    pub(crate) fn place_points(&self, memory: &mut Memory) {
        for (number, layout) in self.tables.iter().enumerate() {
            let table = memory.table_mut(number);
            table.clear();
            for (point, key) in layout.points.iter().enumerate() {
                let placed = table.point(key);
                debug_assert_eq!(placed, point);
            }
        }
    }

    /// Puts rows, one behind the other, into the lanes of the judge's memory.
    pub(crate) fn load(&self, rows: &[u64], program: &Program, memory: &mut Memory) {
        let constants = program.constants();
        debug_assert_eq!(rows.len(), LANES * self.width);
        let word = |lane: usize, word: usize| rows[lane * self.width + word];
        for (number, block) in self.bools.chunks(64).enumerate() {
            let mut bits: [u64; 64] = std::array::from_fn(|lane| word(lane, number));
            transpose(&mut bits);
            for (&(_, constant), &mask) in block.iter().zip(&bits) {
                memory.set_mask(constants[constant].1, mask);
            }
        }
        let fill = |columns: &mut [Column], first: usize| {
            for (limb, column) in columns.iter_mut().enumerate() {
                for (lane, value) in column.iter_mut().enumerate() {
                    *value = word(lane, first + limb);
                }
            }
        };
        for layout in &self.words {
            fill(memory.columns_mut(constants[layout.number].1), layout.first);
        }
        for number in 0..self.bounded.len() {
            fill(std::slice::from_mut(memory.universe_mut(number)), self.constants + number);
        }
        for (number, layout) in self.tables.iter().enumerate() {
            let table = memory.table_mut(number);
            fill(table.default_mut(), layout.first);
            for point in 0..layout.points.len() {
                fill(table.result_mut(point), layout.first + layout.limbs * (1 + point));
            }
        }
    }
}
