//! Verdicts of z3 on formulas whose sorts are enumerations of a few elements.

use sundry_testing::oracle::{self, Oracle};

use crate::oracle_answers::ask;

/// The numbers of elements of a sort: all that formulas of this size can distinguish, and more.
const SIZES: [u32; 5] = [1, 2, 3, 4, 6];

/// The formula with its sorts as enumerations, in all sizes.
fn enumerations(text: &str) -> Vec<String> {
    let mut variants = vec![text.to_string()];
    for sort in ["U0", "U1"] {
        let declaration = format!("(declare-sort {sort} 0)");
        if !text.contains(&declaration) {
            continue;
        }
        variants = variants
            .iter()
            .flat_map(|variant| {
                SIZES.map(|size| {
                    let elements: Vec<String> =
                        (0..size).map(|number| format!("({sort}_{number})")).collect();
                    let datatype = format!("(declare-datatype {sort} ({}))", elements.join(" "));
                    variant.replace(&declaration, &datatype)
                })
            })
            .collect();
    }
    variants.iter().map(|variant| format!("{variant}(check-sat)\n")).collect()
}

/// Whether formulas are satisfiable, according to z3; `None` where it does not know.
pub(super) fn oracle_verdicts(texts: &[String]) -> Vec<Option<bool>> {
    let variants: Vec<Vec<String>> = texts.iter().map(|text| enumerations(text)).collect();
    let mut replies = ask(Oracle::Z3, &variants.concat()).into_iter();
    let verdicts = variants.iter().map(|variants| {
        let answers: Vec<oracle::Answer> =
            replies.by_ref().take(variants.len()).map(|reply| reply.answer).collect();
        match answers.contains(&oracle::Answer::Sat) {
            true => Some(true),
            false => answers.iter().all(|&answer| answer == oracle::Answer::Unsat).then_some(false),
        }
    });
    verdicts.collect()
}
