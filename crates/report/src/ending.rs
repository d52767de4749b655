//! The reasons why runs end: one word for each, the same in records, tables and summaries.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The reason why a run has ended. In files it appears as its [`name`](Ending::name).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Ending {
    /// Nothing more exists to be found, by proof.
    Complete,
    /// The target coverage was reached.
    Target,
    /// The number of solutions asked for was reached.
    MaximalSolutions,
    /// Time was up.
    Timeout,
    /// Somebody asked to stop.
    Interrupted,
    /// The memory in use reached its limit.
    Memory,
    /// No solution exists.
    Unsatisfiable,
    /// The remaining work was too hard for the effort asked for.
    Effort,
    /// A long search found nothing new.
    NothingNew,
}

impl Ending {
    /// All reasons.
    pub const ALL: [Ending; 9] = [
        Ending::Complete,
        Ending::Target,
        Ending::MaximalSolutions,
        Ending::Timeout,
        Ending::Interrupted,
        Ending::Memory,
        Ending::Unsatisfiable,
        Ending::Effort,
        Ending::NothingNew,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Complete => "complete",
            Ending::Target => "target",
            Ending::MaximalSolutions => "max-solutions",
            Ending::Timeout => "timeout",
            Ending::Interrupted => "interrupted",
            Ending::Memory => "memory",
            Ending::Unsatisfiable => "unsatisfiable",
            Ending::Effort => "effort",
            Ending::NothingNew => "nothing-new",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Ending> for &'static str {
    fn from(ending: Ending) -> &'static str {
        ending.name()
    }
}

impl TryFrom<String> for Ending {
    type Error = String;

    fn try_from(word: String) -> Result<Ending, String> {
        let known = Ending::ALL.into_iter().find(|ending| ending.name() == word);
        known.ok_or_else(|| format!("'{word}' is no reason why a run ends"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for ending in Ending::ALL {
            let text = serde_json::to_string(&ending).expect("text");
            assert_eq!(text, format!("\"{ending}\""));
            assert_eq!(serde_json::from_str::<Ending>(&text).expect("a word"), ending);
        }
        assert!(serde_json::from_str::<Ending>("\"bored\"").is_err());
    }
}
