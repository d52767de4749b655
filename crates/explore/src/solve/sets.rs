//! Conditions on a single variable: the set of its values that satisfy each.
//!
//! Most branches of a parser compare one byte. The values that satisfy such a condition are computed once, by evaluation of all of them, and a path condition is
//! then an intersection of bits, which takes a thousandth of the time that a solver does. The enumeration passes values that satisfy a part of the conditions too: they
//! are its partial solutions.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use sundry_lanes::{CompileError, LANES, Program};
use sundry_term::{Control, Stopped, SymbolId, TermId, TermStore};

/// The greatest number of values of a variable whose sets are computed.
pub(super) const MOST_VALUES: u64 = 1 << 12;

/// The greatest work for the sets of a question, in units of a [`Control`]: some hundredths of a second.
const MOST_WORK: u64 = 4_000_000;

/// The values that satisfy conditions, by condition.
#[derive(Default)]
pub(super) struct ValueSets {
    /// `None` for conditions that cannot be evaluated this way.
    known: FxHashMap<TermId, Option<Rc<[u64]>>>,
}

/// The result of an enumeration.
pub(super) struct Enumerated {
    /// A value that satisfies all conditions.
    pub(super) solution: Option<u64>,
    /// Values that satisfy some of the conditions, each another selection; those that satisfy the last condition come first.
    pub(super) partials: Vec<u64>,
}

impl ValueSets {
    /// The values of a variable, out of the first `count`, that satisfy a condition on it alone.
    fn set(
        &mut self,
        condition: TermId,
        symbol: SymbolId,
        count: u64,
        store: &TermStore,
        control: &Control,
    ) -> Option<Rc<[u64]>> {
        if let Some(known) = self.known.get(&condition) {
            return known.clone();
        }
        // Another question may have time for a condition for which there was none.
        let set = evaluate(condition, (symbol, count), store, control).ok()?;
        self.known.insert(condition, set.clone());
        set
    }

    /// Enumerates the values of a variable for conditions on it alone, of which the last is the goal. `None` if some condition cannot be
    /// evaluated this way, or takes too long.
    pub(super) fn enumerate(
        &mut self,
        conditions: &[TermId],
        (symbol, count): (SymbolId, u64),
        most_partials: usize,
        store: &TermStore,
        control: &Control,
    ) -> Option<Enumerated> {
        let control = control.with_work(MOST_WORK);
        let sets: Vec<Rc<[u64]>> = conditions
            .iter()
            .map(|&condition| self.set(condition, symbol, count, store, &control))
            .collect::<Option<_>>()?;
        let contains = |set: &[u64], value: u64| set[(value / 64) as usize] >> (value % 64) & 1 == 1;
        let mut solution = None;
        let mut selections: FxHashMap<Vec<bool>, u64> = FxHashMap::default();
        let mut found: Vec<(bool, usize, u64)> = Vec::new();
        for value in readable_first(count) {
            let selection: Vec<bool> = sets.iter().map(|set| contains(set, value)).collect();
            if selection.iter().all(|&holds| holds) {
                solution.get_or_insert(value);
                if most_partials == 0 {
                    break;
                }
            } else if most_partials > 0 && !selections.contains_key(&selection) {
                let misses_goal = !selection[selection.len() - 1];
                let failed = selection.iter().filter(|&&holds| !holds).count();
                selections.insert(selection, value);
                found.push((misses_goal, failed, value));
            }
        }
        found.sort_unstable();
        let partials = found.into_iter().take(most_partials).map(|(_, _, value)| value).collect();
        Some(Enumerated { solution, partials })
    }
}

/// The values below a number, with those first that people can read in an input.
pub(super) fn readable_first(count: u64) -> impl Iterator<Item = u64> {
    const READABLE: std::ops::RangeInclusive<u64> = b' ' as u64..=b'~' as u64;
    let is_readable = |value: &u64| READABLE.contains(value);
    (0..count).filter(is_readable).chain((0..count).filter(move |value| !is_readable(value)))
}

/// The values that satisfy a condition; `None` if it cannot be evaluated this way.
fn evaluate(
    condition: TermId,
    (symbol, count): (SymbolId, u64),
    store: &TermStore,
    control: &Control,
) -> Result<Option<Rc<[u64]>>, Stopped> {
    let program = match Program::with_definitions(store, &[condition], &[], control) {
        Ok(program) => program,
        Err(CompileError::Unsupported(_)) => return Ok(None),
        Err(CompileError::Stopped(stopped)) => return Err(stopped),
    };
    let Some(&(_, slot)) = program.constants().iter().find(|constant| constant.0 == symbol) else {
        return Ok(None);
    };
    let mut memory = program.memory();
    let mut set = Vec::new();
    for first in (0..count).step_by(LANES) {
        for (lane, value) in memory.columns_mut(slot)[0].iter_mut().enumerate() {
            *value = first + lane as u64;
        }
        program.run(store, &mut memory, control)?;
        let inside = count - first;
        let mask = if inside >= 64 { u64::MAX } else { (1 << inside) - 1 };
        set.push(memory.mask(program.roots()[0]) & mask);
    }
    Ok(Some(set.into()))
}
