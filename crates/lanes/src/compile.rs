//! The compiler from terms to programs.

use rustc_hash::FxHashMap;
use sundry_term::{Control, Op, Sort, SortId, SymbolId, TermId, TermStore, TheorySet};

use crate::integers::Cone;
use crate::limbs::limbs_of;
use crate::program::{ArrayKind, ArrayNode, CompileError, Place, Program, Slot, Step, Unsupported};

/// The work of compiling a term, with a visit on the way there, in the units of [`Control::spend`].
const WORK_OF_TERM: u32 = 32;
const WORK_OF_VISIT: u32 = 8;

/// The number of bits of elements of declared sorts.
const ELEMENT_WIDTH: u32 = 32;

impl Program {
    /// Creates a program for all terms below the roots, which must not be arrays.
    ///
    /// # Errors
    /// If lanes do not support a term.
    pub fn new(store: &TermStore, roots: &[TermId]) -> Result<Program, Unsupported> {
        Program::with_definitions(store, roots, &[], &Control::default()).map_err(|error| match error {
            CompileError::Unsupported(error) => error,
            CompileError::Stopped(_) => unreachable!("nothing stops this control"),
        })
    }

    /// Creates a program for all terms below the roots, which must not be arrays, under models in which some
    /// constants have the values of terms. The program computes these constants instead of expecting them in the
    /// memory, and also those that no root needs.
    ///
    /// # Errors
    /// If lanes do not support a term, if a term is defined by itself, or if the control has stopped the compiler.
    pub fn with_definitions(
        store: &TermStore,
        roots: &[TermId],
        definitions: &[(SymbolId, TermId)],
        control: &Control,
    ) -> Result<Program, CompileError> {
        let mut compiler = Compiler {
            store,
            definitions: definitions.iter().copied().collect(),
            program: Program::default(),
            places: FxHashMap::default(),
            tables: FxHashMap::default(),
        };
        let all: Vec<TermId> =
            roots.iter().copied().chain(definitions.iter().map(|&(_, term)| term)).collect();
        for term in compiler.order(&all, control)? {
            control.spend(WORK_OF_TERM)?;
            let place = compiler.compile(term).ok_or(Unsupported { term })?;
            compiler.places.insert(term, place);
        }
        for &root in roots {
            let slot = compiler.slot(root).ok_or(Unsupported { term: root })?;
            compiler.program.roots.push(slot);
        }
        for &(symbol, term) in definitions {
            compiler.program.places.insert(symbol, compiler.places[&term]);
        }
        Ok(compiler.program)
    }
}

/// The state of a term in the walk that puts terms in order.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Visit {
    Open,
    Done,
}

struct Compiler<'a> {
    store: &'a TermStore,
    definitions: FxHashMap<SymbolId, TermId>,
    program: Program,
    places: FxHashMap<TermId, Place>,
    tables: FxHashMap<SymbolId, usize>,
}

