//! The strategy on small formulas.
