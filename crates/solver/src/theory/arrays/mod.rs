//! The extensional theory of arrays, by lemmas on demand.
//!
//! Array terms form a graph: a store is joined to the array it changes, an if-then-else to its
//! chosen branch, two arrays to one another where their equality is true. A read travels along the
//! joints that its index may cross (a store is crossed at every index but its own), and all reads
//! that meet must agree. Source: Brummayer & Biere, "Lemmas on demand for the extensional theory
//! of arrays" (JSAT 2009), with the path view of Christ & Hoenicke, "Weakly equivalent arrays"
//! (FroCoS 2015). Expanding all axioms beforehand was rejected: it is quadratic in the reads,
//! and hardly any instances are ever needed.

mod computed;
mod contents;
mod graph;
mod view;

use std::ops::Range;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use sundry_circuit::{Aig, Edge};
use sundry_term::{Control, SortId};

use computed::computed_violations;
pub(crate) use contents::{ArrayContents, Region};
use graph::Joint;
pub(crate) use graph::{ArrayGraph, ArrayId, ArrayKind};
pub(crate) use view::ArrayView;
use view::{Reason, Walker, reads_by_key};

use super::arrays_and_functions::ArraysAndFunctions;
use super::datum::{Datum, Key};
use super::lemma::{Lemma, LemmaKind};

/// The work of a lemma, in the units of [`Control::spend`].
const WORK_OF_LEMMA: u32 = 256;

/// The work of a walk that has reached these positions.
fn work_of_walk(reached: &Range<usize>) -> u32 {
    32 * u32::try_from(1 + reached.len()).unwrap_or(1 << 26)
}

/// An instance of an axiom that the assignment violates, before it is written as a clause.
struct Violation {
    kind: LemmaKind,
    reason: Reason,
    /// Elements that have to be equal.
    elements: (Datum, Datum),
    /// The sort of arrays of which the stores on the path might write every index: then nothing has to be equal.
    unless_all_written: Option<SortId>,
}

/// Finds the violated axiom instances of the array theory and returns them as lemmas. Where the
/// elements or indices to compare are arrays that were never compared before, their equality is
/// created first, so new edges and extensionality lemmas may appear.
pub(crate) fn check_arrays(
    theories: &mut ArraysAndFunctions,
    aig: &mut Aig,
    value: &dyn Fn(Edge) -> bool,
    control: &Control,
) -> Vec<Lemma> {
    let (violations, reasons) = {
        let is_computed = theories.arrays.is_computed();
        if !is_computed {
            theories.expand_small_constants();
        }
        let view = ArrayView::new(&theories.arrays, value, theories.numbers.solution(), control);
        let violations = if is_computed {
            computed_violations(&view)
        } else {
            let mut violations = read_violations(&view, Elements::All);
            violations.extend(constant_violations(&view, theories, value));
            violations
        };
        (violations, view.reasons)
    };
    let mut lemmas = Vec::new();
    let mut seen = FxHashSet::default();
    for violation in violations {
        if control.spend(WORK_OF_LEMMA).is_err() {
            break;
        }
        let lemma = write_lemma(theories, aig, violation, &reasons, &mut lemmas);
        if seen.insert(lemma.clause.clone()) {
            lemmas.push(lemma);
        }
    }
    lemmas
}

/// The reads to look at.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Elements {
    All,
    /// Reads of arrays of arrays.
    Arrays,
}

fn read_violations(view: &ArrayView<'_>, elements: Elements) -> Vec<Violation> {
    let graph = view.graph;
    let mut violations = Vec::new();
    let mut walker = Walker::new(view);
    let keys = std::mem::take(&mut walker.keys);
    for (key, numbers) in reads_by_key(&keys) {
        for &number in &numbers {
            let read = &graph.reads[number as usize];
            if elements == Elements::Arrays && !matches!(read.element, Datum::Array(_)) {
                continue;
            }
            if walker.arrivals[read.array.index()].is_some() {
                continue;
            }
            let element_key = view.key(&read.element);
            let reached = walker.walk(read.array, key);
            if view.control.spend(work_of_walk(&reached)).is_err() {
                return violations;
            }
            for position in reached {
                let node = walker.visited[position];
                for &other in &graph.node(node).reads {
                    let met = &graph.reads[other as usize];
                    if other != number
                        && keys[other as usize] == *key
                        && view.key(&met.element) != element_key
                    {
                        violations.push(Violation {
                            kind: LemmaKind::ReadCongruence,
                            reason: Reason {
                                path: walker.path(node),
                                index: Some(read.index.clone()),
                                equal_index: Some(met.index.clone()),
                            },
                            elements: (read.element.clone(), met.element.clone()),
                            unless_all_written: None,
                        });
                    }
                }
                if let ArrayKind::Constant { element } = &graph.node(node).kind
                    && view.key(element) != element_key
                {
                    violations.push(Violation {
                        kind: LemmaKind::ReadConstant,
                        reason: Reason {
                            path: walker.path(node),
                            index: Some(read.index.clone()),
                            equal_index: None,
                        },
                        elements: (read.element.clone(), element.clone()),
                        unless_all_written: None,
                    });
                }
            }
        }
        walker.clear();
    }
    violations
}

