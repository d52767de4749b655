//! What the circuit leaves open enters the graph of arrays and the applications of functions.

use sundry_circuit::{Aig, Blaster};
use sundry_term::{Op, SortId, TermId, TermStore};

use super::{ArraysAndFunctions, as_array};
use crate::theory::array_sorts::{ArraySort, Part};
use crate::theory::arrays::{ArrayId, ArrayKind};
use crate::theory::datum::Datum;
use crate::theory::extensionality::ArrayEquality;
use crate::theory::functions::{Application, Function};
use crate::theory::lemma::{Lemma, LemmaKind};
use crate::theory::numbers::{OpenResult, is_number_sort};

impl ArraysAndFunctions {
    /// Enters what the last blasting left open into the array graph and the applications.
    /// Returns the extensionality lemmas of new array equalities.
    pub(crate) fn register(&mut self, store: &TermStore, aig: &mut Aig, blaster: &Blaster) -> Vec<Lemma> {
        let mut lemmas = Vec::new();
        for term in std::mem::take(&mut self.pending_leaves) {
            let result = self.datum(store, blaster, term);
            self.register_leaf(store, blaster, term, result);
        }
        for OpenResult { function, argument, result } in self.numbers.take_open_results() {
            self.applications.push(Application {
                function: Function::Open(function),
                arguments: [argument].into(),
                result: Datum::Number(result),
            });
        }
        for (left, right, edge) in std::mem::take(&mut self.pending_equalities) {
            let left = self.array(store, blaster, left);
            let right = self.array(store, blaster, right);
            match self.arrays.equality_edge(left, right) {
                // The same pair again, under another name: both edges are one atom.
                Some(known) => {
                    let kind = LemmaKind::Extensionality;
                    lemmas.push(Lemma { kind, clause: vec![!edge, known] });
                    lemmas.push(Lemma { kind, clause: vec![edge, !known] });
                }
                None => self.enter_equality(aig, ArrayEquality { left, right, edge }, &mut lemmas),
            }
        }
        lemmas
    }

    fn register_leaf(&mut self, store: &TermStore, blaster: &Blaster, term: TermId, value: Datum) {
        let arguments = store.args(term).to_vec();
        match store.op(term) {
            Op::Select => {
                let array = self.array(store, blaster, arguments[0]);
                let index = self.datum(store, blaster, arguments[1]);
                self.arrays.add_read(array, index, value);
            }
            Op::Apply(function) => {
                let arguments: Box<[Datum]> =
                    arguments.iter().map(|&argument| self.datum(store, blaster, argument)).collect();
                self.has_array_arguments |= arguments.iter().any(|argument| as_array(argument).is_some());
                let function = Function::Declared(function);
                self.applications.push(Application { function, arguments, result: value });
            }
            op => unreachable!("{} is no leaf of the circuit", op.name()),
        }
    }

    pub(in crate::theory) fn datum(&mut self, store: &TermStore, blaster: &Blaster, term: TermId) -> Datum {
        if is_number_sort(store.sort_of(term)) {
            return Datum::Number(self.numbers.expression(store, term, &|term| blaster.bits(term)));
        }
        match blaster.bits(term) {
            Some(bits) => Datum::Bits(bits.into()),
            None => Datum::Array(self.array(store, blaster, term)),
        }
    }

    /// The node of an array term, with everything below it entered first (explicit stack).
    pub(in crate::theory) fn array(&mut self, store: &TermStore, blaster: &Blaster, term: TermId) -> ArrayId {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.arrays.id_of(top).is_some() {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            for &argument in store.args(top) {
                let is_array = store.array_parts(store.sort_of(argument)).is_some();
                if is_array && self.arrays.id_of(argument).is_none() {
                    stack.push(argument);
                }
            }
            if stack.len() == waiting {
                stack.pop();
                self.enter_array(store, blaster, top);
            }
        }
        self.arrays.id_of(term).expect("entered above")
    }

    /// Enters an array term whose array arguments are entered already.
    fn enter_array(&mut self, store: &TermStore, blaster: &Blaster, term: TermId) {
        let sort = store.sort_of(term);
        self.note_sort(store, sort);
        let arguments = store.args(term).to_vec();
        let kind = match store.op(term) {
            Op::Apply(symbol) if arguments.is_empty() => ArrayKind::Symbol(symbol),
            Op::Apply(_) | Op::Select => ArrayKind::Opaque,
            Op::Store => ArrayKind::Store {
                base: self.array(store, blaster, arguments[0]),
                index: self.datum(store, blaster, arguments[1]),
            },
            Op::Ite => ArrayKind::Ite {
                condition: blaster.bits(arguments[0]).expect("conditions are blasted")[0],
                then: self.array(store, blaster, arguments[1]),
                otherwise: self.array(store, blaster, arguments[2]),
            },
            Op::ConstArray(_) => ArrayKind::Constant { element: self.datum(store, blaster, arguments[0]) },
            op => unreachable!("{} makes no array", op.name()),
        };
        let written = match &kind {
            ArrayKind::Store { index, .. } => Some(index.clone()),
            _ => None,
        };
        let opaque = matches!(kind, ArrayKind::Opaque);
        let id = self.arrays.add(kind, sort);
        self.arrays.name(term, id);
        if let Some(index) = written {
            let element = self.datum(store, blaster, arguments[2]);
            self.arrays.add_read(id, index, element);
        }
        if opaque {
            self.register_leaf(store, blaster, term, Datum::Array(id));
        }
    }

    pub(in crate::theory) fn note_sort(&mut self, store: &TermStore, sort: SortId) {
        let mut next = Some(sort);
        while let Some(sort) = next.take() {
            let Some((index, element)) = store.array_parts(sort) else { break };
            let shape = ArraySort { index: Part::new(store, index), element: Part::new(store, element) };
            self.sorts.insert(sort, shape);
            self.note_index_sort(store, index);
            next = Some(element);
        }
    }

    pub(in crate::theory) fn note_index_sort(&mut self, store: &TermStore, index: SortId) {
        if store.array_parts(index).is_some() && !self.sorts.contains_key(&index) {
            self.note_sort(store, index);
        }
    }
}
