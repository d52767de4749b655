//! Sequences of elements of any sort, as in cvc5 and z3: their operators and values.
//!
//! The standard has no such theory yet. Both solvers define the operators like those on strings, and leave `seq.nth`
//! open beyond the end. Only cvc5 has `seq.rev` and `seq.update`.

use std::sync::Arc;

use dashu_int::IBig;

use super::datatype::MAX_DEPTH;
use super::{Halt, Open};
use crate::arguments::Arguments;
use crate::sort::{Sort, SortId};
use crate::store::TermStore;
use crate::typecheck::{Checker, ResultSort, SortError};
use crate::value::Value;
use crate::words;

/// Longest sequence that is computed. Concatenations of concatenations double it each time.
const MAX_LENGTH: usize = 1 << 18;

operators! {
    /// An operator on sequences.
    enum SequenceOp;
    plain {
        /// The sequence of one element.
        Unit = "seq.unit",
        /// The concatenation of sequences.
        Concat = "seq.++",
        /// The number of elements.
        Length = "seq.len",
        /// The sequence of the element at a position, or the empty one.
        At = "seq.at",
        /// The element at a position; open beyond the end.
        Nth = "seq.nth",
        /// The part from a position on, of a length at most.
        Extract = "seq.extract",
        /// Whether the second occurs in the first.
        Contains = "seq.contains",
        /// Whether the second begins with the first.
        PrefixOf = "seq.prefixof",
        /// Whether the second ends with the first.
        SuffixOf = "seq.suffixof",
        /// The position at which the second first occurs in the first, from a position on; or -1.
        IndexOf = "seq.indexof",
        /// The first occurrence of the second replaced by the third.
        Replace = "seq.replace",
        /// Every occurrence of the second replaced by the third.
        ReplaceAll = "seq.replace_all",
        /// The elements in the opposite order.
        Reverse = "seq.rev",
        /// The elements from a position on replaced by those of the third, as far as there are any.
        Update = "seq.update",
    }
    indexed {
        /// The sequence of this sort without elements.
        Empty(SortId) = "seq.empty",
    }
}

impl SequenceOp {
    pub(crate) fn result_sort(self, check: &Checker<'_>) -> Result<ResultSort, SortError> {
        use SequenceOp::*;
        const I: SortId = SortId::INT;
        let arity = match self {
            Empty(_) => 0,
            Unit | Length | Reverse => 1,
            At | Nth | Contains | PrefixOf | SuffixOf => 2,
            Extract | IndexOf | Replace | ReplaceAll | Update => 3,
            Concat => {
                check.arity(2, usize::MAX)?;
                check.count()
            }
        };
        check.arity(arity, arity)?;
        match self {
            Empty(sort) => match check.store().sort(sort) {
                Sort::Sequence(_) => return Ok(ResultSort::Interned(sort)),
                _ => return Err(check.index("its sort is that of a sequence".into())),
            },
            Unit => return Ok(ResultSort::Sort(Sort::Sequence(check.argument_sort(0)))),
            _ => {}
        }
        let element = check.sequence(0)?;
        let own = check.argument_sort(0);
        let (others, result): (&[SortId], SortId) = match self {
            Concat => {
                check.all_sort(own)?;
                (&[], own)
            }
            Length => (&[], I),
            Reverse => (&[], own),
            At => (&[I], own),
            Nth => (&[I], element),
            Extract => (&[I, I], own),
            Contains | PrefixOf | SuffixOf => (&[own], SortId::BOOL),
            IndexOf => (&[own, I], I),
            Replace | ReplaceAll => (&[own, own], own),
            Update => (&[I, own], own),
            Empty(_) | Unit => unreachable!("answered above"),
        };
        for (position, &sort) in others.iter().enumerate() {
            check.is_sort(position + 1, sort)?;
        }
        Ok(ResultSort::Interned(result))
    }

