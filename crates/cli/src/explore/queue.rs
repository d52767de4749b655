//! Tests as inputs for AFL++.
//!
//! AFL++ keeps what it has found in `OUT/NAME/queue/id:000000,…`, and instances that work together share one `OUT`, in which each reads the queues of the
//! others. A folder `OUT/sundry/queue` is such an instance: AFL++ takes its files in the order of their numbers.

use std::fs;
use std::path::Path;

use rustc_hash::FxHashSet;
use sundry_explore::{SourceKind, Test};

use super::files::origin;
use super::seeds::entries;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::OutputFolder;

/// The name of the folder in which AFL++ keeps inputs.
pub const QUEUE: &str = "queue";

/// The name under which explorations take part.
pub const INSTANCE: &str = "sundry";

/// Writes tests into the folder of an instance of AFL++.
pub struct Queue {
    folder: OutputFolder,
    source: SourceKind,
    /// Inputs that are there.
    known: FxHashSet<Vec<u8>>,
    /// The number of the next input.
    next: u32,
    /// Whether some tests have more than the source.
    is_partial: bool,
}

impl Queue {
    /// The queue in a folder that instances share. It continues what is there.
    ///
    /// # Errors
    /// The folder cannot be read or written to.
    pub fn new(shared: &Path, source: &SourceKind) -> Result<Queue, Failure> {
        let shared = OutputFolder::new(shared, "--afl names the folder that instances of AFL++ share")?;
        let folder = shared.folder(&Path::new(INSTANCE).join(QUEUE))?.unsynced();
        let (mut known, mut next) = (FxHashSet::default(), 0);
        for path in entries(folder.path())? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let digits = name.strip_prefix("id:").and_then(|rest| rest.get(..6));
            if let Some(number) = digits.and_then(|digits| digits.parse::<u32>().ok()) {
                next = next.max(number + 1);
                known.insert(fs::read(&path).map_err(|error| Failure::reading(&path, &error))?);
            }
        }
        Ok(Queue { folder, source: source.clone(), known, next, is_partial: false })
    }

    /// Adds the input of a test, unless it is there.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, test: &Test<'_>, console: &Console) -> Result<(), Failure> {
        let Some(source) = test.variables.find(&self.source) else { return Ok(()) };
        let bytes = test.variables.bytes(test.input, source);
        // AFL++ has no use for empty inputs.
        if bytes.is_empty() || self.known.contains(&bytes) {
            return Ok(());
        }
        if test.variables.sources().len() > 1 && !self.is_partial {
            self.is_partial = true;
            let text = "the program declares memory symbolic, and the files have no values for it";
            console.note(self.folder.path().display(), text);
        }
        let name = format!("id:{:06},src:{:06},op:{}", self.next, test.number, origin(test.origin));
        self.folder.file(Path::new(&name))?.replace(&bytes)?;
        self.next += 1;
        self.known.insert(bytes);
        Ok(())
    }
}
