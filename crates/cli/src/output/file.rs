//! Files that are complete at every moment.
//!
//! New content goes to a temporary file in the same folder, is flushed to the disk and takes the
//! name of the old one: whoever looks, also after a crash or on a full disk, sees the old content
//! or the new one, whole. Writing in place was rejected for that reason. What is no regular file
//! (a pipe, a device) cannot be replaced, and is written once.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::lock::{Guarded, Holder, Lock, NoLock};
use crate::failure::Failure;
use crate::input::is_standard;

/// A file for results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputFile {
    /// The name given, for messages.
    name: PathBuf,
    /// The file itself, where the name is a symbolic link to it.
    path: PathBuf,
    /// Whether its content can be replaced.
    is_regular: bool,
    /// Whether it has reached the disk when it is replaced.
    is_synced: bool,
}

impl OutputFile {
    /// Checks, before any work is done, that a file can be written, without touching its content.
    ///
    /// # Errors
    /// The path is a folder or stands for standard output, or the folder of the file is missing or cannot be written to.
    pub fn new(name: &Path) -> Result<Self, Failure> {
        if is_standard(name) {
            let failure = Failure::usage("cannot write this to standard output, which '-' stands for");
            return Err(failure.with_help("name a file; './-' is a file with this name"));
        }
        let existing = fs::metadata(name);
        if existing.as_ref().is_ok_and(fs::Metadata::is_dir) {
            let message = format!("cannot write {}: it is a folder", name.display());
            return Err(Failure::usage(message).with_help("name a file in it"));
        }
        let is_regular = existing.as_ref().map_or(true, fs::Metadata::is_file);
        let path = match existing {
            Ok(_) if is_regular => fs::canonicalize(name).unwrap_or_else(|_| name.to_path_buf()),
            _ => name.to_path_buf(),
        };
        let file = OutputFile { name: name.to_path_buf(), path, is_regular, is_synced: true };
        file.probe().map_err(|error| Failure::writing(name, &error))?;
        Ok(file)
    }

    fn probe(&self) -> io::Result<()> {
        if self.is_regular {
            TemporaryFile::beside(&self.path).map(drop)
        } else {
            OpenOptions::new().write(true).open(&self.path).map(drop)
        }
    }

    /// The name that was given.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Whether the content can be replaced again and again.
    pub fn is_regular(&self) -> bool {
        self.is_regular
    }

    /// Whether this is the file with that name.
    pub fn is_same_as(&self, other: &Path) -> bool {
        self.is_regular && fs::canonicalize(other).is_ok_and(|other| other == self.path)
    }

    /// Refuses a file that is an input: `what` it is.
    ///
    /// # Errors
    /// The output is the file with that name.
    pub fn require_other_than(&self, input: &Path, what: &str) -> Result<(), Failure> {
        if !self.is_same_as(input) {
            return Ok(());
        }
        let message = format_args!("the output {} is the {what} itself", input.display());
        let help = format_args!("choose another name; the {what} would be overwritten");
        Err(Failure::usage(message).mentioning(input.display()).with_help(help))
    }

    /// Has this process alone write the file, as long as the lock is kept; none where nothing is to be locked: a pipe,
    /// a device, a file system without locks.
    ///
    /// # Errors
    /// Another process writes it.
    pub fn lock(&self) -> Result<Option<Lock>, Failure> {
        let Some(name) = self.path.file_name().filter(|_| self.is_regular) else { return Ok(None) };
        let mut lock = OsString::from(".");
        lock.push(name);
        lock.push(".sundry-lock");
        locked(folder_of(&self.path).join(lock), Guarded::File, &self.name, "choose another file")
    }

    /// Empties the file and opens it, to be written bit by bit.
    ///
    /// # Errors
    /// The system reports an error.
    pub fn create(&self) -> io::Result<File> {
        match self.is_regular {
            true => File::create(&self.path),
            false => OpenOptions::new().write(true).open(&self.path),
        }
    }

