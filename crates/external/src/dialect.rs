//! Scripts for solvers that know operators by names from before the standard had them, and strings as they were
//! written then.

use std::borrow::Cow;

use serde::Deserialize;
use sundry_smtlib::{Lexer, ScriptText, Token, Word, unescape_string};
use sundry_term::Text;

/// The spelling of operators for a solver.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// The spelling of version 2.7 of the standard.
    #[default]
    Current,
    /// The spelling of version 2.6, with the names that solvers had for integers and bit-vectors before 2.7.
    Former,
    /// The spelling of version 2.6, with the names of string operators and sorts and the escapes in strings from before they
    /// were standardised.
    OlderStrings,
}

/// The escapes in strings as a solver means them.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Escapes {
    /// Those of the standard: `\u{5c}` is a character, and `\x5c` is four.
    #[default]
    Standard,
    /// Those from before the standard had any: `\x5c` is a character. The solver may know those of the standard besides.
    Older,
}

/// Names of 2.7, with their earlier names.
const FORMER: [(&str, &str); 2] = [("ubv_to_int", "bv2nat"), ("int_to_bv", "int2bv")];

/// Names of operators and sorts of 2.6, with their earlier names.
const OLDER_STRINGS: [(&str, &str); 7] = [
    ("str.to_int", "str.to.int"),
    ("str.from_int", "int.to.str"),
    ("str.in_re", "str.in.re"),
    ("str.to_re", "str.to.re"),
    ("str.replace_all", "str.replaceall"),
    ("re.none", "re.nostr"),
    ("RegLan", "(RegEx String)"),
];

impl Dialect {
    /// All, the newest first.
    pub const ALL: [Dialect; 3] = [Dialect::Current, Dialect::Former, Dialect::OlderStrings];

    /// The name of an operator or sort that 2.7 calls so.
    fn name(self, name: &str) -> Option<&'static str> {
        let tables: &[&[(&str, &'static str)]] = match self {
            Dialect::Current => &[],
            Dialect::Former => &[&FORMER],
            Dialect::OlderStrings => &[&FORMER, &OLDER_STRINGS],
        };
        let mut pairs = tables.iter().flat_map(|table| table.iter());
        pairs.find(|(current, _)| *current == name).map(|&(_, former)| former)
    }

    /// A character in a string of a script that cannot be written in this dialect.
    pub(crate) fn lacks(self, script: &ScriptText) -> Option<char> {
        if self != Dialect::OlderStrings {
            return None;
        }
        script.words().find_map(|(word, text)| match word {
            Word::String => beyond_latin(text.strip_prefix('"')?.strip_suffix('"')?),
            Word::Unknown => strings_of(text).into_iter().find_map(beyond_latin),
            _ => None,
        })
    }

    /// The replacement of a word in this dialect; `None` if the word stays.
    pub(crate) fn spell_word(self, word: Word, text: &str) -> Option<Cow<'static, str>> {
        match word {
            Word::Name => self.name(text).map(Cow::Borrowed),
            Word::String if self == Dialect::OlderStrings => {
                let content = text.strip_prefix('"')?.strip_suffix('"')?;
                Some(format!("\"{}\"", with_older_escapes(content)).into())
            }
            Word::Unknown => self.respelled(text).map(Cow::Owned),
            _ => None,
        }
    }

    /// Translates a text that a person wrote from the spelling of version 2.7 to this dialect. A text that is not
    /// legal stays unchanged.
    pub fn spell(self, text: &str) -> Cow<'_, str> {
        self.respelled(text).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    fn respelled(self, text: &str) -> Option<String> {
        if self == Dialect::Current {
            return None;
        }
        with_changed_tokens(text, |token| match token {
            Token::Symbol(name) => self.name(name).map(String::from),
            Token::String(text) if self == Dialect::OlderStrings && text.contains('\\') => {
                Some(format!("\"{}\"", with_older_escapes(text)))
            }
            _ => None,
        })
    }
}

