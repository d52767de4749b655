//! Models against what they mean by definition, and texts that are none.

mod common;
mod dimacs;
mod hostile;
mod pict;
mod uvl;
