//! Solvers as judges of claims about ground terms.

use std::time::Duration;

use sundry_term::{ArithmeticOp, DatatypeOp, FloatOp, Op, SequenceOp, Sort, TermId, TermStore};
use sundry_testing::oracle::{Answer, Oracle};

use crate::Claim;

/// Longest that a process may work.
const LIMIT: Duration = Duration::from_secs(300);

/// The solver that judges, and the way to ask it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Judge {
    /// z3's simplifier.
    Z3,
    /// cvc5.
    Cvc5,
    /// Bitwuzla.
    Bitwuzla,
}

/// The verdict of a judge on a claim.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Word {
    Holds,
    Fails,
    Unknown,
}

/// The formats of IEEE 754, by their exponent and significand bits.
const STANDARD: [(u32, u32); 4] = [(5, 11), (8, 24), (11, 53), (15, 113)];

/// The features that not every judge knows: z3 reads neither `divisible` nor testers of datatypes with parameters nor
/// some operators on sequences, Bitwuzla only floating-point values of the standard formats.
pub struct Needs {
    divisible: bool,
    tester_of_parameters: bool,
    sequences_reversed_or_updated: bool,
    only_standard_floats: bool,
}

impl Needs {
    /// The features that a term needs.
    pub fn of(store: &TermStore, term: TermId) -> Needs {
        let terms = store.reachable(&[term]);
        let is_divisible =
            |&term: &TermId| matches!(store.op(term), Op::Arithmetic(ArithmeticOp::Divisible(_)));
        let is_float = |&term: &TermId| match store.op(term) {
            Op::Arithmetic(_) | Op::String(_) | Op::Datatype(_) | Op::Sequence(_) => false,
            Op::Float(FloatOp::ToReal | FloatOp::ToIeeeBv) => false,
            _ => match store.sort(store.sort_of(term)) {
                Sort::Float(format) => {
                    STANDARD.contains(&(format.exponent_bits(), format.significand_bits()))
                }
                sort => {
                    !matches!(sort, Sort::Int | Sort::Real | Sort::String | Sort::RegLan | Sort::Sequence(_))
                }
            },
        };
        let tests_parameters = |&term: &TermId| match store.op(term) {
            Op::Datatype(DatatypeOp::Test(constructor)) => {
                !store.datatype(store.constructor(constructor).datatype).parameters.is_empty()
            }
            _ => false,
        };
        Needs {
            divisible: terms.iter().any(is_divisible),
            tester_of_parameters: terms.iter().any(tests_parameters),
            sequences_reversed_or_updated: terms.iter().any(|&term| {
                matches!(store.op(term), Op::Sequence(SequenceOp::Reverse | SequenceOp::Update))
            }),
            only_standard_floats: terms.iter().all(is_float),
        }
    }
}

impl Judge {
    pub const ALL: [Judge; 3] = [Judge::Z3, Judge::Cvc5, Judge::Bitwuzla];

    /// The verdicts of the judge on the claims that it understands, with their positions.
    pub fn ask(self, declarations: &str, claims: &[Claim]) -> Vec<(usize, Word)> {
        let understands = |claim: &Claim| match self {
            Judge::Z3 => {
                let needs = &claim.needs;
                !needs.divisible && !needs.tester_of_parameters && !needs.sequences_reversed_or_updated
            }
            Judge::Cvc5 => true,
            Judge::Bitwuzla => declarations.is_empty() && claim.needs.only_standard_floats,
        };
        let asked: Vec<usize> = (0..claims.len()).filter(|&number| understands(&claims[number])).collect();
        if asked.is_empty() {
            return Vec::new();
        }
        let texts = asked.iter().map(|&number| &claims[number].text[..]);
        let words = match self {
            Judge::Z3 => simplify(declarations, texts),
            Judge::Cvc5 => refute(Oracle::Cvc5, declarations, texts),
            Judge::Bitwuzla => refute(Oracle::Bitwuzla, declarations, texts),
        };
        asked.into_iter().zip(words).collect()
    }
}

/// The result of z3's simplification of each claim.
fn simplify<'c>(declarations: &str, claims: impl Iterator<Item = &'c str>) -> Vec<Word> {
    let mut script = format!("(set-option :pp.single_line true)\n{declarations}\n");
    let mut count = 0;
    for claim in claims {
        script.push_str(&format!("(simplify {claim})\n"));
        count += 1;
    }
    let answers = Oracle::Z3.run(&script, LIMIT);
    let mut words: Vec<Word> = answers.other.iter().map(|line| word_of(line)).collect();
    assert!(answers.timed_out || words.len() == count, "z3 prints {} lines for {count} terms", words.len());
    words.resize(count, Word::Unknown);
    words
}

fn word_of(line: &str) -> Word {
    assert!(!line.starts_with("(error"), "z3 says {line}");
    match line {
        "true" => Word::Holds,
        "false" => Word::Fails,
        _ => Word::Unknown,
    }
}

/// Whether each claim may be false.
fn refute<'c>(oracle: Oracle, declarations: &str, claims: impl Iterator<Item = &'c str>) -> Vec<Word> {
    let questions: Vec<String> = claims.map(|claim| format!("(assert (not {claim}))")).collect();
    let answers = oracle.ask(&format!("(set-logic ALL)\n{declarations}\n"), &questions, LIMIT);
    let word = |answer| match answer {
        Answer::Sat => Word::Fails,
        Answer::Unsat => Word::Holds,
        Answer::Unknown => Word::Unknown,
    };
    answers.into_iter().map(word).collect()
}
