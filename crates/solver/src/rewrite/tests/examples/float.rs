//! Examples of rules on floating point.

use super::{Example, once};
use crate::rewrite::Rule::*;

pub(super) const EXAMPLES: &[Example] = &[
    once(
        FloatOrder,
        &[
            ("(fp.add m k h)", "(fp.add m h k)"),
            ("(fp.mul RNE k h)", "(fp.mul RNE h k)"),
            ("(fp.fma m k h n)", "(fp.fma m h k n)"),
            ("(fp.eq k h)", "(fp.eq h k)"),
        ],
        &["(fp.add m h k)", "(fp.div m k h)", "(fp.lt k h)", "(fp.min k h)"],
    ),
    once(FloatDifference, &[("(fp.sub m h k)", "(fp.add m h (fp.neg k))")], &["(fp.add m h k)"]),
    once(
        FloatSigns,
        &[
            ("(fp.neg (fp.neg h))", "h"),
            ("(fp.abs (fp.neg h))", "(fp.abs h)"),
            ("(fp.abs (fp.abs h))", "(fp.abs h)"),
        ],
        &["(fp.neg (fp.abs h))", "(fp.neg h)", "(fp.abs h)"],
    ),
    once(
        FloatClass,
        &[
            ("(fp.isNaN (fp.neg h))", "(fp.isNaN h)"),
            ("(fp.isZero (fp.abs h))", "(fp.isZero h)"),
            ("(fp.isSubnormal (fp.neg h))", "(fp.isSubnormal h)"),
        ],
        &["(fp.isNegative (fp.neg h))", "(fp.isNaN h)"],
    ),
    once(
        FloatToLess,
        &[
            ("(fp.gt h k)", "(fp.lt k h)"),
            ("(fp.geq h k)", "(fp.leq k h)"),
            ("(fp.lt h k n)", "(and (fp.lt h k) (fp.lt k n))"),
            ("(fp.eq h k n)", "(and (fp.eq h k) (fp.eq k n))"),
        ],
        &["(fp.lt h k)", "(fp.eq h k)"],
    ),
    once(
        FloatSame,
        &[
            ("(fp.lt h h)", "false"),
            ("(fp.leq h h)", "(not (fp.isNaN h))"),
            ("(fp.eq h h)", "(not (fp.isNaN h))"),
        ],
        &["(fp.leq h k)"],
    ),
    once(FloatSameExtremes, &[("(fp.min h h)", "h"), ("(fp.max h h)", "h")], &["(fp.min h k)"]),
    once(
        FloatSameFormat,
        &[("((_ to_fp 5 11) m h)", "h")],
        &["((_ to_fp 8 24) m h)", "((_ to_fp 5 11) ((_ zero_extend 13) d))"],
    ),
    once(
        FloatUnit,
        &[
            ("(fp.mul m h (fp #b0 #b01111 #b0000000000))", "h"),
            ("(fp.mul m (fp #b1 #b01111 #b0000000000) h)", "(fp.neg h)"),
            ("(fp.div m h (fp #b1 #b01111 #b0000000000))", "(fp.neg h)"),
        ],
        &["(fp.div m (fp #b0 #b01111 #b0000000000) h)", "(fp.mul m h (fp #b0 #b10000 #b0000000000))"],
    ),
];
