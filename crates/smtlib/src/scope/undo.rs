//! Levels of push and pop, and the trail along which a scope goes back to an earlier state.

use super::{Binding, Scope, SortBinding};
use crate::names::NameId;

/// One step back along the trail.
pub(super) enum Undo {
    /// A symbol gets the meaning back that it had.
    Symbol(NameId, Option<Binding>),
    /// The name of a sort gets the meaning back that it had.
    Sort(NameId, Option<SortBinding>),
    /// The last declared symbol, declared sort or named term is forgotten.
    DeclaredSymbol,
    DeclaredSort,
    Named,
}

/// A point to return to.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) struct Mark(usize);

impl Scope {
    /// Whether no name was bound yet.
    pub(crate) fn is_untouched(&self) -> bool {
        self.trail.is_empty() && self.levels.is_empty()
    }

    /// The present state, to come back to with [`rewind`](Self::rewind).
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Takes back everything bound since the mark.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        while self.trail.len() > mark.0 {
            if let Some(undo) = self.trail.pop() {
                self.take_back(undo);
            }
        }
    }

    fn take_back(&mut self, undo: Undo) {
        match undo {
            Undo::Symbol(name, old) => {
                self.replace_symbol(name, old);
            }
            Undo::Sort(name, old) => {
                self.replace_sort(name, old);
            }
            Undo::DeclaredSymbol => {
                self.declared_symbols.pop();
            }
            Undo::DeclaredSort => {
                self.declared_sorts.pop();
            }
            Undo::Named => {
                self.named_terms.pop();
            }
        }
    }

    /// The number of open levels.
    pub(crate) fn level(&self) -> usize {
        self.levels.len()
    }

    /// Opens a level.
    pub(crate) fn push(&mut self) {
        self.levels.push(self.mark());
    }

    /// Closes the innermost level: names bound in it, unless global, are no longer bound.
    pub(crate) fn pop(&mut self) {
        match self.levels.pop() {
            Some(mark) if !self.global_declarations => self.rewind(mark),
            _ => {}
        }
    }

    /// Closes all levels and takes back the declarations of the outermost one too, unless global.
    pub(crate) fn reset_levels(&mut self) {
        self.levels.clear();
        if !self.global_declarations {
            self.rewind(Mark(0));
        }
    }
}
