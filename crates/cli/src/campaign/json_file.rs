//! Lists and figures that are kept as JSON in the folder of a campaign.

use std::io::ErrorKind;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::{Failure, FailureKind};
use crate::output::OutputFolder;

/// What a file has; nothing if there is none.
///
/// # Errors
/// It cannot be read, or has something else.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Failure> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::reading(path, &error)),
    };
    serde_json::from_str(&text).map(Some).map_err(|error| {
        Failure::of(FailureKind::Input, path.display(), error)
            .with_help("choose another folder with -o, or remove this one")
    })
}

/// Writes a file in place of what it had.
///
/// # Errors
/// It cannot be written.
pub fn write(folder: &OutputFolder, name: &str, content: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(content).expect("strings and numbers");
    folder.file(Path::new(name))?.replace(format!("{text}\n").as_bytes())
}
