//! Every public item of the crate has an example that runs as a test: trait implementations, fields and variants share that of
//! their type.

use std::fs;
use std::path::{Path, PathBuf};

/// The Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = Vec::new();
    for path in entries {
        match path.is_dir() {
            true => files.extend(sources(&path)),
            false => files.push(path),
        }
    }
    files.sort();
    files
}

/// The kinds of items that need an example.
const ITEMS: [&str; 8] = ["fn", "struct", "enum", "trait", "type", "const", "static", "mod"];

/// The item that a line declares for users of the crate: its kind and name.
fn declared(line: &str) -> Option<(&str, &str)> {
    let mut words = line.trim_start().strip_prefix("pub ")?.split([' ', '(', '<', ':', ';', '{', '=']);
    let kind = words.next().filter(|word| ITEMS.contains(word))?;
    let name = words.find(|word| !matches!(*word, "fn" | "unsafe" | ""))?;
    Some((kind, name))
}

/// The public items of a file without an example in the comment before them.
fn without_example(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let mut lacking = Vec::new();
    let mut has_example = false;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start();
        if line == "mod tests {" {
            break;
        }
        match declared(line) {
            // A module that is a file has its example at its beginning.
            Some(("mod", name)) if line.ends_with(';') => {
                let folder = path.parent().unwrap();
                let files = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
                let text = files.iter().find_map(|file| fs::read_to_string(file).ok()).unwrap();
                if !text.lines().take_while(|line| line.starts_with("//!")).any(|line| line == "//! ```") {
                    lacking.push(format!("{}: module {name}", path.display()));
                }
            }
            Some((kind, name)) if !has_example => {
                lacking.push(format!("{}:{}: {kind} {name}", path.display(), number + 1));
            }
            _ => {}
        }
        has_example = match line {
            "/// ```" | "//! ```" => true,
            // Attributes stand between an item and its comment.
            _ => has_example && (line.starts_with("///") || line.starts_with("#[")),
        };
    }
    lacking
}

#[test]
fn every_public_item_has_an_example() {
    let files = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(files.len() > 30, "the sources are there");
    let lacking: Vec<String> = files.iter().flat_map(|file| without_example(file)).collect();
    assert!(lacking.is_empty(), "{} public items have no example:\n{}", lacking.len(), lacking.join("\n"));
}

#[test]
fn programs_need_no_other_crate() {
    let files = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"));
    assert!(files.len() >= 7, "the examples are there");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("sundry_"), "{} uses a crate below this one", file.display());
    }
}

#[test]
fn items_without_examples_are_seen() {
    assert_eq!(declared("    pub fn solve(&self) -> Answer {"), Some(("fn", "solve")));
    assert_eq!(declared("pub const MOST: usize = 3;"), Some(("const", "MOST")));
    assert_eq!(declared("pub(crate) fn hidden() {"), None);
    assert_eq!(declared("    pub name: String,"), None);
    assert_eq!(declared("pub use other::Item;"), None);
}
