//! The answers to commands (SMT-LIB standard 2.7, section 3.11.1).

/// The answer to a command.
///
/// ```
/// use sundry::script::Response;
///
/// assert_eq!(Response::Unsupported.line(false).as_deref(), Some("unsupported\n"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Response {
    /// The command was carried out and has no other answer: `success`, where the script asks for it.
    Success,
    /// The text that the command asks for, without a line break at the end.
    Text(String),
    /// Sundry does not handle this option, information or command of the standard.
    Unsupported,
    /// The command is wrong and was not carried out, for this reason.
    Error(String),
    /// A limit was met before the command was carried out: which one.
    Stopped(String),
}

impl Response {
    /// The line to print, if there is one; `print_success` is the value of the option of that name. Long texts are not copied:
    /// there are models of gigabytes.
    ///
    /// ```
    /// use sundry::script::Response;
    ///
    /// assert_eq!(Response::Success.line(true).as_deref(), Some("success\n"));
    /// assert_eq!(Response::Error("no \"x\"".into()).line(false).as_deref(), Some("(error \"no \"\"x\"\"\")\n"));
    /// ```
    pub fn line(self, print_success: bool) -> Option<String> {
        match self {
            Response::Success => print_success.then(|| "success\n".to_string()),
            Response::Text(mut text) => {
                text.push('\n');
                Some(text)
            }
            Response::Unsupported => Some("unsupported\n".to_string()),
            Response::Error(message) | Response::Stopped(message) => {
                Some(format!("(error {})\n", string_literal(&message)))
            }
        }
    }
}

/// A string of SMT-LIB: quotes inside are doubled.
pub(super) fn string_literal(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_lines() {
        assert_eq!(Response::Success.line(false), None);
        assert_eq!(Response::Success.line(true).as_deref(), Some("success\n"));
        assert_eq!(
            Response::Error("no \"x\"".into()).line(false).as_deref(),
            Some("(error \"no \"\"x\"\"\")\n")
        );
    }
}
