//! The commands of a script and what they are answered with.
//!
//! The parser keeps names and levels, the [`Session`] keeps assertions and the solver; here is
//! what the standard adds to them: which answers may be asked for when, options, information, and
//! the words in which assertions and assumptions were written.

use std::time::{Duration, Instant};

use sundry_smtlib::{
    Attribute, Command, Diagnostic, DiagnosticKind, Lexer, Parser, SourceText, Span, TheorySet, Token,
    print_model_within, print_value,
};
use sundry_solver::{
    Answer, Core, EngineOptions, Limits, SatOptions, Session, SessionStatistics, Tracking, UnknownReason,
};
use sundry_term::{Control, EvaluationError, Evaluator, Model, TermId, TermStore, quote_symbol};

use super::channels::{Channel, Channels};
use super::options::ScriptOptions;
use super::reply::{Reply, string_literal};
use super::written;
use crate::console::Console;
use crate::failure::{Failure, FailureKind, Status};
use crate::interrupt::Stop;

/// What holds whatever the script says.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// How long an answer may take, with reading what is new since the last one.
    pub timeout: Option<Duration>,
    /// Seed at the start and after a `reset`.
    pub seed: u32,
    /// Stops a check when somebody sets it.
    pub stop: Stop,
}

impl Conditions {
    /// What stops work that begins now.
    pub fn control(&self) -> Control {
        let deadline = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        self.stop.control().with_deadline(deadline)
    }
}

/// An assertion as it was written.
struct Written {
    /// The whole command.
    span: Span,
    /// The name that the whole term was given.
    name: Option<String>,
}

/// What may be asked for: it depends on the last check, as long as the assertions are the same.
enum Mode {
    /// No check since the last change of the assertions.
    Assert,
    Sat(Model),
    Unsat {
        core: Core,
        /// The assumptions as they were written; none of a plain check.
        assumptions: Vec<String>,
    },
    Unknown(UnknownReason),
}

/// A solver that carries out commands.
pub struct Interpreter<'a> {
    conditions: Conditions,
    /// What stops the next answer.
    control: Control,
    channels: Channels<'a>,
    store: TermStore,
    parser: Parser,
    session: Session,
    options: ScriptOptions,
    /// The assertions on the stack of the session.
    written: Vec<Written>,
    mode: Mode,
    status: Status,
    finished: bool,
}

impl<'a> Interpreter<'a> {
    /// A solver at the start of a script. The control is for the first answer.
    pub fn new(conditions: Conditions, control: Control, console: &'a Console) -> Self {
        let mut store = TermStore::new();
        Interpreter {
            parser: Parser::new(&mut store, TheorySet::DECIDED).with_control(&control),
            control,
            store,
            session: session(conditions.seed),
            options: ScriptOptions::new(conditions.seed),
            written: Vec::new(),
            mode: Mode::Assert,
            status: Status::Done,
            finished: false,
            conditions,
            channels: Channels::new(console),
        }
    }

