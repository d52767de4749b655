//! Scripts for solvers that know operators by names from before the standard had them.

use std::borrow::Cow;

use serde::Deserialize;
use sundry_smtlib::{Lexer, Token};

/// How operators are written for a solver.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// As in version 2.7 of the standard.
    #[default]
    Current,
    /// As in version 2.6, with the names that solvers had for integers and bit-vectors before 2.7.
    Former,
    /// As in version 2.6, with the names of string operators before they were standardised.
    OlderStrings,
}

/// Names of 2.7, and what they were before.
const FORMER: [(&str, &str); 2] = [("ubv_to_int", "bv2nat"), ("int_to_bv", "int2bv")];

/// Names of 2.6, and what they were before.
const OLDER_STRINGS: [(&str, &str); 6] = [
    ("str.to_int", "str.to.int"),
    ("str.from_int", "int.to.str"),
    ("str.in_re", "str.in.re"),
    ("str.to_re", "str.to.re"),
    ("str.replace_all", "str.replaceall"),
    ("re.none", "re.nostr"),
];

impl Dialect {
    /// The name of an operator that 2.7 calls so.
    fn name(self, name: &str) -> Option<&'static str> {
        let tables: &[&[(&str, &'static str)]] = match self {
            Dialect::Current => &[],
            Dialect::Former => &[&FORMER],
            Dialect::OlderStrings => &[&FORMER, &OLDER_STRINGS],
        };
        let mut pairs = tables.iter().flat_map(|table| table.iter());
        pairs.find(|(current, _)| *current == name).map(|&(_, former)| former)
    }

    /// A script in this dialect, given in that of version 2.7. What is no legal script stays as it is.
    pub fn spell(self, script: &str) -> Cow<'_, str> {
        if self == Dialect::Current {
            return Cow::Borrowed(script);
        }
        let mut spelled = String::new();
        let mut copied = 0;
        let mut lexer = Lexer::new(script, 0);
        while let Ok((token, span)) = lexer.next_token() {
            match token {
                Token::End => break,
                Token::Symbol(name) => {
                    if let Some(name) = self.name(name) {
                        spelled.push_str(&script[copied..span.start]);
                        spelled.push_str(name);
                        copied = span.end;
                    }
                }
                _ => {}
            }
        }
        if copied == 0 {
            return Cow::Borrowed(script);
        }
        spelled.push_str(&script[copied..]);
        Cow::Owned(spelled)
    }
}

#[cfg(test)]
mod tests {
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
}
