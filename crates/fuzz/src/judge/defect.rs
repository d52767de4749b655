//! Defects of replies, and their witnesses.

use std::fmt;

use sundry_external::Verdict;

/// The fault of a reply.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Defect {
    /// The answer is the opposite of this one.
    WrongAnswer {
        /// The correct answer.
        right: Verdict,
    },
    /// `sat` is right, but the model does not satisfy the formula.
    InvalidModel,
    /// `unsat` is correct, but the reported core or assumptions are satisfiable.
    SatisfiableCore,
    /// `unsat` is correct, but the reported core contains something that was not asserted.
    StrayCore,
    /// A crash, by its signature.
    Crash(String),
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::WrongAnswer { right: Verdict::Sat } => f.write_str("unsat instead of sat"),
            Defect::WrongAnswer { .. } => f.write_str("sat instead of unsat"),
            Defect::InvalidModel => f.write_str("invalid model"),
            Defect::SatisfiableCore => f.write_str("satisfiable core"),
            Defect::StrayCore => f.write_str("core of what was not asserted"),
            Defect::Crash(signature) => write!(f, "crash: {signature}"),
        }
    }
}

/// The witness of a defect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Witness {
    /// The formula has a model, judged by the evaluator: that of the seed, or of this solver.
    Model(String),
    /// The evaluator finds an assertion, by its number, false under the solver's model.
    Evaluator(usize),
    /// These solvers give the other answer.
    Solvers(Vec<String>),
    /// The solver itself gives the other answer when the formula is asked plainly.
    AskedPlainly,
    /// The core has something in it that was not asserted.
    Stray(String),
    /// The solver itself: it crashed, or says that its model is wrong.
    Itself,
    /// The solver itself says that the formula has no model with the values of the one that it prints.
    OwnModel,
    /// Other solvers, with these names, give the other answer, and nobody decides who is right.
    Opposed(Vec<String>),
    /// Only the status that the script records contradicts the answer.
    Recorded,
    /// Only the construction of the formula contradicts the answer.
    Construction,
    /// The construction of the formula contradicts the answer, but these solvers give the same answer: then the
    /// construction is wrong.
    Disputed(Vec<String>),
}

impl Witness {
    /// The witness against an answer that only the construction refutes, given the solvers that give the same answer.
    pub(crate) fn unconfirmed(agreeing: Vec<String>) -> Witness {
        if agreeing.is_empty() { Witness::Construction } else { Witness::Disputed(agreeing) }
    }

    /// Whether that is enough to report it as a defect.
    pub fn confirms(&self, defect: &Defect) -> bool {
        match self {
            Witness::Model(_)
            | Witness::Evaluator(_)
            | Witness::Solvers(_)
            | Witness::AskedPlainly
            | Witness::OwnModel
            | Witness::Stray(_) => true,
            Witness::Itself => matches!(defect, Defect::Crash(_)),
            Witness::Construction | Witness::Disputed(_) | Witness::Opposed(_) | Witness::Recorded => false,
        }
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Witness::Model(whose) => write!(f, "the formula has a model ({whose})"),
            Witness::Evaluator(number) => write!(f, "assertion {} is false under its model", number + 1),
            Witness::Solvers(names) => {
                write!(f, "{} say{} so", names.join(", "), if names.len() == 1 { "s" } else { "" })
            }
            Witness::AskedPlainly => f.write_str("it says so itself when it is asked at once"),
            Witness::Stray(name) => write!(f, "the core has {name}, which was not asserted"),
            Witness::Itself => f.write_str("it says so itself"),
            Witness::OwnModel => {
                f.write_str("it says itself that the formula has no model with the values of this one")
            }
            Witness::Opposed(names) => write!(
                f,
                "{} say{} otherwise, nobody decides between them",
                names.join(", "),
                if names.len() == 1 { "s" } else { "" }
            ),
            Witness::Recorded => f.write_str("the script records that status, nobody confirms it"),
            Witness::Disputed(names) => {
                write!(
                    f,
                    "follows from how the formula was made, but {} agree{}",
                    names.join(", "),
                    if names.len() == 1 { "s" } else { "" }
                )
            }
            Witness::Construction => f.write_str("follows from how the formula was made, nobody confirms it"),
        }
    }
}
