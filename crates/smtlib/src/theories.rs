//! Names that SMT-LIB knows but that this program does not handle yet, and near names.
//!
//! An input of another theory is not wrong: it gets a message that names the theory, and a kind that callers can
//! distinguish from a mistake. A user's own symbol of the same name has priority, so the parser consults these lists
//! only for names without another meaning.

use sundry_term::{Op, TheoryName, TheorySet};

/// The theory that an operator or literal name belongs to, if it is one that is not read with these.
pub(crate) fn unsupported_operator(theories: TheorySet, name: &str) -> Option<&'static str> {
    let theory = match name {
        "/" | "to_real" | "to_int" | "is_int" => TheoryName::Reals.name(),
        "RNE"
        | "RNA"
        | "RTP"
        | "RTN"
        | "RTZ"
        | "roundNearestTiesToEven"
        | "roundNearestTiesToAway"
        | "roundTowardPositive"
        | "roundTowardNegative"
        | "roundTowardZero"
        | "+oo"
        | "-oo"
        | "+zero"
        | "-zero"
        | "NaN"
        | "to_fp"
        | "to_fp_unsigned"
        | "to_fp_bv"
        | "fp" => TheoryName::FloatingPoint.name(),
        "forall" | "exists" => TheoryName::Quantifiers.name(),
        "match" | "is" | "update" | "tuple" | "tuple.select" => TheoryName::Datatypes.name(),
        "lambda" | "@" | "->" => "higher-order logic",
        "map" | "default" | "as-array" | "eqrange" => "the extended theory of arrays",
        "char" => TheoryName::Strings.name(),
        _ => return prefixed(name).or_else(|| unread(theories, Op::from_name(name)?.theory())),
    };
    Some(theory)
}

/// The name of a theory, if it is not among these.
fn unread(theories: TheorySet, theory: TheoryName) -> Option<&'static str> {
    (!theories.has_operators_of(theory)).then_some(theory.name())
}

fn prefixed(name: &str) -> Option<&'static str> {
    const PREFIXES: [(&str, &str); 9] = [
        ("fp.", TheoryName::FloatingPoint.name()),
        ("str.", TheoryName::Strings.name()),
        ("re.", TheoryName::Strings.name()),
        ("seq.", TheoryName::Sequences.name()),
        ("set.", "sets"),
        ("bag.", "bags"),
        ("rel.", "relations"),
        ("ff.", "finite fields"),
        ("sep.", "separation logic"),
    ];
    PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|&(_, theory)| theory)
}

/// The theory that a sort name belongs to, if it is one that is not read with these.
pub(crate) fn unsupported_sort(theories: TheorySet, name: &str) -> Option<&'static str> {
    let theory = match name {
        "Real" => TheoryName::Reals.name(),
        "FloatingPoint" | "Float16" | "Float32" | "Float64" | "Float128" | "RoundingMode" => {
            TheoryName::FloatingPoint.name()
        }
        "String" | "RegLan" => TheoryName::Strings.name(),
        "BitVec" => return unread(theories, TheoryName::BitVectors),
        "Array" => return unread(theories, TheoryName::Arrays),
        "Seq" => TheoryName::Sequences.name(),
        "Set" | "Relation" => "sets",
        "Bag" => "bags",
        "FiniteField" => "finite fields",
        "->" => "higher-order logic",
        "Tuple" | "UnitTuple" | "Option" => TheoryName::Datatypes.name(),
        _ => return None,
    };
    Some(theory)
}

/// Longest name that is compared letter by letter: machines write longer ones, people do not.
const LONGEST_NAME: usize = 100;

/// The candidate that is most like `name`, if one is like it; ties go to the first.
pub fn near_name<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    if length > LONGEST_NAME {
        return None;
    }
    let mut most = (length / 3).clamp(1, 3);
    let mut best = None;
    for candidate in candidates {
        if candidate == name || candidate.len().abs_diff(name.len()) > 4 * most {
            continue;
        }
        let distance = edit_distance(name, candidate);
        // A name of one letter is not near any other name of one letter.
        if distance <= most && distance < length {
            if distance == 0 {
                return Some(candidate);
            }
            best = Some(candidate);
            most = distance - 1;
        }
    }
    best
}

/// The number of letters that must be added, omitted, replaced or swapped with their neighbour. Letters that differ
/// only in case count as equal, so that `BVADD` finds `bvadd`.
fn edit_distance(left: &str, right: &str) -> usize {
    let lower = |text: &str| text.chars().map(|c| c.to_ascii_lowercase()).collect::<Vec<char>>();
    let (left, right) = (lower(left), lower(right));
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (i, &l) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &r) in right.iter().enumerate() {
            let mut distance = (last[j] + usize::from(l != r)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && l == right[j - 1] && left[i - 1] == r {
                distance = distance.min(before_last[j - 1] + 1);
            }
            row.push(distance);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operators::near_operators;

    #[test]
    fn near_names() {
        let near = |name| near_name(name, near_operators());
        assert_eq!(near("bvad"), Some("bvand"));
        assert_eq!(near("bvlsr"), Some("bvlshr"));
        assert_eq!(near("BVADD"), Some("bvadd"));
        assert_eq!(near("slect"), Some("select"));
        assert_eq!(near("selcet"), Some("select"));
        assert_eq!(near("completely"), None);
        assert_eq!(near_name("x", ["y"].into_iter()), None);
        assert_eq!(near_name("xé", ["xe"].into_iter()), Some("xe"));
    }

    #[test]
    fn other_theories_are_named() {
        let operator = |name| unsupported_operator(TheorySet::DECIDED, name);
        assert_eq!(operator("str.len"), Some("strings"));
        assert_eq!(operator("/"), Some("reals"));
        assert_eq!(operator("bvadd"), None);
        assert_eq!(unsupported_operator(TheorySet::of(&[TheoryName::Strings]), "bvadd"), Some("bit-vectors"));
        let sort = |name| unsupported_sort(TheorySet::DECIDED, name);
        assert_eq!(sort("Float32"), Some("floating point"));
        assert_eq!(sort("Array"), None);
        assert_eq!(sort("S"), None);
    }
}
