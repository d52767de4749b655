//! Outputs that are read while a command runs.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::Output;

/// The number of bytes that may stand behind the text that [ends](Reading::ends_with) an answer, or before it in its line.
const TAIL: usize = 256;

/// An output that is being read.
#[derive(Debug)]
pub(super) struct Reading {
    kept: Arc<Mutex<Kept>>,
    thread: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    is_cut: bool,
}

impl Reading {
    /// Keeps the first bytes of a pipe, and reads the rest so that the writer does not have to wait.
    ///
    /// # Errors
    /// There are too many threads.
    pub(super) fn start(mut pipe: impl Read + Send + 'static, limit: usize) -> io::Result<Reading> {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let shared = Arc::clone(&kept);
        let read = move || {
            let mut buffer = vec![0; 1 << 16];
            loop {
                match pipe.read(&mut buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    // Output that was read before an error still counts.
                    Ok(0) | Err(_) => return,
                    Ok(count) => {
                        let mut kept = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        let taken = count.min(limit - kept.bytes.len());
                        kept.bytes.extend_from_slice(&buffer[..taken]);
                        kept.is_cut |= taken < count;
                    }
                }
            }
        };
        Ok(Reading { kept, thread: thread::Builder::new().spawn(read)? })
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether one of the last whole lines that have arrived contains a text, or so much has arrived that nobody will know.
    pub(super) fn ends_with(&self, text: &str) -> bool {
        let kept = self.kept();
        let tail = &kept.bytes[kept.bytes.len().saturating_sub(text.len() + TAIL)..];
        // The rest of a line that has arrived in part would be taken for the start of the next answer.
        let mut lines = tail.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        kept.is_cut || lines.any(|line| line.windows(text.len()).any(|window| window == text.as_bytes()))
    }

    /// Takes what has arrived so far.
    pub(super) fn take(&self) -> Output {
        std::mem::take(&mut *self.kept()).into_output()
    }

    /// The output read until the pipe was closed, or until the deadline: a process that has left the group may hold
    /// the pipe open.
    pub(super) fn finish(&self, deadline: Instant) -> Output {
        while !self.thread.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_micros(200));
        }
        self.take()
    }
}

impl Kept {
    fn into_output(self) -> Output {
        Output { text: String::from_utf8_lossy(&self.bytes).into_owned(), is_cut: self.is_cut }
    }
}
