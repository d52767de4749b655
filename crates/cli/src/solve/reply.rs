//! What a command is answered with (SMT-LIB standard 2.7, section 3.11.1).

/// The answer of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Carried out, and nothing to tell: `success` where the script asks for it.
    Success,
    /// The text that was asked for, without a line break at the end.
    Text(String),
    /// An option, information or command of the standard that is not handled.
    Unsupported,
    /// The command was not carried out; why, in words.
    Error(String),
    /// A limit was met before the command was carried out; which, in words.
    Stopped(String),
}

impl Reply {
    /// The line to print, if any. Long texts are not copied: there are models of gigabytes.
    pub fn line(self, print_success: bool) -> Option<String> {
        match self {
            Reply::Success => print_success.then(|| "success\n".to_string()),
            Reply::Text(mut text) => {
                text.push('\n');
                Some(text)
            }
            Reply::Unsupported => Some("unsupported\n".to_string()),
            Reply::Error(message) | Reply::Stopped(message) => {
                Some(format!("(error {})\n", string_literal(&message)))
            }
        }
    }
}

/// A string of SMT-LIB: quotes inside are doubled.
pub fn string_literal(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_lines() {
        assert_eq!(Reply::Success.line(false), None);
        assert_eq!(Reply::Success.line(true).as_deref(), Some("success\n"));
        assert_eq!(
            Reply::Error("no \"x\"".into()).line(false).as_deref(),
            Some("(error \"no \"\"x\"\"\")\n")
        );
    }
}
