//! Terms in which sorts, and the constructors of datatypes, are replaced by others.

use rustc_hash::FxHashMap;
use sundry_term::{
    ArithmeticOp, BinderId, ConstructorId, DatatypeOp, FloatFormat, FloatOp, Op, Sort, SortId, SymbolId,
    SymbolKind, TermId, TermStore, Value,
};

use super::datatypes::{groups_with, redeclare};
use super::subject::Subject;

/// The replacement of a constructor, with the remaining fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Successor {
    pub(super) constructor: ConstructorId,
    /// Numbers of the fields of the old one, in order.
    pub(super) fields: Vec<u32>,
}

/// Sorts that take the place of others.
#[derive(Default)]
pub(super) struct Resorting {
    pub(super) sorts: FxHashMap<SortId, SortId>,
    pub(super) constructors: FxHashMap<ConstructorId, Successor>,
    /// The symbols that have been declared anew.
    symbols: FxHashMap<SymbolId, SymbolId>,
}

impl Resorting {
    pub(super) fn of(sorts: FxHashMap<SortId, SortId>) -> Resorting {
        Resorting { sorts, ..Resorting::default() }
    }

    /// The script with these sorts, given all its terms; `None` if they no longer fit together.
    pub(super) fn applied(
        mut self,
        store: &mut TermStore,
        subject: &Subject,
        terms: &[TermId],
    ) -> Option<Subject> {
        // Datatypes with such fields are other datatypes then.
        for group in groups_with(store, terms, &self) {
            redeclare(store, &group, &mut self, |_| true, |_, _| true)?;
        }
        let results = self.of_terms(store, terms)?;
        subject.mapped(&mut |term| results.get(&term).copied())
    }

    /// The replacements of terms, given with arguments before applications.
    fn of_terms(&mut self, store: &mut TermStore, terms: &[TermId]) -> Option<FxHashMap<TermId, TermId>> {
        let mut results: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &term in terms {
            let arguments: Vec<TermId> = store.args(term).iter().map(|argument| results[argument]).collect();
            let result = match store.value(term).cloned() {
                Some(value) => match self.sorts.get(&store.sort_of(term)) {
                    Some(&to) => literal(store, &value, to)?,
                    None => term,
                },
                None => self.application(store, term, arguments)?,
            };
            results.insert(term, result);
        }
        Some(results)
    }

    /// The replacement of an application, given its new arguments.
    fn application(
        &mut self,
        store: &mut TermStore,
        term: TermId,
        mut arguments: Vec<TermId>,
    ) -> Option<TermId> {
        let op = match store.op(term) {
            Op::Apply(symbol) => Op::Apply(self.symbol(store, symbol)?),
            Op::Forall(binder) => Op::Forall(self.binder(store, binder)?),
            Op::Exists(binder) => Op::Exists(self.binder(store, binder)?),
            // If elements replace arrays, a read or written array is the element.
            Op::Select if store.array_parts(store.sort_of(arguments[0])).is_none() => {
                return Some(arguments[0]);
            }
            Op::Store if store.array_parts(store.sort_of(arguments[0])).is_none() => {
                return Some(arguments[2]);
            }
            Op::ConstArray(sort) => {
                let sort = self.sort(store, sort)?;
                if store.array_parts(sort).is_none() {
                    return Some(arguments[0]);
                }
                Op::ConstArray(sort)
            }
            op if store.width(term).is_some() && op.indices().next().is_some() => {
                let sort = self.sort(store, store.sort_of(term))?;
                let &Sort::BitVec(width) = store.sort(sort) else { return None };
                of_width(op, width, store.width(*arguments.first()?))?
            }
            Op::Float(FloatOp::ToFp(format)) => Op::Float(FloatOp::ToFp(self.format(store, format))),
            Op::Float(FloatOp::ToFpUnsigned(format)) => {
                Op::Float(FloatOp::ToFpUnsigned(self.format(store, format)))
            }
            Op::Datatype(op) => Op::Datatype(self.datatype_op(store, op, &mut arguments)?),
            op => op,
        };
        store.term(op, &arguments).ok()
    }

