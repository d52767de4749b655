//! Tests for SMT solvers: formulas whose status is known because of their construction.
//!
//! Replacing literals of a satisfiable formula by literals that they imply (*over*-approximation) gives a satisfiable
//! formula. Replacing literals of an unsatisfiable formula by literals that imply them (*under*-approximation) gives
//! an unsatisfiable one. A solver that answers otherwise is wrong (Yao, Huang, Tang, Shi, Wu & Zhang, "Skeletal
//! approximation enumeration for SMT solver testing", ESEC/FSE 2021).
//!
//! * [`Approximator`]: approximates random literals of a formula, by the rules of [`RuleBook`] or by joining
//!   random formulas.
//! * [`Fusion`]: makes one formula of two. [`OperatorMutator`]: replaces operators, so that the status is unknown.
//! * [`Campaign`]: the solvers under test, and the way in which they are tested. [`begin_seed`]: puts a seed and its mutants
//!   to solvers, and judges their answers, models and cores.
//! * [`reduce()`]: makes scripts smaller while a check succeeds.

mod ask;
mod campaign;
mod judge;
mod mutate;
mod options;
mod reduce;
mod seed;
mod tree;

pub use ask::allowance::wall_time;
pub use ask::asker::Asker;
pub use ask::question::{Asked, Core, Question, inquiry};
pub use ask::style::AskingStyle;
pub use campaign::bug::{Bug, Kind};
pub use campaign::bugs::{Added, Bugs};
pub use campaign::conduct::{Conducted, Report, Work, Workplace, conduct};
pub use campaign::history::{Answers, Moment, Standing};
pub use campaign::journal::{Journal, JournalLine, OtherCampaign, SeedPosition};
pub use campaign::novelty::Novelty;
pub use campaign::repeats::Repeats;
pub use campaign::schedule::{Schedule, Seeds, Tested, Turn, TurnOutcome};
pub use campaign::slow_time::SlowTime;
pub use campaign::tally::{OptionRuns, Overruns, Tally, Undecided};
pub use campaign::work::{LeftOut, SeedWork, begin_seed};
pub use campaign::{Campaign, Context, Event, MutationMethod, Settings};
pub use judge::defect::{Defect, Witness};
pub use judge::evidence::Evidence;
pub use judge::finding::{Decision, DefectStatus, Finding, Reduction, ReleasePace, SlowCase, Vote, skeleton};
pub use judge::judged::{Judged, wrong_model};
pub use judge::model::{ModelVerdict, inquiry_with_model, judge_model, judge_reply, read_model};
pub use judge::oracle::{Examination, Examiner};
pub use mutate::approximate::{Approximator, Change, Technique, split_chains};
pub use mutate::cnf::{Naming, NormalForm, conjunctive_normal_form};
pub use mutate::fusion::{Fused, Fusion, FusionFunction, fusion_functions, renamed_apart};
pub use mutate::generator::{ApproximationBase, Generator, Mutant};
pub use mutate::injection::Snippets;
pub use mutate::literal::{Counts, LiteralPlace, random_place};
pub use mutate::model_guided::ModelGuided;
pub use mutate::operators::OperatorMutator;
pub use mutate::random_literal::random_literal;
pub use mutate::rules::{Direction, Rule, RuleBook, Rules};
pub use mutate::simplify::decided;
pub use mutate::vocabulary::Vocabulary;
pub use options::Variation;
pub use reduce::{
    Candidate, Check, Pace, Reduced, Reducible, ScriptCommand, ScriptCommandError, Size, Slowness, Subject,
    Timing, reduce, reduce_changed, reduce_tree,
};
pub use seed::logic::{logic_contains, logic_of};
pub use seed::status::{SeedModel, SeedStatus};
pub use seed::{Partners, Seed};
pub use tree::Tree;
