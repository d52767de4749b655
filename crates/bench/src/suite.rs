//! The formulas of an experiment.

use std::fs;
use std::path::{Path, PathBuf};

use sundry_sample::Problem;
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::TermStore;

use crate::SuiteArguments;

/// A formula by the name that published figures have for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// Path relative to the folder, without extension.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

impl Formula {
    /// The folder that it is in: formulas of one origin.
    pub fn family(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |(family, _)| family)
    }

    /// Reads it, as a problem to sample.
    pub fn read(&self) -> Result<Problem, String> {
        let bytes = fs::read(&self.path).map_err(|error| format!("{}: {error}", self.path.display()))?;
        let source = SourceText::from_bytes(self.path.display().to_string(), bytes);
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &source, TheorySet::DECIDED).map_err(|error| error.message)?;
        let formula = script.formula();
        Ok(Problem::new(store, formula.assertions, formula.symbols))
    }

    /// The name as part of a file name.
    pub fn file_name(&self) -> String {
        self.name.replace('/', "__")
    }
}

/// The formulas that the arguments name, in the order of their names.
pub fn formulas(arguments: &SuiteArguments) -> Result<Vec<Formula>, String> {
    let mut found = Vec::new();
    for folder in &arguments.formulas {
        collect(folder, folder, &mut found)?;
    }
    found.sort_by(|left, right| left.name.cmp(&right.name));
    if let Some(list) = &arguments.list {
        let text = fs::read_to_string(list).map_err(|error| format!("{}: {error}", list.display()))?;
        let names: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if let Some(missing) = names.iter().find(|name| !found.iter().any(|formula| formula.name == **name)) {
            return Err(format!("{} names {missing}, which is not there", list.display()));
        }
        found.retain(|formula| names.contains(&formula.name.as_str()));
    }
    if found.is_empty() { Err("there are no .smt2 files".into()) } else { Ok(found) }
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<Formula>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        if path.is_dir() {
            collect(root, &path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "smt2") {
            let relative = path.strip_prefix(root).unwrap_or(&path).with_extension("");
            found.push(Formula { name: relative.to_string_lossy().into_owned(), path });
        }
    }
    Ok(())
}
