//! Solutions as rows of words: combined, judged and compared 64 at a time.
//!
//! Strategies that make many solutions from a small number of solver calls work on rows: sampling at volume, uniform
//! sampling, and t-wise sampling.

mod fingerprint;
mod judge;
mod layout;
mod meaning;
mod one_by_one;
mod packing;
mod rest;
mod table;
mod transpose;

pub(crate) use judge::Judge;
pub(crate) use layout::{Layout, Position};
pub(crate) use packing::{Packing, Range};