    /// Writes answers to where the script wants them.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn write(&mut self, answer: &[u8]) -> Result<(), Failure> {
        self.channels.answer(answer)
    }

    /// How far the script has been read.
    pub fn position(&self) -> usize {
        self.parser.position()
    }

    /// Whether the script has said `exit`.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The status of the run so far.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Gives the next answer its time from now on.
    pub fn begin(&mut self) {
        self.control = self.conditions.control();
        self.parser.set_control(&self.control);
    }

    /// Notes an error of the input that is no command.
    pub fn error(&mut self, message: String) -> String {
        self.show(Reply::Error(message)).unwrap_or_default()
    }

    /// Carries out the next command of the text. `None` when there is none; else what to print,
    /// which may be empty. Where there was no time to read a command, the script ends, unless it `goes_on` all the
    /// same: then somebody sees what has become of the command before sending another one.
    pub fn step(&mut self, source: &SourceText, goes_on: bool) -> Option<String> {
        let start = self.parser.position();
        let names = self.parser.named_terms().len();
        let reply = match self.parser.next_command(&mut self.store, source) {
            Ok(None) => return None,
            Ok(Some((command, span))) => self.carry_out(command, span, names, source),
            Err(diagnostic) => {
                if let DiagnosticKind::Stopped(_) = diagnostic.kind {
                    self.finished = !goes_on;
                    self.parser.skip_command(source);
                }
                self.refuse(&diagnostic, start, source)
            }
        };
        if !matches!(reply, Reply::Success) {
            self.begin();
        }
        Some(self.show(reply).unwrap_or_default())
    }

    fn show(&mut self, reply: Reply) -> Option<String> {
        match reply {
            Reply::Error(_) => self.raise(Status::Input),
            Reply::Stopped(_) => self.raise(Status::Limit),
            Reply::Success | Reply::Text(_) | Reply::Unsupported => {}
        }
        reply.line(self.options.print_success)
    }

    fn raise(&mut self, status: Status) {
        self.status = self.status.max(status);
    }

    /// What is answered to a command that was not understood.
    fn refuse(&mut self, diagnostic: &Diagnostic, start: usize, source: &SourceText) -> Reply {
        self.channels.detail(diagnostic.render(source).trim_end());
        if diagnostic.kind == DiagnosticKind::Unsupported
            && is_name_of_command(diagnostic.span, start, source)
        {
            self.channels.note(place(source, diagnostic.span), &diagnostic.message);
            return Reply::Unsupported;
        }
        let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
        let message = format!("{}: {diagnostic}{help}", place(source, diagnostic.span));
        match diagnostic.kind {
            DiagnosticKind::Stopped(_) => Reply::Stopped(message),
            _ => Reply::Error(message),
        }
    }

    fn carry_out(&mut self, command: Command, span: Span, names: usize, source: &SourceText) -> Reply {
        let reply = self.carry_out_anywhere(command, span, names, source);
        match reply {
            Reply::Error(message) => Reply::Error(format!("{}: {message}", place(source, span))),
            Reply::Stopped(message) => Reply::Stopped(format!("{}: {message}", place(source, span))),
            reply => reply,
        }
    }

    fn carry_out_anywhere(
        &mut self,
        command: Command,
        span: Span,
        names: usize,
        source: &SourceText,
    ) -> Reply {
        match command {
            Command::SetLogic(_)
            | Command::SetInfo(_)
            | Command::DeclareSort(_)
            | Command::DefineSort(_)
            | Command::DeclareSymbol(_)
            | Command::Define(_) => Reply::Success,
            Command::SetOption(attribute) => self.set_option(&attribute),
            Command::Assert(term) => self.assert(term, span, names),
            Command::Push(count) => self.push(count),
            Command::Pop(count) => self.pop(count),
            Command::CheckSat => self.check(&[], span, source),
            Command::CheckSatAssuming(assumptions) => self.check(&assumptions, span, source),
            Command::GetModel => self.model(),
            Command::GetValue(terms) => self.values(&terms),
            Command::GetAssignment => self.assignment(),
            Command::GetUnsatAssumptions => self.unsat_assumptions(),
            Command::GetUnsatCore => self.unsat_core(),
            Command::GetAssertions => self.assertions(source),
            Command::GetInfo(keyword) => self.information(&keyword),
            Command::GetOption(keyword) => self.options.get(&keyword),
            Command::Echo(text) => Reply::Text(string_literal(&text)),
            Command::Reset => self.reset(),
            Command::ResetAssertions => self.reset_assertions(),
            Command::Exit => {
                self.finished = true;
                Reply::Success
            }
            Command::DeclareDatatypes(_) | Command::DefineRecursive(_) | Command::Other { .. } => {
                unreachable!("the language of the solver has none")
            }
        }
    }

    fn set_option(&mut self, attribute: &Attribute) -> Reply {
        let before = self.options.clone();
        let reply = self.options.set(attribute, !self.written.is_empty());
        if let Err(failure) = self.set_channels(&before) {
            self.options = before;
            return Reply::Error(failure.headline().to_string());
        }
        let seed = before.random_seed;
        if self.options.random_seed != seed {
            self.session = session(self.options.random_seed);
            (0..self.parser.level()).for_each(|_| self.session.push());
        }
        reply
    }

    /// Writes elsewhere where the options say so now.
    fn set_channels(&mut self, before: &ScriptOptions) -> Result<(), Failure> {
        let now = &self.options;
        if now.regular_channel != before.regular_channel {
            self.channels.set_regular(Channel::open(&now.regular_channel)?);
        }
        if now.diagnostic_channel != before.diagnostic_channel {
            self.channels.set_diagnostic(Channel::open(&now.diagnostic_channel)?);
        }
        self.channels.set_verbosity(now.verbosity);
        Ok(())
    }

    // ---- the stack of assertions

    fn assert(&mut self, term: TermId, span: Span, names: usize) -> Reply {
        let all_names = self.parser.named_terms();
        let new = all_names.len().saturating_sub(names);
        let name =
            all_names.rev().take(new).find(|&(_, named)| named == term).map(|(name, _)| name.to_string());
        let is_named = self.options.produce_unsat_cores && name.is_some();
        self.session.assert(term, if is_named { Tracking::Named } else { Tracking::Silent });
        self.written.push(Written { span, name });
        self.mode = Mode::Assert;
        Reply::Success
    }

    fn push(&mut self, count: u32) -> Reply {
        (0..count).for_each(|_| self.session.push());
        self.mode = Mode::Assert;
        Reply::Success
    }

    fn pop(&mut self, count: u32) -> Reply {
        (0..count).for_each(|_| self.session.pop());
        self.written.truncate(self.session.assertions().len());
        self.mode = Mode::Assert;
        Reply::Success
    }

    fn reset_assertions(&mut self) -> Reply {
        self.session.reset();
        self.written.clear();
        self.mode = Mode::Assert;
        Reply::Success
    }

    fn reset(&mut self) -> Reply {
        self.session = session(self.conditions.seed);
        self.options = ScriptOptions::new(self.conditions.seed);
        self.channels.reset();
        self.written.clear();
        self.mode = Mode::Assert;
        Reply::Success
    }

    // ---- checks

    fn check(&mut self, assumptions: &[TermId], span: Span, source: &SourceText) -> Reply {
        let start = Instant::now();
        let limits = Limits {
            control: self.control.clone(),
            conflicts: Some(self.options.resource_limit).filter(|&limit| limit > 0),
            ticks: None,
        };
        let before = self.channels.is_detailed().then(|| self.session.statistics());
        let answer = self.session.check(&mut self.store, assumptions, &limits);
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
            self.channels.detail(format_args!("{}: {word} in {seconds:.3} s: {effort}", place(source, span)));
        }
        Reply::Text(word.to_string())
    }

    /// Tells why there is no answer, and whose fault that is.
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
                let failure = Failure::near(FailureKind::Internal, source, wrong.start, reason);
                self.channels.failure(
                    &failure
                        .with_help("this is a defect of sundry; please report it together with the script"),
                );
                self.raise(Status::Internal);
            }
            _ => {
                self.channels.note(place(source, span), reason);
                self.raise(Status::Limit);
            }
        }
    }

    // ---- questions about the last check

    fn model(&self) -> Reply {
        match &self.mode {
            _ if !self.options.produce_models => switched_off(":produce-models"),
            Mode::Sat(model) => {
                let symbols = self.parser.declared_symbols();
                match print_model_within(&self.store, model, symbols, &self.control) {
                    Ok(mut text) => {
                        text.truncate(text.trim_end().len());
                        Reply::Text(text)
                    }
                    Err(reason) => Reply::Stopped(format!("{reason} before the model was written")),
                }
            }
            _ => Reply::Error(format!("there is no model: {}", self.last_answer())),
        }
    }

    fn values(&self, terms: &[(TermId, String)]) -> Reply {
        match &self.mode {
            _ if !self.options.produce_models => switched_off(":produce-models"),
            Mode::Sat(model) => self.valued(model, terms),
            _ => Reply::Error(format!("there are no values: {}", self.last_answer())),
        }
    }

    /// The truth values of all Boolean terms that have names.
    fn assignment(&self) -> Reply {
        match &self.mode {
            _ if !self.options.produce_assignments => switched_off(":produce-assignments"),
            Mode::Sat(model) => {
                let named = self.parser.named_terms().filter(|&(_, term)| self.store.is_bool(term));
                let words = named.map(|(name, term)| (term, quote_symbol(name).into_owned()));
                self.valued(model, &words.collect::<Vec<_>>())
            }
            _ => Reply::Error(format!("there is no assignment: {}", self.last_answer())),
        }
    }

    /// Terms with their values in a model.
    fn valued(&self, model: &Model, terms: &[(TermId, String)]) -> Reply {
        let roots: Vec<TermId> = terms.iter().map(|&(term, _)| term).collect();
        let mut evaluator = Evaluator::with_control(&self.store, model, &self.control);
        match evaluator.evaluate(&roots) {
            Ok(()) => {}
            Err(EvaluationError::Stopped(reason)) => {
                return Reply::Stopped(format!("{reason} before the values were computed"));
            }
            Err(error) => return Reply::Error(error.to_string()),
        }
        let mut pairs = Vec::with_capacity(terms.len());
        for (term, words) in terms {
            let Some(value) = evaluator.value(*term) else { continue };
            let value = print_value(&self.store, self.store.sort_of(*term), value);
            if let Err(reason) = self.control.spend(u32::try_from(value.len()).unwrap_or(u32::MAX)) {
                return Reply::Stopped(format!("{reason} before the values were written"));
            }
            pairs.push(format!("({words} {value})"));
        }
        list(pairs.iter().map(String::as_str))
    }

    fn unsat_assumptions(&self) -> Reply {
        match &self.mode {
            _ if !self.options.produce_unsat_assumptions => switched_off(":produce-unsat-assumptions"),
            Mode::Unsat { core, assumptions } => list(core.assumptions.iter().map(|&at| &*assumptions[at])),
            _ => Reply::Error(format!("no assumptions have failed: {}", self.last_answer())),
        }
    }

    fn unsat_core(&self) -> Reply {
        match &self.mode {
            _ if !self.options.produce_unsat_cores => switched_off(":produce-unsat-cores"),
            Mode::Unsat { core, .. } => {
                let names = core.assertions.iter().filter_map(|&at| self.written[at].name.as_deref());
                let names: Vec<String> = names.map(|name| quote_symbol(name).into_owned()).collect();
                list(names.iter().map(String::as_str))
            }
            _ => Reply::Error(format!("there is no unsatisfiable core: {}", self.last_answer())),
        }
    }

    /// What the last check has answered, for messages.
    fn last_answer(&self) -> &'static str {
        match self.mode {
            Mode::Assert => "nothing was checked since the assertions have changed",
            Mode::Sat(_) => "the last answer is sat",
            Mode::Unsat { .. } => "the last answer is unsat",
            Mode::Unknown(_) => "the last answer is unknown",
        }
    }

    // ---- other questions

    fn assertions(&self, source: &SourceText) -> Reply {
        if !self.options.produce_assertions {
            return switched_off(":produce-assertions");
        }
        let terms = self.written.iter().flat_map(|written| written::arguments(source.slice(written.span)));
        list(terms)
    }

    fn information(&self, keyword: &str) -> Reply {
        let value = match keyword {
            ":name" => string_literal("Sundry"),
            ":version" => string_literal(env!("CARGO_PKG_VERSION")),
            ":authors" => string_literal("The authors of Sundry"),
            ":error-behavior" => "continued-execution".to_string(),
            ":assertion-stack-levels" => self.session.level().to_string(),
            ":reason-unknown" => match &self.mode {
                Mode::Unknown(reason) => keyword_of(reason).to_string(),
                _ => return Reply::Error(format!("no answer is unknown: {}", self.last_answer())),
            },
            ":all-statistics" => return Reply::Text(statistics(&self.session.statistics())),
            _ => return Reply::Unsupported,
        };
        Reply::Text(format!("({keyword} {value})"))
    }
}

