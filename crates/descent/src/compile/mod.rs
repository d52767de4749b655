//! The compiler from assertions to programs.

mod booleans;
mod floats;
mod words;

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{Control, Op, Sort, SortId, TermId, TermStore, Value};

use crate::bounds::restrict;
use crate::cone::cones;
use crate::distance::Distance;
use crate::program::{Program, Shape, Slot, Step, Unsupported};
use crate::variable::{Kind, Variable};

/// The work of a step by the evaluator, in steps of the processor's arithmetic.
const WORK_OF_EVALUATION: u64 = 200;

/// The reason for which there is no program.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CompileError {
    /// The search does not support a term.
    Unsupported(Unsupported),
    /// A control has stopped the compiler.
    Stopped(sundry_term::Stopped),
}

impl Program {
    /// Creates a program for assertions.
    ///
    /// # Errors
    /// The assertions have a term that is unsupported, or the control has stopped the compiler.
    pub fn new(store: &TermStore, assertions: &[TermId], control: &Control) -> Result<Program, CompileError> {
        let mut compiler = Compiler { store, program: Program::default(), slots: FxHashMap::default() };
        let conjuncts = conjuncts(store, assertions);
        let terms = store.reachable_within(&conjuncts, control).map_err(CompileError::Stopped)?;
        for term in terms {
            control.spend(32).map_err(CompileError::Stopped)?;
            let slot = compiler.compile(term).ok_or(CompileError::Unsupported(Unsupported { term }))?;
            compiler.slots.insert(term, slot);
        }
        let roots = conjuncts.iter().map(|conjunct| compiler.distance(*conjunct)).collect();
        let mut program = Program { roots, ..compiler.program };
        program.work = program.steps.iter().map(Step::work).sum::<u64>() + program.roots.len() as u64;
        program.literals.sort_unstable_by_key(|&(_, word)| word);
        program.literals.dedup();
        restrict(store, &conjuncts, &mut program.variables);
        program.cones = cones(&program);
        Ok(program)
    }
}

/// The parts of assertions that all have to be true.
fn conjuncts(store: &TermStore, assertions: &[TermId]) -> Vec<TermId> {
    let mut conjuncts = Vec::new();
    let mut stack: Vec<TermId> = assertions.iter().rev().copied().collect();
    let mut seen = FxHashSet::default();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match store.op(term) {
            Op::And => stack.extend(store.args(term).iter().rev()),
            _ => conjuncts.push(term),
        }
    }
    conjuncts
}

impl Step {
    /// The work of the step, in steps of the processor's arithmetic.
    pub(crate) fn work(&self) -> u64 {
        match self {
            Step::Evaluate { .. } | Step::CompareValues { .. } | Step::ChooseValue { .. } => {
                WORK_OF_EVALUATION
            }
            _ => 1,
        }
    }
}

struct Compiler<'a> {
    store: &'a TermStore,
    program: Program,
    slots: FxHashMap<TermId, Slot>,
}

impl Compiler<'_> {
    // ---- registers

    fn new_word(&mut self) -> u32 {
        self.program.registers.words.push(0);
        self.program.registers.words.len() as u32 - 1
    }

    fn new_distance(&mut self) -> u32 {
        self.program.registers.distances.push(Distance::flat(false));
        self.program.registers.distances.len() as u32 - 1
    }

    /// A place for values of a sort; `None` if there are no such places.
    fn new_slot(&mut self, sort: SortId) -> Option<Slot> {
        let shape = match *self.store.sort(sort) {
            Sort::Bool => return Some(Slot::Distance(self.new_distance())),
            Sort::BitVec(width) if width <= 64 => Shape::Bits(width),
            Sort::Float(format) if format.width() <= 64 => Shape::Float(format),
            Sort::RoundingMode => Shape::Mode,
            Sort::BitVec(_) | Sort::Float(_) | Sort::Int | Sort::Real => {
                self.program.registers.values.push(Value::default_of(self.store, sort));
                return Some(Slot::Value(self.program.registers.values.len() as u32 - 1));
            }
            _ => return None,
        };
        Some(Slot::Word(self.new_word(), shape))
    }

    fn word(&self, term: TermId) -> u32 {
        match self.slots[&term] {
            Slot::Word(register, _) => register,
            slot => unreachable!("{slot:?} is no word"),
        }
    }

    fn distance(&self, term: TermId) -> u32 {
        match self.slots[&term] {
            Slot::Distance(register) => register,
            slot => unreachable!("{slot:?} is no distance"),
        }
    }

    // ---- terms; `None` means unsupported

    fn compile(&mut self, term: TermId) -> Option<Slot> {
        let (store, op, sort) = (self.store, self.store.op(term), self.store.sort_of(term));
        let arguments = store.args(term);
        match op {
            Op::Constant(_) => return self.literal(sort, store.value(term)?),
            Op::Apply(symbol) if arguments.is_empty() => {
                let kind = Kind::of(store, sort)?;
                if kind == Kind::Bool {
                    let operand = self.new_word();
                    let slot = Slot::Word(operand, Shape::Bits(1));
                    self.program.variables.push(Variable::new(symbol, kind, slot));
                    return Some(self.boolean(|result| Step::Truth { operand, result }));
                }
                let slot = self.new_slot(sort)?;
                self.program.variables.push(Variable::new(symbol, kind, slot));
                return Some(slot);
            }
            Op::Apply(_) => return None,
            _ => {}
        }
        if sort == SortId::BOOL {
            return self.formula(op, arguments);
        }
        if op == Op::Ite {
            let (condition, result) = (self.distance(arguments[0]), self.new_slot(sort)?);
            self.program.steps.push(match (self.slots[&arguments[1]], self.slots[&arguments[2]], result) {
                (Slot::Word(left, _), Slot::Word(right, _), Slot::Word(result, _)) => {
                    Step::ChooseWord { condition, operands: [left, right], result }
                }
                (Slot::Value(left), Slot::Value(right), Slot::Value(result)) => {
                    Step::ChooseValue { condition, operands: [left, right], result }
                }
                _ => return None,
            });
            return Some(result);
        }
        self.word_operation(op, sort, arguments).or_else(|| self.evaluate(op, sort, arguments))
    }

    fn literal(&mut self, sort: SortId, value: &Value) -> Option<Slot> {
        let slot = self.new_slot(sort)?;
        let registers = &mut self.program.registers;
        match slot {
            Slot::Distance(register) => {
                registers.distances[register as usize] = Distance::far(value.as_bool()?);
            }
            Slot::Word(register, shape) => {
                registers.words[register as usize] = Shape::word(value);
                self.program.literals.push((shape, Shape::word(value)));
            }
            Slot::Value(register) => registers.values[register as usize] = value.clone(),
        }
        Some(slot)
    }

    /// Any operator, by the evaluator.
    fn evaluate(&mut self, op: Op, sort: SortId, arguments: &[TermId]) -> Option<Slot> {
        let result = self.new_slot(sort)?;
        let start = self.program.operands.len();
        self.program.operands.extend(arguments.iter().map(|argument| self.slots[argument]));
        let operands = start..self.program.operands.len();
        self.program.steps.push(Step::Evaluate { op, operands, result });
        Some(result)
    }
}
