//! An interpreter together with the text of its script.

use sundry_smtlib::SourceText;

use super::channels::Silent;
use super::interpreter::{Interpreter, InterpreterOptions, ScriptStatus};
use super::response::Response;

/// A script that grows, and the solver that answers it. Messages besides the answers are ignored.
///
/// ```
/// use sundry::script::{Conversation, InterpreterOptions};
///
/// let mut conversation = Conversation::new(InterpreterOptions::default());
/// let responses = conversation.run("(declare-const p Bool) (assert p) (check-sat)");
/// assert_eq!(conversation.lines(responses), "sat\n");
/// let responses = conversation.run("(assert (not p)) (check-sat)");
/// assert_eq!(conversation.lines(responses), "unsat\n");
/// ```
pub struct Conversation {
    interpreter: Interpreter<Silent>,
    source: SourceText,
}

impl Conversation {
    /// A conversation in which nothing has been said.
    ///
    /// ```
    /// use sundry::script::{Conversation, InterpreterOptions};
    ///
    /// let mut conversation = Conversation::new(InterpreterOptions::default());
    /// assert!(conversation.run("").is_empty());
    /// ```
    pub fn new(options: InterpreterOptions) -> Self {
        Conversation { interpreter: Interpreter::new(options, Silent), source: SourceText::new("script", "") }
    }

    /// Carries out some commands, and returns the response to each. Commands behind `exit` are left out.
    ///
    /// ```
    /// use sundry::script::{Conversation, InterpreterOptions};
    ///
    /// let mut conversation = Conversation::new(InterpreterOptions::default());
    /// assert_eq!(conversation.run("(check-sat) (check-sat)").len(), 2);
    /// ```
    pub fn run(&mut self, commands: &str) -> Vec<Response> {
        self.source.append(commands);
        self.interpreter.begin();
        let mut responses = Vec::new();
        while !self.interpreter.is_finished() {
            let Some(response) = self.interpreter.step(&self.source, true) else { break };
            responses.push(response);
        }
        responses
    }

    /// The lines that the script wants to see for responses.
    ///
    /// ```
    /// use sundry::script::{Conversation, InterpreterOptions};
    ///
    /// let mut conversation = Conversation::new(InterpreterOptions::default());
    /// let responses = conversation.run("(echo \"hello\") (get-info :name)");
    /// assert_eq!(conversation.lines(responses), "\"hello\"\n(:name \"Sundry\")\n");
    /// ```
    pub fn lines(&self, responses: impl IntoIterator<Item = Response>) -> String {
        responses.into_iter().filter_map(|response| self.interpreter.line(response)).collect()
    }

    /// The status of the script so far.
    ///
    /// ```
    /// use sundry::script::{Conversation, InterpreterOptions, ScriptStatus};
    ///
    /// let mut conversation = Conversation::new(InterpreterOptions::default());
    /// conversation.run("(assert p)");
    /// assert_eq!(conversation.status(), ScriptStatus::Error);
    /// ```
    pub fn status(&self) -> ScriptStatus {
        self.interpreter.status()
    }
}
