//! Tables of options, as profiles have them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::listing::{ListedKind, ListedOption};
use super::{SolverOption, Standing};

/// The tables that come with the program.
const BUILT_IN: &str = include_str!("../options.toml");

/// The options of a kind of solver, and the spelling of its arguments.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OptionTable {
    /// The argument that sets an option, with `{name}` and `{value}`.
    pub setting: String,
    /// The argument that turns an option on, with `{name}`, if it is not spelled as a setting to `true`.
    pub on: Option<String>,
    /// The argument that turns an option off, with `{name}`, if it is not spelled as a setting to `false`.
    pub off: Option<String>,
    /// Options for all users, each as `name=value`, with `|` between several values.
    pub regular: Vec<TableEntry>,
    /// Options for experts, and experimental ones.
    pub experimental: Vec<TableEntry>,
    /// Options, with one value, that are asked about one at a time where a defect shows without options; at most twelve
    /// are asked about.
    pub suspects: Vec<TableEntry>,
    /// The arguments of a call that lists all options of the build; several calls are possible.
    pub lists: Vec<Vec<String>>,
    /// Beginnings of names of options that are tried if the build lists them, although no table has them.
    pub listed: Vec<String>,
    /// Parts of names of options that are never tried because a list has them: those that change what a right answer
    /// is, limit the work, print, check, or use files.
    pub never: Vec<String>,
}

/// An option with values that are worth trying, written `name=value|value`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct TableEntry {
    /// The name of the option.
    pub name: String,
    /// The values.
    pub values: Vec<String>,
}

impl TryFrom<String> for TableEntry {
    type Error = String;

    fn try_from(text: String) -> Result<TableEntry, String> {
        let fault = || format!("'{text}' is not an option with values, as in name=value|value");
        let (name, values) = text.split_once('=').ok_or_else(fault)?;
        let values: Vec<String> = values.split('|').map(String::from).collect();
        if name.is_empty() || values.iter().any(String::is_empty) {
            return Err(fault());
        }
        Ok(TableEntry { name: name.to_string(), values })
    }
}

impl OptionTable {
    /// The argument that sets an option.
    pub(super) fn argument(&self, name: &str, value: &str) -> String {
        let spelling = match value {
            "true" => self.on.as_ref(),
            "false" => self.off.as_ref(),
            _ => None,
        };
        spelling.unwrap_or(&self.setting).replace("{name}", name).replace("{value}", value)
    }

    /// All options of the table with their values.
    pub(super) fn known(&self) -> Vec<SolverOption> {
        let standings = [(&self.regular, Standing::Regular), (&self.experimental, Standing::Experimental)];
        let entries = standings
            .into_iter()
            .flat_map(|(entries, standing)| entries.iter().map(move |it| (it, standing)));
        entries.flat_map(|(entry, standing)| self.with_values(&entry.name, &entry.values, standing)).collect()
    }

    /// The arguments of the options that may explain a defect.
    pub(super) fn suspects(&self) -> Vec<String> {
        let arguments = |entry: &TableEntry| {
            entry.values.iter().map(|value| self.argument(&entry.name, value)).collect::<Vec<_>>()
        };
        self.suspects.iter().flat_map(arguments).collect()
    }

    /// The options of a list that no table has, as far as they may be tried, with the values that are not the default.
    pub(super) fn unknown(&self, list: &[ListedOption]) -> Vec<SolverOption> {
        let tried = list.iter().filter(|option| self.may_be_tried(&option.name));
        let options = tried.flat_map(|ListedOption { name, kind, default }| {
            let values: Vec<String> = match kind {
                ListedKind::Switch => ["true", "false"].map(String::from).to_vec(),
                ListedKind::Choice(values) => values.clone(),
                ListedKind::Other => Vec::new(),
            };
            let values: Vec<String> = values.into_iter().filter(|it| Some(it) != default.as_ref()).collect();
            self.with_values(name, &values, Standing::Unknown)
        });
        options.collect()
    }

    fn with_values(&self, name: &str, values: &[String], standing: Standing) -> Vec<SolverOption> {
        let option = |value: &String| SolverOption {
            name: name.to_string(),
            argument: self.argument(name, value),
            standing,
        };
        values.iter().map(option).collect()
    }

    fn may_be_tried(&self, name: &str) -> bool {
        let is_known = self.regular.iter().chain(&self.experimental).any(|entry| entry.name == name);
        !is_known
            && self.listed.iter().any(|beginning| name.starts_with(beginning.as_str()))
            && !self.never.iter().any(|part| name.contains(part.as_str()))
    }
}

/// The tables that come with the program, by the names of profiles.
///
/// # Panics
/// Never: the text is part of the program and tested.
pub(crate) fn built_in_tables() -> BTreeMap<String, OptionTable> {
    toml::from_str(BUILT_IN).expect("the tables of options are legal")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(options: &[SolverOption]) -> Vec<&str> {
        options.iter().map(|option| option.argument.as_str()).collect()
    }

    #[test]
    fn each_kind_of_solver_has_its_spelling() {
        let text = "setting = '--{name}={value}'\non = '--{name}'\noff = '--no-{name}'\n\
            regular = ['mode=one|two', 'fast=true']\nexperimental = ['strict=false']\nsuspects = ['strict=false']\n";
        let table: OptionTable = toml::from_str(text).expect("legal");
        let known = table.known();
        assert_eq!(arguments(&known), ["--mode=one", "--mode=two", "--fast", "--no-strict"]);
        assert_eq!(known[3].standing, Standing::Experimental);
        assert_eq!(table.suspects(), ["--no-strict"]);
        let table = OptionTable { setting: "{name}={value}".into(), ..OptionTable::default() };
        assert_eq!(table.argument("a.b", "true"), "a.b=true");
    }

    #[test]
    fn of_a_list_only_harmless_options_are_tried() {
        let text =
            "setting = '{name}={value}'\nregular = ['smt.known=true']\nlisted = ['smt.']\nnever = ['dump']\n";
        let table: OptionTable = toml::from_str(text).expect("legal");
        let switch = |name: &str| ListedOption {
            name: name.into(),
            kind: ListedKind::Switch,
            default: Some("true".into()),
        };
        let kind = ListedKind::Choice(vec!["0".into(), "1".into(), "2".into()]);
        let choice = ListedOption { name: "smt.level".into(), kind, default: Some("1".into()) };
        let list = ["smt.known", "smt.new", "smt.dump_it", "pp.width"].map(switch);
        let list = [&list[..], &[choice]].concat();
        assert_eq!(arguments(&table.unknown(&list)), ["smt.new=false", "smt.level=0", "smt.level=2"]);
    }

    #[test]
    fn entries_that_are_none_are_refused() {
        for text in ["name", "name=", "=value", "name=one||two"] {
            assert!(TableEntry::try_from(text.to_string()).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_suspected_is_in_the_table() {
        for (name, table) in built_in_tables() {
            let known = table.known();
            let suspects = table.suspects();
            assert!(suspects.len() <= 12, "{name}");
            for argument in suspects {
                assert!(known.iter().any(|option| option.argument == argument), "{name}: {argument}");
            }
        }
    }
}
