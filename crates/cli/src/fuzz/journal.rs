//! The journal of a campaign as a file in its folder, to which a line is added after each turn.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use sundry_external::OwnFile;
use sundry_fuzz::{Journal, JournalLine, OtherCampaign};

use super::plan::Description;
use crate::campaign;
use crate::console::Console;
use crate::failure::Failure;

/// The journal in the folder of a campaign.
const NAME: &str = "journal.jsonl";

/// A journal that can be added to.
pub struct JournalFile {
    path: PathBuf,
    file: OwnFile,
}

/// Opens the journal in a folder, which exists, and reads what it says so far.
///
/// # Errors
/// The journal cannot be read or written, or belongs to another campaign.
pub fn open(folder: &Path, description: &Description) -> Result<(Journal, JournalFile), Failure> {
    let path = folder.join(NAME);
    let text = match std::fs::read(&path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::reading(&path, &error)),
    };
    let journal =
        Journal::read(&text, description).map_err(|OtherCampaign| campaign::other_options(folder))?;
    let writing = |error: std::io::Error| Failure::writing(&path, &error);
    let file = OpenOptions::new().create(true).append(true).open(&path).map_err(writing)?;
    if journal.is_new {
        file.set_len(0).map_err(writing)?;
    }
    let mut file = OwnFile::new(file);
    if journal.is_new {
        file.write_all(Journal::line(description).as_bytes()).map_err(writing)?;
    } else if journal.is_cut {
        file.write_all(b"\n").map_err(writing)?;
    }
    Ok((journal, JournalFile { path, file }))
}

/// The journal in a folder, without opening it for writing: a new one if the folder has none, or if its journal belongs to another campaign,
/// of which a note is made.
pub fn read(folder: &Path, description: &Description, console: &Console) -> Journal {
    let text = std::fs::read(folder.join(NAME)).unwrap_or_default();
    Journal::read(&String::from_utf8_lossy(&text), description).unwrap_or_else(|OtherCampaign| {
        console.note(
            folder.display(),
            "belongs to a campaign with other options, so the mutant is that of a campaign that begins with these options",
        );
        Journal { is_new: true, ..Journal::default() }
    })
}

impl JournalFile {
    /// Notes how far a seed and the campaign are.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn note(&mut self, line: &JournalLine) -> Result<(), Failure> {
        let written = self.file.write_all(Journal::line(line).as_bytes());
        written.map_err(|error| Failure::writing(&self.path, &error))
    }
}
