//! Bitwise operators.

use super::{Example, example};
use crate::rewrite::Rule::*;

pub(super) const EXAMPLES: &[Example] = &[
    example(NandToAnd, &[("(bvnand x y)", "(bvnot (bvand x y))")], &["(bvnand 1:w 2:w)"]),
    example(NorToAnd, &[("(bvnor x y)", "(bvand (bvnot x) (bvnot y))")], &["(bvnor 1:w 2:w)"]),
    example(
        XnorToXor,
        &[("(bvxnor x y)", "(bvnot (bvxor x y))"), ("(bvxnor x y z)", "(bvxor (bvxor x y) z)")],
        &["(bvxnor 1:w 2:w)"],
    ),
    example(
        NotXor,
        &[("(bvnot (bvxor x 3:w))", "(bvxor x -4:w)")],
        &["(bvnot (bvxor x y))", "(bvnot (bvadd x 3:w))"],
    ),
    example(NotNeg, &[("(bvnot (bvneg x))", "(bvadd x -1:w)")], &["(bvnot (bvadd x y))"]),
    example(
        NotConcat,
        &[
            ("(bvnot (concat x 5:3))", "(concat (bvnot x) 2:3)"),
            ("(bvnot (concat (bvnot x) d))", "(concat x (bvnot d))"),
        ],
        &["(bvnot (concat x d))"],
    ),
    example(
        XorSimpleLiteral,
        &[("(bvxor x 0:w)", "x"), ("(bvxor -1:w x)", "(bvnot x)")],
        &["(bvxor x 3:w)", "(bvxor x y)"],
    ),
    example(
        XorPullLiteral,
        &[
            ("(bvxor (bvnot x) y)", "(bvnot (bvxor x y))"),
            ("(bvxor (bvxor x 3:w) y)", "(bvxor (bvxor x y) 3:w)"),
            ("(bvxor (bvnot x) (bvxor y 3:w))", "(bvxor (bvxor x y) -4:w)"),
            ("(bvxor (bvxor x 3:w) 5:w)", "(bvxor x 6:w)"),
            ("(bvxor (bvxor x 3:w) 3:w)", "x"),
        ],
        &["(bvxor x 3:w)", "(bvxor (bvxor x y) z)"],
    ),
    example(
        XorCancel,
        &[
            ("(bvxor (bvxor x y) x)", "y"),
            ("(bvxor x x)", "0:w"),
            ("(bvxor (bvxor x (bvxor y z)) (bvxor z x))", "y"),
        ],
        &["(bvxor (bvxor x y) z)", "(bvxor x y)"],
    ),
    example(
        OnSlices,
        &[
            ("(bvand x 3:w)", "(concat 0:w-2 ((_ extract 1 0) x))"),
            ("(bvand (concat x 0:3) (concat 0:w d))", "0:w+3"),
            ("(bvor (concat x 0:3) (concat 0:w d))", "(concat x d)"),
            ("(bvxor (concat x 0:3) (concat 0:w d))", "(concat x d)"),
            ("(bvadd (concat x 0:3) (concat 0:w d))", "(concat x d)"),
            ("(bvand (concat x 0:3) (concat y d))", "(concat (bvand x y) 0:3)"),
        ],
        &[
            "(bvand (concat x d) (concat y e))",
            "(bvadd (concat x 0:3) (concat y d))",
            "(bvadd (concat x 1:3) (concat 0:w d))",
            "(bvxor x 3:w)",
        ],
    ),
    example(
        OneBitAnd,
        &[
            ("(bvand u v)", "(ite (and (= u #b1) (= v #b1)) #b1 #b0)"),
            ("(bvor (ite p #b1 #b0) (ite q #b1 #b0))", "(ite (or p q) #b1 #b0)"),
            ("(bvand u (bvnot v))", "(ite (and (= u #b1) (not (= v #b1))) #b1 #b0)"),
        ],
        &["(bvand x y)", "(bvand u u)"],
    ),
    example(
        OneBitXor,
        &[("(bvxor (ite p #b1 #b0) (ite q #b1 #b0))", "(ite (not (= p q)) #b1 #b0)")],
        &["(bvxor u v)", "(bvxor u (ite p #b1 #b0))"],
    ),
    example(
        ReduceAnd,
        &[("(bvredand x)", "(ite (= x -1:w) #b1 #b0)"), ("(bvredand u)", "u")],
        &["(bvredand 5:w)"],
    ),
    example(
        ReduceOr,
        &[("(bvredor x)", "(ite (= x 0:w) #b0 #b1)"), ("(bvredor u)", "u")],
        &["(bvredor 5:w)"],
    ),
    example(
        CompareBits,
        &[("(bvcomp x y)", "(ite (= x y) #b1 #b0)"), ("(bvcomp x x)", "#b1")],
        &["(bvcomp 5:w 5:w)"],
    ),
];
