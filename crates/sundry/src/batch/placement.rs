//! The names of the results of a batch's formulas.
//!
//! Below an output folder, files lie as the formulas lie below the deepest folder that holds all
//! of them: `sundry sample set/ -o out` writes `out/a/b.models.smt2` for `set/a/b.smt2`. Flat names
//! were rejected, since equal names in different folders are common.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

/// One formula of a batch.
///
/// ```
/// use sundry::batch::{Located, place};
///
/// let located = |path: &str| Located { path: path.into(), location: path.into() };
/// let items = place(vec![located("set/door.smt2")], "csv");
/// assert_eq!(items[0].output, std::path::Path::new("door.csv"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The path as it is shown.
    pub path: PathBuf,
    /// The name of its results, below an output folder.
    pub name: PathBuf,
    /// The file of its solutions, below the output folder.
    pub output: PathBuf,
}

/// Two formulas whose solutions would go to one file.
///
/// ```
/// use sundry::batch::{Located, clash, place};
///
/// let located = |path: &str| Located { path: path.into(), location: path.into() };
/// let items = place(vec![located("set/door.smt2"), located("set/door")], "csv");
/// assert_eq!(clash(&items).map(|clash| &clash.second.path), Some(&items[1].path));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clash<'a> {
    /// The second of the two formulas.
    pub second: &'a Item,
}

/// Gives each formula its place. A formula comes with its location, which is its path from the root without links in the
/// folders, and without suffixes of compression. The files of solutions have this extension.
///
/// ```
/// use sundry::batch::{Located, place};
///
/// let located = |path: &str| Located { path: path.into(), location: path.into() };
/// let items = place(vec![located("set/a/x.smt2"), located("set/b/x.smt2")], "models.smt2");
/// let outputs: Vec<_> = items.iter().map(|item| item.output.display().to_string()).collect();
/// assert_eq!(outputs, ["a/x.models.smt2", "b/x.models.smt2"]);
/// ```
pub fn place(formulas: Vec<Located>, extension: &str) -> Vec<Item> {
    let common = common_folder(formulas.iter().map(|formula| formula.location.as_path()));
    formulas
        .into_iter()
        .map(|Located { path, location }| {
            let relative = location.strip_prefix(&common).unwrap_or(&location).to_path_buf();
            let name = match relative.extension() {
                Some(extension) if extension == "smt2" => relative.with_extension(""),
                _ => relative,
            };
            Item { output: output_name(&name, extension), name, path }
        })
        .collect()
}

/// A formula and where it is.
///
/// ```
/// use sundry::batch::{Located, place};
///
/// let located = |path: &str| Located { path: path.into(), location: path.into() };
/// let items = place(vec![located("door.smt2")], "csv");
/// assert_eq!(items[0].path, std::path::Path::new("door.smt2"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located {
    /// The path as it is shown.
    pub path: PathBuf,
    /// The path by which its place is chosen.
    pub location: PathBuf,
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

fn output_name(name: &Path, extension: &str) -> PathBuf {
    let mut output = name.as_os_str().to_os_string();
    output.push(".");
    output.push(extension);
    PathBuf::from(output)
}

/// Two formulas whose solutions would go to one file, if there are such.
///
/// ```
/// use sundry::batch::{Located, clash, place};
///
/// let located = |path: &str| Located { path: path.into(), location: path.into() };
/// assert_eq!(clash(&place(vec![located("set/x.smt2"), located("set/y.smt2")], "csv")), None);
/// ```
pub fn clash(items: &[Item]) -> Option<Clash<'_>> {
    let mut seen = FxHashSet::default();
    items.iter().find(|item| !seen.insert(&item.output)).map(|second| Clash { second })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn located(path: &str) -> Located {
        Located { path: PathBuf::from(path), location: PathBuf::from(path) }
    }

    #[test]
    fn outputs_lie_as_the_formulas_do() {
        let paths = ["/s/a/x.smt2", "/s/b/x.smt2", "/s/b/c/y.txt"].map(located);
        let items = place(paths.to_vec(), "models.smt2");
        let outputs: Vec<String> = items.iter().map(|item| item.output.display().to_string()).collect();
        assert_eq!(outputs, ["a/x.models.smt2", "b/x.models.smt2", "b/c/y.txt.models.smt2"]);
        let one = place(vec![located("/s/a/x.smt2")], "csv");
        assert_eq!(one[0].output, Path::new("x.csv"));
    }

    #[test]
    fn two_formulas_never_share_a_file() {
        let items = place(["/s/x.smt2", "/s/x"].map(located).to_vec(), "jsonl");
        assert_eq!(clash(&items).map(|clash| &*clash.second.path), Some(Path::new("/s/x")));
        assert_eq!(clash(&items[..1]), None);
    }
}
