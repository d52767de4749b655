//! A solver with some of its options.

use std::io;

use sundry_external::{Capabilities, Circumstances, Inquiry, Reply, Respondent, SolverOption, Verdict};

use crate::ask::asker::Asker;

/// A script that every solver answers.
const TRIVIAL: &str = "(set-logic QF_BV)\n(declare-fun p () Bool)\n(assert p)\n(check-sat)\n";

/// A solver that is asked with these options, in addition to those of its command. Without any, it is the solver itself.
#[derive(Clone, Debug)]
pub(crate) struct Configured<'s> {
    pub(crate) solver: &'s dyn Respondent,
    pub(crate) options: Vec<SolverOption>,
    name: String,
}

impl<'s> Configured<'s> {
    pub(crate) fn new(solver: &'s dyn Respondent, options: Vec<SolverOption>) -> Configured<'s> {
        Configured { solver, name: command_with_options(solver.name(), &options), options }
    }

    /// The solver without options.
    pub(crate) fn plain(solver: &'s dyn Respondent) -> Configured<'s> {
        Configured::new(solver, Vec::new())
    }

    /// The same solver without the option at this place.
    pub(crate) fn without(&self, place: usize) -> Configured<'s> {
        let mut options = self.options.clone();
        options.remove(place);
        Configured::new(self.solver, options)
    }

    /// Whether the build takes the options: it answers a trivial script.
    ///
    /// # Errors
    /// The solver cannot be started.
    pub(crate) fn takes_its_options(&self, asker: Asker<'_>) -> io::Result<bool> {
        if self.options.is_empty() {
            return Ok(true);
        }
        let trivial = Inquiry::parse(TRIVIAL).expect("the script is legal");
        let reply = asker.ask(self, &trivial)?;
        Ok(reply.verdict() == Some(Verdict::Sat) && reply.error.is_none())
    }
}

impl Respondent for Configured<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn family(&self) -> &str {
        self.solver.family()
    }

    fn capabilities(&self) -> &Capabilities {
        self.solver.capabilities()
    }

    fn ask(&self, inquiry: &Inquiry, circumstances: Circumstances<'_>) -> io::Result<Reply> {
        if self.options.is_empty() {
            return self.solver.ask(inquiry, circumstances);
        }
        let arguments = self.options.iter().map(|option| option.argument.clone()).collect();
        self.solver.ask(&inquiry.with_arguments(arguments), circumstances)
    }
}
