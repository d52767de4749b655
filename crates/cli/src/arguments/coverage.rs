//! Arguments of `sundry coverage`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{FormulaArgument, IntegerBitsArgument, LimitArguments, MessageArguments};

/// What the job is about.
pub const LONG_ABOUT: &str = "\
Measure what models, of whatever origin, cover of a formula.

Every bit of every operation in the formula can be 0 or 1; each of these possibilities is an AST-bit. \
A model covers an AST-bit when the bit has that value in it. Models are read as z3, cvc5, bitwuzla \
and sundry print them, any number in each file; also the JSON lines and the CSV that sundry sample writes, \
with the names of the constants in the first line, in any order. The format of a file is chosen by how the file begins, \
or by its name (.csv, .jsonl). Auxiliary constants of a model in DIMACS have no column: Sundry searches for their values. \
A model that does not satisfy the formula is reported by name, and covers nothing.

With --predicates, coverage is also what you say it is: every Boolean definition without parameters in the \
file is a predicate over the symbols of the formula, say \
(define-fun overflow () Bool (bvult sum x)). The class of a model is the values of all predicates in it. \
Sundry reports how many models each class has, the entropy of that distribution in bits (10 for 1024 \
classes that are equally frequent), and which predicates held and failed. Where predicates describe faults, \
a model finds a fault if its predicate holds in the model; the column 'of all' is the share of faults found up to \
each model.

With --measure wire, coverage is what MeGASampler and HighDiv report of samples of integer formulas. Every distinct term, and the \
conjunction of all assertions, has a point for each bit (an integer 64, in two's complement), which is covered \
when the bit was 0 in one model and 1 in another. Evaluation stops where a conjunction, a disjunction or a choice is decided; \
what it does not meet in a model is not seen in it. Literals and assertions never change, so not all \
points can be covered. HighDiv divides by all points ('of all'). MeGASampler divides by the points that the compared tools cover: \
give the models of each tool as a file of its own ('of union').";

const EXAMPLES: &str = "\
Examples:
  sundry coverage formula.smt2 models.txt
      AST-bits in all, those covered, and what each model adds to those before it
  sundry coverage formula.smt2 models.txt --decide --timeout 60
      also decide which AST-bits can be covered at all, so that the share is exact
  sundry coverage formula.smt2 models.txt --decide --ast-bits bits.csv
      also which AST-bits are left: rows of bits.csv that end in possible or unknown
  sundry coverage formula.smt2 models.txt --predicates faults.smt2
      also how many of the predicates hold in some model, after each model
  sundry coverage formula.smt2 ours.txt theirs.txt --measure wire
      points of wires of both files together, and of each by itself
  sundry sample formula.smt2 -n 5 | sundry coverage formula.smt2 - --json
      models from standard input, figures as JSON
  sundry coverage phone.uvl products.csv
      products of a feature model, a row for each

Exit codes: 0 measured; 1 measured, and a model does not satisfy the formula;
2 bad command line or input; 3 stopped by --timeout or Ctrl-C: models are left that
were not measured, or with --decide, AST-bits are undecided; 4 a defect of sundry.";

/// The units in which coverage is measured.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum CoverageMeasure {
    /// AST-bits, as sundry sample covers them
    Ast,
    /// Points of wires, as MeGASampler and HighDiv count them
    Wire,
}

/// Arguments of `sundry coverage`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct CoverageArguments {
    #[command(flatten)]
    pub formula: FormulaArgument,

    /// Files with models; `-` reads standard input
    #[arg(value_name = "MODELS", required = true)]
    pub models: Vec<PathBuf>,

    /// The units in which coverage is measured
    #[arg(long, value_name = "MEASURE", value_enum, default_value = "ast", help_heading = "Measuring")]
    pub measure: CoverageMeasure,

    /// Measure the Boolean definitions of this SMT-LIB file too
    #[arg(long, value_name = "FILE", help_heading = "Measuring")]
    pub predicates: Option<PathBuf>,

    /// Refuse models that leave out a declared symbol, instead of taking it for zero
    #[arg(long, help_heading = "Measuring")]
    pub strict: bool,

    /// Decide by solving which AST-bits can be covered at all, and how predicates can be
    #[arg(long, help_heading = "Measuring")]
    pub decide: bool,

    /// File for a table of all AST-bits, as CSV: the place and text of the term, the bit, its value, and whether the AST-bit is
    /// covered or uncovered; with --decide, whether an uncovered one is possible, impossible or unknown
    #[arg(long, value_name = "FILE", help_heading = "Measuring")]
    pub ast_bits: Option<PathBuf>,

    /// Print the figures as JSON
    #[arg(long, help_heading = "Measuring")]
    pub json: bool,

    #[command(flatten)]
    pub integers: IntegerBitsArgument,

    #[command(flatten)]
    pub limits: LimitArguments,

    #[command(flatten)]
    pub messages: MessageArguments,
}
