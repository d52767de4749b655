//! Terms of examples as SMT-LIB text that is good for several widths.
//!
//! Two abbreviations are expanded before the text is read: `5:w` is the literal 5 of `w` bits
//! (also `-1:w`, and `min:w` and `max:w` for the signed bounds), and `[w-1]` is a number. Widths and
//! numbers are sums of numbers, `w`, and multiples like `2w`.

use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::{BitVector, TermId, TermStore};

/// The symbols of examples, with `W` for the width.
const DECLARATIONS: &str = "
    (declare-sort Element 0)
    (declare-fun p () Bool) (declare-fun q () Bool) (declare-fun r () Bool) (declare-fun s () Bool)
    (declare-fun x () (_ BitVec W)) (declare-fun y () (_ BitVec W)) (declare-fun z () (_ BitVec W))
    (declare-fun x2 () (_ BitVec W)) (declare-fun y2 () (_ BitVec W))
    (declare-fun u () (_ BitVec 1)) (declare-fun v () (_ BitVec 1))
    (declare-fun d () (_ BitVec 3)) (declare-fun e () (_ BitVec 3))
    (declare-fun A () (Array (_ BitVec W) (_ BitVec W))) (declare-fun B () (Array (_ BitVec W) (_ BitVec W)))
    (declare-fun f ((_ BitVec W)) (_ BitVec W))
    (declare-fun t1 () Element) (declare-fun t2 () Element) (declare-fun t3 () Element)
    (declare-fun h () Float16) (declare-fun k () Float16) (declare-fun n () Float16) (declare-fun m () RoundingMode)
    (define-sort Words () (Array (_ BitVec W) (_ BitVec W)))
";

/// Declarations of all symbols, for a width.
pub(super) fn declarations(width: u32) -> String {
    DECLARATIONS.replace('W', &width.to_string()).replace(&format!("{width}ords"), "Words")
}

/// A sum like `2w-3`, for this `w`.
fn number(text: &str, width: u32) -> i64 {
    let mut sum = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let signed = rest.starts_with(['+', '-']);
        let end =
            rest[usize::from(signed)..].find(['+', '-']).map_or(rest.len(), |end| end + usize::from(signed));
        let (part, others) = rest.split_at(end);
        let digits = part.strip_suffix('w').unwrap_or(part);
        let factor = match digits {
            "" | "+" => 1,
            "-" => -1,
            digits => digits.parse().unwrap_or_else(|_| panic!("no number: {text}")),
        };
        sum += if part.ends_with('w') { factor * i64::from(width) } else { factor };
        rest = others;
    }
    sum
}

/// The literal `value:width`.
fn literal(value: &str, width: u32) -> String {
    let bits = match value {
        "min" => BitVector::min_signed(width),
        "max" => BitVector::min_signed(width).not(),
        value => {
            let value: i64 = value.parse().unwrap_or_else(|_| panic!("no literal: {value}"));
            let magnitude = BitVector::from_u64(width, value.unsigned_abs());
            if value < 0 { magnitude.neg() } else { magnitude }
        }
    };
    bits.to_string()
}

/// The text in plain SMT-LIB, for a width.
pub(super) fn expand(text: &str, width: u32) -> String {
    let mut expanded = String::new();
    let mut word = String::new();
    let finish = |word: &mut String, expanded: &mut String| {
        match word.split_once(':') {
            Some((value, bits)) => expanded.push_str(&literal(value, number(bits, width) as u32)),
            None if word.starts_with('[') => {
                expanded.push_str(&number(word.trim_matches(['[', ']']), width).to_string());
            }
            None => expanded.push_str(word),
        }
        word.clear();
    };
    for character in text.chars() {
        if "() \n".contains(character) {
            finish(&mut word, &mut expanded);
            expanded.push(character);
        } else {
            word.push(character);
        }
    }
    finish(&mut word, &mut expanded);
    expanded
}

/// The terms of several texts, in a store that also has the declarations.
pub(super) fn terms(texts: &[&str], width: u32) -> (TermStore, Vec<TermId>) {
    let mut script = declarations(width);
    for text in texts {
        // Any sort will do for both sides of an equality.
        let text = expand(text, width);
        script.push_str(&format!("(assert (= {text} {text}))\n"));
    }
    let mut store = TermStore::new();
    let source = SourceText::new("example", script);
    let parsed = parse_script(&mut store, &source, TheorySet::SOLVED);
    let formula = parsed.unwrap_or_else(|error| panic!("{error:?} in {}", source.text())).formula();
    let terms = formula.assertions.iter().map(|&assertion| store.args(assertion)[0]).collect();
    (store, terms)
}
