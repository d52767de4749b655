//! Keeps two processes from writing the same output.
//!
//! An output is replaced by renaming another file over it, so a lock on the output itself would stay with content
//! that is gone. What is locked is a file of its own beside the output, by `flock(2)`: the system gives the lock up
//! when the process ends, however it ends, so nothing that a killed process leaves behind stops a later one. The
//! file says who holds the lock, and is removed with it. A file whose existence alone is the lock was rejected: it
//! has to be removed by hand after a crash. Where a file system has no locks, work goes on without.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{env, fmt, process, thread};

use indicatif::HumanDuration;
use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use rustix::system::uname;
use serde::{Deserialize, Serialize};

/// The number of attempts to lock, where the lock file vanishes meanwhile or a dead process still has it.
const TRIES: usize = 200;
/// The time between two attempts to lock the file of a dead process.
const PAUSE: Duration = Duration::from_millis(10);

/// A lock that this process holds until it is dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
}

/// The process that holds a lock.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Holder {
    process: i32,
    host: String,
    /// Seconds since 1970.
    since: u64,
    command: String,
}

/// Why a lock cannot be had.
#[derive(PartialEq, Eq, Debug)]
pub enum NoLock {
    /// Another process holds it; who, if that can be known.
    Held(Option<Holder>),
    /// The place has no locks.
    Unsupported,
}

/// What a lock is for, and so where a process that dies with it may have left temporary files.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Guarded {
    /// A file beside the lock.
    File,
    /// All that is below the folder of the lock.
    Folder,
}

