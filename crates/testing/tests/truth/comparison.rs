//! Random formulas, against z3, cvc5 and the evaluator.

use std::time::Duration;

use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_solver::{Answer as Ours, EngineOptions, Limits, Session, Tracking, UnknownReason};
use sundry_term::{Control, Model, TermId, TermStore, Value, evaluate};
use sundry_testing::oracle::{Answer, Oracle};

/// A comparison of our answers with those of others.
pub struct Comparison<'a> {
    /// The declarations that all formulas have in common.
    pub declarations: &'a str,
    /// The time that a solver has for one formula.
    pub limit: Duration,
    /// The number of formulas that our solver may leave undecided, one in so many; 0 for none.
    pub leaves_open: usize,
}

/// Whether a model satisfies the assertions whatever results the standard leaves open.
fn holds_in_any_case(store: &TermStore, model: &Model, assertions: &[TermId]) -> bool {
    let mut without = Model::new();
    model.constants().for_each(|(symbol, value)| without.set_constant(symbol, value.clone()));
    model.functions().for_each(|(symbol, value)| without.set_function(symbol, value.clone()));
    assertions.iter().all(|&assertion| evaluate(store, &without, assertion) == Ok(Value::Bool(true)))
}

/// Ticks for a formula that may be left open.
const TICKS: u64 = 80_000_000;
/// The time for a formula, in limits of other solvers.
const LONGER: u32 = 20;

impl Comparison<'_> {
    /// Compares the answers to the assertions that are written for each seed.
    pub fn run(&self, seeds: impl Iterator<Item = u64>, mut write: impl FnMut(u64) -> Vec<String>) {
        let (mut questions, mut ours) = (Vec::new(), Vec::new());
        let mut open = 0;
        for seed in seeds {
            let text = write(seed).join("\n");
            let (answer, certain) = self.answer(seed, &text);
            open += usize::from(answer == Answer::Unknown);
            ours.push((answer, certain));
            questions.push(format!("(set-logic ALL)\n{}{text}\n(check-sat)\n", self.declarations));
        }
        let allowed = questions.len().checked_div(self.leaves_open).unwrap_or(0);
        assert!(open <= allowed, "{open} of {} formulas are left open", questions.len());
        for oracle in [Oracle::Z3, Oracle::Cvc5] {
            let mut compared = 0;
            for (question, &(answer, certain)) in questions.iter().zip(&ours) {
                let reply = oracle.run(question, self.limit);
                let theirs = reply.answers.first().copied().unwrap_or(Answer::Unknown);
                // Solvers may fix what the standard leaves open.
                let excused = answer == Answer::Sat && !certain || answer == Answer::Unknown;
                let agrees = theirs == answer || theirs == Answer::Unknown || excused;
                assert!(agrees, "{oracle} says {theirs:?} to\n{question}");
                compared += usize::from(theirs == answer);
            }
            assert!(compared * 2 > questions.len(), "{oracle} decides {compared} of {}", questions.len());
        }
        let count = |wanted| ours.iter().filter(|(answer, _)| *answer == wanted).count();
        assert!(count(Answer::Sat) > 30 && count(Answer::Unsat) > 10, "both answers are usual");
    }

    /// Our answer while somebody looks at the search. Partial solutions satisfy what they are said to satisfy, and are different.
    fn observed(
        &self,
        session: &mut Session,
        store: &mut TermStore,
        assertions: &[TermId],
        limits: &Limits,
    ) -> Ours {
        let mut models = Vec::new();
        session.check_and_report(store, &[], limits, 20, &mut |store, partial| {
            let holds = |&number: &usize| {
                evaluate(store, &partial.model, assertions[number]) == Ok(Value::Bool(true))
            };
            let satisfied: Vec<usize> = (0..assertions.len()).filter(holds).collect();
            assert_eq!(partial.satisfied, satisfied, "{:?}: {:?}", partial.origin, partial.model);
            assert!(!models.contains(&partial.model), "{:?}: {:?}", partial.origin, partial.model);
            models.push(partial.model);
            assert!(models.len() <= 20);
        })
    }

    /// Our answer, and whether a model satisfies the formula whatever the standard leaves open.
    fn answer(&self, seed: u64, text: &str) -> (Answer, bool) {
        let source = SourceText::new("formula", format!("{}{text}", self.declarations));
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &source, TheorySet::SOLVED);
        let formula = script.unwrap_or_else(|error| panic!("{}", error.render(&source))).formula();
        let mut session = Session::new(EngineOptions::default());
        formula.assertions.iter().for_each(|&assertion| session.assert(assertion, Tracking::Silent));
        // How much is left open must not depend on the machine, so work ends the search; time is a net.
        let deadline = std::time::Instant::now() + self.limit * LONGER;
        let control = Control::default().with_deadline(Some(deadline));
        let limits = Limits::new(&control, (self.leaves_open > 0).then_some(TICKS));
        let answer = if seed.is_multiple_of(4) {
            self.observed(&mut session, &mut store, &formula.assertions, &limits)
        } else {
            session.check(&mut store, &[], &limits)
        };
        match answer {
            Ours::Sat(model) => {
                for &assertion in &formula.assertions {
                    assert_eq!(evaluate(&store, &model, assertion), Ok(Value::Bool(true)), "{seed}: {text}");
                }
                (Answer::Sat, holds_in_any_case(&store, &model, &formula.assertions))
            }
            Ours::Unsat(_) => (Answer::Unsat, true),
            Ours::Unknown(UnknownReason::Budget | UnknownReason::Undecided(_)) if self.leaves_open > 0 => {
                (Answer::Unknown, false)
            }
            Ours::Unknown(reason) => panic!("{seed}: {reason}: {text}"),
        }
    }
}
