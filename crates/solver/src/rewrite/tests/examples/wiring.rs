//! Concatenation, slices, extension, rotation, shifts.

use super::{Example, example};
use crate::rewrite::Rule::*;

pub(super) const EXAMPLES: &[Example] = &[
    example(ConcatFlatten, &[("(concat x (concat d y))", "(concat x d y)")], &["(concat x d y)"]),
    example(
        ConcatLiterals,
        &[("(concat 1:3 2:3 x)", "(concat 10:6 x)"), ("(concat x 1:3 2:3)", "(concat x 10:6)")],
        &["(concat 1:3 x 2:3)"],
    ),
    example(
        ConcatAdjacent,
        &[
            ("(concat ((_ extract 4 3) x) ((_ extract 2 1) x))", "((_ extract 4 1) x)"),
            ("(concat ((_ extract [w-1] 2) x) ((_ extract 1 0) x))", "x"),
            (
                "(concat (bvnot ((_ extract 4 3) x)) (bvnot ((_ extract 2 1) x)))",
                "(bvnot ((_ extract 4 1) x))",
            ),
            ("(concat ((_ extract 4 3) x) ((_ extract 2 2) x) ((_ extract 1 0) x))", "((_ extract 4 0) x)"),
        ],
        &[
            "(concat ((_ extract 4 3) x) ((_ extract 1 0) x))",
            "(concat ((_ extract 4 3) x) ((_ extract 2 1) y))",
            "(concat ((_ extract 2 1) x) ((_ extract 4 3) x))",
            "(concat ((_ extract 4 3) x) (bvnot ((_ extract 2 1) x)))",
        ],
    ),
    example(
        ConcatSign,
        &[
            ("(concat ((_ extract [w-1] [w-1]) x) x)", "((_ sign_extend 1) x)"),
            ("(concat ((_ extract [w-1] [w-1]) x) ((_ sign_extend 2) x))", "((_ sign_extend 3) x)"),
            ("(concat u u)", "((_ sign_extend 1) u)"),
            ("(concat ((_ extract 3 3) x) ((_ extract 3 1) x))", "((_ sign_extend 1) ((_ extract 3 1) x))"),
        ],
        &[
            "(concat ((_ extract 3 3) x) x)",
            "(concat ((_ extract 2 2) x) ((_ extract 3 1) x))",
            "(concat x x)",
        ],
    ),
    example(
        ZeroExtend,
        &[("((_ zero_extend 3) x)", "(concat 0:3 x)"), ("((_ zero_extend 0) x)", "x")],
        &["((_ zero_extend 3) 1:w)", "((_ sign_extend 3) x)"],
    ),
    example(SignExtendNone, &[("((_ sign_extend 0) x)", "x")], &["((_ sign_extend 1) x)"]),
    example(
        SignExtendTwice,
        &[("((_ sign_extend 1) ((_ sign_extend 2) x))", "((_ sign_extend 3) x)")],
        &["((_ sign_extend 1) ((_ zero_extend 2) x))"],
    ),
    example(
        SignExtendLiteral,
        &[
            ("((_ sign_extend 3) (concat #b01 x))", "(concat 1:5 x)"),
            ("((_ sign_extend 3) (concat #b10 x))", "(concat -2:5 x)"),
        ],
        &["((_ sign_extend 3) (concat x #b01))"],
    ),
    example(
        Repeat,
        &[
            ("((_ repeat 1) x)", "x"),
            ("((_ repeat 3) x)", "(concat x x x)"),
            ("((_ repeat 3) u)", "((_ sign_extend 2) u)"),
        ],
        &["((_ repeat 65) d)", "((_ repeat 2) 1:w)"],
    ),
    example(
        Rotate,
        &[
            ("((_ rotate_left 2) x)", "(concat ((_ extract [w-3] 0) x) ((_ extract [w-1] [w-2]) x))"),
            ("((_ rotate_right 2) x)", "(concat ((_ extract 1 0) x) ((_ extract [w-1] 2) x))"),
            ("((_ rotate_left [w]) x)", "x"),
            ("((_ rotate_right [2w]) x)", "x"),
        ],
        &["((_ rotate_left 2) 1:w)"],
    ),
    example(
        ExtractWhole,
        &[("((_ extract [w-1] 0) x)", "x")],
        &["((_ extract [w-2] 0) x)", "((_ extract [w-1] 1) x)"],
    ),
    example(
        ExtractExtract,
        &[("((_ extract 2 1) ((_ extract 4 1) x))", "((_ extract 3 2) x)")],
        &["((_ extract 2 1) x)"],
    ),
    example(
        ExtractConcat,
        &[
            ("((_ extract 4 1) (concat x d))", "(concat ((_ extract 1 0) x) ((_ extract 2 1) d))"),
            ("((_ extract 2 1) (concat x d))", "((_ extract 2 1) d)"),
            ("((_ extract [w+2] 3) (concat x d))", "x"),
        ],
        &["((_ extract 4 1) (bvadd x y))"],
    ),
    example(
        ExtractSignExtend,
        &[
            ("((_ extract 2 1) ((_ sign_extend 3) x))", "((_ extract 2 1) x)"),
            ("((_ extract [w] 1) ((_ sign_extend 3) x))", "((_ sign_extend 1) ((_ extract [w-1] 1) x))"),
            (
                "((_ extract [w+2] [w+1]) ((_ sign_extend 3) x))",
                "((_ sign_extend 1) ((_ extract [w-1] [w-1]) x))",
            ),
        ],
        &["((_ extract 2 1) ((_ zero_extend 3) x))"],
    ),
    example(
        ExtractNot,
        &[("((_ extract 2 1) (bvnot x))", "(bvnot ((_ extract 2 1) x))")],
        &["((_ extract 2 1) (bvneg x))"],
    ),
    example(
        ExtractBitwise,
        &[
            ("((_ extract 2 1) (bvand x y))", "(bvand ((_ extract 2 1) x) ((_ extract 2 1) y))"),
            ("((_ extract 2 1) (bvxor x 2:w))", "(bvxor ((_ extract 2 1) x) 1:2)"),
            ("((_ extract 2 1) (ite p x 2:w))", "(ite p ((_ extract 2 1) x) 1:2)"),
        ],
        &["((_ extract 2 1) (bvand (bvadd x y) z))", "((_ extract 2 1) (bvadd x y))"],
    ),
    example(
        ExtractArithmetic,
        &[
            ("((_ extract [w-1] 0) (bvadd (concat d x) (concat e y)))", "(bvadd x y)"),
            ("((_ extract 2 0) (bvneg x))", "(bvneg ((_ extract 2 0) x))"),
            ("((_ extract 2 0) (bvmul x y))", "(bvmul ((_ extract 2 0) x) ((_ extract 2 0) y))"),
        ],
        &[
            "((_ extract 2 1) (bvadd x y))",
            "((_ extract 2 0) (bvadd (bvand x y) z))",
            "((_ extract 2 0) (bvudiv x y))",
        ],
    ),
    example(
        ShiftByLiteral,
        &[
            ("(bvshl x 2:w)", "(concat ((_ extract [w-3] 0) x) 0:2)"),
            ("(bvlshr x 2:w)", "(concat 0:2 ((_ extract [w-1] 2) x))"),
            ("(bvashr x 2:w)", "((_ sign_extend 2) ((_ extract [w-1] 2) x))"),
            ("(bvshl x 0:w)", "x"),
            ("(bvshl x -1:w)", "0:w"),
            ("(bvlshr x -1:w)", "0:w"),
            ("(bvashr x -1:w)", "((_ sign_extend [w-1]) ((_ extract [w-1] [w-1]) x))"),
        ],
        &["(bvshl x y)", "(bvlshr 2:w x)"],
    ),
    example(
        ShiftOfLiteral,
        &[("(bvshl 0:w x)", "0:w"), ("(bvlshr 0:w x)", "0:w"), ("(bvashr -1:w x)", "-1:w")],
        &["(bvshl 1:w x)", "(bvlshr -1:w x)", "(bvashr max:w x)"],
    ),
    example(
        OneBitShift,
        &[
            ("(bvshl u v)", "(bvand u (bvnot v))"),
            ("(bvlshr u v)", "(bvand u (bvnot v))"),
            ("(bvashr u v)", "u"),
        ],
        &["(bvshl x y)"],
    ),
    example(
        ArithmeticOfPositive,
        &[("(bvashr (concat #b0 d) (concat #b0 e))", "(bvlshr (concat #b0 d) (concat #b0 e))")],
        &["(bvashr (concat #b1 d) (concat #b0 e))", "(bvashr x y)"],
    ),
];
