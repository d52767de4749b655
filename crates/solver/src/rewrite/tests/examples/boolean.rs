//! Connectives, if-then-else, disequality, and what holds for all operators.

use super::{Example, example};
use crate::rewrite::Rule::*;

pub(super) const EXAMPLES: &[Example] = &[
    example(
        Evaluate,
        &[
            ("(not true)", "false"),
            ("(bvadd 3:w 4:w)", "7:w"),
            ("(bvult 3:w 4:w)", "true"),
            ("(bvudiv 3:w 0:w)", "-1:w"),
            ("((_ sign_extend 2) -1:w)", "-1:w+2"),
        ],
        &["(bvadd x 4:w)", "(f 3:w)"],
    ),
    example(
        Order,
        &[("(= y x)", "(= x y)"), ("(and q p)", "(and p q)"), ("(bvxor 3:w x)", "(bvxor x 3:w)")],
        &["(= x y)", "(bvadd x 3:w)", "(bvudiv y x)", "(bvudiv 3:w x)"],
    ),
    example(
        Pairwise,
        &[("(bvadd x y z)", "(bvadd (bvadd x y) z)"), ("(bvsub x y z)", "(bvsub (bvsub x y) z)")],
        &["(bvadd x y)", "(bvand x y z)"],
    ),
    example(
        NotNot,
        &[("(not (not p))", "p"), ("(bvnot (bvnot x))", "x")],
        &["(not p)", "(bvnot (bvneg x))", "(not (= x (bvnot y)))"],
    ),
    example(
        OrToAnd,
        &[
            ("(or p q)", "(not (and (not p) (not q)))"),
            ("(or p)", "p"),
            ("(bvor x (bvnot y))", "(bvnot (bvand (bvnot x) y))"),
        ],
        &["(and p q)", "(bvor 1:w 2:w)"],
    ),
    example(
        ImpliesToAnd,
        &[("(=> p q)", "(not (and p (not q)))"), ("(=> p q (not r))", "(not (and p q r))")],
        &["(=> true false)"],
    ),
    example(
        XorToEqual,
        &[("(xor p q)", "(not (= p q))"), ("(xor p q r)", "(= (= p q) r)")],
        &["(xor true false)"],
    ),
    example(DistinctPair, &[("(distinct x y)", "(not (= x y))")], &["(distinct x y z)"]),
    example(
        DistinctSame,
        &[("(distinct x y x)", "false"), ("(distinct t1 t2 t2)", "false")],
        &["(distinct x y z)", "(distinct t1 t2 t3)"],
    ),
    example(
        DistinctTooMany,
        &[("(distinct p q r)", "false"), ("(distinct u v ((_ extract 0 0) x))", "false")],
        &["(distinct x y z)", "(distinct t1 t2 t3)"],
    ),
    example(
        DistinctFew,
        &[("(distinct x y z)", "(and (not (= x y)) (not (= x z)) (not (= y z)))")],
        &["(distinct x y z (bvnot x) x2 y2)", "(distinct x y)"],
    ),
    example(AndSingle, &[("(and p)", "p")], &["(and p q)"]),
    example(
        AndAbsorbing,
        &[("(and p false q)", "false"), ("(bvand x 0:w)", "0:w")],
        &["(and p q)", "(bvand x y)"],
    ),
    example(
        AndNeutral,
        &[
            ("(and p true q)", "(and p q)"),
            ("(and true p)", "p"),
            ("(and true true)", "true"),
            ("(bvand x -1:w)", "x"),
        ],
        &["(and p q)", "(bvand x y)"],
    ),
    example(AndLiterals, &[("(bvand x 5:w y 20:w)", "(bvand x y 4:w)")], &["(bvand x 5:w)", "(bvand x y)"]),
    example(
        AndDuplicate,
        &[("(and p q p)", "(and p q)"), ("(bvand x x)", "x")],
        &["(and p q)", "(bvand x y)", "(and p (not p))"],
    ),
    example(
        AndComplement,
        &[("(and p q (not p))", "false"), ("(bvand x (bvnot x))", "0:w")],
        &["(and p q (not r))", "(bvand x (bvneg x))"],
    ),
    example(
        AndNested,
        &[
            ("(and (and p q) q)", "(and p q)"),
            ("(and (and p q) r (not p))", "false"),
            ("(and (and p (and q r)) r)", "(and p (and q r))"),
            ("(and (and p q) (and p r))", "(and (and p q) r)"),
            ("(and (and p q) (and r (not q)))", "false"),
            ("(bvand (bvand x y) x)", "(bvand x y)"),
            ("(bvand (bvand x y) (bvnot y))", "0:w"),
        ],
        &["(and (and p q) r)", "(and (and p q) (not r))", "(bvand (bvand x y) z)"],
    ),
    example(
        AndPropagate,
        &[
            ("(and p (not (and p q)))", "(and p (not q))"),
            ("(and p (not (and (not p) q)))", "p"),
            ("(and p (not (and q p r)) r)", "(and p (not q) r)"),
            ("(bvand x (bvnot (bvand x y)))", "(bvand x (bvnot y))"),
        ],
        &["(and p (not (and q r)))", "(and p (and p q))", "(and p (not (and p q r)))"],
    ),
    example(
        AndResolve,
        &[
            ("(and (not (and p q)) (not (and p (not q))))", "(not p)"),
            ("(bvand (bvnot (bvand x y)) (bvnot (bvand (bvnot y) x)))", "(bvnot x)"),
        ],
        &["(and (not (and p q)) (not (and p r)))", "(and (not (and p q)) (not (and r (not q))))"],
    ),
    example(IteDecided, &[("(ite true x y)", "x"), ("(ite false x y)", "y")], &["(ite p x y)"]),
    example(IteSame, &[("(ite p x x)", "x"), ("(ite p A A)", "A")], &["(ite p x y)"]),
    example(
        IteNegated,
        &[("(ite (not p) x y)", "(ite p y x)"), ("(ite (not p) t1 t2)", "(ite p t2 t1)")],
        &["(ite p x y)", "(ite (not p) #b1 #b0)"],
    ),
    example(
        IteFlippedBit,
        &[("(ite p #b0 #b1)", "(ite (not p) #b1 #b0)")],
        &["(ite p #b1 #b0)", "(ite p 0:w 1:w)"],
    ),
    example(
        IteConditionInBranch,
        &[
            ("(ite p p q)", "(or p q)"),
            ("(ite p q (not p))", "(or q (not p))"),
            ("(ite p (not p) q)", "(and (not p) q)"),
        ],
        &["(ite p q r)", "(ite p q (not q))"],
    ),
    example(
        IteLiteralBranch,
        &[
            ("(ite p true q)", "(or p q)"),
            ("(ite p false q)", "(and (not p) q)"),
            ("(ite p q true)", "(or (not p) q)"),
            ("(ite p q false)", "(and p q)"),
            ("(ite p true false)", "p"),
        ],
        &["(ite p q r)", "(ite p 1:w 0:w)"],
    ),
    example(
        IteComplementary,
        &[("(ite p q (not q))", "(= p q)"), ("(ite p (not q) q)", "(not (= p q))")],
        &["(ite p q (not r))", "(ite p x (bvnot x))"],
    ),
    example(
        IteNegatedBranch,
        &[("(ite p (not q) r)", "(not (ite p q (not r)))")],
        &["(ite p q (not r))", "(ite p (bvnot x) y)"],
    ),
    example(
        IteSameCondition,
        &[("(ite p (ite p x y) z)", "(ite p x z)"), ("(ite p x (ite p y z))", "(ite p x z)")],
        &["(ite p (ite q x y) z)"],
    ),
    example(
        IteSharedBranch,
        &[
            ("(ite p x (ite q x y))", "(ite (or p q) x y)"),
            ("(ite p x (ite q y x))", "(ite (and (not p) q) y x)"),
            ("(ite p (ite q x y) y)", "(ite (and p q) x y)"),
            ("(ite p (ite q y x) y)", "(ite (and p (not q)) x y)"),
        ],
        &["(ite p x (ite q y z))", "(ite p (ite q x y) z)"],
    ),
    example(
        IteEqualBranches,
        &[("(ite (= x y) x y)", "y"), ("(ite (= x y) y x)", "x"), ("(ite (= x 3:w) 3:w x)", "x")],
        &["(ite (= x y) x z)", "(ite (bvult x y) x y)"],
    ),
    example(
        IteBitAgain,
        &[("(ite (= u #b1) #b1 #b0)", "u"), ("(ite (= u #b0) #b0 #b1)", "u")],
        &["(ite (= x 1:w) #b1 #b0)", "(ite (= u #b1) 1:w 0:w)"],
    ),
    example(
        IteBelowUnary,
        &[
            ("(bvnot (ite p 3:w 4:w))", "(ite p -4:w -5:w)"),
            ("(bvneg (ite p 3:w 4:w))", "(ite p -3:w -4:w)"),
            ("((_ extract 1 1) (ite p 3:w 4:w))", "(ite p #b1 #b0)"),
            ("((_ sign_extend 2) (ite p 3:w 4:w))", "(ite p 3:w+2 4:w+2)"),
        ],
        &["(bvnot (ite p 3:w x))", "((_ extract 1 0) (ite p x y))"],
    ),
];
