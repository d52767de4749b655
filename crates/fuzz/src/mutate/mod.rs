//! Mutants of a seed, and their relation to the seed.
//!
//! A [`Generator`](generator::Generator) makes a mutant of the seed or of an earlier mutant. [`factory`] chooses the generators that fit a seed, and
//! [`stream`] numbers the mutants, so that each can be made again from its number.
//!
//! | technique | module | source |
//! | --- | --- | --- |
//! | skeletal approximation | [`approximate`] | Yao et al., ESEC/FSE 2021 (Sparrow) |
//! | predicate symbol transformation (PST) | [`rules`] | the same |
//! | live predicate injection (LPI) | [`injection`] | the same |
//! | fusion of two seeds | [`fusion`] | Winterer, Zhang & Su, PLDI 2020 (YinYang) |
//! | formulas that hold in the model of the seed | [`model_guided`] | Mansur et al., ESEC/FSE 2020 (STORM) |
//! | other operators of the same sorts | [`operators`] | Winterer, Zhang & Su, OOPSLA 2020 (OpFuzz) |

pub(crate) mod approximate;
pub(crate) mod cnf;
pub(crate) mod distinct;
pub(crate) mod factory;
pub(crate) mod fresh;
pub(crate) mod fusion;
pub(crate) mod generator;
pub(crate) mod injection;
pub(crate) mod literal;
pub(crate) mod model_guided;
pub(crate) mod operators;
pub(crate) mod random_literal;
pub(crate) mod rules;
pub(crate) mod shares;
pub(crate) mod signature;
pub(crate) mod simplify;
pub(crate) mod stream;
mod template;
pub(crate) mod tree;
pub(crate) mod vocabulary;
