//! Trials: which options does this build of a solver take?
//!
//! A list of its options, if the build prints one, says which of the table it does not have, and which it has beyond the
//! table. What is left is put to it with a trivial script: many options at once, and where the build does not answer, halves
//! of them. So an option counts as taken only if the build answers with it, and still prints models.

use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::listing::{ListedOption, listed_options};
use super::{OptionPool, SolverOption, Standing};
use crate::feature::Feature;
use crate::process::{Finished, Limits};
use crate::reply::{Reply, Verdict};
use crate::respondent::{Circumstances, Respondent};
use crate::solver::Solver;

/// The time for all trials of a solver. Options that are not tried by then are dropped.
const PATIENCE: Duration = Duration::from_secs(30);
/// Options in one trial, at most.
const TOGETHER: usize = 16;
/// The processor time of one trial, at most.
const TRIAL_TIME: Duration = Duration::from_secs(2);
/// Characters of a reason that are kept.
const REASON_LENGTH: usize = 160;

impl Solver {
    /// Finds out which options worth trying this build takes; none if its profile has no table. Takes about as long as some
    /// dozens of starts of the solver.
    ///
    /// # Errors
    /// The solver cannot be started.
    pub fn find_options(&self, circumstances: Circumstances<'_>) -> io::Result<OptionPool> {
        let table = &self.profile().options;
        // On a busy machine, a trivial script may take a while.
        let limits = Limits { processor: Some(TRIAL_TIME), ..circumstances.limits.clone() };
        let circumstances = Circumstances { limits: &limits, ..circumstances };
        let mut pool = OptionPool::default();
        let mut known = table.known();
        if known.is_empty() {
            return Ok(pool);
        }
        let list = self.list(circumstances)?;
        let mut unknown = table.unknown(&list);
        // What the user has set stays so.
        for options in [&mut known, &mut unknown] {
            options.retain(|option| !self.sets(&option.name));
        }
        let (listed, unlisted): (Vec<_>, Vec<_>) = known
            .into_iter()
            .partition(|option| list.is_empty() || list.iter().any(|it| it.name == option.name));
        let dropped = |option: SolverOption| (option.argument, "the build does not list it".to_string());
        pool.dropped.extend(unlisted.into_iter().map(dropped));
        let mut trials = Trials { solver: self, circumstances, deadline: Instant::now() + PATIENCE, pool };
        for options in [listed, unknown] {
            for some in options.chunks(TOGETHER) {
                trials.hold(some)?;
            }
        }
        let mut pool = trials.pool;
        pool.suspects = table.suspects();
        Ok(pool)
    }

    /// Whether the command of the solver sets an option.
    fn sets(&self, name: &str) -> bool {
        self.arguments().iter().any(|argument| {
            let (set, _) = argument.split_once('=').unwrap_or((argument, ""));
            let set = set.trim_start_matches('-');
            set == name || set.strip_prefix("no-") == Some(name)
        })
    }

    /// The options that the build lists; none if it does not.
    fn list(&self, circumstances: Circumstances<'_>) -> io::Result<Vec<ListedOption>> {
        let mut options: Vec<ListedOption> = Vec::new();
        for arguments in &self.profile().options.lists {
            let Finished { output, .. } = self.call(arguments, circumstances)?;
            for option in listed_options(&output.text) {
                if options.iter().all(|other| other.name != option.name) {
                    options.push(option);
                }
            }
        }
        Ok(options)
    }

    /// A trivial script that asks for a model where the build prints any.
    fn trial_script(&self) -> String {
        let lacks = |feature| self.capabilities().lacking.contains_key(&feature);
        let models = &self.profile().models;
        let (option, command) = match lacks(Feature::Models) {
            true => ("", ""),
            false => (models.option.as_str(), models.command.as_str()),
        };
        // More options fit a logic without functions.
        let logic = if lacks(Feature::BitVectors) { "QF_UF" } else { "QF_BV" };
        format!(
            "{option}\n(set-logic {logic})\n(declare-fun p () Bool)\n(assert p)\n(check-sat)\n{command}\n"
        )
    }
}

struct Trials<'a> {
    solver: &'a Solver,
    circumstances: Circumstances<'a>,
    deadline: Instant,
    pool: OptionPool,
}

impl Trials<'_> {
    /// Tries some options, all at once as long as that goes well.
    fn hold(&mut self, options: &[SolverOption]) -> io::Result<()> {
        let script = self.solver.trial_script();
        let mut groups = vec![options];
        while let Some(group) = groups.pop() {
            let refusal = if self.is_over() {
                Some("there was no time to try it".to_string())
            } else {
                self.refusal(group, &script)?
            };
            match (group, refusal) {
                (_, None) => self.pool.options.extend_from_slice(group),
                ([], _) => {}
                ([option], Some(why)) => self.drop_option(option, why),
                (_, Some(_)) => {
                    let (first, second) = group.split_at(group.len() / 2);
                    groups.extend([second, first]);
                }
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.deadline || self.circumstances.interrupted.load(Ordering::Relaxed)
    }

    /// The reason for which the build does not take these options together; `None` if it does.
    fn refusal(&self, options: &[SolverOption], script: &str) -> io::Result<Option<String>> {
        let arguments: Vec<String> = options.iter().map(|option| option.argument.clone()).collect();
        let finished = self.solver.run_with(&arguments, script, self.circumstances)?;
        Ok(refusal(&self.solver.profile().read(finished)))
    }

    fn drop_option(&mut self, option: &SolverOption, why: String) {
        // That an option which no table has cannot be used is no news.
        if option.standing != Standing::Unknown {
            self.pool.dropped.insert(option.argument.clone(), why);
        }
    }
}

/// The reason for which a reply to the trivial script is not the right one; `None` if it is.
fn refusal(reply: &Reply) -> Option<String> {
    let why = match (&reply.error, &reply.fault, reply.verdict()) {
        (Some(error), ..) => error.clone(),
        (None, Some(fault), _) => fault.to_string(),
        (None, None, Some(Verdict::Sat)) => return None,
        (None, None, verdict) => {
            verdict.map_or("no answer".to_string(), |verdict| format!("it says {verdict}"))
        }
    };
    Some(why.lines().next().unwrap_or_default().chars().take(REASON_LENGTH).collect())
}