/// Constant arrays that are joined must agree, unless the stores between them write every index. Under this assignment
/// there are more indices: the caller has read the other constants at each of theirs.
fn constant_violations(
    view: &ArrayView<'_>,
    theories: &ArraysAndFunctions,
    value: &dyn Fn(Edge) -> bool,
) -> Vec<Violation> {
    let graph = view.graph;
    let mut violations = Vec::new();
    let constants: Vec<(ArrayId, &Datum)> = graph
        .node_ids()
        .filter_map(|id| match &graph.node(id).kind {
            ArrayKind::Constant { element } if !theories.is_listed(graph, id, value) => Some((id, element)),
            _ => None,
        })
        .collect();
    if constants.len() < 2 {
        return violations;
    }
    // The key of no datum at all: it crosses every store.
    let every_index = Key::Bits(SmallVec::new());
    let mut walker = Walker::new(view);
    for (start, element) in constants {
        if walker.arrivals[start.index()].is_some() {
            continue;
        }
        let element_key = view.key(element);
        let reached = walker.walk(start, &every_index);
        if view.control.spend(work_of_walk(&reached)).is_err() {
            break;
        }
        for position in reached {
            let node = walker.visited[position];
            if let ArrayKind::Constant { element: other } = &graph.node(node).kind
                && view.key(other) != element_key
            {
                violations.push(Violation {
                    kind: LemmaKind::ConstantArrays,
                    reason: Reason { path: walker.path(node), index: None, equal_index: None },
                    elements: (element.clone(), other.clone()),
                    unless_all_written: Some(graph.node(node).sort),
                });
            }
        }
    }
    violations
}

/// Whether two words differ in a bit under every assignment.
fn always_differ(left: &Datum, right: &Datum) -> bool {
    let (Datum::Bits(left), Datum::Bits(right)) = (left, right) else { return false };
    left.iter().zip(right).any(|(left, right)| *left == !*right)
}

fn write_lemma(
    theories: &mut ArraysAndFunctions,
    aig: &mut Aig,
    violation: Violation,
    reasons: &[Reason],
    created: &mut Vec<Lemma>,
) -> Lemma {
    let mut clause = vec![theories.equal(aig, &violation.elements.0, &violation.elements.1, created)];
    if let Some(sort) = violation.unless_all_written {
        let stores =
            violation.reason.path.iter().filter(|joint| matches!(joint, Joint::Store { .. })).count();
        let index = theories.index_part(sort);
        clause.push(theories.size_at_most(aig, index, stores as u64, created));
    }
    let mut told = FxHashSet::default();
    let mut open = vec![&violation.reason];
    while let Some(Reason { path, index, equal_index }) = open.pop() {
        for joint in path {
            match *joint {
                Joint::When { edge, .. } => clause.push(!edge),
                Joint::Store { store, .. } => {
                    // No index: the elements differ at some index that no store on the path writes.
                    let Some(travelling) = index else { continue };
                    let ArrayKind::Store { index, .. } = theories.arrays.node(store).kind.clone() else {
                        unreachable!("store joints name a store")
                    };
                    if equal_index.as_ref().is_some_and(|met| always_differ(met, &index)) {
                        // The index that is met is not this one, whatever the assignment.
                        continue;
                    }
                    clause.push(theories.equal(aig, travelling, &index, created));
                }
                Joint::Derived { reason, .. } => {
                    if told.insert(reason) {
                        open.push(&reasons[reason as usize]);
                    }
                }
            }
        }
        if let (Some(left), Some(right)) = (index, equal_index) {
            clause.push(!theories.equal(aig, left, right, created));
        }
    }
    clause.sort_unstable();
    clause.dedup();
    Lemma { kind: violation.kind, clause }
}
