//! Inputs of a program: what is symbolic, and concrete values for it.
//!
//! A *variable* is a byte of a source, or the length of one. Variables have numbers, in which an [`Input`] gives them values. The sources that the caller names come
//! first; what a program itself declares symbolic while it runs is added behind them.

mod packed;

use std::collections::{HashMap, HashSet};
use std::iter;

use sundry_term::{SymbolId, TermId, TermStore};

pub use packed::PackedInput;

use crate::transfer::Transfer;

/// The number of a variable.
pub type VariableId = u32;

/// Bytes that a program reads, by the place where it gets them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SourceKind {
    /// The standard input.
    Stdin,
    /// The command-line argument of this number, counted from 1.
    Argument(u32),
    /// The file of this name.
    File(String),
    /// Memory that the program has declared symbolic under this name, for the time of this number.
    Memory(String, u32),
    /// A parameter of the function that is called, or an object that one leads to, by its expression in the source.
    Parameter(String),
    /// The first looks at the clock, each of which takes eight bytes.
    Clock,
    /// The first random bytes.
    Random,
}

impl SourceKind {
    /// The name that people see.
    pub fn name(&self) -> String {
        match self {
            SourceKind::Stdin => "stdin".to_string(),
            SourceKind::Argument(number) => format!("arg{number}"),
            SourceKind::File(name) | SourceKind::Parameter(name) | SourceKind::Memory(name, 0) => {
                name.clone()
            }
            SourceKind::Memory(name, time) => format!("{name}#{time}"),
            SourceKind::Clock => "clock".to_string(),
            SourceKind::Random => "random".to_string(),
        }
    }

    /// Whether a test may be shorter than the source is large.
    fn has_length(&self) -> bool {
        matches!(self, SourceKind::Stdin | SourceKind::File(_))
    }

    /// Whether the first zero is the end of what the program sees.
    fn ends_at_zero(&self) -> bool {
        matches!(self, SourceKind::Argument(_))
    }
}

/// A source with room for a number of bytes.
#[derive(Clone, Debug)]
pub struct Source {
    /// The place where the program gets the bytes.
    pub kind: SourceKind,
    /// The greatest number of bytes.
    pub capacity: u32,
    /// The variable of the first byte; the others follow.
    pub first: VariableId,
    /// The variable of the number of bytes, for sources that may be shorter.
    pub length: Option<VariableId>,
    /// The variable that is not 0 where the pointer to the source is null, for sources that a pointer may miss.
    pub null: Option<VariableId>,
}

impl Source {
    /// Whether inputs may have fewer bytes than there is room for.
    pub(crate) fn may_be_shorter(&self) -> bool {
        self.length.is_some() || self.kind.ends_at_zero()
    }
}

/// A symbolic byte or length.
#[derive(Copy, Clone, Debug)]
pub struct Variable {
    /// The symbol in formulas.
    pub symbol: SymbolId,
    /// The symbol as a term: a bit-vector.
    pub term: TermId,
    /// The width in bits: 8 for bytes, 32 for lengths.
    pub width: u32,
    /// The value in inputs that say nothing of it.
    pub default: u64,
}

/// All variables of an exploration.
#[derive(Clone, Default)]
pub struct Variables {
    variables: Vec<Variable>,
    sources: Vec<Source>,
    by_kind: HashMap<SourceKind, usize>,
    by_symbol: HashMap<SymbolId, VariableId>,
    /// The names of sources in formulas.
    names: HashSet<String>,
}

impl Variables {
    /// The number of a source, which is added if it is new. `default` gives values to its bytes; a source that may be shorter is
    /// as long as these, or if there are none, as its capacity.
    pub fn source(
        &mut self,
        store: &mut TermStore,
        kind: SourceKind,
        capacity: u32,
        default: &[u8],
    ) -> usize {
        if let Some(&known) = self.by_kind.get(&kind) {
            return known;
        }
        let name = self.symbol_name(&kind);
        self.names.insert(name.clone());
        let first = self.variables.len() as VariableId;
        for index in 0..capacity {
            let value = default.get(index as usize).copied().unwrap_or(0);
            self.add(store, &format!("{name}[{index}]"), 8, u64::from(value));
        }
        let length = kind.has_length().then(|| {
            let length = if default.is_empty() { capacity } else { capacity.min(default.len() as u32) };
            self.add(store, &format!("{name}.length"), 32, u64::from(length))
        });
        self.by_kind.insert(kind.clone(), self.sources.len());
        self.sources.push(Source { kind, capacity, first, length, null: None });
        self.sources.len() - 1
    }

    /// Says that the pointer to a source may be null. Nothing changes if that was said before.
    pub fn make_nullable(&mut self, store: &mut TermStore, source: usize) {
        if self.sources[source].null.is_none() {
            let name = format!("{}.null", self.sources[source].kind.name());
            self.sources[source].null = Some(self.add(store, &name, 8, 0));
        }
    }

    /// Makes the pointer to a source null in an input, or not, where it may be null.
    pub fn set_null(&self, input: &mut Input, source: usize, is_null: bool) {
        if let Some(null) = self.sources[source].null {
            input.set(null, u64::from(is_null));
        }
    }

    /// Whether the pointer to a source is null in an input.
    pub fn is_null(&self, input: &Input, source: usize) -> bool {
        self.sources[source].null.is_some_and(|null| self.value(input, null) != 0)
    }

