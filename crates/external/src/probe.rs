//! Probing which features *this build* of a solver reads, before it gets any work.
//!
//! One script has a small question for each [`Feature`], separated by `reset`, with an `echo` before each question,
//! so that a small number of starts answers all. A solver that stops at a question is started again with the
//! questions after it; a solver without `reset` or `echo` gets a file for each question. A `reset` may make a solver
//! forget the options of its command line too, so a question that is refused after a `reset` is asked again first in
//! a script. Only a refusal means that a feature is lacking: a crash, a wrong answer or a missing answer is for tests
//! to find. The alternative, lists of theories in profiles, is wrong for every build that was configured differently.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::capabilities::Capabilities;
use crate::dialect::{Dialect, Escapes};
use crate::feature::Feature;
use crate::process::{Finished, Output};
use crate::profile::ModelWords;
use crate::questions::{QUESTIONS, Question};
use crate::reply::{Fault, Reply, Verdict};
use crate::respondent::Circumstances;
use crate::shared;
use crate::solver::Solver;

/// The time limit of probing. Features that are still unknown then count as read.
const PATIENCE: Duration = Duration::from_secs(5);

/// A script that every solver answers.
const TRIVIAL: &str = "(set-logic QF_UF)\n(declare-fun p () Bool)\n(assert p)\n(check-sat)\n";

/// A script that is satisfiable only with the escapes from before the standard had any.
const OLDER_ESCAPE: &str =
    "(declare-fun x () String)\n(assert (= x \"\\x41\"))\n(assert (= (str.len x) 1))\n(check-sat)\n";

/// The text that is printed before and after the answer to a question.
const QUESTION: &str = "sundry asks";
const RESET: &str = "sundry resets";

impl Question {
    fn script(&self, logic: Logic, models: &ModelWords) -> String {
        let (option, command) = match self.feature {
            Feature::Models => (models.option.as_str(), models.command.as_str()),
            Feature::Cores => ("(set-option :produce-unsat-cores true)", "(get-unsat-core)"),
            _ => ("", ""),
        };
        let logic = if logic == Logic::All { "ALL" } else { self.logic };
        let lines = [option, &format!("(set-logic {logic})"), self.body.trim_end(), command];
        lines.into_iter().filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
    }

    /// The outcome for the feature, from a reply.
    fn judge(&self, reply: &Reply) -> Outcome {
        let right = if self.feature == Feature::Cores { Verdict::Unsat } else { Verdict::Sat };
        match (reply.verdict(), &reply.fault) {
            (Some(verdict), _) if verdict != right => Outcome::Open,
            (Some(_), _) => match self.feature {
                Feature::Models | Feature::Cores
                    if reply.answers.last().is_none_or(|answer| answer.behind.is_empty()) =>
                {
                    Outcome::Refused(reply.error.clone().unwrap_or("it prints none".to_string()))
                }
                _ => Outcome::Read,
            },
            (None, Some(Fault::Unsupported(message) | Fault::Error(message))) => {
                Outcome::Refused(message.clone())
            }
            (None, _) => Outcome::Open,
        }
    }
}

/// The logics that questions are asked in.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Logic {
    All,
    Each,
}

/// The reaction of a solver to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Outcome {
    /// The solver answers.
    Read,
    /// The solver says that it cannot.
    Refused(String),
    /// The solver crashed, gives a wrong answer, or took too long.
    Open,
}

/// The reason for which a solver is unusable.
#[derive(Debug)]
pub enum Unusable {
    /// The solver cannot be started.
    Start(io::Error),
    /// The solver fails on a trivial script with this fault.
    NoAnswer(Fault),
    /// The solver gives a wrong answer to a trivial script.
    WrongAnswer(Verdict),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Start(error) => error.fmt(f),
            Unusable::NoAnswer(Fault::Timeout) => {
                f.write_str("it does not answer a trivial script within its time")
            }
            Unusable::NoAnswer(fault) => write!(f, "to a trivial script it says: {fault}"),
            Unusable::WrongAnswer(verdict) => {
                write!(f, "it says {verdict} of a formula that is one variable")
            }
        }
    }
}

impl std::error::Error for Unusable {}

impl From<io::Error> for Unusable {
    fn from(error: io::Error) -> Self {
        Unusable::Start(error)
    }
}