    pub(crate) fn apply<'v, F: Fn(usize) -> &'v Value + Copy>(
        self,
        a: Arguments<'_, F>,
    ) -> Result<Value, Halt> {
        use SequenceOp::*;
        let elements = |i: usize| a.sequence(i).elements();
        let bool = |bool: bool| Ok(Value::Bool(bool));
        match self {
            Empty(_) => sequence(Vec::new()),
            Unit => sequence(vec![a.get(0).clone()]),
            Concat => {
                bounded((0..a.count()).map(|i| elements(i).len()).sum())?;
                sequence((0..a.count()).flat_map(elements).cloned().collect())
            }
            Length => Ok(Value::Int(IBig::from(elements(0).len()))),
            At => sequence(words::part(elements(0), a.int(1), &IBig::ONE).to_vec()),
            Nth => words::part(elements(0), a.int(1), &IBig::ONE)
                .first()
                .cloned()
                .ok_or(Open::OutOfBounds.into()),
            Extract => sequence(words::part(elements(0), a.int(1), a.int(2)).to_vec()),
            Contains => bool(words::find(elements(0), elements(1), 0).is_some()),
            PrefixOf => bool(elements(1).starts_with(elements(0))),
            SuffixOf => bool(elements(1).ends_with(elements(0))),
            IndexOf => Ok(Value::Int(words::index_of(elements(0), elements(1), a.int(2)))),
            Replace => {
                bounded(elements(0).len() + elements(2).len())?;
                match words::replace(elements(0), elements(1), elements(2)) {
                    Some(replaced) => sequence(replaced),
                    None => Ok(a.get(0).clone()),
                }
            }
            ReplaceAll => {
                bounded((elements(0).len() + 1).saturating_mul(elements(2).len() + 1))?;
                sequence(words::replace_all(elements(0), elements(1), elements(2)))
            }
            Reverse => sequence(elements(0).iter().rev().cloned().collect()),
            Update => {
                let mut updated = elements(0).to_vec();
                let start = usize::try_from(a.int(1)).unwrap_or(updated.len()).min(updated.len());
                for (old, new) in updated[start..].iter_mut().zip(elements(2)) {
                    *old = new.clone();
                }
                sequence(updated)
            }
        }
    }
}

fn bounded(length: usize) -> Result<(), Open> {
    if length > MAX_LENGTH { Err(Open::TooLarge) } else { Ok(()) }
}

fn sequence(elements: Vec<Value>) -> Result<Value, Halt> {
    Ok(Value::Sequence(SequenceValue::new(elements.into()).ok_or(Open::TooLarge)?))
}

impl Checker<'_> {
    /// The sort of the elements of an argument that is a sequence.
    fn sequence(&self, position: usize) -> Result<SortId, SortError> {
        match *self.store().sort(self.argument_sort(position)) {
            Sort::Sequence(element) => Ok(element),
            _ => Err(self.argument_error(position, "a sequence".into())),
        }
    }
}

/// A sequence of values of one sort.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SequenceValue(Arc<Content>);

#[derive(PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Content {
    elements: Box<[Value]>,
    depth: u32,
}

impl SequenceValue {
    /// The sequence of these elements; `None` when they are nested too deep.
    pub fn new(elements: Box<[Value]>) -> Option<SequenceValue> {
        let depth = elements.iter().map(Value::depth).max().unwrap_or(0);
        (depth <= MAX_DEPTH).then(|| SequenceValue(Arc::new(Content { elements, depth })))
    }

    /// The sequence without elements.
    pub fn empty() -> SequenceValue {
        SequenceValue(Arc::new(Content { elements: Box::default(), depth: 0 }))
    }

    /// The elements in order.
    pub fn elements(&self) -> &[Value] {
        &self.0.elements
    }

    /// The depth to which values are nested in the elements.
    pub(crate) fn depth(&self) -> u32 {
        self.0.depth
    }

    /// Whether all elements belong to a sort.
    pub(crate) fn has_elements(&self, store: &TermStore, element: SortId) -> bool {
        self.elements().iter().all(|value| value.has_sort(store, element))
    }
}
