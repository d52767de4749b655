//! Failures of the command line itself, as `clap` finds them.

use std::ffi::OsString;

use clap::error::Error;

use super::Failure;

impl Failure {
    /// What `clap` refuses, with its message and tips as data. The usage that it prints below them is left out: it is what
    /// `--help` says.
    pub fn of_command_line(error: &Error) -> Failure {
        let text = error.render().to_string();
        let mut paragraphs = text.split("\n\n").map(one_line);
        let message = paragraphs.next().unwrap_or_default();
        let failure = Failure::usage(message.strip_prefix("error: ").unwrap_or(&message));
        let help: Vec<String> =
            paragraphs.filter_map(|paragraph| paragraph.strip_prefix("tip: ").map(str::to_string)).collect();
        if help.is_empty() { failure } else { failure.with_help(help.join("; ")) }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a command line asks for errors in JSON, where it could not be parsed.
pub fn asks_for_json(arguments: &[OsString]) -> bool {
    let options = || arguments.iter().take_while(|argument| *argument != "--");
    let says = |format: &str| {
        let whole = format!("--message-format={format}");
        let mut pairs = options().zip(options().skip(1));
        options().any(|option| *option == *whole)
            || pairs.any(|(option, value)| option == "--message-format" && value == format)
    };
    says("json") || options().any(|option| option == "--json") && !says("text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_found_in_command_lines_that_cannot_be_parsed() {
        let asks = |words: &str| asks_for_json(&words.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(asks("sundry sample --json"));
        assert!(asks("sundry solve --message-format=json -x"));
        assert!(asks("sundry solve --message-format json"));
        assert!(!asks("sundry solve --message-format text"));
        assert!(!asks("sundry sample --json --message-format text"));
        assert!(!asks("sundry sample -- --json"));
    }
}
