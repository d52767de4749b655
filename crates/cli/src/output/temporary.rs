//! A folder for files of one run, which nobody needs afterwards.
//!
//! The run removes it at its end, its guardian after a kill. Where both were killed, a later run does: folders with a
//! lock in them that was held by a process of this machine, and is held by none any more. Whatever else lies beside
//! them, also under such a name, is not ours.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::process::geteuid;
use tempfile::TempDir;

use super::lock::{Guarded, Lock, NoLock};
use crate::failure::{Failure, FailureKind};

/// What the names of such folders begin with.
const PREFIX: &str = "sundry-";
/// The place for files that stay in memory.
const IN_MEMORY: &str = "/dev/shm";
/// The lock in a folder.
const LOCK: &str = ".sundry-lock";
/// How often another folder is made where somebody looks at the lock at this moment.
const TRIES: usize = 10;

/// A folder for files of this run, removed when it is dropped.
#[derive(Debug)]
pub struct RunFolder {
    folder: TempDir,
    /// The lock; none where the system has no locks.
    _lock: Option<Lock>,
}

impl RunFolder {
    /// Makes the folder, and removes those of runs that were killed.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn new() -> Result<RunFolder, Failure> {
        let parent = std::env::temp_dir();
        sweep(&parent);
        RunFolder::below(&parent)
    }

    /// Makes a folder whose files stay in memory, where the system has such a place.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn in_memory() -> Result<RunFolder, Failure> {
        let parent = Path::new(IN_MEMORY);
        let has_place = parent.is_dir() && rustix::fs::access(parent, rustix::fs::Access::WRITE_OK).is_ok();
        if !has_place {
            return RunFolder::new();
        }
        sweep(parent);
        RunFolder::below(parent)
    }

    fn below(parent: &Path) -> Result<RunFolder, Failure> {
        for _ in 0..TRIES {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent).map_err(none)?;
            let lock = match Lock::take(folder.path().join(LOCK), Guarded::Folder) {
                Ok(lock) => Some(lock),
                Err(NoLock::Unsupported) => None,
                Err(NoLock::Held(_)) => continue,
            };
            return Ok(RunFolder { folder, _lock: lock });
        }
        Err(none("others hold all locks in it"))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A new folder in it, removed when it is dropped.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn folder(&self) -> Result<TempDir, Failure> {
        tempfile::tempdir_in(self.path()).map_err(none)
    }
}

fn none(why: impl std::fmt::Display) -> Failure {
    Failure::new(FailureKind::Limit, format_args!("cannot make a temporary folder: {why}"))
        .with_help("set TMPDIR to a folder that you can write to")
}

/// Removes all folders of runs that were killed.
fn sweep(parent: &Path) {
    for entry in parent.read_dir().into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            remove_abandoned(&entry.path());
        }
    }
}

/// Removes the folder of a run that was killed. Nothing happens to any other.
pub fn remove_abandoned(folder: &Path) {
    let is_own = |data: fs::Metadata| data.is_dir() && data.uid() == geteuid().as_raw();
    if !fs::symlink_metadata(folder).is_ok_and(is_own) {
        return;
    }
    // Held until the folder is gone, so that two that sweep do not meet in it.
    if let Some(_lock) = Lock::of_dead(folder.join(LOCK)) {
        let _ = fs::remove_dir_all(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_dead_have_left_is_removed() {
        let root = tempfile::tempdir().expect("temporary folder");
        let make = |name: &str, lock: Option<&str>| {
            let folder = root.path().join(name);
            fs::create_dir_all(folder.join("0")).expect("made");
            fs::write(folder.join("0/question.smt2"), "(check-sat)").expect("written");
            if let Some(text) = lock {
                fs::write(folder.join(LOCK), text).expect("written");
            }
        };
        let running = RunFolder::below(root.path()).expect("made");
        let held = fs::read_to_string(running.path().join(LOCK)).expect("it says who holds it");
        make("sundry-dead", Some(&held));
        make("sundry-beginning", Some(""));
        make("sundry-of-somebody", None);
        make("sundry-of-another-machine", Some(&held.replace("\"host\":\"", "\"host\":\"not-")));
        make("other", Some(&held));
        make("target", Some(&held));
        std::os::unix::fs::symlink(root.path().join("target"), root.path().join("sundry-link"))
            .expect("a link");
        sweep(root.path());
        let mut left: Vec<String> = fs::read_dir(root.path())
            .expect("there")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        left.sort();
        let own = running.path().file_name().expect("a name").to_string_lossy().into_owned();
        let mut expected = vec![
            "other".to_string(),
            "sundry-beginning".into(),
            "sundry-link".into(),
            "sundry-of-another-machine".into(),
            "sundry-of-somebody".into(),
            "target".into(),
            own,
        ];
        expected.sort();
        assert_eq!(left, expected);
        let path = running.path().to_path_buf();
        drop(running);
        assert!(!path.exists());
    }
}
