//! Conversion of the options of a sampler to a request of the pipeline, with the errors that they can have.

use std::time::Instant;

use sundry_sample::{
    LEAST_TOLERANCE, MAX_STRENGTH, Method, Request, TWiseOptions, UniformMethod, UniformOptions,
    VolumeOptions, VolumeStrategy,
};

use super::{Sampler, Strategy};
use crate::error::{Error, ErrorKind};

/// The number of names that a message shows.
const SHOWN: usize = 20;

impl Sampler {
    /// The request to the pipeline.
    pub(super) fn request(&self) -> Result<Request, Error> {
        let Sampler { formula, strategy, target, effort, timeout, .. } = self;
        let wrong = |message: String, help: &str| Err(Error::new(ErrorKind::Input, message).with_help(help));
        if !(0.0..=1.0).contains(target) {
            let message = format!("the target {target} is not between 0 and 1");
            return wrong(message, "the target is a share of the AST-bits, such as 0.95");
        }
        let predicates = formula.predicates().to_vec();
        let is_guided =
            matches!(strategy, Strategy::Guided(_) | Strategy::ClassesHard | Strategy::ClassesSoft);
        if is_guided && predicates.is_empty() {
            let error = Error::new(ErrorKind::Input, "the strategy is about predicates, and there are none");
            return Err(
                error.with_help("give the reader of the formula some: Formula::reader().predicates(TEXT)")
            );
        }
        let method = match strategy.clone() {
            Strategy::Cover => Method::Cover { target: *target, effort: *effort },
            Strategy::Pan(options) => Method::Pan { target: *target, options },
            Strategy::TWise(strength) if !(1..=MAX_STRENGTH).contains(&strength) => {
                let message = format!("combinations of {strength} values are not supported");
                return wrong(message, &format!("the strength is a number from 1 to {MAX_STRENGTH}"));
            }
            Strategy::TWise(strength) => {
                Method::TWise(TWiseOptions { strength, over: self.over, predicates, fill: self.fill })
            }
            Strategy::All => Method::Volume(self.volume(VolumeStrategy::All)?),
            Strategy::SmtSampler(granularity) => {
                Method::Volume(VolumeOptions { granularity, ..self.volume(VolumeStrategy::Combine)? })
            }
            Strategy::Guided(guidance) => Method::Volume(self.volume(VolumeStrategy::Guide(guidance))?),
            Strategy::ClassesHard => Method::Volume(self.volume(VolumeStrategy::ClassesHard)?),
            Strategy::ClassesSoft => Method::Volume(self.volume(VolumeStrategy::ClassesSoft)?),
            Strategy::Uniform(tolerance) if !(tolerance > 0.0 && tolerance.is_finite()) => {
                let message = format!("the tolerance {tolerance} is not positive");
                return wrong(
                    message,
                    "with 0.3, the default, each probability is at most 1.3 times the uniform one",
                );
            }
            Strategy::Uniform(tolerance) if tolerance < LEAST_TOLERANCE => {
                let message = format!("the tolerance {tolerance} is too small");
                return wrong(message, &format!("the least tolerance is {LEAST_TOLERANCE}"));
            }
            Strategy::Uniform(tolerance) => Request::uniform(tolerance).method,
            Strategy::Quick => Method::Uniform(UniformOptions::new(UniformMethod::Quick, 1.0)),
        };
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let control = match deadline {
            Some(_) => self.request.control.with_deadline(deadline),
            None => self.request.control.clone(),
        };
        Ok(Request { method, control, ..self.request.clone() })
    }

    /// A way to find many solutions.
    fn volume(&self, strategy: VolumeStrategy) -> Result<VolumeOptions, Error> {
        Ok(VolumeOptions {
            predicates: self.formula.predicates().to_vec(),
            project: self.projection()?,
            stream: self.run_number,
            memory: self.remembered,
            ..VolumeOptions::new(strategy)
        })
    }

    /// The constants that distinguish solutions, where not all of them do.
    fn projection(&self) -> Result<Option<Vec<sundry_term::SymbolId>>, Error> {
        let parts = self.formula.parts();
        let Some(names) = &self.project else {
            let has_auxiliary = !parts.problem.roles.auxiliary.is_empty();
            return Ok(has_auxiliary.then(|| parts.problem.shown().collect()));
        };
        let find = |name: &String| {
            self.formula.constant(name).ok_or_else(|| {
                let message = format!("there is no constant '{name}' to project to");
                let known: Vec<&str> = self.formula.constants().take(SHOWN).collect();
                Error::new(ErrorKind::Input, message).with_help(format!("constants are {}", known.join(", ")))
            })
        };
        names.iter().map(find).collect::<Result<Vec<_>, _>>().map(Some)
    }
}