impl Solver {
    /// Probes what this build of the solver reads, and selects the dialect in which it reads most. Takes about as
    /// long as a small number of starts of the solver, and at most a few seconds if these are slow.
    ///
    /// # Errors
    /// The solver cannot be started, or does not answer a trivial script: every later result would only show that.
    pub fn probed(self, circumstances: Circumstances<'_>) -> Result<Solver, Unusable> {
        let reply = self.run_script(TRIVIAL, circumstances)?;
        match (reply.verdict(), reply.fault) {
            (Some(Verdict::Sat), _) => {}
            (Some(other), _) => return Err(Unusable::WrongAnswer(other)),
            (None, fault) => return Err(Unusable::NoAnswer(fault.unwrap_or(Fault::NoAnswer))),
        }
        let version = self.version(circumstances)?;
        let preferred = self.taken(&self.profile().preferred, circumstances)?;
        let solver = self.with_arguments(&preferred);
        let mut interview = Interview {
            solver: &solver,
            circumstances,
            deadline: Instant::now() + PATIENCE,
            logic: Logic::All,
            is_one_by_one: false,
            outcomes: BTreeMap::new(),
        };
        let dialect = interview.hold()?;
        let lacking = interview.lacking(dialect);
        let knows_strings = !lacking.contains_key(&Feature::Strings);
        let escapes = if knows_strings { interview.escapes()? } else { Escapes::default() };
        // A build that cannot do it may fail in any way, and of others the profile does not say how.
        let answers_repeatedly = shared::answers_repeatedly(&solver, TRIVIAL, circumstances).unwrap_or(false);
        let capabilities = Capabilities { version, lacking, escapes, answers_repeatedly };
        Ok(solver.with_dialect(dialect).with_capabilities(capabilities))
    }

    /// Adds the options with which the solver checks its own answers, as far as this build takes them, to the
    /// arguments of every call.
    ///
    /// # Errors
    /// The solver cannot be started.
    pub fn with_self_checks(self, circumstances: Circumstances<'_>) -> io::Result<Solver> {
        let taken = self.taken(&self.profile().self_check, circumstances)?;
        Ok(self.with_arguments(&taken))
    }

    /// The arguments, out of some, that this build takes.
    fn taken(&self, arguments: &[String], circumstances: Circumstances<'_>) -> io::Result<Vec<String>> {
        let takes = |arguments: &[String]| {
            let solver = self.clone().with_arguments(arguments);
            let reply = solver.run_script(TRIVIAL, circumstances)?;
            Ok::<bool, io::Error>(reply.verdict() == Some(Verdict::Sat) && reply.error.is_none())
        };
        if arguments.is_empty() || takes(arguments)? {
            return Ok(arguments.to_vec());
        }
        let mut taken = Vec::new();
        for argument in arguments {
            if takes(std::slice::from_ref(argument))? {
                taken.push(argument.clone());
            }
        }
        Ok(taken)
    }
}

/// Questions put to one solver.
struct Interview<'a> {
    solver: &'a Solver,
    circumstances: Circumstances<'a>,
    deadline: Instant,
    logic: Logic,
    is_one_by_one: bool,
    /// Outcomes by the script in its spelling.
    outcomes: BTreeMap<String, Outcome>,
}

