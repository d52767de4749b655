//! A solver with some of its options.

use std::io;

use sundry_external::{
    Capabilities, Circumstances, Inquiry, Reply, Respondent, SolverOption, Verdict, command_with_options,
};

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

    /// The same solver with as few of its options as possible so that `shows` is true: without all of them, or so that none
    /// can be left out. It is taken to be true with all of them.
    ///
    /// Of at most three options, leaving out one after the other takes no more runs than delta debugging.
    ///
    /// # Errors
    /// The errors of `shows`.
    pub(crate) fn with_fewest_options(
        &self,
        mut shows: impl FnMut(&Configured<'s>) -> io::Result<bool>,
    ) -> io::Result<Configured<'s>> {
        let plain = Configured::plain(self.solver);
        if self.options.is_empty() || shows(&plain)? {
            return Ok(plain);
        }
        let (mut fewest, mut place) = (self.clone(), 0);
        while fewest.options.len() > 1 && place < fewest.options.len() {
            let mut options = fewest.options.clone();
            options.remove(place);
            let fewer = Configured::new(self.solver, options);
            if shows(&fewer)? {
                fewest = fewer;
            } else {
                place += 1;
            }
        }
        Ok(fewest)
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

#[cfg(test)]
mod tests {
    use sundry_external::{Profiles, Solver, Standing};

    use super::*;

    /// The arguments of the fewest of the options `a`, `b` and `c` with which a defect shows that needs these.
    fn fewest(needed: &[&str], runs: &mut usize) -> Vec<String> {
        let option = |name: &str| SolverOption {
            name: name.into(),
            argument: format!("{name}=1"),
            standing: Standing::Regular,
        };
        let solver = Solver::new("z3", &Profiles::built_in()).expect("a command");
        let configured = Configured::new(&solver, ["a", "b", "c"].map(option).to_vec());
        assert_eq!(configured.name(), "z3 a=1 b=1 c=1");
        let shows = |solver: &Configured<'_>| {
            *runs += 1;
            Ok(needed.iter().all(|name| solver.options.iter().any(|option| option.name == *name)))
        };
        let fewest = configured.with_fewest_options(shows).expect("no errors");
        fewest.options.into_iter().map(|option| option.argument).collect()
    }

    #[test]
    fn options_that_a_defect_does_not_need_are_left_out() {
        let mut runs = 0;
        assert_eq!(fewest(&[], &mut runs), Vec::<String>::new());
        assert_eq!(runs, 1, "without options comes first");
        assert_eq!(fewest(&["b"], &mut runs), ["b=1"]);
        assert_eq!(fewest(&["a", "c"], &mut runs), ["a=1", "c=1"]);
        assert_eq!(fewest(&["a", "b", "c"], &mut runs), ["a=1", "b=1", "c=1"]);
    }
}