impl Lock {
    /// Locks a path, which only has to be the same for all who lock the same. The file is made where it is missing.
    /// Temporary files that a process has left are removed if it was killed with the lock.
    ///
    /// # Errors
    /// Another process holds it, or there are no locks.
    pub fn take(path: PathBuf, guarded: Guarded) -> Result<Lock, NoLock> {
        for _ in 0..TRIES {
            let mut file = open(&path).map_err(|_| NoLock::Unsupported)?;
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                // Whoever held it may have removed it meanwhile.
                Ok(()) if !is_at(&file, &path) => {}
                Ok(()) => {
                    if let Some(dead) = Holder::read(&mut file) {
                        dead.sweep(&path, guarded);
                    }
                    let mut lock = Lock { file, path };
                    // Without a name the lock holds as well.
                    let _ = Holder::this().write(&mut lock.file);
                    return Ok(lock);
                }
                Err(Errno::WOULDBLOCK) => match Holder::read(&mut file) {
                    // A child that it was about to start has the lock until its own program begins.
                    Some(dead) if dead.is_gone() => thread::sleep(PAUSE),
                    holder => return Err(NoLock::Held(holder)),
                },
                Err(_) => {
                    if file.metadata().is_ok_and(|data| data.len() == 0) {
                        let _ = fs::remove_file(&path);
                    }
                    return Err(NoLock::Unsupported);
                }
            }
        }
        Err(NoLock::Held(None))
    }

    /// Takes over a lock that a process of this machine held until it died; nothing if there is none.
    pub fn of_dead(path: PathBuf) -> Option<Lock> {
        let flags = OFlags::NOFOLLOW.bits() as i32;
        let mut file = OpenOptions::new().read(true).custom_flags(flags).open(&path).ok()?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
        // Whoever has just made it has not put a name into it yet.
        let is_of_dead = is_at(&file, &path) && Holder::read(&mut file)?.host == host();
        is_of_dead.then_some(Lock { file, path })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // In this order: once the lock is given up, the file may be that of another process.
        if is_at(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens a lock file, which is never a link to something else. That of another user can be locked, but not written.
fn open(path: &Path) -> std::io::Result<File> {
    let flags = OFlags::NOFOLLOW.bits() as i32;
    let own =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).custom_flags(flags).open(path);
    own.or_else(|error| match fs::symlink_metadata(path) {
        Ok(data) if data.is_file() => OpenOptions::new().read(true).custom_flags(flags).open(path),
        _ => Err(error),
    })
}

/// Whether an open file is the one with this name.
fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(open), Ok(named)) => (open.dev(), open.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

impl Holder {
    /// This process.
    fn this() -> Holder {
        let arguments: Vec<String> = env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        Holder {
            process: process::id() as i32,
            host: host(),
            since: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
            // Text with a zero byte cannot come as an argument.
            command: shlex::try_join(arguments.iter().map(String::as_str)).unwrap_or_default(),
        }
    }

    fn read(file: &mut File) -> Option<Holder> {
        let mut text = String::new();
        file.read_to_string(&mut text).ok()?;
        serde_json::from_str(&text).ok()
    }

    fn write(&self, file: &mut File) -> std::io::Result<()> {
        file.rewind()?;
        file.set_len(0)?;
        file.write_all(&serde_json::to_vec(self)?)
    }

    /// Whether the holder is a process of this machine that has ended.
    fn is_gone(&self) -> bool {
        let has_ended = |pid| test_kill_process(pid) == Err(Errno::SRCH);
        self.host == host() && Pid::from_raw(self.process).is_some_and(has_ended)
    }

    /// Removes the temporary files that a process has left that died with the lock.
    fn sweep(&self, lock: &Path, guarded: Guarded) {
        if self.is_gone() {
            super::file::sweep(super::file::folder_of(lock), self.process as u32, guarded);
        }
    }
}

fn host() -> String {
    uname().nodename().to_string_lossy().into_owned()
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {}", self.process)?;
        if self.host != host() {
            write!(f, " on {}", self.host)?;
        }
        let since = UNIX_EPOCH.checked_add(Duration::from_secs(self.since));
        if let Some(time) = since.and_then(|since| since.elapsed().ok()) {
            write!(f, ", for {}", HumanDuration(time))?;
        }
        write!(f, ": {}", self.command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_once_and_leaves_nothing() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join(".out.lock");
        let lock = Lock::take(path.clone(), Guarded::File).expect("free");
        match Lock::take(path.clone(), Guarded::File) {
            Err(NoLock::Held(Some(holder))) => {
                assert_eq!(holder.process as u32, process::id());
                let text = holder.to_string();
                assert!(text.starts_with(&format!("process {}, for ", process::id())), "{text}");
            }
            other => panic!("{other:?}"),
        }
        drop(lock);
        assert!(!path.exists());
        drop(Lock::take(path.clone(), Guarded::File).expect("free again"));
        assert!(!path.exists());
    }

    /// A child between its start and its own program has the files of the process that was killed.
    #[test]
    fn the_lock_of_a_dead_process_is_waited_for() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join(".out.lock");
        let mut child = process::Command::new("true").spawn().expect("a program");
        child.wait().expect("it ends");
        let mut held = open(&path).expect("made");
        flock(&held, FlockOperation::NonBlockingLockExclusive).expect("free");
        let dead = Holder { process: child.id() as i32, ..Holder::this() };
        dead.write(&mut held).expect("written");
        let child = thread::spawn(move || {
            thread::sleep(5 * PAUSE);
            drop(held);
        });
        drop(Lock::take(path.clone(), Guarded::File).expect("free after a while"));
        child.join().expect("it ends");
        assert!(!path.exists());
    }

    /// As a killed process leaves it: the file is there, and a temporary one, but nobody holds the lock.
    #[test]
    fn what_a_killed_process_leaves_behind_stops_nobody_and_is_swept() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join(".out.lock");
        let mut child = process::Command::new("true").spawn().expect("a program");
        child.wait().expect("it ends");
        let dead = Holder { process: child.id() as i32, ..Holder::this() };
        dead.write(&mut open(&path).expect("made")).expect("written");
        let part = folder.path().join(format!(".sundry-{}-7.part", child.id()));
        let other = folder.path().join(format!(".sundry-{}-7.part", process::id()));
        let below = folder.path().join(format!("a/b/.sundry-{}-8.part", child.id()));
        fs::create_dir_all(folder.path().join("a/b")).expect("made");
        std::os::unix::fs::symlink(folder.path(), folder.path().join("a/loop")).expect("link");
        for path in [&part, &other, &below] {
            fs::write(path, "half").expect("written");
        }
        drop(Lock::take(path.clone(), Guarded::File).expect("free"));
        assert!(!path.exists() && !part.exists() && other.exists() && below.exists());
        dead.write(&mut open(&path).expect("made")).expect("written");
        drop(Lock::take(path, Guarded::Folder).expect("free"));
        assert!(!below.exists() && other.exists());
    }

    #[test]
    fn where_no_file_can_be_made_there_are_no_locks() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let missing = folder.path().join("missing/.out.lock");
        assert_eq!(Lock::take(missing, Guarded::File).expect_err("no folder"), NoLock::Unsupported);
        let (victim, link) = (folder.path().join("victim"), folder.path().join(".out.lock"));
        fs::write(&victim, "kept").expect("written");
        std::os::unix::fs::symlink(&victim, &link).expect("link");
        assert_eq!(Lock::take(link, Guarded::File).expect_err("a link"), NoLock::Unsupported);
        assert_eq!(fs::read_to_string(&victim).expect("there"), "kept");
    }
}
