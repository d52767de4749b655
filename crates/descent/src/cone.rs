//! Cones: the steps of a program that depend on a variable.
//!
//! Most moves of a search change one variable, and all that does not depend on it is still there.

use crate::program::{Program, Slot, Step};

/// The greatest number of steps times variables for which cones are made: it bounds their memory.
const MAXIMAL_SIZE: usize = 10_000_000;

/// The steps that depend on a variable, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cone {
    pub(crate) steps: Vec<u32>,
    pub(crate) work: u64,
}

/// A set of registers.
#[derive(Default)]
struct Marks {
    words: Vec<bool>,
    values: Vec<bool>,
    distances: Vec<bool>,
}

impl Marks {
    fn place(&mut self, slot: Slot) -> &mut bool {
        let (marks, register) = match slot {
            Slot::Word(register, _) => (&mut self.words, register),
            Slot::Value(register) => (&mut self.values, register),
            Slot::Distance(register) => (&mut self.distances, register),
        };
        &mut marks[register as usize]
    }
}

/// The cones of all variables of a program, in their order; none if it is too large.
pub(crate) fn cones(program: &Program) -> Vec<Cone> {
    if program.steps.len().saturating_mul(program.variables.len()) > MAXIMAL_SIZE {
        return Vec::new();
    }
    let registers = &program.registers;
    let cone = |variable: &crate::variable::Variable| {
        let mut marks = Marks {
            words: vec![false; registers.words.len()],
            values: vec![false; registers.values.len()],
            distances: vec![false; registers.distances.len()],
        };
        *marks.place(variable.slot) = true;
        let mut cone = Cone::default();
        for (number, step) in program.steps.iter().enumerate() {
            let (operands, result) = step.registers(&program.operands);
            if operands.into_iter().any(|operand| *marks.place(operand)) {
                *marks.place(result) = true;
                cone.steps.push(number as u32);
                cone.work += step.work();
            }
        }
        cone
    };
    program.variables.iter().map(cone).collect()
}

impl Step {
    /// The registers that a step reads, and the one that it writes.
    fn registers(&self, pool: &[Slot]) -> (Vec<Slot>, Slot) {
        use crate::program::Shape::Bits;
        let words = |registers: &[u32]| registers.iter().map(|&word| Slot::Word(word, Bits(64))).collect();
        let distances = |registers: &[u32]| registers.iter().map(|&number| Slot::Distance(number)).collect();
        let word = |register| Slot::Word(register, Bits(64));
        match *self {
            Step::Native { op: _, format: _, operands, result } => (words(&operands), word(result)),
            Step::Convert { operand, result, .. } => (words(&[operand]), word(result)),
            Step::Word { operands, result, .. } => (words(&operands), word(result)),
            Step::ChooseWord { condition, operands, result } => {
                let mut all: Vec<Slot> = words(&operands);
                all.push(Slot::Distance(condition));
                (all, word(result))
            }
            Step::ChooseValue { condition, operands: [left, right], result } => {
                (vec![Slot::Distance(condition), Slot::Value(left), Slot::Value(right)], Slot::Value(result))
            }
            Step::Compare { operands, result, .. } => (words(&operands), Slot::Distance(result)),
            Step::CompareValues { operands: [left, right], result, .. } => {
                (vec![Slot::Value(left), Slot::Value(right)], Slot::Distance(result))
            }
            Step::Classify { operand, result, .. } | Step::Truth { operand, result } => {
                (words(&[operand]), Slot::Distance(result))
            }
            Step::Not { operand, result } => (distances(&[operand]), Slot::Distance(result)),
            Step::And { operands, result }
            | Step::Or { operands, result }
            | Step::Xor { operands, result } => (distances(&operands), Slot::Distance(result)),
            Step::Choice { operands, result } => (distances(&operands), Slot::Distance(result)),
            Step::Evaluate { ref operands, result, .. } => (pool[operands.clone()].to_vec(), result),
        }
    }
}
