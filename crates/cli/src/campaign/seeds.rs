//! The files of all seeds, from files, folders and patterns.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use sundry::Control;
use sundry::read::SourceText;
use sundry_fuzz::{Partners, Seed, Seeds};

use crate::console::Console;
use crate::failure::Failure;
use crate::input::{Input, is_standard};
use crate::walk::{each_once, formulas_below};

/// The files that arguments name, in the order of these: a file, the formulas below a folder, and both for all
/// that a pattern matches, in alphabetic order, each once. What is below `output` is no seed.
///
/// # Errors
/// A file or folder is missing or cannot be opened, a pattern is none or matches nothing, or there is no file at all.
pub fn seeds(arguments: &[PathBuf], output: &Path, console: &Console) -> Result<Vec<PathBuf>, Failure> {
    let own: Vec<PathBuf> = output.canonicalize().into_iter().collect();
    let mut seeds = Vec::new();
    for argument in arguments {
        for path in matching(argument)? {
            if !is_folder(&path)? {
                let is_own = |path: &Path| own.iter().any(|own| path.starts_with(own));
                if !path.canonicalize().is_ok_and(|path| is_own(&path)) {
                    seeds.push(path);
                }
                continue;
            }
            let (found, failures) = formulas_below(&path, &own);
            failures.iter().for_each(|failure| console.failure(failure));
            seeds.extend(found);
        }
    }
    if seeds.is_empty() {
        return Err(Failure::usage("there is no .smt2 file to start from"));
    }
    Ok(each_once(seeds))
}

/// Whether a path names a folder, and not a file.
fn is_folder(path: &Path) -> Result<bool, Failure> {
    if is_standard(path) {
        // A seed is read again when a campaign goes on, and as the partner of others.
        return Err(Failure::usage("standard input cannot be a seed: seeds are read again")
            .with_help("write it to a file"));
    }
    let data = fs::metadata(path);
    // What cannot be opened would be left out later, where nobody looks for it.
    let opened = data.and_then(|data| if data.is_file() { File::open(path).map(|_| data) } else { Ok(data) });
    opened.map(|data| data.is_dir()).map_err(|error| Failure::reading(path, &error))
}

/// The paths that an argument means: itself where there is such a file, or it has no wildcards.
fn matching(argument: &Path) -> Result<Vec<PathBuf>, Failure> {
    let pattern = argument.to_str().filter(|text| text.contains(['*', '?', '[']));
    let Some(pattern) = pattern.filter(|_| !argument.exists()) else {
        return Ok(vec![argument.to_path_buf()]);
    };
    let fail = |why: &dyn std::fmt::Display| {
        Failure::usage(format_args!("the pattern '{pattern}' {why}")).with_help(
            "* stands for any part of a name, ** for any folders, ? for a character, [ab] for one of some",
        )
    };
    let paths = glob::glob(pattern).map_err(|error| fail(&format_args!("is none: {error}")))?;
    // What cannot be looked at does not match.
    let paths: Vec<PathBuf> = paths.filter_map(Result::ok).collect();
    if paths.is_empty() {
        return Err(fail(&"matches nothing"));
    }
    // A folder that matches has all that is below it, which may match as well.
    let folders: Vec<&PathBuf> = paths.iter().filter(|path| path.is_dir()).collect();
    let is_below = |path: &Path| folders.iter().any(|folder| path != **folder && path.starts_with(folder));
    Ok(paths.iter().filter(|path| !is_below(path)).cloned().collect())
}

/// The files of the seeds, by their numbers.
pub struct SeedFiles(pub Vec<PathBuf>);

impl Partners for SeedFiles {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn read(&self, number: usize, control: &Control) -> Option<SourceText> {
        Input::from_argument(self.0.get(number)?).read(control).ok()
    }
}

impl Seeds for SeedFiles {
    type Error = Failure;

    fn seed(&self, number: usize, control: &Control) -> Result<Seed, Failure> {
        let source = Input::from_argument(&self.0[number]).read(control)?;
        Seed::read(&source, control).map_err(|diagnostic| Failure::at(&diagnostic, &source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::console::Verbosity;

    #[test]
    fn files_folders_and_patterns() {
        let root = tempfile::tempdir().expect("temporary folder");
        let root = root.path();
        fs::create_dir_all(root.join("a/b")).expect("folder");
        fs::create_dir_all(root.join("out")).expect("folder");
        for name in ["a/x.smt2", "a/b/y.smt2", "a/b/notes.txt", "out/z.smt2", "odd[1].smt2"] {
            fs::write(root.join(name), "").expect("file");
        }
        let console = Console::new(Verbosity::Quiet);
        let found = |patterns: &[&str]| {
            let arguments: Vec<PathBuf> = patterns.iter().map(|pattern| root.join(pattern)).collect();
            let found = seeds(&arguments, &root.join("out"), &console)
                .map_err(|failure| failure.headline().to_string())?;
            let name = |path: &PathBuf| path.strip_prefix(root).expect("below").display().to_string();
            Ok::<Vec<String>, String>(found.iter().map(name).collect())
        };
        assert_eq!(found(&["a/**/*.smt2"]), Ok(vec!["a/b/y.smt2".into(), "a/x.smt2".into()]));
        assert_eq!(found(&["a/*.smt2", "odd[1].smt2"]), Ok(vec!["a/x.smt2".into(), "odd[1].smt2".into()]));
        assert_eq!(found(&["[ao]*"]), Ok(vec!["a/b/y.smt2".into(), "a/x.smt2".into(), "odd[1].smt2".into()]));
        assert_eq!(found(&["a/b/n?tes.txt"]), Ok(vec!["a/b/notes.txt".into()]));
        let missing = found(&["a", "missing.smt2"]).expect_err("not there");
        assert!(missing.starts_with("cannot read ") && missing.contains("missing.smt2: "), "{missing}");
        assert!(found(&["a", "*.txt"]).expect_err("nothing").contains("*.txt' matches nothing"));
        assert!(found(&["a/***"]).expect_err("no pattern").contains("is none"));
        assert!(found(&["out"]).is_err() && found(&["out/z.smt2"]).is_err());
        std::os::unix::fs::symlink(root.join("odd[1].smt2"), root.join("a/link.smt2")).expect("link");
        let all = ["a/b/y.smt2", "a/x.smt2", "odd[1].smt2"].map(String::from).to_vec();
        assert_eq!(found(&["a", "a/x.smt2", "odd[1].smt2"]), Ok(all.clone()));
        assert_eq!(found(&["**/*.smt2"]), Ok(all));
    }
}