impl Interview<'_> {
    /// Asks everything, and says in which dialect most is read.
    fn hold(&mut self) -> io::Result<Dialect> {
        let own = self.solver.profile().dialect;
        self.ask_all(own)?;
        if self.count(own) == 0 {
            self.logic = Logic::Each;
            self.ask_all(own)?;
        }
        let mut best = own;
        for dialect in Dialect::ALL {
            self.ask_all(dialect)?;
            if self.count(dialect) > self.count(best) {
                best = dialect;
            }
        }
        Ok(best)
    }

    /// The number of questions that are answered in a dialect.
    fn count(&self, dialect: Dialect) -> usize {
        QUESTIONS.iter().filter(|question| self.is_read(question, dialect)).count()
    }

    fn is_read(&self, question: &Question, dialect: Dialect) -> bool {
        self.outcome(question, dialect) == Some(&Outcome::Read)
    }

    fn spell(&self, question: &Question, dialect: Dialect) -> String {
        dialect.spell(&question.script(self.logic, &self.solver.profile().models)).into_owned()
    }

    fn outcome(&self, question: &Question, dialect: Dialect) -> Option<&Outcome> {
        self.outcomes.get(&self.spell(question, dialect))
    }

    /// The refusal of a feature, or of one that it requires, in a dialect.
    fn lacks(&self, feature: Feature, dialect: Dialect) -> Option<String> {
        let mut why = None;
        for question in QUESTIONS.iter().filter(|question| question.feature == feature) {
            why = match self.outcome(question, dialect) {
                Some(Outcome::Refused(message)) => Some(message.clone()),
                _ => Some(question.requires.iter().find_map(|&other| self.lacks(other, dialect))?),
            };
        }
        why
    }

    fn lacking(&self, dialect: Dialect) -> BTreeMap<Feature, String> {
        let features: BTreeSet<Feature> = QUESTIONS.iter().map(|question| question.feature).collect();
        features.into_iter().filter_map(|feature| Some((feature, self.lacks(feature, dialect)?))).collect()
    }

    /// The questions that are open in a dialect: there is no answer yet, neither to them nor, in any dialect, to
    /// another question for the same feature, and no feature that they require is lacking.
    fn open(&self, dialect: Dialect) -> Vec<&'static Question> {
        let is_read = |feature| {
            let mut questions = QUESTIONS.iter().filter(|question| question.feature == feature);
            questions.any(|question| Dialect::ALL.iter().any(|&dialect| self.is_read(question, dialect)))
        };
        let is_open = |question: &&Question| {
            self.outcome(question, dialect).is_none()
                && !is_read(question.feature)
                && !question.requires.iter().any(|&feature| self.lacks(feature, dialect).is_some())
        };
        QUESTIONS.iter().filter(is_open).collect()
    }

    fn ask_all(&mut self, dialect: Dialect) -> io::Result<()> {
        loop {
            let open = self.open(dialect);
            let Some(first) = open.first().filter(|_| !self.is_over()) else { return Ok(()) };
            if self.is_one_by_one {
                self.ask_one(first, dialect)?;
            } else {
                self.ask_together(&open, dialect)?;
            }
        }
    }

    /// The escapes that the solver knows in strings. The dialect does not say it: there are builds that know both kinds.
    fn escapes(&self) -> io::Result<Escapes> {
        if self.is_over() {
            return Ok(Escapes::default());
        }
        let logic = if self.logic == Logic::All { "ALL" } else { "QF_SLIA" };
        let reply = self.run(&format!("(set-logic {logic})\n{OLDER_ESCAPE}"))?;
        Ok(if reply.verdict() == Some(Verdict::Sat) { Escapes::Older } else { Escapes::Standard })
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.deadline || self.circumstances.interrupted.load(Ordering::Relaxed)
    }

    fn run(&self, script: &str) -> io::Result<Reply> {
        self.solver.run_script(script, self.circumstances)
    }

    fn ask_one(&mut self, question: &Question, dialect: Dialect) -> io::Result<()> {
        let script = self.spell(question, dialect);
        let outcome = question.judge(&self.run(&script)?);
        self.outcomes.insert(script, outcome);
        Ok(())
    }

    /// Asks several questions in one script. Afterwards at least the first has an outcome, unless the solver does not
    /// print where answers begin, or ignores the `reset`.
    fn ask_together(&mut self, questions: &[&Question], dialect: Dialect) -> io::Result<()> {
        let scripts: Vec<String> = questions.iter().map(|question| self.spell(question, dialect)).collect();
        let whole: Vec<String> = scripts
            .iter()
            .map(|script| format!("(echo \"{QUESTION}\")\n{script}(echo \"{RESET}\")\n"))
            .collect();
        let Finished { output, errors, status, stopped, .. } = self.run(&whole.join("(reset)\n"))?.finished;
        let parts: Vec<Vec<&str>> =
            output.text.split(QUESTION).skip(1).map(|part| part.split(RESET).collect()).collect();
        let is_reset = |part: &Vec<&str>| {
            part.get(1).is_none_or(|behind| matches!(behind.trim_matches(['"', '\n', ' ']), "" | "success"))
        };
        let ends_in_reset = parts.len() < questions.len() && parts.last().is_some_and(|part| part.len() > 1);
        if parts.is_empty() || ends_in_reset || !parts.iter().all(is_reset) {
            self.is_one_by_one = true;
            return Ok(());
        }
        for (number, ((part, question), script)) in parts.iter().zip(questions).zip(scripts).enumerate() {
            let text = part[0].trim_matches(['"', '\n', ' ']).to_string();
            let output = Output { text, is_cut: false };
            // The end of the run matters for the question at which it ended.
            let finished = match part.len() {
                1 => Finished { output, errors: errors.clone(), status, stopped, ..Finished::default() },
                _ => Finished { output, ..Finished::default() },
            };
            let outcome = question.judge(&self.solver.profile().read(finished));
            let may_have_forgotten = number > 0 && matches!(outcome, Outcome::Refused(_));
            if !may_have_forgotten {
                self.outcomes.insert(script, outcome);
            }
        }
        Ok(())
    }
}
