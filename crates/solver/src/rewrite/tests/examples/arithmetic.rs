//! Sums, products, divisions, overflow.

use super::{Example, example, medium, small};
use crate::rewrite::Rule::*;

pub(super) const EXAMPLES: &[Example] = &[
    example(
        OneBitArithmetic,
        &[
            ("(bvneg u)", "u"),
            ("(bvadd u v)", "(bvxor u v)"),
            ("(bvsub u v)", "(bvxor u v)"),
            ("(bvmul u v)", "(bvand u v)"),
        ],
        &["(bvneg x)", "(bvadd x y)", "(bvmul x y)"],
    ),
    medium(
        Difference,
        &[
            ("(bvsub x y)", "(bvnot (bvadd (bvnot x) y))"),
            ("(bvsub x 3:w)", "(bvadd x -3:w)"),
            ("(bvsub 3:w x)", "(bvnot (bvadd x -4:w))"),
            ("(bvsub 0:w x)", "(bvneg x)"),
            ("(bvsub x x)", "0:w"),
            ("(bvsub (bvadd x y) y)", "x"),
            ("(bvsub x (bvneg y))", "(bvadd x y)"),
        ],
        &["(bvsub 3:w 4:w)"],
    ),
    medium(
        Sum,
        &[
            ("(bvadd x 0:w)", "x"),
            ("(bvadd x x)", "(bvshl x 1:w)"),
            ("(bvadd (bvadd x 3:w) 4:w)", "(bvadd x 7:w)"),
            ("(bvadd (bvsub x y) y)", "x"),
            ("(bvadd x (bvneg x))", "0:w"),
            ("(bvadd x (bvnot x))", "-1:w"),
            ("(bvadd (bvneg x) (bvneg y))", "(bvneg (bvadd x y))"),
            ("(bvadd (bvneg x) y)", "(bvsub y x)"),
            ("(bvadd (bvnot x) 1:w)", "(bvneg x)"),
            ("(bvadd (bvnot x) 4:w)", "(bvnot (bvadd x -4:w))"),
            ("(bvadd (bvadd x y) (bvsub z y))", "(bvadd x z)"),
            ("(bvadd (bvsub x y) (bvnot x))", "(bvnot y)"),
        ],
        &[
            "(bvadd x y)",
            "(bvadd x 3:w)",
            "(bvadd (bvnot x) y)",
            "(bvadd (bvadd x 3:w) y)",
            "(bvadd (bvadd x y) 3:w)",
        ],
    ),
    small(Sum, &[("(bvadd (bvmul x 3:w) x x)", "(bvmul x 5:w)")], &["(bvadd (bvmul x 3:w) y)"]),
    medium(
        Negation,
        &[
            ("(bvneg (bvneg x))", "x"),
            ("(bvneg (bvnot x))", "(bvadd x 1:w)"),
            ("(bvneg (bvadd x 3:w))", "(bvnot (bvadd x 2:w))"),
            ("(bvneg (bvsub x y))", "(bvsub y x)"),
        ],
        &["(bvneg x)", "(bvneg (bvadd x y))", "(bvneg (bvshl x 1:w))", "(bvneg (bvxor x 3:w))"],
    ),
    small(Negation, &[("(bvneg (bvmul x 3:w))", "(bvmul x -3:w)")], &["(bvneg (bvmul x y))"]),
    small(
        Product,
        &[
            ("(bvmul x 0:w)", "0:w"),
            ("(bvmul x 1:w)", "x"),
            ("(bvmul x 4:w)", "(bvshl x 2:w)"),
            ("(bvmul x -1:w)", "(bvneg x)"),
            ("(bvmul x -2:w)", "(bvneg (bvshl x 1:w))"),
            ("(bvmul (bvmul x 3:w) 3:w)", "(bvmul x 9:w)"),
            ("(bvmul (bvneg x) (bvneg y))", "(bvmul x y)"),
            ("(bvmul (bvshl x 1:w) y)", "(bvshl (bvmul x y) 1:w)"),
        ],
        &["(bvmul x 3:w)", "(bvmul x y)", "(bvmul (bvneg x) y)", "(bvmul (bvadd x 1:w) 3:w)"],
    ),
    small(
        UnsignedByLiteral,
        &[
            ("(bvudiv x 4:w)", "(bvlshr x 2:w)"),
            ("(bvurem x 4:w)", "(bvand x 3:w)"),
            ("(bvudiv x 1:w)", "x"),
            ("(bvurem x 1:w)", "0:w"),
            ("(bvudiv x 0:w)", "-1:w"),
            ("(bvurem x 0:w)", "x"),
        ],
        &["(bvudiv x 3:w)", "(bvurem 4:w x)", "(bvudiv x y)"],
    ),
    small(
        ZeroDividend,
        &[("(bvudiv 0:w x)", "(ite (= x 0:w) -1:w 0:w)"), ("(bvurem 0:w x)", "0:w")],
        &["(bvudiv 1:w x)"],
    ),
    small(
        SameOperands,
        &[
            ("(bvudiv x x)", "(ite (= x 0:w) -1:w 1:w)"),
            ("(bvurem x x)", "0:w"),
            ("(bvsdiv x x)", "(ite (= x 0:w) -1:w 1:w)"),
            ("(bvsrem x x)", "0:w"),
            ("(bvsmod x x)", "0:w"),
        ],
        &["(bvudiv x y)", "(bvsmod x (bvneg x))"],
    ),
    small(
        NarrowDivision,
        &[
            ("(bvurem (concat 0:3 x) (concat 0:3 y))", "(concat 0:3 (bvurem x y))"),
            ("(bvudiv (concat 0:3 x) (concat 0:3 y))", "(ite (= y 0:w) -1:w+3 (concat 0:3 (bvudiv x y)))"),
            ("(bvurem (concat 0:3 x) 5:w+3)", "(bvurem (concat 0:3 x) 5:w+3)"),
        ],
        &["(bvurem (concat 0:3 x) (concat d y))", "(bvudiv x y)"],
    ),
    small(
        SignedOfPositive,
        &[
            ("(bvsdiv (concat 0:3 x) (concat 0:3 y))", "(bvudiv (concat 0:3 x) (concat 0:3 y))"),
            ("(bvsrem (concat 0:3 x) (concat 0:3 y))", "(bvurem (concat 0:3 x) (concat 0:3 y))"),
            ("(bvsmod (concat 0:3 x) (concat 0:3 y))", "(bvurem (concat 0:3 x) (concat 0:3 y))"),
        ],
        &["(bvsdiv (concat 0:3 x) (concat d y))", "(bvsrem (concat 7:3 x) (concat 7:3 y))"],
    ),
    small(
        SignedByLiteral,
        &[
            ("(bvsdiv x 1:w)", "x"),
            ("(bvsdiv x -1:w)", "(bvneg x)"),
            ("(bvsdiv x 0:w)", "(ite (bvslt x 0:w) 1:w -1:w)"),
            ("(bvsrem x 1:w)", "0:w"),
            ("(bvsrem x -1:w)", "0:w"),
            ("(bvsrem x 0:w)", "x"),
            ("(bvsmod x 1:w)", "0:w"),
            ("(bvsmod x -1:w)", "0:w"),
            ("(bvsmod x 0:w)", "x"),
        ],
        &["(bvsdiv x 2:w)", "(bvsmod x 3:w)", "(bvsrem 1:w x)"],
    ),
    example(NegationOverflow, &[("(bvnego x)", "(= x min:w)")], &["(bvnego 3:w)"]),
    example(UnsignedSumOverflow, &[("(bvuaddo x y)", "(bvult (bvnot x) y)")], &["(bvuaddo 3:w 4:w)"]),
    example(UnsignedDifferenceOverflow, &[("(bvusubo x y)", "(bvult x y)")], &["(bvusubo 3:w 4:w)"]),
    example(
        QuotientOverflow,
        &[("(bvsdivo x y)", "(and (= x min:w) (= y -1:w))"), ("(bvsdivo x 3:w)", "false")],
        &["(bvsdivo 3:w 4:w)"],
    ),
    example(
        SignedSumOverflow,
        &[
            ("(bvsaddo x 3:w)", "(bvsgt x (bvsub max:w 3:w))"),
            ("(bvsaddo x -3:w)", "(bvslt x (bvadd min:w 3:w))"),
            ("(bvsaddo 0:w x)", "false"),
        ],
        &["(bvsaddo x y)"],
    ),
    example(
        SignedDifferenceOverflow,
        &[
            ("(bvssubo x 3:w)", "(bvslt x (bvadd min:w 3:w))"),
            ("(bvssubo x -3:w)", "(bvsgt x (bvsub max:w 3:w))"),
            ("(bvssubo 3:w x)", "(bvslt x (bvsub 3:w max:w))"),
            ("(bvssubo -3:w x)", "(bvsgt x (bvsub -3:w min:w))"),
            ("(bvssubo x min:w)", "(not (bvslt x 0:w))"),
            ("(bvssubo -1:w x)", "false"),
        ],
        &["(bvssubo x y)"],
    ),
    small(
        UnsignedProductOverflow,
        &[
            ("(bvumulo x 3:w)", "(bvugt x (bvudiv -1:w 3:w))"),
            ("(bvumulo 0:w x)", "false"),
            ("(bvumulo x 1:w)", "false"),
        ],
        &["(bvumulo x y)"],
    ),
    small(
        SignedProductOverflow,
        &[
            ("(bvsmulo x 3:w)", "(or (bvslt x (bvsdiv min:w 3:w)) (bvslt (bvsdiv max:w 3:w) x))"),
            ("(bvsmulo x -3:w)", "(or (bvslt x (bvsdiv max:w -3:w)) (bvslt (bvsdiv min:w -3:w) x))"),
            ("(bvsmulo x 0:w)", "false"),
            ("(bvsmulo x 1:w)", "false"),
            ("(bvsmulo x -1:w)", "(= x min:w)"),
            ("(bvsmulo u #b1)", "(= u #b1)"),
        ],
        &["(bvsmulo x y)"],
    ),
];
