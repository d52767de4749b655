//! What a formula may need of a solver, as far as solvers differ in it.

use std::collections::BTreeSet;
use std::fmt;

use sundry_smtlib::{Lexer, Token};

/// A theory, a part of one that some solvers lack, or a group of commands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Feature {
    /// Integers.
    Integers,
    /// Reals.
    Reals,
    /// Bit-vectors.
    BitVectors,
    /// Floating-point numbers of single and double precision.
    FloatingPoint,
    /// Floating-point numbers of half and quadruple precision.
    HalfAndQuadruple,
    /// Floating-point numbers of other formats.
    OtherFormats,
    /// Arrays.
    Arrays,
    /// Functions with arguments.
    Functions,
    /// Declared sorts.
    Sorts,
    /// Strings.
    Strings,
    /// Regular expressions.
    RegularExpressions,
    /// Sequences.
    Sequences,
    /// Datatypes.
    Datatypes,
    /// Quantifiers.
    Quantifiers,
    /// Integers of bit-vectors without a sign, and bit-vectors of integers.
    Conversions,
    /// Integers of bit-vectors with a sign.
    SignedConversions,
    /// `push` and `pop`.
    Levels,
    /// `check-sat-assuming`.
    Assumptions,
    /// `get-unsat-core`.
    Cores,
    /// `get-model`.
    Models,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Feature::Integers => "integers",
            Feature::Reals => "reals",
            Feature::BitVectors => "bit-vectors",
            Feature::FloatingPoint => "floating point",
            Feature::HalfAndQuadruple => "floating point of half and quadruple precision",
            Feature::OtherFormats => "floating point of unusual formats",
            Feature::Arrays => "arrays",
            Feature::Functions => "functions",
            Feature::Sorts => "declared sorts",
            Feature::Strings => "strings",
            Feature::RegularExpressions => "regular expressions",
            Feature::Sequences => "sequences",
            Feature::Datatypes => "datatypes",
            Feature::Quantifiers => "quantifiers",
            Feature::Conversions => "conversions between integers and bit-vectors",
            Feature::SignedConversions => "sbv_to_int",
            Feature::Levels => "push and pop",
            Feature::Assumptions => "check-sat-assuming",
            Feature::Cores => "unsatisfiable cores",
            Feature::Models => "models",
        })
    }
}

/// What a script needs, as far as its words tell: what is named here is needed, but not all that is needed is named
/// (an integer where nothing of that sort is declared, say). Models are not, for a script is of use without them.
pub fn features_of(script: &str) -> BTreeSet<Feature> {
    let mut features = BTreeSet::new();
    let mut lexer = Lexer::new(script, 0);
    // Where a declaration or a format is being read: its first word, and how many tokens follow it so far.
    let mut begun = ("", 0);
    let mut exponent = "";
    // A text that is no script has no more words.
    while let Ok((token, _)) = lexer.next_token() {
        begun.1 += 1;
        match (token, begun) {
            (Token::End, _) => break,
            // `(declare-fun f (S`
            (Token::Symbol(_) | Token::QuotedSymbol(_) | Token::Open, ("declare-fun", 3)) => {
                features.insert(Feature::Functions);
            }
            // `(_ FloatingPoint 3 5)`, `((_ to_fp 3 5) …)`
            (Token::Numeral(width), ("FloatingPoint" | "to_fp" | "to_fp_unsigned", 1)) => exponent = width,
            (Token::Numeral(width), ("FloatingPoint" | "to_fp" | "to_fp_unsigned", 2)) => {
                features.insert(match (exponent, width) {
                    ("8", "24") | ("11", "53") => Feature::FloatingPoint,
                    ("5", "11") | ("15", "113") => Feature::HalfAndQuadruple,
                    _ => Feature::OtherFormats,
                });
            }
            _ => {}
        }
        if let Token::Symbol(word) = token {
            features.extend(feature_of(word));
            if matches!(word, "declare-fun" | "FloatingPoint" | "to_fp" | "to_fp_unsigned") {
                begun = (word, 0);
            }
        }
    }
    features
}

/// What a word shows to be needed.
fn feature_of(word: &str) -> Option<Feature> {
    Some(match word {
        "Int" => Feature::Integers,
        "Real" => Feature::Reals,
        "BitVec" => Feature::BitVectors,
        "FloatingPoint" | "Float32" | "Float64" | "RoundingMode" => Feature::FloatingPoint,
        "Float16" | "Float128" => Feature::HalfAndQuadruple,
        "Array" => Feature::Arrays,
        "declare-sort" => Feature::Sorts,
        "String" => Feature::Strings,
        "RegLan" | "str.in_re" | "str.to_re" | "str.replace_re" | "str.replace_re_all" => {
            Feature::RegularExpressions
        }
        "Seq" => Feature::Sequences,
        "declare-datatype" | "declare-datatypes" => Feature::Datatypes,
        "forall" | "exists" => Feature::Quantifiers,
        "ubv_to_int" | "int_to_bv" | "bv2nat" | "int2bv" => Feature::Conversions,
        "sbv_to_int" => Feature::SignedConversions,
        "push" | "pop" => Feature::Levels,
        "check-sat-assuming" => Feature::Assumptions,
        "get-unsat-core" | "get-unsat-assumptions" => Feature::Cores,
        _ => match word.split_once('.')?.0 {
            "fp" => Feature::FloatingPoint,
            "str" => Feature::Strings,
            "re" => Feature::RegularExpressions,
            "seq" => Feature::Sequences,
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(script: &str) -> Vec<Feature> {
        features_of(script).into_iter().collect()
    }

    #[test]
    fn words_tell_what_is_needed() {
        use Feature::*;
        assert_eq!(needs("(declare-fun x () Int) (assert (= x 3)) (check-sat)"), [Integers]);
        assert_eq!(needs("(declare-fun |Real| () (Array (_ BitVec 3) Bool))"), [BitVectors, Arrays]);
        assert_eq!(needs("(assert (str.in_re \"Int\" re.all)) ; Real"), [RegularExpressions]);
        assert_eq!(needs("(push 1) (check-sat-assuming (p)) (pop 1)"), [Levels, Assumptions]);
        assert_eq!(needs("(declare-datatypes ((D 0)) (((d))))"), [Datatypes]);
        assert_eq!(needs("(declare-sort U 0) (declare-fun f (U) U)"), [Functions, Sorts]);
        assert_eq!(needs("(declare-fun f () Bool) (declare-const g Bool) (get-model)"), []);
        assert_eq!(needs("(assert (= (sbv_to_int x) (ubv_to_int x)"), [Conversions, SignedConversions]);
    }

    #[test]
    fn formats_are_told_apart() {
        use Feature::*;
        assert_eq!(needs("(declare-const x (_ FloatingPoint 8 24))"), [FloatingPoint]);
        assert_eq!(needs("(declare-const x (_ FloatingPoint 3 5))"), [FloatingPoint, OtherFormats]);
        assert_eq!(needs("(assert (fp.isNaN ((_ to_fp 11 53) RNE y)))"), [FloatingPoint]);
        assert_eq!(needs("((_ to_fp_unsigned 11 24) RNE y)"), [OtherFormats]);
        assert_eq!(needs("((_ to_fp 15 113) RNE y)"), [HalfAndQuadruple]);
        assert_eq!(needs("(declare-const x Float16)"), [HalfAndQuadruple]);
    }

    #[test]
    fn a_text_that_is_no_script_needs_nothing_more() {
        assert_eq!(needs("(declare-const x Int) \"open Real"), [Feature::Integers]);
    }
}
