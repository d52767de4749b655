//! Assignments as rows of words, which can be combined bit by bit.
//!
//! A row has a bit for each Boolean constant, the limbs of each bit-vector constant, and for each array and function
//! its default and the element at each of finitely many *points*: those that a solution of the epoch has. Constants
//! that the assertions define by terms have no place: they follow from the others.

use std::hash::{DefaultHasher, Hash, Hasher};

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use sundry_lanes::{Column, Content, LANES, Memory, Program, Slot, limbs_of, value_of};
use sundry_term::{ArrayValue, BitVector, FunctionValue, Model, Sort, SortId, SymbolId, TermStore, Value};

use super::fingerprint::Fingerprint;
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

/// A bit-vector constant, or an element of a declared sort.
struct Word {
    symbol: SymbolId,
    sort: SortId,
    slot: Slot,
    first: usize,
    width: u32,
}

/// The layout of a row.
pub(crate) struct Layout {
    /// The declared sorts of which it matters how many elements there are. A row has a word for each, behind the
    /// constants: the number, or 0 for more than can be listed.
    bounded: Vec<SortId>,
    /// Whether there are elements of declared sorts: then rows are compared up to their names.
    has_elements: bool,
    bools: Vec<(SymbolId, Slot)>,
    words: Vec<Word>,
    /// The number of words of all constants together.
    constants: usize,
    tables: Vec<TableLayout>,
    width: usize,
}