    /// Opens the file to be continued behind its first bytes; what is behind them is cut off.
    ///
    /// # Errors
    /// The system reports an error, or the file cannot be continued because it is a pipe or a device.
    pub fn continue_at(&self, length: u64) -> io::Result<File> {
        if !self.is_regular {
            return Err(ErrorKind::Unsupported.into());
        }
        let file = OpenOptions::new().append(true).create(true).open(&self.path)?;
        file.set_len(length)?;
        Ok(file)
    }

    /// Opens the file to be read; `None` where there is none yet.
    ///
    /// # Errors
    /// The system reports an error, or the file cannot be read because it is a pipe or a device.
    pub fn open(&self) -> io::Result<Option<File>> {
        if !self.is_regular {
            return Err(ErrorKind::Unsupported.into());
        }
        match File::open(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            result => result.map(Some),
        }
    }

    /// Replaces the content.
    ///
    /// # Errors
    /// The system reports an error. The old content stays.
    pub fn replace(&self, content: &[u8]) -> Result<(), Failure> {
        let result = if self.is_regular {
            TemporaryFile::beside(&self.path)
                .and_then(|temporary| temporary.become_file(&self.path, content, self.is_synced))
        } else {
            OpenOptions::new().write(true).open(&self.path).and_then(|mut file| file.write_all(content))
        };
        result.map_err(|error| match self.is_regular && self.path.exists() {
            true => {
                Failure::writing(&self.name, &error).with_help("the earlier content of the file is untouched")
            }
            false => Failure::writing(&self.name, &error),
        })
    }
}

fn locked(lock: PathBuf, guarded: Guarded, name: &Path, instead: &str) -> Result<Option<Lock>, Failure> {
    match Lock::take(lock, guarded) {
        Ok(lock) => Ok(Some(lock)),
        Err(NoLock::Unsupported) => Ok(None),
        Err(NoLock::Held(holder)) => {
            let holder = holder.as_ref().map_or("another process".to_string(), Holder::to_string);
            let message = format_args!("{} is being written by {holder}", name.display());
            let help = format_args!("wait until it has ended, or {instead}");
            Err(Failure::usage(message).mentioning(name.display()).with_help(help))
        }
    }
}

/// What temporary files of a process are called, up to their number.
fn temporary_prefix(process: u32) -> String {
    format!(".sundry-{process}-")
}

const TEMPORARY_SUFFIX: &str = ".part";

/// Removes the temporary files of a process that has ended, beside its lock or in all folders below.
pub(super) fn sweep(folder: &Path, process: u32, guarded: Guarded) {
    let prefix = temporary_prefix(process);
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            let name = entry.file_name();
            if name.to_str().is_some_and(|name| name.starts_with(&prefix) && name.ends_with(TEMPORARY_SUFFIX))
            {
                let _ = fs::remove_file(entry.path());
            } else if guarded == Guarded::Folder && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(entry.path());
            }
        }
    }
}

/// A file that is removed again unless it becomes another one.
struct TemporaryFile {
    path: PathBuf,
    file: File,
}

impl TemporaryFile {
    fn beside(path: &Path) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let folder = folder_of(path);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let prefix = temporary_prefix(std::process::id());
            let path = folder.join(format!("{prefix}{number}{TEMPORARY_SUFFIX}"));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(TemporaryFile { path, file }),
                // Left behind by a killed process with the same number.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn become_file(mut self, path: &Path, content: &[u8], is_synced: bool) -> io::Result<()> {
        if let Ok(old) = fs::metadata(path) {
            self.file.set_permissions(old.permissions())?;
        }
        self.file.write_all(content)?;
        if is_synced {
            self.file.sync_all()?;
        }
        fs::rename(&self.path, path)?;
        if !is_synced {
            return Ok(());
        }
        // So that the new name survives a power failure. Not every file system can do it.
        if let Ok(folder) = File::open(folder_of(path)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // Fails when it has taken the other name, as it should.
        let _ = fs::remove_file(&self.path);
    }
}

/// The folder that a file is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A folder for results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputFolder {
    path: PathBuf,
    /// What goes there, as a sentence for messages.
    purpose: &'static str,
    /// Whether its files have reached the disk when they are replaced.
    is_synced: bool,
}

