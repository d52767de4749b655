//! Arguments of a function that is called with symbolic ones.
//!
//! A pointer that may be null is a choice between 0 and the address of its object. Which one it is becomes a decision only where the program accesses memory through the pointer,
//! or asks for it, so that pointers which make no difference make no paths.

use sundry_term::{Op, TermId};

use super::{DecisionKind, Shadow};
use crate::function_call::{Argument, Extension, PreparedCall};
use crate::input::{Input, SourceKind};

/// The greatest depth of sums and choices in which pointers are looked for.
const MOST_DEPTH: u32 = 32;

impl Shadow<'_> {
    /// Puts terms beside the arguments of a call and the objects that they lead to.
    pub(crate) fn place_call(&mut self, call: &PreparedCall, input: &Input) {
        for part in call.placed_parts() {
            if let Some(source) = self.variables.find(&SourceKind::Parameter(part.name.to_string())) {
                for index in 0..part.symbolic.min(self.variables.sources()[source].capacity) {
                    let byte = self.variables.variable(self.variables.sources()[source].first + index).term;
                    self.memory.store(part.address.wrapping_add(index), 1, Some(byte));
                }
            }
            for &(offset, target) in part.pointers {
                let term = target.and_then(|target| self.pointer(call, target, input));
                self.memory.store(part.address.wrapping_add(offset), 4, term);
            }
        }
        for (slot, argument) in call.call.arguments.iter().enumerate() {
            let term = match *argument {
                Argument::Zero => None,
                Argument::Address { part } => self.pointer(call, part, input),
                Argument::Number { part, offset, bytes, extension } => {
                    self.number(&call.call.parts[part].name, (offset, bytes), extension)
                }
            };
            self.set_slot(slot, term);
        }
    }

    /// The term of a number that is made of bytes of a source.
    fn number(&mut self, name: &str, (offset, bytes): (u32, u32), extension: Extension) -> Option<TermId> {
        let source = self.variables.find(&SourceKind::Parameter(name.to_string()))?;
        let source = &self.variables.sources()[source];
        if offset + bytes > source.capacity {
            // The input is that of another function.
            return None;
        }
        let range = source.first + offset..source.first + offset + bytes;
        let mut whole: Option<TermId> = None;
        for id in range {
            let byte = self.variables.variable(id).term;
            whole = Some(whole.map_or(byte, |lower| self.terms.apply(Op::Concat, &[byte, lower])));
        }
        let missing = 32_u32.saturating_sub(8 * bytes);
        Some(match extension {
            Extension::Boolean => {
                let bit = self.terms.extract(whole?, 0, 0);
                self.terms.equals(bit, 1)
            }
            _ if missing == 0 => whole?,
            Extension::Zero => self.terms.apply(Op::ZeroExtend(missing), &[whole?]),
            Extension::Sign => self.terms.apply(Op::SignExtend(missing), &[whole?]),
        })
    }

    /// The term of a pointer to a part; `None` if it is never null.
    fn pointer(&mut self, call: &PreparedCall, part: usize, input: &Input) -> Option<TermId> {
        let name = &call.call.parts[part].name;
        let source = self.variables.find(&SourceKind::Parameter(name.clone()))?;
        let null = self.variables.variable(self.variables.sources()[source].null?).term;
        let is_valid = self.terms.equals(null, 0);
        let is_null = self.terms.not(is_valid);
        let holds = self.variables.is_null(input, source);
        self.nulls.insert(is_null, holds);
        self.nulls.insert(is_valid, !holds);
        let address = self.terms.number(32, u64::from(call.address(part)));
        let zero = self.terms.number(32, 0);
        Some(self.terms.apply(Op::Ite, &[is_valid, address, zero]))
    }

    /// Decides which pointers in an address are null, and returns the address with what they are.
    pub(super) fn settle_pointers(&mut self, place: u32, address: TermId) -> TermId {
        if self.nulls.is_empty() { address } else { self.settle_in(place, address, MOST_DEPTH) }
    }

    fn settle_in(&mut self, place: u32, term: TermId, depth: u32) -> TermId {
        let Some(depth) = depth.checked_sub(1) else { return term };
        let arguments = self.terms.store.args(term).to_vec();
        match self.terms.store.op(term) {
            Op::Ite => {
                let Some(&holds) = self.nulls.get(&arguments[0]) else { return term };
                self.decide(place, DecisionKind::Bounds, arguments[0], holds);
                self.settle_in(place, arguments[if holds { 1 } else { 2 }], depth)
            }
            Op::BvAdd => {
                let settled: Vec<TermId> =
                    arguments.iter().map(|&argument| self.settle_in(place, argument, depth)).collect();
                if settled == arguments { term } else { self.terms.apply(Op::BvAdd, &settled) }
            }
            _ => term,
        }
    }

    /// Whether an address is a sum with a pointer that is null in this run.
    pub(super) fn has_null_pointer(&self, address: TermId) -> bool {
        let mut open = vec![address];
        while let Some(term) = open.pop() {
            let arguments = self.terms.store.args(term);
            match self.terms.store.op(term) {
                Op::BvAdd => open.extend(arguments),
                Op::Ite => {
                    if let Some(&holds) = self.nulls.get(&arguments[0]) {
                        let chosen = arguments[if holds { 1 } else { 2 }];
                        if self.terms.value(chosen) == Some(0) {
                            return true;
                        }
                        open.push(chosen);
                    }
                }
                _ => {}
            }
        }
        false
    }
}
