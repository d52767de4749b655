//! A respondent that remembers the replies of another.
//!
//! A campaign puts the same script to a reference again and again: to judge a reply, to judge it once more, to report
//! all answers, and for each release that may show the same defect. Only answers are remembered, because a respondent
//! that a limit stopped may answer another time.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{Circumstances, Inquiry, Respondent};
use crate::reply::{Reply, Verdict};

/// Bytes of scripts and replies that are remembered. The oldest give way to new ones.
const CAPACITY: usize = 32 << 20;

/// A respondent that asks another the first time, and remembers its answers. A remembered reply has the figures of
/// the original run.
#[derive(Debug)]
pub struct Cached<R> {
    inner: R,
    memory: Mutex<Memory>,
}

#[derive(Debug, Default)]
struct Memory {
    replies: FxHashMap<String, Reply>,
    /// The scripts in the order in which they came.
    order: VecDeque<String>,
    bytes: usize,
}

impl<R: Respondent> Cached<R> {
    /// Wraps a respondent whose answers will be remembered.
    pub fn new(inner: R) -> Cached<R> {
        Cached { inner, memory: Mutex::default() }
    }

    fn memory(&self) -> std::sync::MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    fn insert(&mut self, script: &str, reply: &Reply) {
        let size = size_of(script, reply);
        if size > CAPACITY || self.replies.contains_key(script) {
            return;
        }
        while self.bytes + size > CAPACITY {
            let Some(oldest) = self.order.pop_front() else { break };
            let removed = self.replies.remove(&oldest);
            self.bytes -= removed.map_or(0, |reply| size_of(&oldest, &reply));
        }
        self.bytes += size;
        self.replies.insert(script.to_string(), reply.clone());
        self.order.push_back(script.to_string());
    }
}

/// Bytes that a script takes with its reply, about.
fn size_of(script: &str, reply: &Reply) -> usize {
    let printed = reply.finished.output.text.len() + reply.finished.errors.text.len();
    2 * script.len() + 2 * printed + 512
}

/// Whether asking again would give the same reply.
fn is_final(reply: &Reply) -> bool {
    let decides = |verdict| matches!(verdict, Verdict::Sat | Verdict::Unsat);
    reply.fault.is_none() && reply.answers.iter().all(|answer| decides(answer.verdict))
}

impl<R: Respondent> Respondent for Cached<R> {
    same_as_inner!();

    fn ask(&self, inquiry: &Inquiry, circumstances: Circumstances<'_>) -> io::Result<Reply> {
        let key = inquiry.key();
        let known = self.memory().replies.get(&*key).cloned();
        if let Some(reply) = known {
            return Ok(reply);
        }
        let reply = self.inner.ask(inquiry, circumstances)?;
        if is_final(&reply) {
            self.memory().insert(&key, &reply);
        }
        Ok(reply)
    }
}
