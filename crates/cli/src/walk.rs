//! Formulas below a folder, in an order that does not depend on the file system.

use std::path::{Path, PathBuf};

use crate::compression::without_suffix;
use crate::failure::Failure;

/// Every `.smt2` file below a folder, compressed ones too, sorted folder by folder, and the folders that cannot be read.
/// Excluded folders, by their canonical names, are left out. Symbolic links to files are followed,
/// those to folders are not: they may lead back.
pub fn formulas_below(folder: &Path, excluded: &[PathBuf]) -> (Vec<PathBuf>, Vec<Failure>) {
    let mut formulas = Vec::new();
    let mut failures = Vec::new();
    let mut stack = vec![folder.to_path_buf()];
    while let Some(path) = stack.pop() {
        let is_folder = path == folder || path.symlink_metadata().is_ok_and(|data| data.is_dir());
        if !is_folder {
            if is_formula(&path) && path.is_file() {
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
        #[cfg(unix)]
        std::os::unix::fs::symlink(&root, root.join("b/loop")).expect("link");
        let (found, failures) = formulas_below(&root, &[root.join("out")]);
        let names: Vec<_> =
            found.iter().map(|path| path.strip_prefix(&root).expect("below").to_string_lossy()).collect();
        assert_eq!(names, ["a.smt2", "b/c/x.smt2", "b/y.smt2", "c.smt2.gz", "z.smt2"]);
        assert!(failures.is_empty());
    }
}
