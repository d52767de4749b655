//! Scripts in SMT-LIB, answered command by command (standard 2.7).
//!
//! An [`Interpreter`] carries out the commands of a text and returns a [`Response`] for each; a [`Conversation`] keeps the
//! text as well. After an error, the next command is carried out. Every model has been checked against all assertions
//! before `sat` is returned. Files, standard output and messages are left to [`Channels`].
//!
//! ```
//! use sundry::script::{Conversation, InterpreterOptions, Response, ScriptStatus};
//!
//! let mut conversation = Conversation::new(InterpreterOptions::default());
//! let responses = conversation.run("(declare-const x (_ BitVec 4)) (assert (bvult #xd x)) (check-sat)");
//! assert_eq!(responses.last(), Some(&Response::Text("sat".into())));
//!
//! let responses = conversation.run("(assert (not (= x #xe))) (check-sat) (get-value (x))");
//! assert_eq!(responses.last(), Some(&Response::Text("((x #xf))".into())));
//!
//! let responses = conversation.run("(assert (= x y))");
//! assert!(matches!(&responses[..], [Response::Error(message)] if message.contains("unknown symbol 'y'")));
//! assert_eq!(conversation.status(), ScriptStatus::Error);
//! ```

mod channels;
mod checks;
mod commands;
mod conversation;
mod interpreter;
mod options;
mod partial;
mod questions;
mod response;
mod written;

pub use crate::below::questions::{FloatMethod, FloatOptions, FloatStrategy, Waypoint};
#[cfg(feature = "respondent")]
pub(crate) use channels::only_standard;
pub use channels::{Channels, STANDARD_ERROR, STANDARD_OUTPUT, Silent};
pub use conversation::Conversation;
pub use interpreter::{Interpreter, InterpreterOptions, ScriptStatus};
pub use partial::Partial;
pub use response::Response;