    fn datatype_op(
        &mut self,
        store: &mut TermStore,
        op: DatatypeOp,
        arguments: &mut Vec<TermId>,
    ) -> Option<DatatypeOp> {
        Some(match op {
            DatatypeOp::Construct { constructor, sort } => {
                let sort = self.sort(store, sort)?;
                let Some(successor) = self.constructors.get(&constructor) else {
                    return Some(DatatypeOp::Construct { constructor, sort });
                };
                let left = successor.fields.iter().map(|&field| arguments.get(field as usize).copied());
                *arguments = left.collect::<Option<_>>()?;
                DatatypeOp::Construct { constructor: successor.constructor, sort }
            }
            DatatypeOp::Select { constructor, field } => match self.constructors.get(&constructor) {
                Some(Successor { constructor, fields }) => {
                    let field = fields.iter().position(|&left| left == field)?;
                    DatatypeOp::Select { constructor: *constructor, field: u32::try_from(field).ok()? }
                }
                None => op,
            },
            DatatypeOp::Test(constructor) => {
                let successor = self.constructors.get(&constructor);
                DatatypeOp::Test(successor.map_or(constructor, |successor| successor.constructor))
            }
        })
    }

    fn format(&self, store: &TermStore, format: FloatFormat) -> FloatFormat {
        let changed = self.sorts.iter().find_map(|(&from, &to)| match (store.sort(from), store.sort(to)) {
            (&Sort::Float(from), &Sort::Float(to)) if from == format => Some(to),
            _ => None,
        });
        changed.unwrap_or(format)
    }

    fn symbol(&mut self, store: &mut TermStore, symbol: SymbolId) -> Option<SymbolId> {
        if let Some(&known) = self.symbols.get(&symbol) {
            return Some(known);
        }
        let declared = store.symbol(symbol).clone();
        let arguments: Option<Vec<SortId>> =
            declared.arguments.iter().map(|&sort| self.sort(store, sort)).collect();
        let (arguments, result) = (arguments?, self.sort(store, declared.result)?);
        let is_same = arguments[..] == declared.arguments[..] && result == declared.result;
        let new = match declared.kind {
            _ if is_same => symbol,
            // The definition keeps the sort, so its applications are ill-sorted and dropped.
            SymbolKind::Defined => symbol,
            SymbolKind::Declared => store.declare(&declared.name, &arguments, result),
            SymbolKind::Variable => store.variable(&declared.name, result),
            SymbolKind::Parameter => store.parameter(&declared.name, result),
        };
        self.symbols.insert(symbol, new);
        Some(new)
    }

    fn binder(&mut self, store: &mut TermStore, binder: BinderId) -> Option<BinderId> {
        let variables = store.bound_variables(binder).to_vec();
        let variables: Option<Vec<SymbolId>> =
            variables.into_iter().map(|variable| self.symbol(store, variable)).collect();
        Some(store.binder(&variables?))
    }

    /// The replacement of a sort; its parts may change.
    pub(super) fn sort(&self, store: &mut TermStore, sort: SortId) -> Option<SortId> {
        store.replace_in_sort(sort, &self.sorts).ok()
    }
}

/// An operator whose indices determine the number of bits of its result, with the indices for `width` bits, given the
/// bits of its argument if that is a bit-vector. Other operators stay as they are.
fn of_width(op: Op, width: u32, argument: Option<u32>) -> Option<Op> {
    Some(match (op, argument) {
        (Op::Extract { low, .. }, Some(argument)) => {
            // An extraction from the upper end stays at the upper end.
            let low = low.min(argument.checked_sub(width)?);
            Op::Extract { high: low + width - 1, low }
        }
        (Op::ZeroExtend(_), Some(argument)) => Op::ZeroExtend(width.checked_sub(argument)?),
        (Op::SignExtend(_), Some(argument)) => Op::SignExtend(width.checked_sub(argument)?),
        (Op::Repeat(_), Some(argument)) => Op::Repeat(width / argument),
        (Op::Arithmetic(ArithmeticOp::IntToBits(_)), _) => Op::Arithmetic(ArithmeticOp::IntToBits(width)),
        (Op::Float(FloatOp::ToUbv(_)), _) => Op::Float(FloatOp::ToUbv(width)),
        (Op::Float(FloatOp::ToSbv(_)), _) => Op::Float(FloatOp::ToSbv(width)),
        _ => op,
    })
}

/// The replacement of a literal.
fn literal(store: &mut TermStore, value: &Value, to: SortId) -> Option<TermId> {
    let value = match (value, store.sort(to)) {
        (Value::BitVec(bits), &Sort::BitVec(width)) => Value::BitVec(bits.extract(width - 1, 0)),
        (Value::Float(_), Sort::Float(_)) => Value::default_of(store, to),
        _ => return None,
    };
    Some(store.value_term(to, &value))
}