    /// The name that symbols of a source begin with: that of the source, unless formulas cannot have it or another source has it.
    fn symbol_name(&self, kind: &SourceKind) -> String {
        let name = kind.name();
        let can_be_written = |character: char| !character.is_control() && !matches!(character, '|' | '\\');
        match !self.names.contains(&name)
            && name.chars().all(can_be_written)
            && !name.starts_with(['.', '@', '~'])
        {
            true => name,
            // No other source is called so, since these names are refused above.
            false => format!("~{}", self.sources.len()),
        }
    }

    fn add(&mut self, store: &mut TermStore, name: &str, width: u32, default: u64) -> VariableId {
        let sort = store.bit_vec_sort(width).expect("bytes and words are bit-vectors");
        let symbol = store.declare(name, &[], sort);
        let term = store.symbol_term(symbol);
        let id = self.variables.len() as VariableId;
        self.variables.push(Variable { symbol, term, width, default });
        self.by_symbol.insert(symbol, id);
        id
    }

    /// The terms of all variables.
    pub fn terms(&self) -> impl Iterator<Item = TermId> {
        self.variables.iter().map(|variable| variable.term)
    }

    /// Follows the symbols and terms into another store, where the terms have been moved.
    pub fn follow(&mut self, transfer: &Transfer) {
        self.by_symbol.clear();
        for (id, variable) in (0..).zip(&mut self.variables) {
            let symbol = transfer.moved_symbol(variable.symbol);
            variable.symbol = symbol.expect("all variables move");
            variable.term = transfer.moved(variable.term).expect("all variables move");
            self.by_symbol.insert(variable.symbol, id);
        }
    }

    /// The sources, in the order in which they were added.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The source of this kind.
    pub fn find(&self, kind: &SourceKind) -> Option<usize> {
        self.by_kind.get(kind).copied()
    }

    /// A variable by its number.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id as usize]
    }

    /// The number of values of a variable, which are those from 0 on; `None` for more than can be listed.
    pub fn value_count(&self, id: VariableId) -> Option<u64> {
        match self.variable(id).width {
            8 => Some(256),
            _ => {
                let source = self.sources.iter().find(|source| source.length == Some(id))?;
                Some(u64::from(source.capacity) + 1)
            }
        }
    }

    /// Whether there is a variable of this number that can have this value.
    pub fn has_value(&self, id: VariableId, value: u64) -> bool {
        self.variables.get(id as usize).is_some_and(|variable| value >> variable.width == 0)
    }

    /// The variable of a symbol.
    pub fn of_symbol(&self, symbol: SymbolId) -> Option<VariableId> {
        self.by_symbol.get(&symbol).copied()
    }

    /// The value of a variable in an input.
    pub fn value(&self, input: &Input, id: VariableId) -> u64 {
        input.values.get(id as usize).copied().flatten().unwrap_or(self.variables[id as usize].default)
    }

    /// The number of bytes of a source in an input; none where the pointer to it is null.
    pub fn length(&self, input: &Input, source: usize) -> u32 {
        if self.is_null(input, source) {
            return 0;
        }
        let source = &self.sources[source];
        source
            .length
            .map_or(source.capacity, |length| (self.value(input, length) as u32).min(source.capacity))
    }

    /// Gives a source these bytes in an input, as far as there is room for them. Behind those of an argument, there are zeros.
    pub fn set_bytes(&self, input: &mut Input, source: usize, bytes: &[u8]) {
        let source = &self.sources[source];
        let bytes = &bytes[..bytes.len().min(source.capacity as usize)];
        let end = if source.kind.ends_at_zero() { source.capacity as usize } else { bytes.len() };
        let padded = bytes.iter().copied().chain(iter::repeat(0)).take(end);
        for (id, byte) in (source.first..).zip(padded) {
            input.set(id, u64::from(byte));
        }
        if let Some(length) = source.length {
            input.set(length, bytes.len() as u64);
        }
    }

    /// The bytes of a source in an input.
    pub fn bytes(&self, input: &Input, source: usize) -> Vec<u8> {
        let first = self.sources[source].first;
        (0..self.length(input, source)).map(|index| self.value(input, first + index) as u8).collect()
    }

    /// The distance between an input and the one that says nothing: the sum of the differences of all bytes that are in the sources of the input.
    pub fn distance_from_default(&self, input: &Input) -> u64 {
        let of_byte = |id| self.value(input, id).abs_diff(self.variable(id).default);
        let of_source = |(source, described): (usize, &Source)| {
            (described.first..described.first + self.length(input, source)).map(of_byte).sum::<u64>()
        };
        self.sources.iter().enumerate().map(of_source).sum()
    }

    /// The bytes of a source as programs mean them: an argument ends at its first zero.
    pub fn content(&self, input: &Input, source: usize) -> Vec<u8> {
        let mut bytes = self.bytes(input, source);
        if self.sources[source].kind.ends_at_zero() {
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            bytes.truncate(end);
        }
        bytes
    }
}

/// Values of variables. Variables without a value have their default.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Input {
    values: Vec<Option<u64>>,
}

impl Input {
    /// Gives a variable a value.
    pub fn set(&mut self, id: VariableId, value: u64) {
        let id = id as usize;
        if id >= self.values.len() {
            self.values.resize(id + 1, None);
        }
        self.values[id] = Some(value);
    }

    /// The values of this input that another one does not have.
    pub fn changes_from(&self, other: &Input) -> Vec<(VariableId, u64)> {
        let all = (0..).zip(&self.values);
        all.filter(|&(id, value)| other.values.get(id as usize).copied().flatten() != *value)
            .filter_map(|(id, value)| Some((id, (*value)?)))
            .collect()
    }
}
