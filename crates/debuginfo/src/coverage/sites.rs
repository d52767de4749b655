//! The instructions and branches of a module: what there is to execute.

use std::collections::BTreeMap;
use std::ops::Range;

use wasmparser::Operator;

use crate::error::{Error, Warnings};
use crate::module::Module;

/// The places in the code that can be executed.
#[derive(Clone, Default, Debug)]
pub struct Sites {
    instructions: Vec<u32>,
    branches: BTreeMap<u32, u32>,
}

impl Sites {
    /// The most outcomes of one branch that are counted: a table may have millions.
    const MOST_OUTCOMES: u32 = 4096;

    /// Finds all instructions of a module.
    ///
    /// # Errors
    /// The bytes are not a module, or code in it cannot be read.
    pub fn read(module: &[u8]) -> Result<Sites, Error> {
        let module = Module::read(module, &mut Warnings::default())?;
        let mut sites = Sites::default();
        for body in &module.bodies {
            let mut operators = body.get_operators_reader()?;
            while !operators.eof() {
                let (operator, place) = operators.read_with_offset()?;
                let Ok(offset) = u32::try_from(place - module.code_start) else { break };
                match operator {
                    // These mark places, and take no part in execution.
                    Operator::End | Operator::Else | Operator::Block { .. } | Operator::Loop { .. } => {
                        continue;
                    }
                    Operator::If { .. } | Operator::BrIf { .. } => sites.branch(offset, 2),
                    Operator::Select | Operator::TypedSelect { .. } => sites.branch(offset, 2),
                    Operator::BrTable { targets } => sites.branch(offset, targets.len().saturating_add(1)),
                    _ => {}
                }
                sites.instructions.push(offset);
            }
        }
        Ok(sites)
    }

    fn branch(&mut self, offset: u32, outcomes: u32) {
        self.branches.insert(offset, outcomes.min(Sites::MOST_OUTCOMES));
    }

    /// The offsets of all instructions, ascending, without the marks of blocks.
    pub fn instructions(&self) -> &[u32] {
        &self.instructions
    }

    /// The branches by offset, with the numbers of their outcomes.
    pub fn branches(&self) -> &BTreeMap<u32, u32> {
        &self.branches
    }

    /// The first instruction in a range.
    pub fn first_of(&self, range: &Range<u32>) -> Option<u32> {
        let position = self.instructions.partition_point(|&offset| offset < range.start);
        self.instructions.get(position).copied().filter(|offset| range.contains(offset))
    }
}
