//! The questions that show which features a build of a solver reads: one small script for each [`Feature`].
//!
//! This file is data. A table in the program was preferred to a file of scripts: the compiler checks the names of
//! features, and a reader sees that each feature has a question.

use crate::feature::Feature;

/// A question for a feature. All are satisfiable, except that for cores.
pub(crate) struct Question {
    pub(crate) feature: Feature,
    /// Other features that the feature requires: if one of them is lacking, so is this one.
    pub(crate) requires: &'static [Feature],
    /// The logic, if it is not `ALL`.
    pub(crate) logic: &'static str,
    pub(crate) body: &'static str,
}

const fn question(
    feature: Feature,
    requires: &'static [Feature],
    logic: &'static str,
    body: &'static str,
) -> Question {
    Question { feature, requires, logic, body }
}

/// All questions. If a feature has several, one answer is enough.
pub(crate) const QUESTIONS: [Question; 21] = {
    use Feature::*;
    [
        question(Models, &[], "QF_UF", "(declare-fun p () Bool)\n(assert p)\n(check-sat)\n"),
        question(
            BitVectors,
            &[],
            "QF_BV",
            "(declare-fun x () (_ BitVec 4))\n(assert (bvult (bvadd x #x3) x))\n(check-sat)\n",
        ),
        question(
            Functions,
            &[],
            "QF_UF",
            "(declare-fun p () Bool)\n(declare-fun f (Bool) Bool)\n(assert (f p))\n(check-sat)\n",
        ),
        question(
            Sorts,
            &[],
            "QF_UF",
            "(declare-sort U 0)\n(declare-fun x () U)\n(declare-fun y () U)\n(assert (not (= x y)))\n(check-sat)\n",
        ),
        question(
            Arrays,
            &[BitVectors],
            "QF_ABV",
            "(declare-fun a () (Array (_ BitVec 2) (_ BitVec 2)))\n(assert (= (select a #b00) #b01))\n(check-sat)\n",
        ),
        question(
            FloatingPoint,
            &[],
            "QF_FP",
            "(declare-fun x () (_ FloatingPoint 8 24))\n(assert (fp.lt x (fp.neg x)))\n(check-sat)\n",
        ),
        question(
            HalfAndQuadruple,
            &[FloatingPoint],
            "QF_FP",
            "(declare-fun x () (_ FloatingPoint 5 11))\n(assert (fp.lt x (fp.neg x)))\n(check-sat)\n",
        ),
        question(
            OtherFormats,
            &[FloatingPoint],
            "QF_FP",
            "(declare-fun x () (_ FloatingPoint 3 5))\n(assert (fp.lt x (fp.neg x)))\n(check-sat)\n",
        ),
        question(
            Quantifiers,
            &[],
            "UF",
            "(declare-fun p () Bool)\n(assert (exists ((q Bool)) (and p q)))\n(check-sat)\n",
        ),
        question(Levels, &[], "QF_UF", "(push 1)\n(assert false)\n(pop 1)\n(check-sat)\n"),
        question(Assumptions, &[], "QF_UF", "(declare-fun p () Bool)\n(check-sat-assuming (p))\n"),
        question(
            Cores,
            &[],
            "QF_UF",
            "(declare-fun p () Bool)\n(assert (! p :named a))\n(assert (! (not p) :named b))\n(check-sat)\n",
        ),
        question(Integers, &[], "QF_LIA", "(declare-fun x () Int)\n(assert (< 2 (+ x x)))\n(check-sat)\n"),
        question(Reals, &[], "QF_LRA", "(declare-fun x () Real)\n(assert (< 2.5 (+ x x)))\n(check-sat)\n"),
        question(
            Arrays,
            &[Integers],
            "QF_ALIA",
            "(declare-fun a () (Array Int Int))\n(assert (= (select a 0) 1))\n(check-sat)\n",
        ),
        question(
            Conversions,
            &[Integers, BitVectors],
            "ALL",
            "(declare-fun x () (_ BitVec 4))\n(assert (= (ubv_to_int x) 3))\n(assert (= ((_ int_to_bv 4) 3) x))\n(check-sat)\n",
        ),
        question(
            SignedConversions,
            &[Integers, BitVectors],
            "ALL",
            "(declare-fun x () (_ BitVec 4))\n(assert (= (sbv_to_int x) 3))\n(check-sat)\n",
        ),
        // Satisfiable only where names and escapes are those of the dialect.
        question(
            Strings,
            &[],
            "QF_SLIA",
            "(declare-fun x () String)\n(assert (= (str.len x) 1))\n(assert (= (str.len \"\\u{5c}\") 1))\n(assert (= (str.to_int \"7\") 7))\n(check-sat)\n",
        ),
        question(
            RegularExpressions,
            &[Strings],
            "QF_SLIA",
            "(declare-fun x () String)\n(assert (str.in_re x (str.to_re \"a\")))\n(check-sat)\n",
        ),
        question(
            Sequences,
            &[Integers],
            "ALL",
            "(declare-fun x () (Seq Int))\n(assert (= (seq.len x) 1))\n(check-sat)\n",
        ),
        question(
            Datatypes,
            &[],
            "QF_DT",
            "(declare-datatypes ((D 0)) (((one) (two (rest D)))))\n(declare-fun x () D)\n(assert ((_ is two) x))\n(check-sat)\n",
        ),
    ]
};
