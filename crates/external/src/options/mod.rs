//! Options of solvers with values that are worth trying: tables of known ones, and those that a build lists.
//!
//! A right solver gives the same answers with each of these options, or `unknown`: they choose algorithms. The tables
//! (`options.toml`) are data. Which options a build takes is found out by asking it, because a table is wrong for every
//! release but one.

mod listing;
mod table;
mod trial;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::command::command_with;

pub(crate) use table::built_in_tables;
pub use table::{OptionTable, TableEntry};

/// The standing of an option with those who make the solver.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// A regular option, for all users.
    Regular,
    /// An experimental option, or one for experts.
    Experimental,
    /// An option that the build lists and no table has.
    Unknown,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Standing::Regular => "regular",
            Standing::Experimental => "experimental",
            Standing::Unknown => "not in Sundry's table",
        })
    }
}

/// An option of a solver with a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct SolverOption {
    /// The name of the option.
    pub name: String,
    /// The argument of the command line that sets the value.
    pub argument: String,
    /// The standing of the option.
    pub standing: Standing,
}

/// The command of a solver with these options behind it, quoted as for a shell.
pub fn command_with_options(command: &str, options: &[SolverOption]) -> String {
    command_with(command, options.iter().map(|option| option.argument.as_str()))
}

/// The options that a build of a solver takes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OptionPool {
    /// The options that it takes, those of the table first.
    pub options: Vec<SolverOption>,
    /// The arguments of options that a table has and the build does not take, with its reason.
    pub dropped: BTreeMap<String, String>,
    /// The arguments of options that are asked about one at a time where a defect shows without options.
    #[serde(default)]
    pub suspects: Vec<String>,
}

impl OptionPool {
    /// Whether nothing was to be tried: no table has options of the solver.
    pub fn is_empty(&self) -> bool {
        self.options.is_empty() && self.dropped.is_empty()
    }

    /// The options that are asked about one at a time where a defect shows without options, in the order of the table.
    pub fn suspects(&self) -> impl Iterator<Item = &SolverOption> {
        self.suspects
            .iter()
            .filter_map(|argument| self.options.iter().find(|option| option.argument == *argument))
    }
}
