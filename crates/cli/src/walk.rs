//! Formulas below a folder, in an order that does not depend on the file system, and files under several names.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use sundry::compression::without_suffix;

use crate::failure::Failure;

/// Every `.smt2` file below a folder, compressed ones too, sorted folder by folder, and the folders that cannot be read.
/// Excluded folders, by their canonical names, are left out. Symbolic links to files are followed,
/// those to folders are not: they may lead back. Links that lead nowhere are among the files: who reads them can tell.
pub fn formulas_below(folder: &Path, excluded: &[PathBuf]) -> (Vec<PathBuf>, Vec<Failure>) {
    let mut formulas = Vec::new();
    let mut failures = Vec::new();
    let mut stack = vec![folder.to_path_buf()];
    while let Some(path) = stack.pop() {
        let is_folder = path == folder || path.symlink_metadata().is_ok_and(|data| data.is_dir());
        if !is_folder {
            let is_file = || path.metadata().map_or_else(|_| is_link(&path), |data| data.is_file());
            if is_formula(&path) && is_file() {
                formulas.push(path);
            }
            continue;
        }
        if path.canonicalize().is_ok_and(|path| excluded.contains(&path)) {
            continue;
        }
        match sorted_entries(&path) {
            // The first is to come off the stack first.
            Ok(entries) => stack.extend(entries.into_iter().rev()),
            Err(error) => failures.push(Failure::reading(&path, &error)),
        }
    }
    (formulas, failures)
}

/// These files in their order, each once: without links to files that have names of their own here, and without
/// further names of the same file.
pub fn each_once(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let named: FxHashSet<PathBuf> =
        paths.iter().filter(|path| !is_link(path)).map(|path| real(path)).collect();
    let mut seen = FxHashSet::default();
    paths.retain(|path| {
        let real = real(path);
        !(is_link(path) && named.contains(&real)) && seen.insert(real)
    });
    paths
}

/// The name of a file without links; where it does not exist, the name given.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|data| data.is_symlink())
}

fn is_formula(path: &Path) -> bool {
    without_suffix(path).extension().is_some_and(|extension| extension == "smt2")
}

fn sorted_entries(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut entries =
        folder.read_dir()?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<PathBuf>>>()?;
    entries.sort();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn formulas_are_found_in_sorted_order() {
        let root = tempfile::tempdir().expect("temporary folder");
        let root = root.path().canonicalize().expect("path");
        fs::create_dir_all(root.join("b/c")).expect("folder");
        fs::create_dir_all(root.join("out")).expect("folder");
        for name in [
            "z.smt2",
            "a.smt2",
            "b/c/x.smt2",
            "b/y.smt2",
            "b/notes.txt",
            "c.smt2.gz",
            "d.gz",
            "out/a.models.smt2",
        ] {
            fs::write(root.join(name), "").expect("file");
        }
        for (target, link) in [(&*root, "b/loop"), (Path::new("round.smt2"), "round.smt2")] {
            std::os::unix::fs::symlink(target, root.join(link)).expect("link");
        }
        let (found, failures) = formulas_below(&root, &[root.join("out")]);
        let names: Vec<_> =
            found.iter().map(|path| path.strip_prefix(&root).expect("below").to_string_lossy()).collect();
        assert_eq!(names, ["a.smt2", "b/c/x.smt2", "b/y.smt2", "c.smt2.gz", "round.smt2", "z.smt2"]);
        assert!(failures.is_empty());
    }

    #[test]
    fn a_file_of_many_names_is_one() {
        let root = tempfile::tempdir().expect("temporary folder");
        let path = |name: &str| root.path().join(name);
        fs::write(path("file"), "").expect("file");
        fs::create_dir(path("folder")).expect("folder");
        for (target, link) in
            [("file", "a"), ("a", "b"), ("none", "dangling"), ("round", "round"), (".", "folder/up")]
        {
            std::os::unix::fs::symlink(target, path(link)).expect("link");
        }
        let once = |names: &[&str]| {
            let found = each_once(names.iter().map(|name| path(name)).collect());
            let name =
                |found: &PathBuf| found.strip_prefix(root.path()).expect("below").display().to_string();
            found.iter().map(name).collect::<Vec<String>>()
        };
        assert_eq!(once(&["a", "b", "file", "folder/../file"]), ["file"]);
        assert_eq!(once(&["b", "a", "b"]), ["b"]);
        assert_eq!(once(&["dangling", "round", "missing"]), ["dangling", "round", "missing"]);
    }
}
