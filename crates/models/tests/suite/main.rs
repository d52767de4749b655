//! Models against their meaning by definition, and texts that are not models.

mod common;
mod dimacs;
mod hostile;
mod pict;
mod uvl;
