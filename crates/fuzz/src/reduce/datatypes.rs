//! Datatypes without unused constructors and fields.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use sundry_term::{
    ConstructorId, DatatypeDefinition, DatatypeId, DatatypeOp, Field, Op, Sort, SortId, TermId, TermStore,
};

use super::resorting::{Resorting, Successor};
use super::search::Proposal;
use super::shape::in_order;
use super::sorts::sorts_of;
use super::subject::Subject;

/// Scripts with narrower datatypes: first without everything unused in a group declared together, then without single
/// constructors and fields.
pub(super) fn with_narrower_datatypes<'s>(store: &mut TermStore, subject: &'s Subject) -> Vec<Proposal<'s>> {
    let terms = Rc::new(in_order(store, &subject.roots()));
    let (used, sorts) = (Used::in_terms(store, &terms), Rc::new(sorts_of(store, &terms)));
    let mut proposals: Vec<Proposal<'s>> = Vec::new();
    for group in groups(store, &terms) {
        let group = Rc::new(group);
        let constructors: Vec<ConstructorId> =
            group.iter().flat_map(|&datatype| store.datatype(datatype).constructors.to_vec()).collect();
        let fields: Vec<(ConstructorId, u32)> = constructors
            .iter()
            .flat_map(|&it| (0..store.constructor(it).fields.len() as u32).map(move |field| (it, field)))
            .collect();
        let unused = constructors.iter().copied().filter(|it| !used.constructors.contains(it));
        let single_constructors: Vec<ConstructorId> = unused.collect();
        let unselected = fields.into_iter().filter(|field| !used.fields.contains(field));
        let single_fields: Vec<(ConstructorId, u32)> = unselected.collect();
        let mut narrow = |constructors: &[ConstructorId], fields: &[(ConstructorId, u32)]| {
            let (group, sorts, terms) = (Rc::clone(&group), Rc::clone(&sorts), Rc::clone(&terms));
            let (constructors, fields) = (constructors.to_vec(), fields.to_vec());
            proposals.push(Box::new(move |store| {
                let mut resorting = Resorting::default();
                let keeps = |it| !constructors.contains(&it);
                let keeps_field = |it, field| !fields.contains(&(it, field));
                let needed = needed(store, &group, &sorts, keeps, keeps_field);
                redeclare(store, &needed, &mut resorting, keeps, keeps_field)?;
                resorting.applied(store, subject, &terms)
            }));
        };
        narrow(&single_constructors, &single_fields);
        narrow(&single_constructors, &[]);
        single_constructors.iter().for_each(|&it| narrow(&[it], &[]));
        single_fields.iter().for_each(|&field| narrow(&[], &[field]));
    }
    proposals
}

/// The parts of datatypes that terms use.
#[derive(Default)]
struct Used {
    constructors: FxHashSet<ConstructorId>,
    fields: FxHashSet<(ConstructorId, u32)>,
}

impl Used {
    fn in_terms(store: &TermStore, terms: &[TermId]) -> Used {
        let mut used = Used::default();
        for &term in terms {
            if let Op::Datatype(op) = store.op(term) {
                let (DatatypeOp::Construct { constructor, .. }
                | DatatypeOp::Select { constructor, .. }
                | DatatypeOp::Test(constructor)) = op;
                used.constructors.insert(constructor);
                if let DatatypeOp::Select { field, .. } = op {
                    used.fields.insert((constructor, field));
                }
            }
        }
        used
    }
}

/// The datatypes without parameters among the sorts of terms, as they were declared together.
fn groups(store: &TermStore, terms: &[TermId]) -> Vec<Vec<DatatypeId>> {
    let mut groups: Vec<Vec<DatatypeId>> = Vec::new();
    for sort in sorts_of(store, terms) {
        if let Sort::Datatype { declaration, .. } = store.sort(sort) {
            let together = store.datatype(*declaration).together.to_vec();
            let is_plain = together.iter().all(|&it| store.datatype(it).parameters.is_empty());
            if is_plain && !groups.contains(&together) {
                groups.push(together);
            }
        }
    }
    groups
}

