//! Terms for people: large ones are cut.
//!
//! Who lists the terms of a formula would otherwise write each as often as there are terms above it, without end for a formula
//! that is nested a hundred thousand deep.

use std::collections::VecDeque;

use sundry_term::{TermId, TermStore};

use super::ScriptText;
use super::head::write_head;

/// Stands for whatever was cut.
const CUT: &str = "…";

/// A term as a tree without `let`, of which at most so many nodes are written, those nearest to its root; `…` stands for
/// arguments that are left out.
///
/// ```
/// use sundry_smtlib::{SourceText, parse_script, print_term_briefly};
/// use sundry_term::{TermStore, TheorySet};
///
/// let mut store = TermStore::new();
/// let source = SourceText::new("f.smt2", "(declare-const p Bool) (assert (and (or p (not p)) p))");
/// let term = parse_script(&mut store, &source, TheorySet::DECIDED).unwrap().formula().assertions[0];
/// assert_eq!(print_term_briefly(&store, term, 10), "(and (or p (not p)) p)");
/// assert_eq!(print_term_briefly(&store, term, 3), "(and (or …) p)");
/// ```
pub fn print_term_briefly(store: &TermStore, term: TermId, most: usize) -> String {
    // The nodes that are written, each with the numbers of its arguments among them; `None` for one that is cut.
    let mut nodes: Vec<(TermId, Vec<Option<usize>>)> = vec![(term, Vec::new())];
    let mut open = VecDeque::from([0]);
    while let Some(number) = open.pop_front() {
        for &argument in store.args(nodes[number].0) {
            let place = (nodes.len() < most).then_some(nodes.len());
            nodes[number].1.push(place);
            match place {
                Some(place) => {
                    nodes.push((argument, Vec::new()));
                    open.push_back(place);
                }
                // One mark stands for the rest of the arguments.
                None => break,
            }
        }
    }
    let mut out = ScriptText::default();
    let mut steps = vec![Step::Node(0)];
    while let Some(step) = steps.pop() {
        let number = match step {
            Step::Text(text) => {
                out.push_str(text);
                continue;
            }
            Step::Node(number) => number,
        };
        let (term, arguments) = &nodes[number];
        if arguments.is_empty() {
            write_head(&mut out, store, *term);
            continue;
        }
        out.push('(');
        write_head(&mut out, store, *term);
        steps.push(Step::Text(")"));
        for place in arguments.iter().rev() {
            steps.push(place.map_or(Step::Text(CUT), Step::Node));
            steps.push(Step::Text(" "));
        }
    }
    out.into_string()
}

enum Step {
    Node(usize),
    Text(&'static str),
}

#[cfg(test)]
mod tests {
    use sundry_term::{Op, SortId};

    use super::*;

    #[test]
    fn terms_of_any_depth_are_short() {
        let mut store = TermStore::new();
        let p = store.declare("p", &[], SortId::BOOL);
        let mut term = store.symbol_term(p);
        for _ in 0..100_000 {
            term = store.make(Op::Xor, &[term, term]);
        }
        let text = print_term_briefly(&store, term, 7);
        assert_eq!(text, "(xor (xor (xor …) (xor …)) (xor (xor …) (xor …)))");
    }

    #[test]
    fn wide_terms_are_short() {
        let mut store = TermStore::new();
        let p = store.declare("p", &[], SortId::BOOL);
        let p = store.symbol_term(p);
        let wide = store.make(Op::And, &[p; 4]);
        assert_eq!(print_term_briefly(&store, wide, 2), "(and p …)");
    }
}
