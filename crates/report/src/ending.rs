//! Why runs end: one word for each reason, the same in records, tables and summaries.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a run has ended. In files it is its [`name`](Ending::name).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Ending {
    /// There is nothing more to find, and that is proved.
    Complete,
    /// The target coverage was reached.
    Target,
    /// The number of solutions asked for was reached.
    MaximalSolutions,
    /// Time was up.
    Timeout,
    /// Somebody asked to stop.
    Interrupted,
    /// As much memory was in use as there may be.
    Memory,
    /// There is no solution.
    Unsatisfiable,
    /// What was left was too hard for the effort that was asked for.
    Effort,
    /// The search went on for long and found nothing new.
    NothingNew,
}

impl Ending {
    /// All of them.
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
