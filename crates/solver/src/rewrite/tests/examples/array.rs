//! Arrays.

use super::{Example, example};
use crate::rewrite::Rule::*;

pub(super) const EXAMPLES: &[Example] = &[
    example(
        Select,
        &[
            ("(select (store A x y) x)", "y"),
            ("(select (store A 1:w y) 2:w)", "(select A 2:w)"),
            ("(select (store A (bvadd x 1:w) y) x)", "(select A x)"),
            ("(select (store (store A x y) (bvadd x 1:w) z) x)", "y"),
            ("(select (store (store A x y) (bvadd z 1:w) y) z)", "(select (store A x y) z)"),
            ("(select ((as const Words) y) x)", "y"),
        ],
        &["(select (store A x y) z)", "(select A x)", "(select (store A x y) 1:w)"],
    ),
    example(
        SelectIte,
        &[("(select (ite p (store A x y) B) x)", "(ite p y (select B x))")],
        &["(select (ite p A B) x)", "(select (ite p (store A y y) B) x)"],
    ),
    example(StoreAgain, &[("(store (store A x y) x z)", "(store A x z)")], &["(store (store A x y) y z)"]),
    example(
        StoreSame,
        &[
            ("(store A x (select A x))", "A"),
            ("(store (store A 1:w y) 2:w (select A 2:w))", "(store A 1:w y)"),
            ("(store ((as const Words) y) x y)", "((as const Words) y)"),
        ],
        &["(store A x (select A y))", "(store A x (select B x))", "(store (store A z y) x (select A x))"],
    ),
];
