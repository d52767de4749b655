//! Implicit conversions: people and solvers write integers where the standard requires reals.
//!
//! The other conversions that make an application well-sorted are here too: datatype applications whose sort follows
//! from their fields, and the former syntax of repetitions of regular expressions.

use rustc_hash::FxHashMap;
use sundry_term::{
    ArithmeticOp, ConstructorId, DatatypeOp, FloatOp, Op, SequenceOp, Sort, SortError, SortId, StringOp,
    TermId, Value,
};

use crate::cursor::syntax;
use crate::reader::Reader;
use crate::source::Span;
use crate::terms::Fault;

impl Reader<'_, '_> {
    /// The arguments, with integers made real where the operator needs that.
    pub(crate) fn with_reals(&mut self, op: Op, arguments: &[TermId]) -> Vec<TermId> {
        use ArithmeticOp::*;
        let mixed = |reader: &Self, arguments: &[TermId]| {
            arguments.iter().any(|&argument| reader.store.sort_of(argument) == SortId::REAL)
        };
        match op {
            Op::Arithmetic(Divide | ToInt | IsInt) => self.make_reals(arguments),
            Op::Float(FloatOp::ToFp(_)) => self.make_reals(arguments),
            Op::Equal
            | Op::Distinct
            | Op::Arithmetic(Sub | Add | Mul | Less | LessOrEqual | Greater | GreaterOrEqual)
                if mixed(self, arguments) =>
            {
                self.make_reals(arguments)
            }
            Op::Ite if mixed(self, arguments) => self.make_reals(arguments),
            Op::Apply(symbol) => {
                let sorts = self.store.symbol(symbol).arguments.clone();
                self.as_reals(arguments, &sorts)
            }
            Op::Datatype(DatatypeOp::Construct { constructor, sort }) => {
                let sorts = self.store.field_sorts(sort, constructor).unwrap_or_default().to_vec();
                self.as_reals(arguments, &sorts)
            }
            Op::Select | Op::Store => match arguments.first().map(|&array| self.store.sort_of(array)) {
                Some(sort) => match self.store.array_parts(sort) {
                    Some((index, element)) => self.as_reals(arguments, &[sort, index, element]),
                    None => arguments.to_vec(),
                },
                None => arguments.to_vec(),
            },
            Op::ConstArray(sort) => match self.store.array_parts(sort) {
                Some((_, element)) => self.as_reals(arguments, &[element]),
                None => arguments.to_vec(),
            },
            // z3 searches from the start unless a third argument says otherwise.
            Op::String(StringOp::IndexOf) | Op::Sequence(SequenceOp::IndexOf) if arguments.len() == 2 => {
                let start = self.store.numeral("0");
                [arguments, &[start]].concat()
            }
            _ => arguments.to_vec(),
        }
    }

    /// The arguments, with integers made real where a real is expected.
    pub(crate) fn as_reals(&mut self, arguments: &[TermId], sorts: &[SortId]) -> Vec<TermId> {
        let expected = sorts.iter().map(Some).chain(std::iter::repeat(None));
        let converted = arguments.iter().zip(expected).map(|(&argument, sort)| match sort {
            Some(&SortId::REAL) => self.make_real(argument),
            _ => argument,
        });
        converted.collect()
    }

    fn make_reals(&mut self, arguments: &[TermId]) -> Vec<TermId> {
        arguments.iter().map(|&argument| self.make_real(argument)).collect()
    }

    /// An integer as a real, a literal as a literal; any other term unchanged.
    pub(crate) fn make_real(&mut self, term: TermId) -> TermId {
        if self.store.sort_of(term) != SortId::INT {
            return term;
        }
        if let Some(Value::Int(value)) = self.store.value(term) {
            let digits = value.to_string();
            return self.store.decimal(&digits);
        }
        match (self.store.op(term), self.store.args(term)) {
            (op @ Op::Arithmetic(ArithmeticOp::Sub), &[number]) if self.store.value(number).is_some() => {
                let number = self.make_real(number);
                self.store.make(op, &[number])
            }
            _ => self.store.make(Op::Arithmetic(ArithmeticOp::ToReal), &[term]),
        }
    }

    /// A constructor applied to its fields; arguments of its datatype are found by comparing the sorts of the
    /// fields.
    pub(crate) fn construct(
        &mut self,
        constructor: ConstructorId,
        fields: &[TermId],
    ) -> Result<TermId, SortError> {
        let declared = self.store.constructor(constructor).clone();
        let datatype = self.store.datatype(declared.datatype).clone();
        let mut found: FxHashMap<SortId, SortId> = FxHashMap::default();
        for (field, &argument) in declared.fields.iter().zip(fields) {
            self.match_sorts(field.sort, self.store.sort_of(argument), &datatype.parameters, &mut found);
        }
        let arguments = datatype.parameters.iter().map(|parameter| found.get(parameter).copied());
        let arguments: Option<Box<[SortId]>> = arguments.collect();
        let Some(arguments) = arguments else {
            let reason = "its fields do not determine its sort, which must be written (as CONSTRUCTOR SORT)"
                .to_string();
            return Err(SortError::Index { operator: declared.name.to_string(), reason });
        };
        let sort = self.store.intern_sort(Sort::Datatype { declaration: declared.datatype, arguments })?;
        let sorts = self.store.field_sorts(sort, constructor).unwrap_or_default().to_vec();
        let fields = self.as_reals(fields, &sorts);
        self.store.term(Op::Datatype(DatatypeOp::Construct { constructor, sort }), &fields)
    }

    /// Finds which sorts stand for parameters, so that one sort becomes the other.
    fn match_sorts(
        &self,
        pattern: SortId,
        sort: SortId,
        parameters: &[SortId],
        found: &mut FxHashMap<SortId, SortId>,
    ) {
        let mut stack = vec![(pattern, sort)];
        while let Some((pattern, sort)) = stack.pop() {
            if parameters.contains(&pattern) {
                found.entry(pattern).or_insert(sort);
                continue;
            }
            let (left, right) = (self.store.sort(pattern).parts(), self.store.sort(sort).parts());
            if left.len() == right.len() {
                stack.extend(left.into_iter().zip(right));
            }
        }
    }

    /// `(re.loop r least most)` and `(re.loop r least)`.
    pub(crate) fn former_loop(&mut self, span: Span, arguments: &[TermId]) -> Result<TermId, Fault> {
        let number = |term: TermId| match self.store.value(term) {
            Some(Value::Int(value)) => u32::try_from(value).ok(),
            _ => None,
        };
        let numbers: Option<Vec<u32>> = arguments.iter().skip(1).map(|&argument| number(argument)).collect();
        match (arguments, numbers.as_deref()) {
            (&[body, _, _], Some(&[least, most])) => {
                Ok(self.store.term(Op::String(StringOp::ReLoop(least, most)), &[body])?)
            }
            (&[body, _], Some(&[least])) => {
                let power = self.store.term(Op::String(StringOp::RePower(least)), &[body])?;
                let star = self.store.term(Op::String(StringOp::ReStar), &[body])?;
                Ok(self.store.term(Op::String(StringOp::ReConcat), &[power, star])?)
            }
            _ => Err(syntax(span, "'re.loop' takes a regular expression and numbers")
                .with_expected("((_ re.loop least most) expression)")
                .into()),
        }
    }
}
