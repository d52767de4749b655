//! Checks: asking the solver, and saying why it has no answer.

use std::time::Instant;

use sundry_smtlib::{SourceText, Span};
use sundry_solver::{Answer, EngineStatistics, Limits, SessionStatistics, UnknownReason};
use sundry_term::{TermId, TermStore};

use super::channels::Channels;
use super::interpreter::{Interpreter, Mode, ScriptStatus};
use super::partial::Partials;
use super::response::Response;
use super::written;
use crate::error::Place;

impl<C: Channels> Interpreter<C> {
    pub(super) fn check(&mut self, assumptions: &[TermId], span: Span, source: &SourceText) -> Response {
        let start = Instant::now();
        let limits = Limits {
            control: self.control.clone(),
            conflicts: Some(self.options.resource_limit).filter(|&limit| limit > 0),
            ticks: None,
        };
        let before = self.channels.is_detailed().then(|| self.session.statistics());
        let most = self.channels.partial_solutions();
        let answer = if most == 0 {
            self.session.check(&mut self.store, assumptions, &limits)
        } else {
            let check = self.session.statistics().checks + 1;
            let assertions = self.session.assertions().collect();
            let mut partials = Partials::new(&mut self.channels, check, &self.store, assertions);
            let receive = &mut |store: &TermStore, partial| partials.receive(store, partial);
            self.session.check_and_report(&mut self.store, assumptions, &limits, most, receive)
        };
        let (word, mode) = match answer {
            Answer::Sat(model) => ("sat", Mode::Sat(model)),
            Answer::Unsat(core) => {
                let words = written::members(source.slice(span));
                ("unsat", Mode::Unsat { core, assumptions: words.into_iter().map(str::to_string).collect() })
            }
            Answer::Unknown(reason) => {
                self.explain(&reason, assumptions, span, source);
                ("unknown", Mode::Unknown(reason))
            }
        };
        self.mode = mode;
        if let Some(before) = before {
            let effort = effort(&before, &self.session.statistics());
            let seconds = start.elapsed().as_secs_f64();
            let place = Place::new(source, span);
            self.channels.detail(&format!("{place}: {word} in {seconds:.3} s: {effort}"));
        }
        Response::Text(word.to_string())
    }

    /// Reports why the check has no answer, and who is responsible.
    fn explain(&mut self, reason: &UnknownReason, assumptions: &[TermId], span: Span, source: &SourceText) {
        match reason {
            UnknownReason::RejectedModel(wrong) => {
                let position = self.session.assertions().position(|assertion| assertion == *wrong);
                let wrong = match position {
                    Some(position) => self.written[position].span,
                    None => {
                        debug_assert!(assumptions.contains(wrong));
                        span
                    }
                };
                self.channels.defect(&Place::new(source, wrong), &reason.to_string());
                self.raise(ScriptStatus::Defect);
            }
            _ => {
                self.channels.note(&Place::new(source, span), &reason.to_string());
                self.raise(ScriptStatus::Limit);
            }
        }
    }
}

/// The work of a check, for messages.
fn effort(before: &SessionStatistics, after: &SessionStatistics) -> String {
    let (old, new) = (&before.engine, &after.engine);
    let lemmas = |statistics: &EngineStatistics| statistics.lemmas.values().sum::<u64>();
    let engine = if after.engines > before.engines { ", fresh engine" } else { "" };
    // Formulas without floats have none.
    let evaluations = match after.evaluations - before.evaluations {
        0 => String::new(),
        count => format!(", {count} evaluations"),
    };
    format!(
        "{} conflicts, {} decisions, {} propagations, {} refuted candidates, {} lemmas{evaluations}{engine}",
        new.sat.conflicts - old.sat.conflicts,
        new.sat.decisions - old.sat.decisions,
        new.sat.propagations - old.sat.propagations,
        new.refuted_candidates - old.refuted_candidates,
        lemmas(new) - lemmas(old),
    )
}
