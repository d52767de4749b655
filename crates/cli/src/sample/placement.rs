//! Which formulas a batch has, and where the solutions of each go.
//!
//! Below the output folder, files lie as the formulas lie below the deepest folder that holds all
//! of them: `sundry sample set/ -o out` writes `out/a/b.models.smt2` for `set/a/b.smt2`. Flat names
//! were rejected, since equal names in different folders are common.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::plan::SamplePlan;
use crate::arguments::OutputFormat;
use crate::compression::without_suffix;
use crate::failure::Failure;
use crate::output::extension;
use crate::walk::{each_once, formulas_below};

/// One formula of a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The path as it is shown.
    pub path: PathBuf,
    /// What its results are called, below an output folder.
    pub name: PathBuf,
    /// The file of its solutions, below the output folder.
    pub output: PathBuf,
}

/// What a batch consists of.
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
/// There are none at all, or their outputs would get in the way of one another or of the inputs.
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
    let items = place(paths, plan.output.format);
    if folders.iter().any(|folder| folder.is_some()) {
        check_distinct(&items)?;
    }
    Ok(Batch { items, failures })
}

/// Gives each formula its place, and leaves out what is named twice. A link has the place of the link, so that a
/// formula has one name everywhere.
fn place(paths: Vec<PathBuf>, format: OutputFormat) -> Vec<Item> {
    let formulas: Vec<(PathBuf, PathBuf)> =
        each_once(paths).into_iter().map(|path| (location(&path), path)).collect();
    let common = common_folder(formulas.iter().map(|(location, _)| location.as_path()));
    formulas
        .into_iter()
        .map(|(location, path)| {
            let relative = without_suffix(location.strip_prefix(&common).unwrap_or(&location));
            let name = match relative.extension() {
                Some(extension) if extension == "smt2" => relative.with_extension(""),
                _ => relative,
            };
            Item { output: output_name(&name, format), name, path }
        })
        .collect()
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

fn common_folder<'a>(paths: impl Iterator<Item = &'a Path>) -> PathBuf {
    let folders = paths.map(|path| path.parent().unwrap_or(Path::new("")).to_path_buf());
    folders
        .reduce(|common, folder| {
            let same = common.components().zip(folder.components()).take_while(|(left, right)| left == right);
            same.map(|(component, _)| component).collect()
        })
        .unwrap_or_default()
}

fn output_name(name: &Path, format: OutputFormat) -> PathBuf {
    let mut output = name.as_os_str().to_os_string();
    output.push(".");
    output.push(extension(format));
    PathBuf::from(output)
}

fn check_distinct(items: &[Item]) -> Result<(), Failure> {
    let mut seen = FxHashSet::default();
    match items.iter().find(|item| !seen.insert(&item.output)) {
        None => Ok(()),
        Some(item) => {
            let message = format_args!(
                "the solutions of two formulas would go to one file, {}, one of them those of {}",
                item.output.display(),
                item.path.display()
            );
            Err(Failure::usage(message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_lie_as_the_formulas_do() {
        let paths = ["/s/a/x.smt2", "/s/b/x.smt2", "/s/b/c/y.txt", "/s/a/x.smt2"].map(PathBuf::from);
        let items = place(paths.to_vec(), OutputFormat::Smt2);
        let outputs: Vec<String> = items.iter().map(|item| item.output.display().to_string()).collect();
        assert_eq!(outputs, ["a/x.models.smt2", "b/x.models.smt2", "b/c/y.txt.models.smt2"]);
        let one = place(vec![PathBuf::from("/s/a/x.smt2")], OutputFormat::Csv);
        assert_eq!(one[0].output, Path::new("x.csv"));
        let compressed = place(["/s/x.smt2.gz", "/s/y.xz"].map(PathBuf::from).to_vec(), OutputFormat::Csv);
        assert_eq!(compressed[0].output, Path::new("x.csv"));
        assert_eq!(compressed[1].output, Path::new("y.csv"));
    }

    #[test]
    fn two_formulas_never_share_a_file() {
        let items = place(["/s/x.smt2", "/s/x"].map(PathBuf::from).to_vec(), OutputFormat::Jsonl);
        assert!(check_distinct(&items).is_err());
    }
}
