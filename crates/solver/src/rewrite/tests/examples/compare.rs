//! Order.

use super::{Example, example, small};
use crate::rewrite::Rule::*;

pub(super) const EXAMPLES: &[Example] = &[
    example(
        ToLess,
        &[
            ("(bvule x y)", "(not (bvult y x))"),
            ("(bvugt x y)", "(bvult y x)"),
            ("(bvuge x y)", "(not (bvult x y))"),
            ("(bvsle x y)", "(not (bvslt y x))"),
            ("(bvsgt x y)", "(bvslt y x)"),
            ("(bvsge x y)", "(not (bvslt x y))"),
        ],
        &["(bvult x y)", "(bvsle 3:w 4:w)"],
    ),
    example(LessSame, &[("(bvult x x)", "false"), ("(bvslt x x)", "false")], &["(bvult x y)"]),
    example(
        LessAtBounds,
        &[
            ("(bvult x 0:w)", "false"),
            ("(bvult x 1:w)", "(= x 0:w)"),
            ("(bvult x -1:w)", "(not (= x -1:w))"),
            ("(bvult -1:w x)", "false"),
            ("(bvult -2:w x)", "(= x -1:w)"),
            ("(bvult 0:w x)", "(not (= x 0:w))"),
            ("(bvslt x min:w)", "false"),
            ("(bvslt x max:w)", "(not (= x max:w))"),
            ("(bvslt max:w x)", "false"),
            ("(bvslt min:w x)", "(not (= x min:w))"),
        ],
        &["(bvult x 2:w)", "(bvslt x 0:w)", "(bvslt x -1:w)", "(bvult x y)"],
    ),
    example(
        LessBlock,
        &[
            ("(bvult x 8:w)", "(= ((_ extract [w-1] 3) x) 0:w-3)"),
            ("(bvult 7:w x)", "(not (= ((_ extract [w-1] 3) x) 0:w-3))"),
            ("(bvult x -8:w)", "(not (= ((_ extract [w-1] 3) x) -1:w-3))"),
            ("(bvult -9:w x)", "(= ((_ extract [w-1] 3) x) -1:w-3)"),
            ("(bvult x min:w)", "(= ((_ extract [w-1] [w-1]) x) #b0)"),
        ],
        &["(bvult x 6:w)", "(bvult 8:w x)", "(bvult x y)"],
    ),
    example(
        LessSign,
        &[
            ("(bvslt x 0:w)", "(= ((_ extract [w-1] [w-1]) x) #b1)"),
            ("(bvslt -1:w x)", "(= ((_ extract [w-1] [w-1]) x) #b0)"),
        ],
        &["(bvslt x 1:w)", "(bvslt 0:w x)", "(bvslt x y)"],
    ),
    example(
        LessComplements,
        &[
            ("(bvult (bvnot x) (bvnot y))", "(bvult y x)"),
            ("(bvult (bvnot x) 5:w)", "(bvult -6:w x)"),
            ("(bvslt 5:w (bvnot x))", "(bvslt x -6:w)"),
        ],
        &["(bvult (bvnot x) y)", "(bvult (bvneg x) (bvneg y))"],
    ),
    example(
        LessLeading,
        &[
            ("(bvult (concat 1:3 x) (concat 2:3 y))", "true"),
            ("(bvult (concat 2:3 x) (concat 2:3 y))", "(bvult x y)"),
            ("(bvslt (concat -2:3 x) (concat 2:3 y))", "true"),
            ("(bvslt (concat -2:3 x) (concat -2:3 y))", "(bvult x y)"),
            (
                "(bvult (concat 2:3 x) (concat 5:4 ((_ extract [w-2] 0) y)))",
                "(bvult x (concat #b1 ((_ extract [w-2] 0) y)))",
            ),
            ("(bvult (concat 0:3 x) 6:w+3)", "(bvult x 6:w)"),
        ],
        &["(bvult (concat x 1:3) (concat y 2:3))", "(bvult (concat 1:3 x) (concat d y))"],
    ),
    example(
        LessCommonPart,
        &[
            ("(bvult (concat d x) (concat d y))", "(bvult x y)"),
            ("(bvslt (concat d x) (concat d y))", "(bvult x y)"),
            ("(bvult (concat x d) (concat y d))", "(bvult x y)"),
            ("(bvslt (concat x d) (concat y d))", "(bvslt x y)"),
        ],
        &["(bvult (concat d x) (concat e y))", "(bvult (concat d x) (concat x d))"],
    ),
    example(
        LessExtended,
        &[
            ("(bvslt ((_ sign_extend 3) x) ((_ sign_extend 3) y))", "(bvslt x y)"),
            ("(bvult ((_ sign_extend 3) x) ((_ sign_extend 3) y))", "(bvult x y)"),
            ("(bvslt ((_ sign_extend 3) x) 3:w+3)", "(bvslt x 3:w)"),
            ("(bvult -6:w+3 ((_ sign_extend 3) x))", "(bvult -6:w x)"),
        ],
        &[
            "(bvslt ((_ sign_extend 3) x) ((_ sign_extend [w]) d))",
            "(bvslt ((_ sign_extend 3) x) (concat #b01 0:w+1))",
        ],
    ),
    example(
        LessChoice,
        &[
            ("(bvult (ite p 3:w 6:w) 5:w)", "p"),
            ("(bvslt 5:w (ite p 3:w 6:w))", "(not p)"),
            ("(bvult (ite p 3:w 4:w) 5:w)", "true"),
        ],
        &["(bvult (ite p 3:w x) 5:w)", "(bvult (ite p 3:w 6:w) x)"],
    ),
    small(
        LessRemainder,
        &[("(bvult (bvurem x y) y)", "(not (= y 0:w))")],
        &["(bvult (bvurem x y) x)", "(bvult (bvudiv x y) y)"],
    ),
    example(
        LessOneBit,
        &[("(bvult u v)", "(and (= u #b0) (= v #b1))"), ("(bvslt u v)", "(and (= u #b1) (= v #b0))")],
        &["(bvult x y)"],
    ),
];