impl OutputFolder {
    /// Creates the folder where it is missing, and checks that files can be put into it. The purpose is a sentence that
    /// says what goes there.
    ///
    /// # Errors
    /// The path is a file, or the folder cannot be created or written to.
    pub fn new(path: &Path, purpose: &'static str) -> Result<Self, Failure> {
        if fs::metadata(path).is_ok_and(|existing| !existing.is_dir()) {
            let message = format!("cannot write into {}: it is not a folder", path.display());
            return Err(Failure::usage(message).with_help(purpose));
        }
        let probe = fs::create_dir_all(path).and_then(|()| TemporaryFile::beside(&path.join("probe")));
        probe.map_err(|error| Failure::writing(path, &error))?;
        Ok(OutputFolder { path: path.to_path_buf(), purpose, is_synced: true })
    }

    /// The folder's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A folder in the folder.
    ///
    /// # Errors
    /// The folder cannot be created or written to.
    pub fn folder(&self, relative: &Path) -> Result<OutputFolder, Failure> {
        let folder = OutputFolder::new(&self.path.join(relative), self.purpose)?;
        Ok(OutputFolder { is_synced: self.is_synced, ..folder })
    }

    /// The folder for many small files that can be made again: the system writes them to the disk when it suits. A killed process leaves only whole files all the
    /// same, but a power failure may not.
    pub fn unsynced(self) -> OutputFolder {
        OutputFolder { is_synced: false, ..self }
    }

    /// Has this process alone write into the folder, as long as the lock is kept; none where there are no locks.
    ///
    /// # Errors
    /// Another process writes into it.
    pub fn lock(&self) -> Result<Option<Lock>, Failure> {
        locked(self.path.join(".sundry-lock"), Guarded::Folder, &self.path, "choose another folder")
    }

    /// Whether there is something of that name in the folder.
    pub fn has(&self, relative: &Path) -> bool {
        self.path.join(relative).exists()
    }

    /// A file in the folder, with the folders in between.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn file(&self, relative: &Path) -> Result<OutputFile, Failure> {
        let path = self.path.join(relative);
        fs::create_dir_all(folder_of(&path)).map_err(|error| Failure::writing(&path, &error))?;
        Ok(OutputFile { is_synced: self.is_synced, ..OutputFile::new(&path)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Status;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn content_is_replaced_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("out.txt");
        let file = OutputFile::new(&path).expect("writable");
        assert!(!path.exists(), "checking creates nothing");
        for content in ["first", "second, longer", ""] {
            file.replace(content.as_bytes()).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("there"), content);
        }
        assert_eq!(names(folder.path()), ["out.txt"]);
        assert!(file.is_same_as(&folder.path().join("./out.txt")));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_modes_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("temporary folder");
        let (path, link) = (folder.path().join("out.txt"), folder.path().join("link"));
        fs::write(&path, "old").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("mode");
        std::os::unix::fs::symlink("out.txt", &link).expect("link");
        OutputFile::new(&link).expect("writable").replace(b"new").expect("written");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(fs::read_to_string(&path).expect("there"), "new");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn what_cannot_be_written_is_refused_at_once() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("written");
        for path in [folder.path().to_path_buf(), file.join("below"), folder.path().join("missing/out")] {
            let failure = OutputFile::new(&path).expect_err("not writable");
            assert_eq!(failure.status(), Status::Input, "{failure}");
        }
        let failure = OutputFolder::new(&file, "all goes there").expect_err("a file");
        assert!(failure.to_string().ends_with("it is not a folder\n  = help: all goes there\n"), "{failure}");
        assert!(OutputFolder::new(&file.join("below"), "").is_err());
        let made = OutputFolder::new(&folder.path().join("a/b"), "").expect("created");
        made.file(Path::new("c/d.txt")).expect("writable").replace(b"x").expect("written");
        assert_eq!(names(&folder.path().join("a/b/c")), ["d.txt"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_a_limit_and_stays_a_device() {
        let file = OutputFile::new(Path::new("/dev/full")).expect("can be opened");
        assert!(!file.is_regular());
        assert_eq!(file.replace(b"x").expect_err("full").status(), Status::Limit);
        OutputFile::new(Path::new("/dev/null")).expect("can be opened").replace(b"x").expect("written");
        assert!(!fs::metadata("/dev/null").expect("there").is_file());
    }
}
