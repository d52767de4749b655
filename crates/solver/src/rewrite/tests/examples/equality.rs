//! Equality.

use super::{Example, example, medium, small};
use crate::rewrite::Rule::*;

pub(super) const EXAMPLES: &[Example] = &[
    example(EqualChain, &[("(= x y z)", "(and (= x y) (= y z))")], &["(= x y)"]),
    example(
        EqualDecided,
        &[("(= x x)", "true"), ("(= A A)", "true"), ("(= p (not p))", "false"), ("(= (bvnot x) x)", "false")],
        &["(= x y)", "(= x (bvneg x))", "(= t1 t2)"],
    ),
    example(EqualTruth, &[("(= p true)", "p"), ("(= false p)", "(not p)")], &["(= p q)"]),
    example(
        EqualNot,
        &[
            ("(= (not p) q)", "(not (= p q))"),
            ("(= p (not q))", "(not (= p q))"),
            ("(= (not p) (not q))", "(= p q)"),
        ],
        &["(= p q)", "(= (bvnot x) y)"],
    ),
    example(EqualOneBit, &[("(= u #b0)", "(not (= u #b1))")], &["(= u #b1)", "(= x 0:w)", "(= u v)"]),
    example(
        EqualParity,
        &[("(= (= p q) p)", "q"), ("(= (= p q) (= p r))", "(= q r)"), ("(= (= p (= q r)) (= r p))", "q")],
        &["(= (= p q) r)", "(= (= x y) p)"],
    ),
    example(
        EqualXor,
        &[
            ("(= (bvxor x y) x)", "(= y 0:w)"),
            ("(= (bvxor x y) 0:w)", "(= x y)"),
            ("(= (bvxor x 3:w) 5:w)", "(= x 6:w)"),
            ("(= (bvxor x y) (bvxor y z))", "(= x z)"),
            ("(= (bvxor x (bvxor y z)) (bvxor z y))", "(= x 0:w)"),
        ],
        &["(= (bvxor x y) z)", "(= (bvxor x y) 3:w)", "(= (bvadd x y) x)"],
    ),
    example(
        EqualIte,
        &[
            ("(= (ite p x y) x)", "(or p (= y x))"),
            ("(= (ite p 3:w y) 4:w)", "(and (not p) (= y 4:w))"),
            ("(= (ite p 3:w 4:w) 4:w)", "(not p)"),
            ("(= (ite p 3:w 4:w) 5:w)", "false"),
            ("(= (ite p x y) (ite p x z))", "(or p (= y z))"),
            ("(= (ite p (ite q 3:w 4:w) 5:w) 4:w)", "(and p (not q))"),
            ("(= (ite p A B) B)", "(or (not p) (= A B))"),
            ("(= (ite p t1 t2) t2)", "(or (not p) (= t1 t2))"),
        ],
        &["(= (ite p x y) z)", "(= (ite p x y) (ite q x z))", "(= (ite p x y) 3:w)"],
    ),
    example(
        EqualBits,
        &[
            ("(= (ite p 3:w 4:w) (ite q 3:w 4:w))", "(= p q)"),
            ("(= (ite p 3:w 4:w) (ite q 4:w 3:w))", "(not (= p q))"),
        ],
        &["(= (ite p 3:w 4:w) (ite q 3:w 5:w))", "(= (ite p x y) (ite q x y))"],
    ),
    example(
        EqualConcat,
        &[
            ("(= (concat x d) (concat y e))", "(and (= x y) (= d e))"),
            ("(= (concat x d) -3:w+3)", "(and (= x -1:w) (= d 5:3))"),
            (
                "(= (concat 0:3 x) (concat y 0:2 u))",
                "(and (= ((_ extract [w-1] [w-3]) y) 0:3) (= ((_ extract [w-4] 0) y) ((_ extract [w-1] 3) x)) (= ((_ extract 2 1) x) 0:2) (= ((_ extract 0 0) x) u))",
            ),
        ],
        &["(= (concat x d) ((_ sign_extend 3) y))", "(= (concat #b1 ((_ extract [w-2] 0) x)) y)"],
    ),
    example(
        EqualSignExtend,
        &[
            ("(= ((_ sign_extend 3) x) ((_ sign_extend 3) y))", "(= x y)"),
            ("(= ((_ sign_extend 3) x) -3:w+3)", "(= x -3:w)"),
            ("(= ((_ sign_extend 3) x) min:w+3)", "false"),
        ],
        &["(= ((_ sign_extend 3) x) ((_ sign_extend [w]) d))"],
    ),
    example(
        EqualAnd,
        &[
            ("(= (bvand x y) -1:w)", "(and (= x -1:w) (= y -1:w))"),
            ("(= (bvor x y) 0:w)", "(and (= x 0:w) (= y 0:w))"),
        ],
        &["(= (bvand x y) 1:w)", "(= (bvand x y) 0:w)"],
    ),
    medium(
        EqualLinear,
        &[
            ("(= (bvadd x 3:w) 5:w)", "(= x 2:w)"),
            ("(= (bvadd x y) (bvadd y z))", "(= x z)"),
            ("(= (bvadd x 3:w) (bvadd x 4:w))", "false"),
            ("(= (bvsub x y) 0:w)", "(= x y)"),
            ("(= (bvneg x) (bvneg y))", "(= x y)"),
            ("(= (bvnot x) 3:w)", "(= x -4:w)"),
            ("(= (bvneg x) 3:w)", "(= x -3:w)"),
            ("(= (bvadd x (bvmul y 2:w)) (bvadd y x))", "(= y 0:w)"),
            ("(= (bvadd x y z) (bvadd z x2 y))", "(= x x2)"),
        ],
        &["(= (bvadd x y) z)", "(= (bvadd x y) 3:w)", "(= (bvxor x 3:w) y)", "(= (bvneg x) y)"],
    ),
    small(
        EqualLinear,
        &[
            ("(= (bvmul x 3:w) 9:w)", "(= x 3:w)"),
            ("(= (bvmul x 6:w) 2:w)", "(= ((_ extract [w-2] 0) (bvmul x 3:w)) 1:w-1)"),
            ("(= (bvmul x 6:w) 3:w)", "false"),
        ],
        &["(= (bvmul x y) 3:w)", "(= (bvmul x 3:w) y)"],
    ),
    small(
        EqualPolynomial,
        &[
            ("(= (bvmul x (bvadd y z)) (bvadd (bvmul x y) (bvmul z x)))", "true"),
            ("(= (bvmul (bvmul x y) z) (bvmul x (bvmul z y)))", "true"),
            ("(= (bvmul (bvadd x y) (bvsub x y)) (bvsub (bvmul x x) (bvmul y y)))", "true"),
            ("(= (bvmul (bvnot x) y) (bvsub (bvneg y) (bvmul y x)))", "true"),
            ("(= (bvmul x (bvadd y 3:w)) (bvadd (bvmul x y) (bvmul x 3:w) 1:w))", "false"),
            ("(= (bvmul x (bvadd (bvmul x y) (bvmul y x))) (bvadd (bvmul x x y) (bvmul y x x)))", "true"),
            ("(= (bvmul x (bvadd y 1:w)) (bvadd (bvmul x y) z))", "(= x z)"),
            ("(= (bvmul (bvadd x 1:w) (bvadd x 1:w)) (bvadd (bvmul x x) x 3:w))", "(= x 2:w)"),
            ("(= (bvmul (bvadd x y) (bvadd x y)) (bvadd (bvmul x x) (bvmul y y) 1:w))", "false"),
        ],
        &[
            "(= (bvmul x y) (bvmul x z))",
            "(= (bvmul x (bvadd y z)) (bvadd (bvmul x y) (bvmul y z)))",
            "(= (bvmul x x) (bvadd x y))",
        ],
    ),
    example(
        EqualArray,
        &[
            ("(= (store A x y) A)", "(= (select A x) y)"),
            ("(= (store A x y) (store A x z))", "(= y z)"),
            ("(= ((as const Words) x) ((as const Words) y))", "(= x y)"),
        ],
        &["(= (store A x y) B)", "(= (store A x y) (store A y y))", "(= ((as const Words) x) A)"],
    ),
];
