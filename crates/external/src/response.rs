//! Output of a solver, cut into responses: words, strings, and expressions between parentheses.

/// One response, as text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Response<'a> {
    /// A word outside parentheses, such as `sat`.
    Word(&'a str),
    /// `(error "…")`, the message without quotes.
    Error(&'a str),
    /// A string outside parentheses, as `echo` prints, with its quotes.
    String(&'a str),
    /// Any other expression with its parentheses.
    Expression(&'a str),
    /// An expression or string that does not end.
    Unfinished(&'a str),
}

/// The responses in a text, in order. Comments are left out.
pub fn responses(text: &str) -> Vec<Response<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return found };
        if first == ';' {
            rest = rest.split_once('\n').map_or("", |(_, behind)| behind);
            continue;
        }
        let (length, is_whole) = length_of_response(rest);
        let (response, behind) = rest.split_at(length);
        rest = behind;
        found.push(match first {
            _ if !is_whole => Response::Unfinished(response),
            '(' => match error_message(response) {
                Some(message) => Response::Error(message),
                None => Response::Expression(response),
            },
            '"' => Response::String(response),
            _ => Response::Word(response),
        });
    }
}

/// The words of a text outside expressions and strings. Words in a model, or in echoed text, have no meaning here;
/// messages of errors count.
pub(crate) fn outside_expressions(text: &str) -> String {
    let (mut said, mut behind) = (String::new(), 0);
    for response in responses(text) {
        if let Response::Expression(skipped) | Response::String(skipped) | Response::Unfinished(skipped) =
            response
        {
            let start = skipped.as_ptr() as usize - text.as_ptr() as usize;
            said.push_str(&text[behind..start]);
            behind = start + skipped.len();
        }
    }
    said.push_str(&text[behind..]);
    said
}

/// The message of `(error "message")`.
fn error_message(response: &str) -> Option<&str> {
    let inside = response.strip_prefix('(')?.strip_suffix(')')?.trim();
    let message = inside.strip_prefix("error")?;
    // Not the beginning of a longer word.
    message.starts_with([' ', '\t', '\n', '\r', '"']).then(|| message.trim().trim_matches('"'))
}

/// The length of the response at the beginning of a text, in bytes, and whether it ends in the text.
fn length_of_response(text: &str) -> (usize, bool) {
    let mut depth = 0usize;
    let mut characters = text.char_indices().peekable();
    while let Some((position, character)) = characters.next() {
        match character {
            '"' | '|' => {
                // Two quotes in a string are one that does not end it; taken for two strings, they end alike.
                if !characters.any(|(_, other)| other == character) {
                    return (text.len(), false);
                }
                let is_doubled = characters.peek().is_some_and(|&(_, next)| character == '"' && next == '"');
                if depth == 0 && !is_doubled {
                    return (characters.peek().map_or(text.len(), |&(next, _)| next), true);
                }
            }
            // A comment that does not end; others have been skipped when this is decided.
            ';' if depth > 0 && !characters.any(|(_, other)| other == '\n') => return (text.len(), false),
            '(' => depth += 1,
            ')' if depth <= 1 => return (position + 1, true),
            ')' => depth -= 1,
            _ if depth == 0 => {
                let is_end = |&(_, next): &(usize, char)| {
                    next.is_whitespace() || matches!(next, '(' | ')' | '"' | ';')
                };
                if characters.peek().is_some_and(is_end) {
                    return (position + character.len_utf8(), true);
                }
            }
            _ => {}
        }
    }
    (text.len(), depth == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_errors_strings_and_expressions() {
        use Response::*;
        let text = "sat ; a comment (\n(error \"line 3: |x| ( is unknown\")\n\"said \"\"so\"\"\"\n\
            (model (define-fun |a(b| () Int 3) ; )\n)unknown";
        assert_eq!(
            responses(text),
            [
                Word("sat"),
                Error("line 3: |x| ( is unknown"),
                String("\"said \"\"so\"\"\""),
                Expression("(model (define-fun |a(b| () Int 3) ; )\n)"),
                Word("unknown"),
            ]
        );
    }

    #[test]
    fn what_does_not_end_is_told() {
        assert_eq!(responses("sat\n((x 1)"), [Response::Word("sat"), Response::Unfinished("((x 1)")]);
        assert_eq!(responses("(echo \"a)"), [Response::Unfinished("(echo \"a)")]);
        assert_eq!(responses("|a"), [Response::Unfinished("|a")]);
    }

    #[test]
    fn what_is_inside_expressions_is_not_said() {
        let text =
            "sat\n((define-fun UNREACHABLE () Bool true))\nFatal failure\n(error \"BUG\")\n\"BUG?\" (a";
        assert_eq!(outside_expressions(text), "sat\n\nFatal failure\n(error \"BUG\")\n ");
        assert_eq!(outside_expressions(""), "");
    }

    #[test]
    fn other_words_do_not_pass_for_errors() {
        assert_eq!(responses("(errors 3)"), [Response::Expression("(errors 3)")]);
        assert_eq!(responses("(error)"), [Response::Expression("(error)")]);
        assert_eq!(responses(""), []);
        assert_eq!(responses(")é "), [Response::Word(")"), Response::Word("é")]);
    }
}
