//! The commands in the words of their author: some answers repeat terms as they were written.

use sundry_smtlib::{Lexer, Token};

/// The arguments of a command, each as it was written, without comments around it.
pub(super) fn arguments(command: &str) -> Vec<&str> {
    expressions(command, 1)
}

/// The members of the list that is the first argument of a command.
pub(super) fn members(command: &str) -> Vec<&str> {
    match arguments(command).first() {
        Some(list) => expressions(list, 0),
        None => Vec::new(),
    }
}

/// The expressions between the outer parentheses of a text that was parsed before, from one on.
fn expressions(text: &str, first: usize) -> Vec<&str> {
    let mut lexer = Lexer::new(text, 0);
    let mut depth = 0;
    let mut start = 0;
    let mut found = Vec::new();
    while let Ok((token, span)) = lexer.next_token() {
        if depth == 1 {
            start = span.start;
        }
        match token {
            Token::End => break,
            Token::Open => depth += 1,
            Token::Close => depth -= 1,
            _ => {}
        }
        if depth == 1 && span.start > 0 {
            found.push(&text[start..span.end]);
        }
    }
    found.drain(..first.min(found.len()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_keep_their_words() {
        assert_eq!(arguments("(assert p)"), ["p"]);
        assert_eq!(
            arguments("( assert ; (\n (! (= x\n #x0) :named |a)|) )"),
            ["(! (= x\n #x0) :named |a)|)"]
        );
        assert_eq!(arguments("(push)"), [""; 0]);
        assert_eq!(arguments("(echo \"(\" )"), ["\"(\""]);
    }

    #[test]
    fn members_of_the_first_argument() {
        assert_eq!(members("(check-sat-assuming (a (not b) |c d|))"), ["a", "(not b)", "|c d|"]);
        assert_eq!(members("(check-sat-assuming ())"), [""; 0]);
    }
}
