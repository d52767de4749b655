//! What the command line asks for, resolved once: strategies, limits and outputs as plain values that fit together.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use sundry::{Effort, Over, Strategy};
use sundry_report::RunKind;

use crate::arguments::{InputFormat, OutputFormat, SampleArguments};
use crate::console::Console;
use crate::failure::Failure;
use crate::input::is_standard;
use crate::output::named_file;

/// What the job is to do.
pub struct SamplePlan {
    /// Formulas, or folders of them.
    pub inputs: Vec<PathBuf>,
    /// Whether there may be several formulas.
    pub is_batch: bool,
    /// The language of the formulas, unless names and texts show it.
    pub input_format: Option<InputFormat>,
    /// The number of low bits of integers that are AST-bits.
    pub integer_bits: u32,
    /// The way to sample each formula.
    pub sampling: SamplingPlan,
    /// The name of the strategy, as in records.
    pub strategy: &'static str,
    /// The options that the result depends on, by their long names.
    pub options: BTreeMap<String, Value>,
    /// The names of the constants that distinguish solutions, unless all do.
    pub project: Option<Vec<String>>,
    /// The origin of predicates.
    pub predicates: PredicatePlan,
    /// The greatest number of solutions of each formula.
    pub max_solutions: Option<u64>,
    /// Memory for solutions found before, in bytes.
    pub remembered: usize,
    /// Seed of all random choices.
    pub seed: u64,
    /// How many threads may work.
    pub threads: usize,
    /// How long each formula may take.
    pub timeout: Option<Duration>,
    /// The places for results.
    pub output: OutputPlan,
}

/// The way to sample.
#[derive(Clone)]
pub struct SamplingPlan {
    /// The strategy.
    pub strategy: Strategy,
    /// The share of the AST-bits that is enough, for strategies that work towards one.
    pub target: f64,
    /// The effort of the strategy cover at its target.
    pub effort: Effort,
    /// The factors that the strategy t-wise combines.
    pub over: Over,
    /// Whether the strategy t-wise continues when everything is covered.
    pub fill: bool,
}

/// The origin of predicates, and the file for them.
pub struct PredicatePlan {
    /// A file that defines them.
    pub file: Option<PathBuf>,
    /// How many to draw at random.
    pub random: Option<NonZeroUsize>,
    /// How many bits of the formula's own operations to take.
    pub internal: Option<NonZeroUsize>,
    /// A file for those that were taken.
    pub saved: Option<PathBuf>,
}

impl PredicatePlan {
    /// Whether predicates are to be made.
    pub fn are_made(&self) -> bool {
        self.random.is_some() || self.internal.is_some()
    }
}

/// The places for results.
pub struct OutputPlan {
    /// How solutions are written.
    pub format: OutputFormat,
    /// A file for the solutions of one formula, a folder for those of several.
    pub solutions: Option<PathBuf>,
    /// A file for records.
    pub record: Option<PathBuf>,
    /// A file for a table.
    pub summary: Option<PathBuf>,
    /// A folder for what the run claims.
    pub obligations: Option<PathBuf>,
    /// Whether to continue the files of earlier runs.
    pub resume: bool,
    /// Whether figures are printed instead of solutions.
    pub json: bool,
}

impl SamplePlan {
    /// Resolves the arguments of the job.
    ///
    /// # Errors
    /// The arguments contradict each other.
    pub fn new(arguments: &SampleArguments, console: &Console) -> Result<Self, Failure> {
        let SampleArguments { inputs, format, goal, integers, limits, strategy, output, messages: _ } =
            arguments;
        strategy.check()?;
        let made = strategy.predicates();
        let plan = SamplePlan {
            inputs: inputs.clone(),
            is_batch: !matches!(&inputs[..], [one] if !one.is_dir()),
            input_format: format.input_format,
            integer_bits: integers.integer_bits,
            sampling: strategy.sampling(goal.target),
            strategy: strategy.name(),
            options: options(arguments),
            project: strategy.project().map(<[String]>::to_vec),
            predicates: PredicatePlan {
                file: made.predicates.clone(),
                random: made.random_predicates,
                internal: made.internal_predicates,
                saved: made.save_predicates.clone(),
            },
            max_solutions: goal.max_solutions(),
            remembered: strategy.volume().remembered(),
            seed: limits.seed,
            threads: limits.threads(),
            timeout: limits.timeout,
            output: OutputPlan {
                format: output.format,
                solutions: named_file(output.output.as_deref()).map(Path::to_path_buf),
                record: output.record.clone(),
                summary: output.summary.clone(),
                obligations: output.obligations.clone(),
                resume: output.resume,
                json: output.json,
            },
        };
        match plan.kind() {
            RunKind::Set => {}
            RunKind::Tuples => plan.check_tuples()?,
            RunKind::Volume => plan.check_volume()?,
        }
        match plan.is_batch {
            true => plan.check_batch(console)?,
            false => plan.check_single()?,
        }
        Ok(plan)
    }

