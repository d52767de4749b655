//! Questions about the last check, the assertions and the solver.

use sundry_smtlib::{SourceText, print_model_within, print_value};
use sundry_solver::{SessionStatistics, UnknownReason};
use sundry_term::{EvaluationError, Evaluator, Model, TermId, quote_symbol};

use super::channels::Channels;
use super::interpreter::{Interpreter, Mode};
use super::response::{Response, string_literal};
use super::written;

impl<C: Channels> Interpreter<C> {
    pub(super) fn model(&self) -> Response {
        match &self.mode {
            _ if !self.options.produce_models => switched_off(":produce-models"),
            Mode::Sat(model) => {
                let symbols = self.parser.declared_symbols();
                match print_model_within(&self.store, model, symbols, &self.control) {
                    Ok(mut text) => {
                        text.truncate(text.trim_end().len());
                        Response::Text(text)
                    }
                    Err(reason) => Response::Stopped(format!("{reason} before the model was written")),
                }
            }
            _ => Response::Error(format!("there is no model: {}", self.last_answer())),
        }
    }

    pub(super) fn values(&self, terms: &[(TermId, String)]) -> Response {
        match &self.mode {
            _ if !self.options.produce_models => switched_off(":produce-models"),
            Mode::Sat(model) => self.valued(model, terms),
            _ => Response::Error(format!("there are no values: {}", self.last_answer())),
        }
    }

    /// The truth values of all Boolean terms that have names.
    pub(super) fn assignment(&self) -> Response {
        match &self.mode {
            _ if !self.options.produce_assignments => switched_off(":produce-assignments"),
            Mode::Sat(model) => {
                let named = self.parser.named_terms().filter(|&(_, term)| self.store.is_bool(term));
                let words = named.map(|(name, term)| (term, quote_symbol(name).into_owned()));
                self.valued(model, &words.collect::<Vec<_>>())
            }
            _ => Response::Error(format!("there is no assignment: {}", self.last_answer())),
        }
    }

    /// Terms with their values in a model.
    fn valued(&self, model: &Model, terms: &[(TermId, String)]) -> Response {
        let roots: Vec<TermId> = terms.iter().map(|&(term, _)| term).collect();
        let mut evaluator = Evaluator::with_control(&self.store, model, &self.control);
        match evaluator.evaluate(&roots) {
            Ok(()) => {}
            Err(EvaluationError::Stopped(reason)) => {
                return Response::Stopped(format!("{reason} before the values were computed"));
            }
            Err(error) => return Response::Error(error.to_string()),
        }
        let mut pairs = Vec::with_capacity(terms.len());
        for (term, words) in terms {
            let Some(value) = evaluator.value(*term) else { continue };
            let value = print_value(&self.store, self.store.sort_of(*term), value);
            if let Err(reason) = self.control.spend(u32::try_from(value.len()).unwrap_or(u32::MAX)) {
                return Response::Stopped(format!("{reason} before the values were written"));
            }
            pairs.push(format!("({words} {value})"));
        }
        list(pairs.iter().map(String::as_str))
    }

    pub(super) fn unsat_assumptions(&self) -> Response {
        match &self.mode {
            _ if !self.options.produce_unsat_assumptions => switched_off(":produce-unsat-assumptions"),
            Mode::Unsat { core, assumptions } => list(core.assumptions.iter().map(|&at| &*assumptions[at])),
            _ => Response::Error(format!("no assumptions have failed: {}", self.last_answer())),
        }
    }

    pub(super) fn unsat_core(&self) -> Response {
        match &self.mode {
            _ if !self.options.produce_unsat_cores => switched_off(":produce-unsat-cores"),
            Mode::Unsat { core, .. } => {
                let names = core.assertions.iter().filter_map(|&at| self.written[at].name.as_deref());
                let names: Vec<String> = names.map(|name| quote_symbol(name).into_owned()).collect();
                list(names.iter().map(String::as_str))
            }
            _ => Response::Error(format!("there is no unsatisfiable core: {}", self.last_answer())),
        }
    }

    /// The answer of the last check, for messages.
    fn last_answer(&self) -> &'static str {
        match self.mode {
            Mode::Assert => "nothing was checked since the assertions have changed",
            Mode::Sat(_) => "the last answer is sat",
            Mode::Unsat { .. } => "the last answer is unsat",
            Mode::Unknown(_) => "the last answer is unknown",
        }
    }

    pub(super) fn assertions(&self, source: &SourceText) -> Response {
        if !self.options.produce_assertions {
            return switched_off(":produce-assertions");
        }
        let terms = self.written.iter().flat_map(|written| written::arguments(source.slice(written.span)));
        list(terms)
    }

    pub(super) fn information(&self, keyword: &str) -> Response {
        let value = match keyword {
            ":name" => string_literal("Sundry"),
            ":version" => string_literal(env!("CARGO_PKG_VERSION")),
            ":authors" => string_literal("The authors of Sundry"),
            ":error-behavior" => "continued-execution".to_string(),
            ":assertion-stack-levels" => self.session.level().to_string(),
            ":reason-unknown" => match &self.mode {
                Mode::Unknown(reason) => keyword_of(reason).to_string(),
                _ => return Response::Error(format!("no answer is unknown: {}", self.last_answer())),
            },
            ":all-statistics" => return Response::Text(statistics(&self.session.statistics())),
            _ => return Response::Unsupported,
        };
        Response::Text(format!("({keyword} {value})"))
    }
}

fn switched_off(option: &str) -> Response {
    Response::Error(format!("needs (set-option {option} true) at the start of the script"))
}

fn list<'t>(members: impl Iterator<Item = &'t str>) -> Response {
    Response::Text(format!("({})", members.collect::<Vec<_>>().join("\n ")))
}

/// The reason as the standard wants it: `memout`, `incomplete`, or something else in one word.
fn keyword_of(reason: &UnknownReason) -> &'static str {
    match reason {
        UnknownReason::Timeout => "timeout",
        UnknownReason::Interrupted => "interrupted",
        UnknownReason::Budget => "resourceout",
        UnknownReason::Memory | UnknownReason::TooLarge(_) => "memout",
        UnknownReason::Unsupported(_) | UnknownReason::Undecided(_) => "incomplete",
        UnknownReason::RejectedModel(_) => "internal-error",
    }
}

fn statistics(statistics: &SessionStatistics) -> String {
    let engine = &statistics.engine;
    let mut text = format!(
        "(:checks {}\n :engines {}\n :sat-calls {}\n :conflicts {}\n :decisions {}\n :propagations {}\n \
         :variables {}\n :refuted-candidates {}",
        statistics.checks,
        statistics.engines,
        engine.sat.calls,
        engine.sat.conflicts,
        engine.sat.decisions,
        engine.sat.propagations,
        engine.sat.variables,
        engine.refuted_candidates,
    );
    if statistics.evaluations > 0 {
        text.push_str(&format!("\n :evaluations {}", statistics.evaluations));
    }
    for (kind, count) in &engine.lemmas {
        text.push_str(&format!("\n :lemmas-{} {count}", kebab_case(&format!("{kind:?}"))));
    }
    text.push(')');
    text
}

/// `ReadCongruence` as `read-congruence`.
fn kebab_case(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.extend(character.to_lowercase());
    }
    text
}
