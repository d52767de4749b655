//! Enumeration of the solutions of a cell, with one call of the solver for each.
//!
//! All clauses of a cell have the negation of its *activation*, a literal that is assumed while the cell is looked into.
//! Asserting the negation retires them, and what was learned of them, all at once. The helping variables of long
//! equations are free then and serve the next cell.
//!
//! A solution is excluded by a clause over the bits that determine the others. Flipping the last decision under a prefix
//! of assumptions instead would need no clauses, but a call for each bit that cannot be flipped; most cells are left
//! before their end, and a cell has only a small number of solutions.

use rand_chacha::ChaCha8Rng;
use sundry_solver::Lit;

use super::parity::{Equation, System};
use super::space::Space;
use crate::strategy::StopReason;

/// The number of bits of an equation that are taken at a time; with the helping variables before and behind them they
/// are the literals of 8 clauses.
const CUT: usize = 2;

/// Part of the solutions.
pub(crate) struct Cell {
    activation: Lit,
    /// Bits that distinguish the solutions of this cell.
    independent: Vec<usize>,
    /// Whether a solution is there that is not excluded yet.
    found: bool,
    /// The number of solutions found.
    count: u64,
}

/// Adds an equation that holds while the activation is assumed. It is cut into short ones: each helper is the sum of the
/// bits before it. `helpers` counts those that the cell has.
fn add_equation(space: &mut Space<'_>, activation: Lit, equation: &Equation, helpers: &mut usize) {
    let literals: Vec<Lit> = equation.bits.iter().map(|&bit| space.literal(bit)).collect();
    let mut rest = &literals[..];
    let mut before: Option<Lit> = None;
    // What is left at the end has as many literals at most as a part with both its helpers.
    while rest.len() + usize::from(before.is_some()) > CUT + 2 {
        let (taken, behind) = rest.split_at(CUT + usize::from(before.is_none()));
        let helper = space.helper(*helpers);
        *helpers += 1;
        let part: Vec<Lit> = before.into_iter().chain(taken.iter().copied()).chain([helper]).collect();
        add_parity(space, activation, &part, false);
        (before, rest) = (Some(helper), behind);
    }
    let part: Vec<Lit> = before.into_iter().chain(rest.iter().copied()).collect();
    add_parity(space, activation, &part, equation.value);
}

/// Adds the clauses that make the sum of a small number of literals, modulo 2, equal to this value while the activation
/// is assumed.
fn add_parity(space: &mut Space<'_>, activation: Lit, literals: &[Lit], value: bool) {
    for signs in 0..1u32 << literals.len() {
        // A clause excludes the assignment that makes all of its literals false.
        if (signs.count_ones() % 2 == 1) != value {
            let negated =
                (0..).zip(literals).map(|(place, &literal)| literal.negate_if(signs >> place & 1 == 1));
            let clause: Vec<Lit> = std::iter::once(!activation).chain(negated).collect();
            space.add_clause(&clause);
        }
    }
}

impl Cell {
    /// The cell of all solutions.
    pub(crate) fn whole(space: &mut Space<'_>) -> Cell {
        Cell::open(space, System { equations: Vec::new(), independent: (0..space.width()).collect() })
    }

    /// The cell of random equations; none if they contradict each other.
    pub(crate) fn random(
        space: &mut Space<'_>,
        equations: usize,
        random: &mut ChaCha8Rng,
    ) -> Result<Option<Cell>, StopReason> {
        space.renew_if_worn()?;
        let system = System::random(equations, space.width(), random);
        Ok(system.map(|system| Cell::open(space, system)))
    }

    /// Makes the solver meet a few conflicts without meaning: a cell of equations between helpers that contradict
    /// each other, but not by propagation alone.
    pub(crate) fn provoke_conflicts(space: &mut Space<'_>) -> Result<(), StopReason> {
        let activation = space.open_cell();
        let helpers: Vec<Lit> = (0..4).map(|number| space.helper(number)).collect();
        add_parity(space, activation, &helpers, false);
        add_parity(space, activation, &helpers, true);
        space.solve(&[activation])?;
        space.add_clause(&[!activation]);
        Ok(())
    }

    fn open(space: &mut Space<'_>, system: System) -> Cell {
        let activation = space.open_cell();
        let mut helpers = 0;
        for equation in &system.equations {
            add_equation(space, activation, equation, &mut helpers);
        }
        Cell { activation, independent: system.independent, found: false, count: 0 }
    }

    /// Goes to the next solution. Returns whether one exists: it is the last solution of the space then.
    pub(crate) fn next(&mut self, space: &mut Space<'_>) -> Result<bool, StopReason> {
        if self.found {
            let value = space.last_values();
            let other = self.independent.iter().map(|&bit| space.literal(bit).negate_if(value(bit)));
            let clause: Vec<Lit> = std::iter::once(!self.activation).chain(other).collect();
            drop(value);
            space.add_clause(&clause);
        }
        self.found = space.solve(&[self.activation])?;
        self.count += u64::from(self.found);
        Ok(self.found)
    }

    /// Goes through the solutions until `count` are found. Returns whether they are.
    pub(crate) fn reaches(&mut self, space: &mut Space<'_>, count: u64) -> Result<bool, StopReason> {
        while self.count < count {
            if !self.next(space)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The number of solutions found so far.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Gives the cell up.
    pub(crate) fn retire(self, space: &mut Space<'_>) {
        space.add_clause(&[!self.activation]);
    }
}
