//! The truth of the evaluator about every theory: on random ground terms, against z3, cvc5 and Bitwuzla.
//!
//! Each solver is asked whether a term can differ from the value that the evaluator computes. Open terms are skipped,
//! because solvers are free to choose their values. The text printed for the solvers is also read back.
//!
//! `cargo test -p sundry-testing --test ground` tries a slice of each theory. The whole campaign:
//!
//! ```text
//! SUNDRY_GROUND_TERMS=100000 cargo test --release -p sundry-testing --test ground -- --nocapture --test-threads 1
//! ```
//!
//! `SUNDRY_GROUND_TERMS` is the number of terms of each theory; `SUNDRY_FIRST_SEED` (0 unless given) is where seeds
//! start. The solvers come from `tools/oracles`.

mod judge;

use sundry_smtlib::{Command, SourceText, TheorySet, parse_script, print_command, print_term};
use sundry_term::{EvaluationError, FloatFormat, Model, Op, TermStore, evaluate};
use sundry_testing::ground::{GroundTerms, Theory};

use judge::{Judge, Word};

/// Terms of each theory, unless the environment asks for more.
const SLICE: usize = 1_000;
/// Terms that one process is asked about.
const CHUNK: usize = 5_000;

/// A claim about a term.
struct Claim {
    /// The equation of the term and its value, as text.
    text: String,
    /// Operators that not every solver knows.
    needs: judge::Needs,
}

fn variable(name: &str, otherwise: usize) -> usize {
    std::env::var(name)
        .map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

/// Random terms that have a value, each claimed to be equal to it, after the declarations that they need.
fn claims(theory: Theory, seed: usize, count: usize) -> (String, Vec<Claim>) {
    let mut store = TermStore::new();
    let mut terms = GroundTerms::new(&mut store, theory, seed as u64);
    let group = terms.datatypes();
    let declarations = match group.is_empty() {
        true => String::new(),
        false => print_command(&store, &Command::DeclareDatatypes(group.to_vec())),
    };
    let mut claims = Vec::with_capacity(count);
    while claims.len() < count {
        let term = terms.next_term(&mut store);
        let value = match evaluate(&store, &Model::new(), term) {
            Ok(value) => value,
            Err(EvaluationError::Open { .. }) => continue,
            Err(error) => panic!("{}: {error}", print_term(&store, term)),
        };
        let value = store.value_term(store.sort_of(term), &value);
        let equal = store.make(Op::Equal, &[term, value]);
        claims.push(Claim { text: print_term(&store, equal), needs: judge::Needs::of(&store, equal) });
    }
    (declarations, claims)
}

/// Everything that was printed is read and printed again.
fn read_back(declarations: &str, claims: &[Claim]) {
    let mut script = format!("(set-logic ALL)\n{declarations}\n");
    for claim in claims {
        script.push_str(&format!("(assert {})\n", claim.text));
    }
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &SourceText::new("claims", script), TheorySet::ALL)
        .unwrap_or_else(|error| panic!("{}: {}", error.message, claims[error.span.start].text));
    let assertions = script.commands.iter().filter_map(|(command, _)| match command {
        Command::Assert(term) => Some(*term),
        _ => None,
    });
    let texts: Vec<String> = assertions.map(|term| print_term(&store, term)).collect();
    assert!(texts.iter().eq(claims.iter().map(|claim| &claim.text)), "printed otherwise after reading");
}

/// No judge refutes the value that the evaluator computes for a term of a theory, and some judge confirms nearly all
/// of them.
fn holds(theory: Theory) {
    let count = variable("SUNDRY_GROUND_TERMS", SLICE);
    let first_seed = variable("SUNDRY_FIRST_SEED", 0);
    let mut refuted = Vec::new();
    let mut unconfirmed = Vec::new();
    let mut words = vec![0; Judge::ALL.len()];
    for (seed, start) in (first_seed..).zip((0..count).step_by(CHUNK)) {
        let (declarations, claims) = claims(theory, seed, CHUNK.min(count - start));
        read_back(&declarations, &claims);
        let mut confirmed = vec![false; claims.len()];
        for (position, judge) in Judge::ALL.into_iter().enumerate() {
            for (number, word) in judge.ask(&declarations, &claims) {
                words[position] += usize::from(word != Word::Unknown);
                match word {
                    Word::Holds => confirmed[number] = true,
                    Word::Fails => {
                        refuted.push(format!("{judge:?} refutes, seed {seed}: {}", claims[number].text));
                    }
                    Word::Unknown => {}
                }
            }
        }
        let missing = claims.iter().zip(confirmed).filter(|(_, confirmed)| !confirmed);
        unconfirmed.extend(missing.map(|(claim, _)| claim.text.clone()));
    }
    println!(
        "{theory:?}: {count} terms, decided by {:?} {words:?}, by none {}",
        Judge::ALL,
        unconfirmed.len()
    );
    assert!(refuted.is_empty(), "{}", refuted.join("\n"));
    assert!(unconfirmed.len() * 100 <= count, "nobody decides:\n{}", unconfirmed.join("\n"));
}

fn format(exponent_bits: u32, significand_bits: u32) -> Theory {
    Theory::Float(FloatFormat::new(exponent_bits, significand_bits).expect("a legal format"))
}

#[test]
fn integers_and_reals() {
    holds(Theory::Arithmetic);
}

#[test]
fn floating_point_values_of_small_formats() {
    holds(format(2, 3));
    holds(format(3, 5));
}

#[test]
fn floating_point_values_of_standard_formats() {
    holds(format(5, 11));
    holds(format(8, 24));
}

#[test]
fn strings_and_regular_expressions() {
    holds(Theory::Strings);
}

#[test]
fn sequences() {
    holds(Theory::Sequences);
}

#[test]
fn datatypes() {
    holds(Theory::Datatypes);
}
