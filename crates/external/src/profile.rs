//! Profiles of kinds of solvers: how to call them, what they read, and what their messages mean.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::Deserialize;

use crate::dialect::Dialect;
use crate::options::{OptionTable, built_in_tables};

/// The profiles that come with the program.
const BUILT_IN: &str = include_str!("profiles.toml");

/// The profile of a kind of solver.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Profile {
    /// File names of programs of this kind; the rest of a name, such as a version, does not matter.
    pub programs: Vec<String>,
    /// Programs of one family are releases of each other. The name of the profile, if no other is given.
    pub family: String,
    /// Arguments of every call, in front of those that the user gives.
    pub arguments: Vec<String>,
    /// Further arguments of every call, as far as the build takes them.
    pub preferred: Vec<String>,
    /// Arguments that make it print its version.
    pub version: Vec<String>,
    /// Arguments that make it check its own models, cores and proofs.
    pub self_check: Vec<String>,
    /// Arguments in place of the file that make it answer one script after another from its standard input; `None` if it is not
    /// known to do that.
    pub dialogue: Option<Vec<String>>,
    /// The spelling of operators.
    pub dialect: Dialect,
    /// The way to ask for models.
    pub models: ModelWords,
    /// Texts in a message that says that something is not supported: no defect.
    pub unsupported: Vec<String>,
    /// Texts in a message by which the solver itself reports that its model is wrong.
    pub invalid_model: Vec<String>,
    /// Whether it prints irrational values as decimals, rounded, and rational values as fractions. Then a model with a decimal is
    /// none that can be judged.
    pub rounds_reals: bool,
    /// Texts of failed assertions and other internal errors.
    pub crash: Vec<String>,
    /// The way in which it counts its own work, if it does.
    pub resource: Option<ResourceWords>,
    /// Arguments that make it read scripts in the language of SyGuS; `None` if it is not known to do that.
    pub synthesis: Option<Vec<String>>,
    /// Options with values that are worth trying.
    pub options: OptionTable,
}

/// The way in which a solver counts and limits its own work.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResourceWords {
    /// The argument that limits the work, with `{}` in place of the number of units.
    pub limit: String,
    /// The arguments that make it print the number of units at its end.
    pub report: Vec<String>,
    /// The text in front of that number.
    pub count: String,
    /// The units that take some seconds, for those who name no limit.
    pub units: u64,
}

impl ResourceWords {
    /// The arguments for a limit in units.
    pub fn arguments(&self, units: u64) -> Vec<String> {
        let limit = self.limit.replace("{}", &units.to_string());
        self.report.iter().cloned().chain([limit]).collect()
    }
}

/// The words that ask for models.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelWords {
    /// The command in front of everything that makes it keep models; may be empty.
    pub option: String,
    /// The command after `check-sat` that makes the solver print a model.
    pub command: String,
}

impl Default for ModelWords {
    /// The words of the standard.
    fn default() -> Self {
        ModelWords {
            option: "(set-option :produce-models true)".to_string(),
            command: "(get-model)".to_string(),
        }
    }
}

impl ModelWords {
    /// The replacement of the line with the standard's option, if the solver needs one.
    pub(crate) fn option_line(&self) -> Option<Cow<'static, str>> {
        (self.option != ModelWords::default().option).then(|| format!("{}\n", self.option).into())
    }

    /// The replacement of the line with the standard's command, if the solver needs one.
    pub(crate) fn command_line(&self) -> Option<Cow<'static, str>> {
        (self.command != ModelWords::default().command).then(|| format!("{}\n", self.command).into())
    }
}

/// Profiles by name.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(transparent)]
pub struct Profiles(BTreeMap<String, Profile>);

/// A text of profiles that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProfileError(String);

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.trim_end())
    }
}

impl std::error::Error for ProfileError {}

impl Profiles {
    /// The profiles that come with the program: z3, cvc5, cvc4, Bitwuzla, Yices, Boolector, and Sundry itself.
    ///
    /// # Panics
    /// Never: the text is part of the program and tested.
    pub fn built_in() -> Profiles {
        let mut profiles = Profiles(BTreeMap::new());
        profiles.extend(BUILT_IN).expect("the built-in profiles are legal");
        for (name, table) in built_in_tables() {
            profiles.0.get_mut(&name).expect("tables belong to profiles").options = table;
        }
        profiles
    }

    /// Adds the profiles of a text in TOML; a profile with a known name replaces the present one.
    ///
    /// # Errors
    /// The text is not TOML, or has unknown fields; the message has the place.
    pub fn extend(&mut self, text: &str) -> Result<(), ProfileError> {
        let others: Profiles = toml::from_str(text).map_err(|error| ProfileError(error.to_string()))?;
        self.0.extend(others.0.into_iter().map(|(name, mut profile)| {
            if profile.family.is_empty() {
                profile.family.clone_from(&name);
            }
            (name, profile)
        }));
        Ok(())
    }

    /// The profile with a name.
    pub fn get(&self, name: &str) -> Option<&Profile> {
        self.0.get(name)
    }

    /// The profile for a program: the one that has the longest beginning of its file name.
    pub(crate) fn of_program(&self, program: &str) -> Option<&Profile> {
        let file = Path::new(program).file_name()?.to_str()?;
        let fitting = |profile: &Profile| {
            profile.programs.iter().filter(|name| file.starts_with(name.as_str())).map(String::len).max()
        };
        let best = self.0.values().filter_map(|profile| Some((fitting(profile)?, profile)));
        best.max_by_key(|&(length, _)| length).map(|(_, profile)| profile)
    }

    /// The names, in alphabetic order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_find_their_profile() {
        let profiles = Profiles::built_in();
        let found = |program| profiles.of_program(program).map(|profile| profile.family.as_str());
        assert_eq!(found("z3"), Some("z3"));
        assert_eq!(found("/opt/z3-4.8.10/bin/z3-4.8.10"), Some("z3"));
        assert_eq!(found("./cvc5-debug"), Some("cvc"));
        assert_eq!(found("yices-smt2"), Some("yices"));
        assert_eq!(found("sundry"), Some("sundry"));
        assert_eq!(found("minisat"), None);
        assert_eq!(found("/"), None);
    }

    #[test]
    fn users_add_and_replace_profiles() {
        let mut profiles = Profiles::built_in();
        let text = "[opensmt]\nprograms = ['opensmt']\n[z3]\nprograms = ['z3']\ndialect = 'older-strings'\n";
        profiles.extend(text).expect("legal profiles");
        assert_eq!(profiles.of_program("opensmt").map(|profile| profile.family.as_str()), Some("opensmt"));
        assert_eq!(profiles.get("z3").map(|profile| profile.dialect), Some(Dialect::OlderStrings));
        let error = profiles.extend("[z3]\ncolour = 'blue'\n").expect_err("no such field");
        assert!(error.to_string().contains("colour"), "{error}");
    }
}
