//! Transcripts, which record questions and replies as lines of JSON, and respondents that repeat the replies.
//!
//! With a transcript, a finding can be examined without the solver that shows it, and a test of a campaign needs no
//! solver. A line is one object with the name of the respondent, further arguments
//! if there are any, the script, and the reply with its figures.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::inquiry::key;
use super::{Capabilities, Circumstances, Inquiry, Respondent};
use crate::process::{Finished, Output};
use crate::reply::{Answer, Fault, Reply};

/// One question with its reply, as in a transcript.
#[derive(Serialize, Deserialize)]
struct Line {
    respondent: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    arguments: Vec<String>,
    script: String,
    answers: Vec<Answer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<Fault>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    executed: Option<Vec<u32>>,
    output: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    errors: String,
    /// The status as the system gives it.
    status: i32,
    wall_seconds: f64,
    processor_seconds: f64,
    memory_bytes: u64,
}

impl Line {
    fn new(respondent: &str, inquiry: &Inquiry, reply: &Reply) -> Line {
        let Reply { answers, error, fault, executed, finished } = reply.clone();
        Line {
            respondent: respondent.to_string(),
            arguments: inquiry.arguments.clone(),
            script: inquiry.text.to_string(),
            answers,
            error,
            fault,
            executed,
            output: finished.output.text,
            errors: finished.errors.text,
            status: finished.status.into_raw(),
            wall_seconds: finished.wall.as_secs_f64(),
            processor_seconds: finished.processor.as_secs_f64(),
            memory_bytes: finished.memory,
        }
    }

    fn reply(self) -> Reply {
        let seconds = |time: f64| Duration::try_from_secs_f64(time).unwrap_or_default();
        let output = |text| Output { text, is_cut: false };
        Reply {
            answers: self.answers,
            error: self.error,
            fault: self.fault,
            executed: self.executed,
            finished: Finished {
                output: output(self.output),
                errors: output(self.errors),
                status: ExitStatus::from_raw(self.status),
                stopped: None,
                wall: seconds(self.wall_seconds),
                processor: seconds(self.processor_seconds),
                memory: self.memory_bytes,
            },
        }
    }
}

/// Something that keeps questions and replies: a transcript, or a [`Trace`](super::Trace).
pub trait Recorder: Send + Sync {
    /// Keeps a question with the reply of a respondent.
    ///
    /// # Errors
    /// They cannot be written.
    fn record(&self, respondent: &dyn Respondent, inquiry: &Inquiry, reply: &Reply) -> io::Result<()>;
}

/// A transcript: a line for each question.
impl<W: Write + Send> Recorder for Mutex<W> {
    fn record(&self, respondent: &dyn Respondent, inquiry: &Inquiry, reply: &Reply) -> io::Result<()> {
        let line = Line::new(respondent.name(), inquiry, reply);
        let line = serde_json::to_string(&line).map_err(io::Error::other)?;
        let mut transcript = self.lock().unwrap_or_else(PoisonError::into_inner);
        // In one piece, so that a line is whole or the last.
        transcript.write_all(format!("{line}\n").as_bytes())?;
        transcript.flush()
    }
}

/// A respondent whose questions and replies are kept by a recorder, which others may share.
pub struct Recorded<R, C: ?Sized> {
    inner: R,
    recorder: Arc<C>,
}

impl<R: Respondent, C: Recorder + ?Sized> Recorded<R, C> {
    /// Has the recorder keep each question with its reply.
    pub fn new(inner: R, recorder: Arc<C>) -> Recorded<R, C> {
        Recorded { inner, recorder }
    }
}

impl<R: fmt::Debug, C: ?Sized> fmt::Debug for Recorded<R, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorded").field("inner", &self.inner).finish_non_exhaustive()
    }
}

impl<R: Respondent, C: Recorder + ?Sized> Respondent for Recorded<R, C> {
    same_as_inner!();

    /// Asks the wrapped respondent, and keeps its reply.
    ///
    /// # Errors
    /// The respondent cannot be asked, or the recorder cannot write.
    fn ask(&self, inquiry: &Inquiry, circumstances: Circumstances<'_>) -> io::Result<Reply> {
        let reply = self.inner.ask(inquiry, circumstances)?;
        self.recorder.record(&self.inner, inquiry, &reply)?;
        Ok(reply)
    }
}

/// The recorded replies of respondents, by their names.
#[derive(Debug, Default)]
pub struct Transcript {
    replies: BTreeMap<String, FxHashMap<String, Reply>>,
}

/// The error that a line is not a question with its reply.
#[derive(Debug)]
pub enum TranscriptError {
    /// The transcript cannot be read.
    Read(io::Error),
    /// A line has something else.
    Line {
        /// The number of the line, from 1.
        number: usize,
        /// The fault in the line.
        error: serde_json::Error,
    },
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TranscriptError::Read(error) => error.fmt(f),
            TranscriptError::Line { number, error } => write!(f, "line {number}: {error}"),
        }
    }
}

impl std::error::Error for TranscriptError {}

impl Transcript {
    /// Reads a transcript. Of several replies of one respondent to one script, the last counts. The function ignores
    /// a last line that a kill has cut.
    ///
    /// # Errors
    /// The transcript cannot be read, or a line is not a question with its reply.
    pub fn read(mut source: impl BufRead) -> Result<Transcript, TranscriptError> {
        let mut transcript = Transcript::default();
        let mut text = String::new();
        for number in 1.. {
            text.clear();
            if source.read_line(&mut text).map_err(TranscriptError::Read)? == 0 || !text.ends_with('\n') {
                break;
            }
            let line: Line =
                serde_json::from_str(&text).map_err(|error| TranscriptError::Line { number, error })?;
            let replies = transcript.replies.entry(line.respondent.clone()).or_default();
            replies.insert(key(&line.script, &line.arguments).into_owned(), line.reply());
        }
        Ok(transcript)
    }

    /// The respondents in it, in the order of their names: each replies as it did.
    pub fn respondents(self) -> impl Iterator<Item = Replay> {
        let replay = |(name, replies)| Replay { name, replies, capabilities: Capabilities::default() };
        self.replies.into_iter().map(replay)
    }
}

/// A respondent that repeats the recorded replies of another, by the script.
#[derive(Debug)]
pub struct Replay {
    name: String,
    replies: FxHashMap<String, Reply>,
    capabilities: Capabilities,
}

impl Respondent for Replay {
    fn name(&self) -> &str {
        &self.name
    }

    /// A transcript does not record the family.
    fn family(&self) -> &str {
        ""
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// The reply to a script as it stands in the transcript; to others, that they are not there.
    fn ask(&self, inquiry: &Inquiry, _: Circumstances<'_>) -> io::Result<Reply> {
        let known = self.replies.get(&*inquiry.key()).cloned();
        Ok(known.unwrap_or_else(|| Reply::not_asked("the transcript does not have this script".to_string())))
    }
}