fn session(seed: u32) -> Session {
    Session::new(EngineOptions {
        sat: SatOptions { seed, ..SatOptions::default() },
        ..EngineOptions::default()
    })
}

fn place(source: &SourceText, span: Span) -> String {
    let position = source.position(span.start);
    format!("{}:{}:{}", source.name(), position.line, position.column)
}

/// Whether a place is the name of the command that starts at an offset.
fn is_name_of_command(span: Span, start: usize, source: &SourceText) -> bool {
    let mut lexer = Lexer::new(source.text(), start);
    let open = lexer.next_token();
    matches!(open, Ok((Token::Open, _))) && lexer.next_token().is_ok_and(|(_, name)| name == span)
}

fn switched_off(option: &str) -> Reply {
    Reply::Error(format!("needs (set-option {option} true) at the start of the script"))
}

fn list<'t>(members: impl Iterator<Item = &'t str>) -> Reply {
    Reply::Text(format!("({})", members.collect::<Vec<_>>().join("\n ")))
}

/// The reason as the standard wants it: `memout`, `incomplete`, or something else in one word.
fn keyword_of(reason: &UnknownReason) -> &'static str {
    match reason {
        UnknownReason::Timeout => "timeout",
        UnknownReason::Interrupted => "interrupted",
        UnknownReason::Budget => "resourceout",
        UnknownReason::Memory | UnknownReason::TooLarge(_) => "memout",
        UnknownReason::Unsupported(_) => "incomplete",
        UnknownReason::RejectedModel(_) => "internal-error",
    }
}

/// What a check has cost.
fn effort(before: &SessionStatistics, after: &SessionStatistics) -> String {
    let (old, new) = (&before.engine, &after.engine);
    let lemmas = |statistics: &sundry_solver::EngineStatistics| statistics.lemmas.values().sum::<u64>();
    let engine = if after.engines > before.engines { ", fresh engine" } else { "" };
    format!(
        "{} conflicts, {} decisions, {} propagations, {} refuted candidates, {} lemmas{engine}",
        new.sat.conflicts - old.sat.conflicts,
        new.sat.decisions - old.sat.decisions,
        new.sat.propagations - old.sat.propagations,
        new.refuted_candidates - old.refuted_candidates,
        lemmas(new) - lemmas(old),
    )
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
