//! Every public item of the crate has an example that runs as a test: trait implementations, fields and variants share that of
//! their type. An item of a crate below has it at its re-export, which names one item, and whose example mentions that item.

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

/// The name for users of the item that a line takes from a crate below. Of a group of items, it is no name.
fn taken_from_below(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("pub use sundry_")?.trim_end_matches(';').rsplit([':', ' ']).next()
}

/// Whether an example in a comment, which runs as a test, mentions an item.
fn has_example_of(comment: &[&str], name: &str) -> bool {
    // Text and code take turns.
    let code = comment.split(|line| *line == "/// ```").skip(1).step_by(2).flatten();
    let mut words = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.any(|word| word == name)
}

/// The public items of a file without an example in the comment before them.
fn without_example(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let mut lacking = Vec::new();
    let mut comment: Vec<&str> = Vec::new();
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
            Some((kind, name)) if !comment.contains(&"/// ```") => {
                lacking.push(format!("{}:{}: {kind} {name}", path.display(), number + 1));
            }
            _ => {}
        }
        if taken_from_below(line).is_some_and(|name| !has_example_of(&comment, name)) {
            lacking.push(format!("{}:{}: {line}", path.display(), number + 1));
        }
        // Attributes stand between an item and its comment.
        match line.starts_with("///") || line.starts_with("#[") {
            true => comment.push(line),
            false => comment.clear(),
        }
    }
    lacking
}

#[test]
fn every_public_item_has_an_example() {
    let files = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(files.len() > 30, "the sources are there");
    let lacking: Vec<String> = files.iter().flat_map(|file| without_example(file)).collect();
    let texts = files.iter().map(|file| fs::read_to_string(file).unwrap());
    let taken: usize = texts.map(|text| text.lines().filter_map(taken_from_below).count()).sum();
    assert!(taken > 100, "the items of the crates below are there");
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
fn examples_need_no_other_crate() {
    for file in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = fs::read_to_string(&file).unwrap();
        let mut comments = text.lines().map(str::trim_start).filter(|line| line.starts_with("//"));
        let other = comments.find(|line| line.contains("sundry_"));
        assert_eq!(other, None, "{} mentions a crate below this one", file.display());
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

#[test]
fn items_of_other_crates_without_examples_are_seen() {
    assert_eq!(taken_from_below("pub use sundry_term::Value;"), Some("Value"));
    assert_eq!(taken_from_below("pub use sundry_models::Level as ColumnLevel;"), Some("ColumnLevel"));
    assert_eq!(taken_from_below("pub use crate::below::values::Value;"), None);

    let comment = "/// A Value.\n///\n/// ```\n/// let text = Text::new();\n/// ```\n/// A Value.";
    let comment: Vec<&str> = comment.lines().collect();
    assert!(has_example_of(&comment, "Text"));
    assert!(!has_example_of(&comment, "Value"), "the text mentions it, and no example");
    for items in ["{", "{Text, Value};", "*;"] {
        let group = format!("pub use sundry_term::{items}");
        assert!(!has_example_of(&comment, taken_from_below(&group).unwrap()), "{group}");
    }
}
