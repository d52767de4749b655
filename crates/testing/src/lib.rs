//! Random formulas and independent solvers, for tests only.
