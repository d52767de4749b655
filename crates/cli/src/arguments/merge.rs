//! Arguments of `sundry merge`.

use std::path::PathBuf;

use clap::Args;

use super::MessageArguments;

/// The purpose of the job.
pub const LONG_ABOUT: &str = "\
Merge what campaigns have found that ran side by side, for example with different seeds on several machines.

Findings with the same cause become one, as in a single campaign: wrong answers, wrong models and crashes by solver, kind and \
operators of the reduced formula; slow inputs by operators or executed lines. The smallest formula stands for a defect, the first for a \
slow input. Names of seeds begin with the folder of their campaign. The campaigns themselves stay as they are; the output \
folder is written anew each time.";

const EXAMPLES: &str = "\
Examples:
  sundry fuzz --solver z3 --seed 1 -o one seeds/; sundry fuzz --solver z3 --seed 2 -o two seeds/
  sundry merge one two -o both
      the findings of both, each once, with the same files as in a campaign

Exit codes: 0 there are no confirmed findings; 1 there are some; 2 a folder is not
that of a campaign.";

/// Arguments of `sundry merge`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct MergeArguments {
    /// Folders of campaigns of sundry fuzz or sundry stress
    #[arg(value_name = "FOLDER", required = true)]
    pub campaigns: Vec<PathBuf>,

    /// Folder for the findings of all
    #[arg(short, long, value_name = "DIR", help_heading = "Output")]
    pub output: PathBuf,

    #[command(flatten)]
    pub messages: MessageArguments,
}
