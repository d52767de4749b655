//! Inputs that other instances of AFL++ find while an exploration goes on.
//!
//! AFL++ has no other way to pass inputs on than its folders, so the queues of all instances are looked through now and then.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use sundry_explore::{Input, SourceKind, Variables};

use super::queue::{INSTANCE, QUEUE};
use super::seeds::{entries, is_of_fuzzer};
use crate::console::Console;
use crate::failure::Failure;
use crate::values::counted;

/// The time from one look to the next. AFL++ itself looks every half an hour, or after each cycle.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// The other instances in a folder that instances of AFL++ share.
pub struct Siblings {
    shared: PathBuf,
    source: SourceKind,
    /// Files that were read, or are too long.
    seen: FxHashSet<PathBuf>,
    next_look: Instant,
    /// Inputs that are longer than the source.
    oversized: usize,
}

impl Siblings {
    /// The instances in a folder.
    pub fn new(shared: &Path, source: &SourceKind) -> Siblings {
        Siblings {
            shared: shared.to_path_buf(),
            source: source.clone(),
            seen: FxHashSet::default(),
            next_look: Instant::now(),
            oversized: 0,
        }
    }

    /// The inputs that came since the last look; none before it is time for another one.
    ///
    /// # Errors
    /// A folder or a file cannot be read.
    pub fn news(&mut self, variables: &Variables) -> Result<Vec<Input>, Failure> {
        let now = Instant::now();
        let Some(source) = variables.find(&self.source).filter(|_| now >= self.next_look) else {
            return Ok(Vec::new());
        };
        let room = u64::from(variables.sources()[source].capacity);
        let mut inputs = Vec::new();
        for path in self.files()? {
            if !self.seen.insert(path.clone()) {
                continue;
            }
            match read_up_to(&path, room) {
                Ok(Some(bytes)) => {
                    let mut input = Input::default();
                    variables.set_bytes(&mut input, source, &bytes);
                    inputs.push(input);
                }
                Ok(None) => self.oversized += 1,
                // Instances remove files of theirs.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Failure::reading(&path, &error)),
            }
        }
        self.next_look = Instant::now() + LOOK_EVERY;
        Ok(inputs)
    }

    /// The files of all other instances by name.
    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for instance in entries(&self.shared)? {
            if instance.file_name().is_some_and(|name| name == INSTANCE) {
                continue;
            }
            let queue = instance.join(QUEUE);
            if queue.is_dir() {
                files.extend(entries(&queue)?.into_iter().filter(|path| is_of_fuzzer(path)));
            }
        }
        Ok(files)
    }

    /// Says how many inputs were left out.
    pub fn finish(&self, console: &Console) {
        if self.oversized > 0 {
            let inputs = counted(self.oversized, "input");
            let text = format!(
                "{inputs} of other instances left out, longer than {}; give more room",
                self.source.name()
            );
            console.note(self.shared.display(), text);
        }
    }
}

/// The content of a file, or `None` if the file is longer.
fn read_up_to(path: &Path, room: u64) -> io::Result<Option<Vec<u8>>> {
    match fs::metadata(path)?.len() <= room {
        true => fs::read(path).map(Some),
        false => Ok(None),
    }
}
