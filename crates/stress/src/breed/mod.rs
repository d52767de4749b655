//! Crossing and mutating inputs. Every result is well-sorted: terms are made by the store, which checks them.

pub(crate) mod crossover;
pub(crate) mod known;
pub(crate) mod mutators;
pub(crate) mod names;
pub(crate) mod occurrence;
pub(crate) mod statement;
pub(crate) mod transplant;
