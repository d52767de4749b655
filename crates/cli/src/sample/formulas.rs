//! The formulas of a batch.

use std::path::{Path, PathBuf};

use sundry::batch::{Clash, Item, Located, clash, place};
use sundry::compression::without_suffix;

use super::plan::SamplePlan;
use crate::failure::Failure;
use crate::output::extension;
use crate::walk::{each_once, formulas_below};

/// The parts of a batch.
pub struct Batch {
    /// The formulas in order, each once.
    pub items: Vec<Item>,
    /// Folders that cannot be read.
    pub failures: Vec<Failure>,
}

/// Finds the formulas that the command line names. Files that do not exist are among them: they
/// fail when their turn comes, and the others do not.
///
/// # Errors
/// There are no formulas at all, or their outputs would collide with one another or with the inputs.
pub fn find(plan: &SamplePlan) -> Result<Batch, Failure> {
    let folders = [&plan.output.solutions, &plan.output.obligations];
    // A folder may be inside an input: what an earlier batch has written is no formula.
    let excluded: Vec<PathBuf> =
        folders.iter().copied().flatten().filter_map(|path| path.canonicalize().ok()).collect();
    let mut paths = Vec::new();
    let mut failures = Vec::new();
    for input in &plan.inputs {
        if !input.is_dir() {
            paths.push(input.clone());
            continue;
        }
        if input.canonicalize().is_ok_and(|input| excluded.contains(&input)) {
            let message = format!("the output folder {} is the input folder itself", input.display());
            return Err(Failure::usage(message)
                .mentioning(input.display())
                .with_help("choose another folder"));
        }
        let (found, unreadable) = formulas_below(input, &excluded);
        paths.extend(found);
        failures.extend(unreadable);
    }
    if paths.is_empty() && failures.is_empty() {
        let names: Vec<String> = plan.inputs.iter().map(|input| input.display().to_string()).collect();
        let message = format!("there is no formula below {}", names.join(", "));
        let help = "formulas in a folder are the files that end in .smt2, compressed or not; other files can be named one by one";
        return Err(Failure::usage(message).with_help(help));
    }
    let items = place(located(paths), extension(plan.output.format));
    if folders.iter().any(|folder| folder.is_some()) {
        check_distinct(&items)?;
    }
    Ok(Batch { items, failures })
}

/// The locations of formulas, each of which is there once. A link has the place of the link, so that a formula has one name
/// everywhere.
fn located(paths: Vec<PathBuf>) -> Vec<Located> {
    let located = |path: PathBuf| Located { location: without_suffix(&location(&path)), path };
    each_once(paths).into_iter().map(located).collect()
}

/// A path whose folder is called by its own name, without links.
fn location(path: &Path) -> PathBuf {
    let folder = match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => return path.to_path_buf(),
    };
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

fn check_distinct(items: &[Item]) -> Result<(), Failure> {
    match clash(items) {
        None => Ok(()),
        Some(Clash { second }) => {
            let message = format_args!(
                "the solutions of two formulas would go to the same file {}; one of the formulas is {}",
                second.output.display(),
                second.path.display()
            );
            Err(Failure::usage(message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_located_once_and_without_its_compression() {
        let paths = ["/s/x.smt2.gz", "/s/y.xz", "/s/x.smt2.gz"].map(PathBuf::from).to_vec();
        let locations: Vec<PathBuf> = located(paths).into_iter().map(|formula| formula.location).collect();
        assert_eq!(locations, ["/s/x.smt2", "/s/y"].map(PathBuf::from));
    }
}
