//! The features that a build of a solver reads, and the meaning that it gives to strings.

use std::collections::BTreeMap;

use crate::dialect::Escapes;
use crate::feature::{Feature, Features};

/// The features that a build of a solver reads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Capabilities {
    /// The version, as the solver prints it.
    pub version: Option<String>,
    /// The features that the solver refuses, with its message.
    pub lacking: BTreeMap<Feature, String>,
    /// The escapes that the solver knows in strings, also in those of the models that it prints.
    pub escapes: Escapes,
    /// Whether a process of the build answers one script after another.
    pub answers_repeatedly: bool,
}

impl Capabilities {
    /// The reason for which the solver cannot read a script with these features; `None` if it can.
    pub fn refuses(&self, needs: Features) -> Option<String> {
        // Models may be left out, and are never needed.
        let (feature, why) = self.lacking.iter().find(|(feature, _)| needs.contains(**feature))?;
        Some(format!("{feature}: {why}"))
    }

    /// Whether the solver reads scripts with these features, as far as is known.
    pub fn reads(&self, needs: Features) -> bool {
        self.refuses(needs).is_none()
    }
}