/// The groups in which a field changes.
pub(super) fn groups_with(
    store: &mut TermStore,
    terms: &[TermId],
    resorting: &Resorting,
) -> Vec<Vec<DatatypeId>> {
    let mut changed = groups(store, terms);
    changed.retain(|group| {
        let constructors = group.iter().flat_map(|&it| store.datatype(it).constructors.to_vec());
        let constructors: Vec<ConstructorId> = constructors.collect();
        let is_known = constructors.iter().any(|it| resorting.constructors.contains_key(it));
        let fields = constructors.iter().flat_map(|&it| store.constructor(it).fields.to_vec());
        let fields: Vec<SortId> = fields.map(|field| field.sort).collect();
        !is_known && fields.into_iter().any(|sort| resorting.sort(store, sort).is_some_and(|new| new != sort))
    });
    changed
}

/// The constructors of a datatype that must be kept: at least one.
fn kept_constructors(
    store: &TermStore,
    datatype: DatatypeId,
    keeps: impl Fn(ConstructorId) -> bool,
) -> Vec<ConstructorId> {
    let all = &store.datatype(datatype).constructors;
    let mut kept: Vec<ConstructorId> = all.iter().copied().filter(|&it| keeps(it)).collect();
    if kept.is_empty() {
        kept.extend(all.iter().copied().min_by_key(|&it| store.constructor(it).fields.len()));
    }
    kept
}

/// The datatypes of a group that are among these sorts, or that kept fields need.
fn needed(
    store: &TermStore,
    group: &[DatatypeId],
    sorts: &[SortId],
    keeps: impl Fn(ConstructorId) -> bool,
    keeps_field: impl Fn(ConstructorId, u32) -> bool,
) -> Vec<DatatypeId> {
    let mut open = sorts.to_vec();
    let mut needed = FxHashSet::default();
    while let Some(sort) = open.pop() {
        open.extend(store.sort(sort).parts());
        let Sort::Datatype { declaration, .. } = *store.sort(sort) else { continue };
        if !group.contains(&declaration) || !needed.insert(declaration) {
            continue;
        }
        for it in kept_constructors(store, declaration, &keeps) {
            let fields = store.constructor(it).fields.iter().zip(0..);
            open.extend(fields.filter(|&(_, number)| keeps_field(it, number)).map(|(field, _)| field.sort));
        }
    }
    group.iter().copied().filter(|datatype| needed.contains(datatype)).collect()
}

/// Declares datatypes anew, with the constructors and fields that must be kept, and records the replacements. `None`
/// if these are not datatypes.
pub(super) fn redeclare(
    store: &mut TermStore,
    group: &[DatatypeId],
    resorting: &mut Resorting,
    keeps: impl Fn(ConstructorId) -> bool,
    keeps_field: impl Fn(ConstructorId, u32) -> bool,
) -> Option<()> {
    let sort_of = |store: &mut TermStore, declaration| {
        store.intern_sort(Sort::Datatype { declaration, arguments: [].into() }).ok()
    };
    let mut renewed = Vec::new();
    for &old in group {
        let name = store.datatype(old).name.clone();
        let new = store.declare_datatype(&name, &[]);
        let (from, to) = (sort_of(store, old)?, sort_of(store, new)?);
        resorting.sorts.insert(from, to);
        renewed.push((old, new));
    }
    let mut definitions = Vec::new();
    let mut successors: Vec<(ConstructorId, DatatypeId, usize, Vec<u32>)> = Vec::new();
    for &(old, new) in &renewed {
        let mut constructors = Vec::new();
        for (position, it) in kept_constructors(store, old, &keeps).into_iter().enumerate() {
            let constructor = store.constructor(it).clone();
            let numbers: Vec<u32> =
                (0..constructor.fields.len() as u32).filter(|&field| keeps_field(it, field)).collect();
            let mut fields = Vec::new();
            for &number in &numbers {
                let Field { selector, sort } = constructor.fields[number as usize].clone();
                fields.push(Field { selector, sort: resorting.sort(store, sort)? });
            }
            constructors.push((constructor.name, fields));
            successors.push((it, new, position, numbers));
        }
        definitions.push(DatatypeDefinition { datatype: new, constructors });
    }
    store.define_datatypes(&definitions).ok()?;
    for (old, new, position, fields) in successors {
        let constructor = *store.datatype(new).constructors.get(position)?;
        resorting.constructors.insert(old, Successor { constructor, fields });
    }
    Some(())
}
