//! The operators of the theory UnicodeStrings, regular expressions among them.

use std::sync::Arc;

use dashu_int::IBig;
use dashu_int::ops::BitTest;

use super::{Halt, Open};
use crate::arguments::Arguments;
use crate::sort::SortId;
use crate::string::{Regex, RegexKind, Text};
use crate::typecheck::{Checker, ResultSort, SortError};
use crate::value::Value;

/// Longest string that is computed, in characters. Concatenations of concatenations double it each time.
const MAX_TEXT_LENGTH: usize = 1 << 22;
/// The maximal number of bits of a number that is written as a string, or read from one.
const MAX_DIGIT_BITS: usize = 1 << 17;

operators! {
    /// An operator on strings.
    enum StringOp;
    plain {
        /// The concatenation of strings.
        Concat = "str.++",
        /// The number of characters.
        Length = "str.len",
        /// The order "before", by code points; chainable.
        Less = "str.<",
        /// The order "before or equal", by code points; chainable.
        LessOrEqual = "str.<=",
        /// The character at a position, or the empty string.
        At = "str.at",
        /// The part from a position on, of a length at most.
        Substring = "str.substr",
        /// Whether the second begins with the first.
        PrefixOf = "str.prefixof",
        /// Whether the second ends with the first.
        SuffixOf = "str.suffixof",
        /// Whether the second occurs in the first.
        Contains = "str.contains",
        /// The position at which the second first occurs in the first, from a position on; or -1.
        IndexOf = "str.indexof",
        /// The first occurrence of the second replaced by the third.
        Replace = "str.replace",
        /// Every occurrence of the second replaced by the third.
        ReplaceAll = "str.replace_all",
        /// The shortest leftmost match replaced.
        ReplaceRe = "str.replace_re",
        /// Every shortest leftmost match that is not empty replaced.
        ReplaceReAll = "str.replace_re_all",
        /// Whether the string is one decimal digit.
        IsDigit = "str.is_digit",
        /// The number of the only character, or -1.
        ToCode = "str.to_code",
        /// The character with this number, or the empty string.
        FromCode = "str.from_code",
        /// The number that the digits write, or -1.
        ToInt = "str.to_int",
        /// The digits of the number, or the empty string.
        FromInt = "str.from_int",
        /// Whether the string is matched.
        InRe = "str.in_re",
        /// The regular expression that matches this string only.
        ReLiteral = "str.to_re",
        /// The expression that matches no string.
        ReNone = "re.none",
        /// The expression that matches every string.
        ReAll = "re.all",
        /// The expression that matches every string of one character.
        ReAllChar = "re.allchar",
        /// The concatenation of expressions.
        ReConcat = "re.++",
        /// Any of several.
        ReUnion = "re.union",
        /// The intersection of expressions.
        ReInter = "re.inter",
        /// Any number of times.
        ReStar = "re.*",
        /// Once or more.
        RePlus = "re.+",
        /// Once or not.
        ReOpt = "re.opt",
        /// The strings that the first matches and the others do not, left-associative.
        ReDiff = "re.diff",
        /// The strings that the expression does not match.
        ReComp = "re.comp",
        /// The strings of one character between two.
        ReRange = "re.range",
    }
    indexed {
        /// The repetition for this number of times.
        RePower(u32) = "re.^",
        /// The repetition from the first to the second number of times.
        ReLoop(u32, u32) = "re.loop",
    }
}

impl StringOp {
    /// The sorts of the arguments, where their number is fixed.
    fn signature(self) -> Option<(&'static [SortId], SortId)> {
        use StringOp::*;
        const S: SortId = SortId::STRING;
        const I: SortId = SortId::INT;
        const R: SortId = SortId::REG_LAN;
        const B: SortId = SortId::BOOL;
        Some(match self {
            Length | ToCode | ToInt => (&[S], I),
            At => (&[S, I], S),
            Substring => (&[S, I, I], S),
            PrefixOf | SuffixOf | Contains => (&[S, S], B),
            IndexOf => (&[S, S, I], I),
            Replace | ReplaceAll => (&[S, S, S], S),
            ReplaceRe | ReplaceReAll => (&[S, R, S], S),
            IsDigit => (&[S], B),
            FromCode | FromInt => (&[I], S),
            InRe => (&[S, R], B),
            ReLiteral => (&[S], R),
            ReNone | ReAll | ReAllChar => (&[], R),
            ReStar | RePlus | ReOpt | ReComp | RePower(_) | ReLoop(..) => (&[R], R),
            ReRange => (&[S, S], R),
            Concat | Less | LessOrEqual | ReConcat | ReUnion | ReInter | ReDiff => return None,
        })
    }

    pub(crate) fn result_sort(self, check: &Checker<'_>) -> Result<ResultSort, SortError> {
        use StringOp::*;
        let result = match self.signature() {
            Some((sorts, result)) => {
                check.arity(sorts.len(), sorts.len())?;
                for (position, &sort) in sorts.iter().enumerate() {
                    check.is_sort(position, sort)?;
                }
                result
            }
            None => {
                check.arity(2, usize::MAX)?;
                match self {
                    Concat => check.all_sort(SortId::STRING)?,
                    Less | LessOrEqual => {
                        check.all_sort(SortId::STRING)?;
                        SortId::BOOL
                    }
                    _ => check.all_sort(SortId::REG_LAN)?,
                }
            }
        };
        Ok(ResultSort::Interned(result))
    }

