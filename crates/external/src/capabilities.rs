//! What a build of a solver reads.

use std::collections::BTreeMap;

use crate::feature::{Feature, Features};

/// What a build of a solver reads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Capabilities {
    /// What it says of its version.
    pub version: Option<String>,
    /// What it refuses, and what it says then.
    pub lacking: BTreeMap<Feature, String>,
}

impl Capabilities {
    /// Why a script that needs these features is not for the solver, if it is not.
    pub fn refuses(&self, needs: Features) -> Option<String> {
        // Models may be left out, and are never needed.
        let (feature, why) = self.lacking.iter().find(|(feature, _)| needs.contains(**feature))?;
        Some(format!("{feature}: {why}"))
    }

    /// Whether the solver reads what needs these features, as far as is known.
    pub fn reads(&self, needs: Features) -> bool {
        self.refuses(needs).is_none()
    }
}