impl Layout {
    /// A layout without points for what the program expects.
    pub(crate) fn new(store: &TermStore, program: &Program) -> Self {
        let mut layout = Layout {
            bounded: program.bounded_sorts().to_vec(),
            has_elements: false,
            bools: Vec::new(),
            words: Vec::new(),
            constants: 0,
            tables: Vec::new(),
            width: 0,
        };
        let constants = program.constants();
        for &(symbol, slot) in constants {
            if store.symbol(symbol).result == SortId::BOOL {
                layout.bools.push((symbol, slot));
            }
        }
        layout.constants = layout.bools.len().div_ceil(64);
        for &(symbol, slot) in constants {
            let sort = store.symbol(symbol).result;
            if sort != SortId::BOOL {
                let width = width_of(store, sort);
                layout.words.push(Word { symbol, sort, slot, first: layout.constants, width });
                layout.constants += width.div_ceil(64) as usize;
            }
        }
        for symbol in program.tables() {
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
        let in_tables = layout.tables.iter().flat_map(|table| table.arguments.iter().chain([&table.element]));
        let sorts = layout.words.iter().map(|word| word.sort).chain(in_tables.copied());
        layout.has_elements = sorts.into_iter().any(is_declared);
        layout.place_tables();
        layout
    }

    /// Takes away all points.
    pub(crate) fn clear(&mut self) {
        for table in &mut self.tables {
            table.points.clear();
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
        self.place_tables();
    }

    fn place_tables(&mut self) {
        let mut next = self.constants + self.bounded.len();
        for table in &mut self.tables {
            table.first = next;
            next += table.limbs * (1 + table.points.len());
        }
        self.width = next;
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

    /// Whether there are arrays or functions, whose points rows depend on.
    pub(crate) fn has_tables(&self) -> bool {
        !self.tables.is_empty()
    }

    /// All bits of constants and of elements at points.
    pub(crate) fn positions(&self) -> Vec<Position> {
        let bools = (0..self.bools.len() as u32)
            .map(|number| Position::Constant { word: number / 64, bit: number % 64 });
        let words = self.words.iter().flat_map(|word| {
            (0..word.width)
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
    pub(crate) fn complete(&self, store: &TermStore, model: &mut Model, random: &mut ChaCha8Rng) {
        for &(symbol, _) in &self.bools {
            if model.constant(symbol).is_none() {
                model.set_constant(symbol, Value::Bool(random.random()));
            }
        }
        for word in &self.words {
            if model.constant(word.symbol).is_none()
                && let Sort::BitVec(width) = *store.sort(store.symbol(word.symbol).result)
            {
                let bits = BitVector::from_bits(width, |_| random.random());
                model.set_constant(word.symbol, Value::BitVec(bits));
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
                let limbs = limbs_of(value).expect("constants with words have limbs");
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
    pub(crate) fn load(&self, rows: &[u64], memory: &mut Memory) {
        debug_assert_eq!(rows.len(), LANES * self.width);
        let word = |lane: usize, word: usize| rows[lane * self.width + word];
        for (number, block) in self.bools.chunks(64).enumerate() {
            let mut bits: [u64; 64] = std::array::from_fn(|lane| word(lane, number));
            transpose(&mut bits);
            for (&(_, slot), &mask) in block.iter().zip(&bits) {
                memory.set_mask(slot, mask);
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
            fill(memory.columns_mut(layout.slot), layout.first);
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

    /// Whether a row has only elements that there are.
    pub(crate) fn is_within_universes(&self, store: &TermStore, row: &[u64]) -> bool {
        if self.bounded.iter().enumerate().all(|(number, _)| row[self.constants + number] == 0) {
            return true;
        }
        let model = self.model(store, row);
        model.constants().all(|(symbol, value)| {
            value.within(store, model.universes(), store.symbol(symbol).result).is_some()
        }) && model.functions().all(|(symbol, function)| {
            let FunctionValue::Table { entries, default } = function else { return false };
            let declared = store.symbol(symbol);
            let is_within = |value: &Value, sort| value.within(store, model.universes(), sort).is_some();
            is_within(default, declared.result)
                && entries.iter().all(|(point, result)| {
                    let mut arguments = point.iter().zip(&*declared.arguments);
                    arguments.all(|(value, &sort)| is_within(value, sort))
                        && is_within(result, declared.result)
                })
        })
    }

    /// The model that a row stands for, without symbols defined by terms.
    fn model(&self, store: &TermStore, row: &[u64]) -> Model {
        let mut model = Model::new();
        for (number, &sort) in self.bounded.iter().enumerate() {
            if let Ok(count @ 1..) = u32::try_from(row[self.constants + number]) {
                model.set_universe(sort, count);
            }
        }
        for (number, &(symbol, _)) in self.bools.iter().enumerate() {
            model.set_constant(symbol, Value::Bool(row[number / 64] >> (number % 64) & 1 == 1));
        }
        for word in &self.words {
            let limbs = &row[word.first..][..word.width.div_ceil(64) as usize];
            model.set_constant(word.symbol, value_of(store, word.sort, limbs));
        }
        for table in &self.tables {
            let elements = &row[table.first..][..table.limbs * (1 + table.points.len())];
            let mut elements =
                elements.chunks_exact(table.limbs).map(|limbs| value_of(store, table.element, limbs));
            let default = elements.next().expect("a table has a default");
            let points = table.points.iter().map(|key| table.point(store, key)).zip(elements);
            if store.symbol(table.symbol).arguments.is_empty() {
                let array = ArrayValue::constant(store, table.arguments[0], default);
                let array = points.fold(array, |array, (mut point, element)| {
                    array.store(point.pop().expect("an array has an index"), element)
                });
                model.set_constant(table.symbol, Value::Array(array));
            } else {
                let entries = points.collect();
                model.set_function(table.symbol, FunctionValue::Table { entries, default });
            }
        }
        model
    }

    /// The fingerprint that distinguishes assignments, whatever points the layout has, and however elements of declared sorts are
    /// numbered.
    pub(crate) fn fingerprint(&self, store: &TermStore, row: &[u64]) -> u128 {
        let mut fingerprint = Fingerprint::default();
        if self.has_elements {
            let model = self.model(store, row);
            let model = model.canonical(store).unwrap_or(model);
            let mut hasher = DefaultHasher::new();
            for constant in model.constants() {
                constant.hash(&mut hasher);
                fingerprint.add(hasher.finish());
            }
            for function in model.functions() {
                function.hash(&mut hasher);
                fingerprint.add(hasher.finish());
            }
            return fingerprint.finish();
        }
        for &word in &row[..self.constants] {
            fingerprint.add(word);
        }
        for table in &self.tables {
            let elements = &row[table.first..][..table.limbs * (1 + table.points.len())];
            let (default, elements) = elements.split_at(table.limbs);
            let default = if table.is_full() { table.most_frequent(elements) } else { default };
            for &limb in default {
                fingerprint.add(limb);
            }
            // A sum does not depend on the order of the points, nor on those where there is the default.
            let mut sum: u128 = 0;
            for (point, element) in table.points.iter().zip(elements.chunks_exact(table.limbs)) {
                if element != default {
                    let mut entry = Fingerprint::default();
                    for &part in point.iter().chain(element) {
                        entry.add(part);
                    }
                    sum = sum.wrapping_add(entry.finish());
                }
            }
            fingerprint.add(sum as u64);
            fingerprint.add((sum >> 64) as u64);
        }
        fingerprint.finish()
    }
}