    /// The kind of run.
    pub fn kind(&self) -> RunKind {
        match self.sampling.strategy {
            Strategy::Cover | Strategy::Pan(_) => RunKind::Set,
            Strategy::TWise(_) => RunKind::Tuples,
            _ => RunKind::Volume,
        }
    }

    /// Whether solutions are drawn, independently of one another.
    pub fn draws(&self) -> bool {
        matches!(self.sampling.strategy, Strategy::Uniform(_) | Strategy::Quick)
    }

    /// Refuses options that combinations have no use for.
    fn check_tuples(&self) -> Result<(), Failure> {
        if self.sampling.fill && self.max_solutions.is_none() {
            let message = "--fill continues up to --max-solutions, which is missing";
            return refuse(message, "add --max-solutions N; --strategy all writes every solution");
        }
        Ok(())
    }

    /// Refuses options that a run at volume has no use for.
    fn check_volume(&self) -> Result<(), Failure> {
        let (output, strategy) = (&self.output, self.strategy);
        if output.obligations.is_some() {
            let message =
                format!("--obligations has no effect with the strategy {strategy}, which claims nothing");
            return refuse(message, "leave --obligations out, or use another strategy");
        }
        if output.resume && self.project.is_some() {
            return refuse(
                "--resume cannot be used with --project: the file does not say which values are done",
                "start again without --resume",
            );
        }
        if output.resume && self.draws() {
            return refuse(
                "--resume cannot be used with the strategy uniform: its draws are independent and may repeat",
                "draw more with another --seed into another file, and join the files",
            );
        }
        if output.resume && output.solutions.is_none() {
            let message =
                format!("--resume with the strategy {strategy} continues the file of -o, and -o is missing");
            return refuse(message, "add -o FILE, for several formulas -o FOLDER");
        }
        Ok(())
    }

    /// Refuses what cannot be done with one formula.
    fn check_single(&self) -> Result<(), Failure> {
        if self.output.resume && self.kind() != RunKind::Volume {
            return refuse(
                "--resume continues a batch, and this is one formula",
                "strategies at volume, such as smtsampler, can continue the file of one formula",
            );
        }
        Ok(())
    }

    /// Refuses what cannot be done with several formulas.
    fn check_batch(&self, console: &Console) -> Result<(), Failure> {
        if self.kind() != RunKind::Set {
            self.check_predicates_of_batch()?;
        }
        let may_go_on_for_ever = self.timeout.is_none()
            && self.kind() == RunKind::Volume
            && self.sampling.strategy != Strategy::All;
        if may_go_on_for_ever && self.max_solutions.is_none() {
            return refuse(
                "no limit given: the first of these formulas would run forever",
                "add --timeout SECONDS for each formula, or --max-solutions N",
            );
        }
        if self.inputs.iter().any(|path| is_standard(path)) {
            let message = "standard input (-) cannot be one of several formulas";
            return Err(Failure::usage(message));
        }
        if self.kind() == RunKind::Set && self.output.resume && self.output.record.is_none() {
            return refuse("--resume needs the --record file of the earlier run", "add --record FILE");
        }
        if may_go_on_for_ever && !self.draws() {
            console.line(
                "note: without --timeout, a formula with arrays or functions that has fewer than -n solutions will run \
                 forever",
            );
        }
        Ok(())
    }

    /// Refuses predicates that several formulas cannot have.
    fn check_predicates_of_batch(&self) -> Result<(), Failure> {
        if self.predicates.saved.is_some() {
            return refuse(
                "--save-predicates works with one formula only, because each formula has its own predicates",
                "call sundry once for each formula, or leave it out",
            );
        }
        if self.predicates.file.as_ref().is_some_and(|path| is_standard(path)) {
            return refuse(
                "predicates for several formulas cannot come from standard input (-), which is read once",
                "put them into a file",
            );
        }
        Ok(())
    }
}

fn refuse(message: impl std::fmt::Display, help: &str) -> Result<(), Failure> {
    Err(Failure::usage(message).with_help(help))
}

/// The options that the result depends on, by their long names.
fn options(arguments: &SampleArguments) -> BTreeMap<String, Value> {
    let SampleArguments { goal, integers, limits, strategy, .. } = arguments;
    let mut options = strategy.options();
    options.insert("integer-bits".to_string(), Value::from(integers.integer_bits));
    options.insert("target".to_string(), Value::from(goal.target));
    options.insert("max-solutions".to_string(), Value::from(goal.max_solutions()));
    options.insert("timeout".to_string(), Value::from(limits.timeout.map(|timeout| timeout.as_secs_f64())));
    options
}