/// A character in the content of a string literal that has no older escape.
fn beyond_latin(literal: &str) -> Option<char> {
    let text = Text::from_literal(&unescape_string(literal))?;
    let large = text.characters().iter().copied().find(|&character| character > 255)?;
    Some(char::from_u32(large).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// The contents of the string literals in a text.
fn strings_of(text: &str) -> Vec<&str> {
    let mut strings = Vec::new();
    let mut lexer = Lexer::new(text, 0);
    while let Ok((token, _)) = lexer.next_token() {
        match token {
            Token::End => break,
            Token::String(content) => strings.push(content),
            _ => {}
        }
    }
    strings
}

/// A text with some tokens replaced, up to the point where it is not legal; `None` if no token changes.
fn with_changed_tokens(text: &str, change: impl Fn(Token<'_>) -> Option<String>) -> Option<String> {
    let mut out = String::new();
    let mut copied = 0;
    let mut lexer = Lexer::new(text, 0);
    while let Ok((token, span)) = lexer.next_token() {
        if token == Token::End {
            break;
        }
        if let Some(word) = change(token) {
            out.push_str(&text[copied..span.start]);
            out.push_str(&word);
            copied = span.end;
        }
    }
    (copied > 0).then(|| out + &text[copied..])
}

/// The content of a string with the escapes used before the standard had any: `\x5c` and the like. Characters beyond
/// 255 have no such escape and stay as they are.
fn with_older_escapes(literal: &str) -> String {
    let Some(text) = Text::from_literal(&unescape_string(literal)) else { return literal.to_string() };
    let older = |&character: &u32| match char::from_u32(character) {
        Some('"') => "\"\"".to_string(),
        Some(plain @ ' '..='~') if plain != '\\' => plain.to_string(),
        _ if character < 256 => format!("\\x{character:02x}"),
        _ => format!("\\u{{{character:x}}}"),
    };
    text.characters().iter().map(older).collect()
}

/// A text in which the strings have escapes from before the standard had any, such as `\x00`, `\\` and `\n`, with the
/// standard's escapes in their place; `None` if there are no such escapes. Some solvers print these in models
/// although they read the others: the text does not show which are meant, but the [`Escapes`] of the solver do.
pub fn with_standard_escapes(text: &str) -> Option<String> {
    with_changed_tokens(text, |token| match token {
        Token::String(content) if content.contains('\\') => {
            Some(format!("\"{}\"", standard_escapes(content)))
        }
        _ => None,
    })
}

fn standard_escapes(content: &str) -> String {
    let mut out = String::new();
    let mut rest = content;
    while let Some(start) = rest.find('\\') {
        let (front, escape) = rest.split_at(start);
        out.push_str(front);
        let code =
            |digits: Option<&str>, radix| digits.and_then(|digits| u32::from_str_radix(digits, radix).ok());
        let known = match escape.as_bytes().get(1) {
            Some(b'x') => code(escape.get(2..4), 16).map(|code| (code, 4)),
            Some(b'0'..=b'7') => code(escape.get(1..4), 8).map(|code| (code, 4)),
            Some(b'\\') => Some((0x5c, 2)),
            Some(b'a') => Some((7, 2)),
            Some(b'b') => Some((8, 2)),
            Some(b't') => Some((9, 2)),
            Some(b'n') => Some((10, 2)),
            Some(b'v') => Some((11, 2)),
            Some(b'f') => Some((12, 2)),
            Some(b'r') => Some((13, 2)),
            Some(b'e') => Some((27, 2)),
            _ => None,
        };
        let length = match known {
            Some((code, length)) => {
                out.push_str(&format!("\\u{{{code:x}}}"));
                length
            }
            None => {
                out.push('\\');
                1
            }
        };
        rest = &escape[length..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use sundry_smtlib::{Sharing, SourceText, TheorySet, parse_script, print_script_text};
    use sundry_term::TermStore;

    use super::*;

    #[test]
    fn operators_get_the_names_that_a_solver_knows() {
        let script = "(assert (= (ubv_to_int x) (str.to_int |ubv_to_int|))) (echo \"int_to_bv\") \
                      (assert (str.in_re s ((_ re.^ 2) (str.to_re \"a\"))))";
        assert_eq!(Dialect::Current.spell(script), script);
        assert_eq!(
            Dialect::Former.spell(script),
            "(assert (= (bv2nat x) (str.to_int |ubv_to_int|))) (echo \"int_to_bv\") \
             (assert (str.in_re s ((_ re.^ 2) (str.to_re \"a\"))))"
        );
        assert_eq!(
            Dialect::OlderStrings.spell(script),
            "(assert (= (bv2nat x) (str.to.int |ubv_to_int|))) (echo \"int_to_bv\") \
             (assert (str.in.re s ((_ re.^ 2) (str.to.re \"a\"))))"
        );
    }

    #[test]
    fn nothing_to_change_is_nothing_copied() {
        assert!(matches!(Dialect::OlderStrings.spell("(check-sat)"), Cow::Borrowed(_)));
        assert_eq!(Dialect::OlderStrings.spell("(assert \"str.to_int"), "(assert \"str.to_int");
    }

    #[test]
    fn strings_get_the_escapes_that_a_solver_knows() {
        let script = r#"(assert (= x "a\u{5c}b\u0041\u{3b1}\u{7""\n"))"#;
        assert_eq!(Dialect::Former.spell(script), script);
        // An incomplete escape is plain text, and the older escapes must not claim it.
        let older = r#"(assert (= x "a\x5cbA\u{3b1}\x5cu{7""\x5cn"))"#;
        assert_eq!(Dialect::OlderStrings.spell(script), older);
    }

    /// A script in printed form.
    fn printed(text: &str) -> ScriptText {
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &SourceText::new("script", text), TheorySet::ALL);
        print_script_text(&store, &script.expect("a legal script"), Sharing::All)
    }

    fn spelled(dialect: Dialect, script: &ScriptText) -> String {
        script.spelled(|word, text| dialect.spell_word(word, text)).into_owned()
    }

    #[test]
    fn printed_scripts_are_spelled_as_if_their_text_were_read_again() {
        let script = printed(
            r#"(declare-const s String) (declare-const i Int) (declare-const b (_ BitVec 3))
            (assert (= (str.to_int s) i (ubv_to_int b))) (assert (= b ((_ int_to_bv 3) 7)))
            (assert (str.in_re s (re.union re.none ((_ re.^ 2) (str.to_re "a\u{5c}")))))
            (assert-soft (= s "\u{7}") :id |a "b|)
            (assert (= s (str.replace_all "\u{a}" s (str.from_int 3))))
            (declare-sort |RegLan 2| 0) (declare-fun f (RegLan |RegLan 2|) (Array Int RegLan))
            (declare-const r RegLan) (define-fun g ((x RegLan)) RegLan (re.* x))
            (assert (forall ((x RegLan)) (= (g r) x)))"#,
        );
        for dialect in Dialect::ALL {
            assert_eq!(spelled(dialect, &script), dialect.spell(&script), "{dialect:?}");
        }
        let older = spelled(Dialect::OlderStrings, &script);
        for word in [
            "() (RegEx String))",
            "(Array Int (RegEx String))",
            "|RegLan 2|",
            "(str.to.int s)",
            "bv2nat",
            "int2bv",
            "re.nostr",
            r#""a\x5c""#,
            r#""\x07""#,
        ] {
            assert!(older.contains(word), "{word}: {older}");
        }
    }

    #[test]
    fn of_a_script_as_it_is_written_only_escapes_are_spelled_differently() {
        let text = r#"(declare-fun |x41"| () String); "\x42"
            (assert (= s "\x41\u{7}" "plain" (str.from_int 2)))"#;
        let script = ScriptText::verbatim(text.to_string());
        assert_eq!(spelled(Dialect::Former, &script), text);
        let older = text.replace(r#""\x41\u{7}""#, r#""\x5cx41\x07""#);
        assert_eq!(spelled(Dialect::OlderStrings, &script), older);
    }

    #[test]
    fn a_symbol_keeps_its_name() {
        let script = printed(
            "(declare-const |bv2nat| Int) (declare-const ubv_to_int Int) (assert (= bv2nat ubv_to_int))",
        );
        assert_eq!(spelled(Dialect::Former, &script), *script);
    }

    #[test]
    fn characters_that_cannot_be_written_are_reported() {
        let script = printed(r#"(declare-const x String) (assert (= x "a\u{3b1}"))"#);
        assert_eq!(Dialect::OlderStrings.lacks(&script), Some('α'));
        assert_eq!((Dialect::Former.lacks(&script), Dialect::Current.lacks(&script)), (None, None));
        let latin = printed(r#"(declare-const |"α"| String) (assert (= |"α"| "a\u{ff}"))"#);
        assert_eq!(Dialect::OlderStrings.lacks(&latin), None);
        let soft = printed(r#"(declare-const x String) (assert-soft (= x "\u{3b1}"))"#);
        assert_eq!(Dialect::OlderStrings.lacks(&soft), Some('α'));
    }

    #[test]
    fn older_escapes_in_models_are_read() {
        let model = r#"((define-fun x () String "\x00a\\n\n\101\u{41}""q"))"#;
        let expected = r#"((define-fun x () String "\u{0}a\u{5c}n\u{a}\u{41}\u{41}""q"))"#;
        assert_eq!(with_standard_escapes(model).as_deref(), Some(expected));
        assert_eq!(with_standard_escapes("((define-fun x () Int 3))"), None);
        assert_eq!(with_standard_escapes("(\"open\\n"), None);
    }
}