    pub(crate) fn apply<'v, F: Fn(usize) -> &'v Value + Copy>(
        self,
        a: Arguments<'_, F>,
    ) -> Result<Value, Halt> {
        use StringOp::*;
        let text = |text: Text| Ok(Value::String(text));
        let int = |int: IBig| Ok(Value::Int(int));
        let bool = |bool: bool| Ok(Value::Bool(bool));
        match self {
            Concat => {
                let parts = || (0..a.count()).map(|i| a.text(i));
                bounded(parts().map(Text::length).sum())?;
                text(Text::concat(parts()))
            }
            Length => int(IBig::from(a.text(0).length())),
            Less => bool((1..a.count()).all(|i| a.text(i - 1) < a.text(i))),
            LessOrEqual => bool((1..a.count()).all(|i| a.text(i - 1) <= a.text(i))),
            At => text(a.text(0).at(a.int(1))),
            Substring => text(a.text(0).substring(a.int(1), a.int(2))),
            PrefixOf => bool(a.text(0).is_prefix_of(a.text(1))),
            SuffixOf => bool(a.text(0).is_suffix_of(a.text(1))),
            Contains => bool(a.text(0).contains(a.text(1))),
            IndexOf => int(a.text(0).index_of(a.text(1), a.int(2))),
            Replace => {
                bounded(a.text(0).length() + a.text(2).length())?;
                text(a.text(0).replace(a.text(1), a.text(2)))
            }
            ReplaceAll => {
                bounded((a.text(0).length() + 1).saturating_mul(a.text(2).length() + 1))?;
                text(a.text(0).replace_all(a.text(1), a.text(2)))
            }
            ReplaceRe => {
                bounded(a.text(0).length() + a.text(2).length())?;
                let found = a.regex(1).first_match(a.text(0), a.control())?;
                text(a.text(0).replace_parts(found.as_slice(), a.text(2)))
            }
            ReplaceReAll => {
                bounded((a.text(0).length() + 1).saturating_mul(a.text(2).length() + 1))?;
                let found = a.regex(1).all_matches(a.text(0), a.control())?;
                text(a.text(0).replace_parts(&found, a.text(2)))
            }
            IsDigit => bool(a.text(0).is_digit()),
            ToCode => int(a.text(0).to_code()),
            FromCode => text(Text::from_code(a.int(0))),
            ToInt if a.text(0).length() > MAX_DIGIT_BITS / 4 => Err(Open::TooLarge.into()),
            ToInt => int(a.text(0).to_int()),
            FromInt if a.int(0).bit_len() > MAX_DIGIT_BITS => Err(Open::TooLarge.into()),
            FromInt => text(Text::from_int(a.int(0))),
            InRe => bool(a.regex(1).matches(a.text(0), a.control())?),

            ReLiteral => regex(RegexKind::Literal(a.text(0).clone())),
            ReNone => regex(RegexKind::None),
            ReAll => regex(RegexKind::All),
            ReAllChar => regex(RegexKind::AllCharacters),
            ReConcat => regex(RegexKind::Concat(regexes(a))),
            ReUnion => regex(RegexKind::Union(regexes(a))),
            ReInter => regex(RegexKind::Intersection(regexes(a))),
            ReStar => repeat(a, 0, None),
            RePlus => repeat(a, 1, None),
            ReOpt => repeat(a, 0, Some(1)),
            RePower(times) => repeat(a, times, Some(times)),
            ReLoop(least, most) => repeat(a, least, Some(most)),
            ReComp => regex(RegexKind::Complement(Arc::clone(a.regex(0)))),
            ReDiff => {
                let mut parts = vec![Arc::clone(a.regex(0))];
                for i in 1..a.count() {
                    let complement = Regex::new(RegexKind::Complement(Arc::clone(a.regex(i))));
                    parts.push(Arc::new(complement.ok_or(Open::TooLarge)?));
                }
                regex(RegexKind::Intersection(parts))
            }
            ReRange => match (a.text(0).characters(), a.text(1).characters()) {
                (&[first], &[last]) => regex(RegexKind::Range(first, last)),
                _ => regex(RegexKind::None),
            },
        }
    }
}

fn bounded(length: usize) -> Result<(), Open> {
    if length > MAX_TEXT_LENGTH { Err(Open::TooLarge) } else { Ok(()) }
}

fn regex(kind: RegexKind) -> Result<Value, Halt> {
    let regex = Regex::new(kind).ok_or(Open::TooLarge)?;
    Ok(Value::Regex(Arc::new(regex)))
}

fn regexes<'v, F: Fn(usize) -> &'v Value + Copy>(a: Arguments<'_, F>) -> Vec<Arc<Regex>> {
    (0..a.count()).map(|i| Arc::clone(a.regex(i))).collect()
}

fn repeat<'v, F: Fn(usize) -> &'v Value + Copy>(
    a: Arguments<'_, F>,
    least: u32,
    most: Option<u32>,
) -> Result<Value, Halt> {
    regex(RegexKind::Repeat { body: Arc::clone(a.regex(0)), least, most })
}