impl Compiler<'_> {
    /// The terms below the roots, also through definitions, each after the terms that it needs.
    fn order(&self, roots: &[TermId], control: &Control) -> Result<Vec<TermId>, CompileError> {
        let mut order = Vec::new();
        let mut visits: FxHashMap<TermId, Visit> = FxHashMap::default();
        let mut stack: Vec<TermId> = roots.iter().rev().copied().collect();
        while let Some(&term) = stack.last() {
            control.spend(WORK_OF_VISIT)?;
            match visits.get(&term) {
                Some(Visit::Done) => {
                    stack.pop();
                }
                Some(Visit::Open) => {
                    visits.insert(term, Visit::Done);
                    order.push(term);
                    stack.pop();
                }
                None => {
                    visits.insert(term, Visit::Open);
                    let needed = self.store.args(term).iter().copied().chain(self.definition(term));
                    for below in needed {
                        match visits.get(&below) {
                            None => stack.push(below),
                            Some(Visit::Open) => return Err(Unsupported { term: below }.into()),
                            Some(Visit::Done) => {}
                        }
                    }
                }
            }
        }
        Ok(order)
    }

    /// The definition of a term, if it is a defined constant.
    fn definition(&self, term: TermId) -> Option<TermId> {
        self.definitions.get(&self.store.constant_symbol(term)?).copied()
    }

    // ---- terms; `None` means unsupported

    fn compile(&mut self, term: TermId) -> Option<Place> {
        let (store, op, sort) = (self.store, self.store.op(term), self.store.sort_of(term));
        let arguments = store.args(term);
        if let Some(definition) = self.definition(term) {
            return self.places.get(&definition).copied();
        }
        if let Sort::Array { index, element } = *store.sort(sort) {
            return self.array(op, arguments, (index, element));
        }
        if sort == SortId::INT {
            return Some(Place::Integer);
        }
        if arguments.iter().any(|&argument| store.sort_of(argument) == SortId::INT) {
            let cone = Cone::new(store, term, |term| self.slot(term))?;
            let result = self.new_slot(sort)?;
            self.program.steps.push(Step::Integers { cone, result });
            return Some(Place::Slot(result));
        }
        let first_operand = self.program.operands.len();
        match op {
            Op::Constant(_) => {
                let slot = self.new_slot(sort)?;
                let value = store.value(term)?;
                self.program.literals.push((slot, limbs_of(value)?));
                return Some(Place::Slot(slot));
            }
            Op::Apply(symbol) if arguments.is_empty() => {
                let slot = self.new_slot(sort)?;
                self.program.constants.push((symbol, slot));
                self.program.places.insert(symbol, Place::Slot(slot));
                return Some(Place::Slot(slot));
            }
            Op::Select => {
                let (array, index) = (self.array_of(arguments[0])?, self.slot(arguments[1])?);
                let result = self.new_slot(sort)?;
                self.program.steps.push(Step::Select { array, index, result });
                return Some(Place::Slot(result));
            }
            Op::Equal | Op::Distinct
                if matches!(store.sort(store.sort_of(arguments[0])), Sort::Array { .. }) =>
            {
                let arrays: Option<Vec<usize>> =
                    arguments.iter().map(|&argument| self.array_of(argument)).collect();
                let Slot::Mask(result) = self.new_slot(sort)? else { return None };
                self.program.steps.push(Step::CompareArrays { op, arrays: arrays?, result });
                return Some(Place::Slot(Slot::Mask(result)));
            }
            _ if !TheorySet::DECIDED.has_operator(op) => return None,
            _ => {}
        }
        for &argument in arguments {
            let operand = self.slot(argument)?;
            self.program.operands.push(operand);
        }
        let operands = first_operand..self.program.operands.len();
        let result = self.new_slot(sort)?;
        let step = match op {
            Op::Apply(symbol) => {
                let key_limbs = self.program.operands[operands.clone()].iter().map(|slot| slot.limbs()).sum();
                let table = self.table(symbol, key_limbs, result.limbs());
                Step::Call { table, operands, result }
            }
            _ => Step::Operator { op, operands, result },
        };
        self.program.steps.push(step);
        Some(Place::Slot(result))
    }

    fn array(&mut self, op: Op, arguments: &[TermId], sorts: (SortId, SortId)) -> Option<Place> {
        let (index, element) = (self.limbs(sorts.0)?, self.limbs(sorts.1)?);
        let kind = match op {
            Op::Apply(symbol) if arguments.is_empty() => ArrayKind::Table(self.table(symbol, index, element)),
            Op::Store => ArrayKind::Store {
                array: self.array_of(arguments[0])?,
                index: self.slot(arguments[1])?,
                element: self.slot(arguments[2])?,
            },
            Op::Ite => {
                let Slot::Mask(condition) = self.slot(arguments[0])? else { return None };
                ArrayKind::Ite {
                    condition,
                    consequent: self.array_of(arguments[1])?,
                    alternative: self.array_of(arguments[2])?,
                }
            }
            Op::ConstArray(_) => {
                let is_declared = matches!(self.store.sort(sorts.0), Sort::Uninterpreted { .. });
                if is_declared && !self.program.bounded.contains(&sorts.0) {
                    self.program.bounded.push(sorts.0);
                }
                ArrayKind::Constant(self.slot(arguments[0])?)
            }
            _ => return None,
        };
        let place = Place::Array(self.program.arrays.len());
        self.program.arrays.push(ArrayNode { kind, sorts });
        if let Op::Apply(symbol) = op {
            self.program.places.insert(symbol, place);
        }
        Some(place)
    }

    fn slot(&self, term: TermId) -> Option<Slot> {
        match self.places[&term] {
            Place::Slot(slot) => Some(slot),
            Place::Array(_) | Place::Integer => None,
        }
    }

    fn array_of(&self, term: TermId) -> Option<usize> {
        match self.places[&term] {
            Place::Array(number) => Some(number),
            Place::Slot(_) | Place::Integer => None,
        }
    }

    /// The number of bits of a value of a sort that is neither Bool nor an array.
    fn width(&self, sort: SortId) -> Option<u32> {
        match *self.store.sort(sort) {
            Sort::BitVec(width) => Some(width),
            Sort::Uninterpreted { .. } => Some(ELEMENT_WIDTH),
            _ => None,
        }
    }

    fn limbs(&self, sort: SortId) -> Option<usize> {
        if sort == SortId::BOOL { Some(1) } else { self.width(sort).map(|width| width.div_ceil(64) as usize) }
    }

    fn new_slot(&mut self, sort: SortId) -> Option<Slot> {
        if sort == SortId::BOOL {
            self.program.masks += 1;
            return Some(Slot::Mask(self.program.masks - 1));
        }
        let width = self.width(sort)?;
        let first = self.program.columns;
        self.program.columns += width.div_ceil(64);
        Some(Slot::Columns { first, width })
    }

    fn table(&mut self, symbol: SymbolId, key_limbs: usize, result_limbs: usize) -> usize {
        *self.tables.entry(symbol).or_insert_with(|| {
            self.program.tables.push((symbol, key_limbs, result_limbs));
            self.program.tables.len() - 1
        })
    }
}
