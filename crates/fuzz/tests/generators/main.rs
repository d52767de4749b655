//! Generators whose mutants are known to be satisfiable or not: evaluated, and asked of solvers.

mod fusion;
mod model_guided;
mod shared;
