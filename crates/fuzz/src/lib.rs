//! Tests for SMT solvers: formulas whose satisfiability is known because of how they were made.
//!
//! From a formula that is known to be satisfiable, another is made by replacing literals by what they imply
//! (*over*-approximation): it is satisfiable too. From one that is unsatisfiable, by replacing them by what
//! implies them (*under*-approximation). A solver that answers otherwise is wrong (Yao, Huang, Tang, Shi, Wu &
//! Zhang, "Skeletal approximation enumeration for SMT solver testing", ESEC/FSE 2021).
//!
//! * [`Approximator`]: approximates random literals of a formula, by the rules of [`RuleBook`] or by joining
//!   random formulas.
//! * [`Fusion`]: makes one formula of two. [`OperatorMutator`]: replaces operators, so that nothing is known.
//! * [`Campaign`]: who is tested, and how. [`Course`]: puts the mutants of a seed to solvers, and judges what these
//!   say, which models they give, and which cores.
//! * [`reduce()`]: makes scripts smaller that show something.

mod allowance;
mod approximate;
mod campaign;
mod cnf;
mod course;
mod defect;
mod descent;
mod finding;
mod follow_up;
mod form;
mod fresh;
mod fusion;
mod generator;
mod generators;
mod known;
mod literal;
mod logic;
mod model;
mod model_guided;
mod operators;
mod oracle;
mod partners;
mod question;
mod random_literal;
mod reduce;
mod rules;
mod seed;
mod seen;
mod signature;
mod simplify;
mod snippet;
mod template;
mod vocabulary;

pub use approximate::{Approximator, Change, Strategy, split_chains};
pub use campaign::{Campaign, Event, Laboratory, Method, Overruns, Settings, Tally};
pub use cnf::{Naming, NormalForm, conjunctive_normal_form};
pub use course::{Course, LeftOut};
pub use defect::{Defect, Witness};
pub use finding::{Finding, Reduction, Said, Shown, SlowCase, Word};
pub use form::Form;
pub use fusion::{Fused, Fusion, FusionFunction, fusion_functions, renamed_apart};
pub use generator::{Generator, Mutant};
pub use known::{Known, KnownModel};
pub use literal::{Counts, Place, random_place};
pub use logic::logic_of;
pub use model::{ModelVerdict, judge_model, judge_reply, read_model, script_with_model};
pub use model_guided::ModelGuided;
pub use operators::OperatorMutator;
pub use oracle::{Examination, Examiner};
pub use question::{Asked, Core, Desk, Question, script};
pub use random_literal::random_literal;
pub use reduce::{
    Candidate, Check, Measured, Pace, Reduced, ScriptCommand, ScriptCommandError, Size, Slowness, Subject,
    reduce, reduce_changed,
};
pub use rules::{Direction, Rule, RuleBook, Rules};
pub use seed::{Partners, Seed};
pub use seen::Seen;
pub use simplify::decided;
pub use snippet::Snippets;
pub use vocabulary::Vocabulary;
