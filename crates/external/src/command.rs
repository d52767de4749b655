//! Command lines of programs, as users write them.

use std::fmt;

/// A command that names no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// Quotes that are not closed.
    Quotes(String),
    /// The command has no words.
    Empty,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Quotes(command) => write!(f, "the command {command} has quotes that do not end"),
            CommandError::Empty => f.write_str("a command is empty"),
        }
    }
}

impl std::error::Error for CommandError {}

/// Splits a command line into the program and its arguments. Words may be quoted as for a shell. If the program is a
/// path, the result is absolute.
///
/// # Errors
/// A command without words, or with quotes that do not end.
pub fn split_command(command: &str) -> Result<(String, Vec<String>), CommandError> {
    let words = shlex::split(command).ok_or_else(|| CommandError::Quotes(command.to_string()))?;
    let mut words = words.into_iter();
    let program = words.next().filter(|program| !program.is_empty()).ok_or(CommandError::Empty)?;
    let absolute = program.contains('/').then(|| std::path::absolute(&program).ok()).flatten();
    let program = absolute.and_then(|path| path.into_os_string().into_string().ok()).unwrap_or(program);
    Ok((program, words.collect()))
}

/// A command with these arguments behind it, quoted as for a shell where that is necessary.
pub fn command_with<'a>(command: &str, arguments: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = command.to_string();
    for argument in arguments {
        text.push(' ');
        // Behind the first word, an equals sign is a character like any other.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_=./:,+@%".contains(&byte);
        if !argument.is_empty() && argument.bytes().all(is_plain) {
            text.push_str(argument);
        } else {
            // Only a zero byte cannot be quoted, and no argument has one.
            text.push_str(&shlex::try_quote(argument).unwrap_or(argument.into()));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_into_words() {
        let words = vec!["--strings-exp".to_string(), "a b".to_string()];
        assert_eq!(split_command("cvc5 --strings-exp 'a b'"), Ok(("cvc5".to_string(), words)));
        assert_eq!(split_command("z3 'a"), Err(CommandError::Quotes("z3 'a".into())));
        assert_eq!(split_command("  "), Err(CommandError::Empty));
        assert_eq!(command_with("z3 -st", ["a.b=2", "a b", ""]), "z3 -st a.b=2 'a b' ''");
    }
}
