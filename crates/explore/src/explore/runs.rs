//! Runs with terms, and shorter inputs for the errors in which they end.

use super::{Explorer, Origin, Test};
use crate::finding::Finding;
use crate::input::Input;
use crate::question::Observer;
use crate::run::{Run, RunEnd, SymbolicRun};
use crate::shrink::{Check, shrunk};
use crate::solve::Knowledge;

/// The plain instructions that take as long as one of a run with terms, about.
const WORK_OF_SYMBOLIC_STEP: u64 = 32;

impl Explorer<'_> {
    /// Runs an input with terms, for the whole budget of steps if an error would not be known otherwise.
    pub(super) fn run_with_terms(&mut self, input: &Input) -> SymbolicRun {
        let Explorer { runner, patience, findings, options, .. } = self;
        let Knowledge { variables, terms, .. } = Knowledge::between_rounds(&mut self.knowledge);
        runner.most_steps = patience.steps();
        let mut symbolic = runner.execute(input, variables, terms);
        if symbolic.run.end == RunEnd::Steps && runner.most_steps < patience.most_steps {
            let finding = Finding::of(&symbolic.run, &options.bad_exits, runner.program);
            if finding.is_some_and(|finding| findings.contains(&finding.error())) {
                symbolic.is_truncated = true;
            } else {
                runner.most_steps = patience.most_steps;
                symbolic = runner.execute(input, variables, terms);
            }
        }
        runner.most_steps = patience.most_steps;
        patience.note(&symbolic.run, symbolic.decisions.len());
        if symbolic.run.end == RunEnd::Steps && symbolic.decisions.len() > patience.decisions() {
            symbolic.decisions.truncate(patience.decisions());
            symbolic.is_truncated = true;
        }
        symbolic
    }

    /// Looks for a shorter input with the error of an input, by plain runs where these know the error. The observer receives such an input, and if its path is new, it
    /// is run as well.
    pub(super) fn shorten(
        &mut self,
        finding: &Finding,
        input: &Input,
        is_beyond_object: bool,
        observer: &mut dyn Observer,
    ) {
        let (program, bad_exits) = (self.runner.program, self.options.bad_exits.clone());
        let shows = |run: &Run| Finding::of(run, &bad_exits, program).as_ref() == Some(finding);
        let variables = self.knowledge.variables.clone();
        // Plain runs do not know the objects that an access means.
        let mut run = |input: &Input| match is_beyond_object {
            true => self.run_with_terms(input).run,
            false => self.runner.replay(input, &variables, true),
        };
        let work_of_step = if is_beyond_object { WORK_OF_SYMBOLIC_STEP } else { 1 };
        let check = Check { run: &mut run, shows: &shows, work_of_step };
        let Some((shorter, run)) = shrunk(check, input, &variables) else { return };
        if !self.known_paths.contains(&run.path) {
            self.add(shorter.clone(), Origin::Shortened);
        }
        observer.shortened(&Test {
            number: self.statistics.tests,
            input: &shorter,
            origin: Origin::Shortened,
            run: &run,
            is_new_path: false,
            new_edges: 0,
            questions: self.statistics.solve.questions,
            finding: Some(finding),
            variables: &self.knowledge.variables,
        });
    }
}
