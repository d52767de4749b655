//! An interpreter together with the text of its script.

use sundry_smtlib::SourceText;

use super::channels::Silent;
use super::interpreter::{Interpreter, InterpreterOptions, ScriptStatus};
use super::response::Response;

/// A script that grows, and the solver that answers it. Messages besides the answers are ignored.
pub struct Conversation {
    interpreter: Interpreter<Silent>,
    source: SourceText,
}

impl Conversation {
    /// A conversation in which nothing has been said.
    pub fn new(options: InterpreterOptions) -> Self {
        Conversation { interpreter: Interpreter::new(options, Silent), source: SourceText::new("script", "") }
    }

    /// Carries out some commands, and returns the response to each. Commands behind `exit` are left out.
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
    pub fn lines(&self, responses: impl IntoIterator<Item = Response>) -> String {
        responses.into_iter().filter_map(|response| self.interpreter.line(response)).collect()
    }

    /// The status of the script so far.
    pub fn status(&self) -> ScriptStatus {
        self.interpreter.status()
    }
}
