//! Sort checking of single applications, as the SMT-LIB theories declare the operators.

use std::fmt;

use crate::float::FloatFormat;
use crate::op::Op;
use crate::print::SortDisplay;
use crate::sort::{MAX_SORT_DEPTH, MAX_SORT_PARTS, MAX_WIDTH, Sort, SortDeclaration, SortId};
use crate::store::{TermId, TermStore};
use crate::theory::datatype::{Datatype, DatatypeOp};

/// The reason for which an application or sort is not well-formed. The text says what was expected and found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SortError {
    /// Wrong number of arguments.
    Arity {
        /// SMT-LIB name of the operator.
        operator: String,
        /// The expected number of arguments, in words.
        expected: String,
        /// The number of arguments given.
        found: usize,
    },
    /// An argument has the wrong sort.
    Argument {
        /// SMT-LIB name of the operator.
        operator: String,
        /// The position of the argument, from 1.
        position: usize,
        /// The sort that was expected, in words.
        expected: String,
        /// The sort that was found.
        found: String,
    },
    /// An index of an indexed operator is out of range.
    Index {
        /// SMT-LIB name of the operator.
        operator: String,
        /// The fault.
        reason: String,
    },
    /// A bit-vector would have width zero.
    ZeroWidth,
    /// A bit-vector would be wider than [`MAX_WIDTH`].
    TooWide {
        /// The width asked for.
        width: u64,
    },
    /// A sort would be nested deeper than [`MAX_SORT_DEPTH`].
    TooDeep,
    /// A sort would have more parts than [`MAX_SORT_PARTS`] when it is written out.
    TooManyParts,
    /// A datatype has no finite value.
    NoValue {
        /// The name of the datatype.
        datatype: String,
    },
    /// A substitution would replace a term by one of another sort.
    Replacement {
        /// The sort of the term that is replaced.
        expected: String,
        /// The sort of the replacement.
        found: String,
    },
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SortError::Arity { operator, expected, found } => {
                write!(f, "'{operator}' takes {expected}, found {found}")
            }
            SortError::Argument { operator, position, expected, found } => {
                write!(f, "argument {position} of '{operator}' has sort {found}, expected {expected}")
            }
            SortError::Index { operator, reason } => write!(f, "'{operator}': {reason}"),
            SortError::ZeroWidth => write!(f, "bit-vectors have at least one bit, found width 0"),
            SortError::TooWide { width } => {
                write!(f, "bit-vector of {width} bits is too wide, the limit is {MAX_WIDTH} bits")
            }
            SortError::TooManyParts => {
                write!(f, "written out, this sort would have more than {MAX_SORT_PARTS} parts")
            }
            SortError::TooDeep => write!(f, "sorts are nested deeper than the limit of {MAX_SORT_DEPTH}"),
            SortError::NoValue { datatype } => {
                write!(f, "the datatype '{datatype}' has no finite value: every constructor leads back to it")
            }
            SortError::Replacement { expected, found } => {
                write!(f, "a term of sort {expected} cannot be replaced by one of sort {found}")
            }
        }
    }
}

impl std::error::Error for SortError {}

pub(crate) fn check_width(width: u64) -> Result<u32, SortError> {
    match u32::try_from(width) {
        Ok(0) => Err(SortError::ZeroWidth),
        Ok(width) if width <= MAX_WIDTH => Ok(width),
        _ => Err(SortError::TooWide { width }),
    }
}

pub(crate) fn check_sort_arity(declaration: &SortDeclaration, found: usize) -> Result<(), SortError> {
    if found == declaration.arity {
        return Ok(());
    }
    let expected = arguments_in_words(declaration.arity);
    Err(SortError::Arity { operator: declaration.name.to_string(), expected, found })
}

pub(crate) fn check_datatype_arity(datatype: &Datatype, found: usize) -> Result<(), SortError> {
    let arity = datatype.parameters.len();
    if found == arity {
        return Ok(());
    }
    let expected = arguments_in_words(arity);
    Err(SortError::Arity { operator: datatype.name.to_string(), expected, found })
}

fn arguments_in_words(number: usize) -> String {
    format!("{number} {}", if number == 1 { "argument" } else { "arguments" })
}

/// The sort of an application: one that exists already, or a bit-vector sort still to be interned.
pub(crate) enum ResultSort {
    /// A sort of the store.
    Interned(SortId),
    /// The bit-vectors of this (checked) width.
    BitVec(u32),
    /// Any other sort.
    Sort(Sort),
}

/// The sort of an application, or its fault.
pub(crate) fn result_sort(store: &TermStore, op: Op, arguments: &[TermId]) -> Result<ResultSort, SortError> {
    use Op::*;
    use ResultSort::Interned;
    let check = Checker { store, op, arguments };
    match op {
        Constant(_) => unreachable!("literals are interned by value"),
        Apply(symbol) => {
            let declared = store.symbol(symbol);
            check.arity(declared.arguments.len(), declared.arguments.len())?;
            for (position, &sort) in declared.arguments.iter().enumerate() {
                check.is_sort(position, sort)?;
            }
            Ok(Interned(declared.result))
        }
        Not => {
            check.arity(1, 1)?;
            check.all_sort(SortId::BOOL).map(Interned)
        }
        And | Or => {
            check.arity(1, usize::MAX)?;
            check.all_sort(SortId::BOOL).map(Interned)
        }
        Xor | Implies => {
            check.arity(2, usize::MAX)?;
            check.all_sort(SortId::BOOL).map(Interned)
        }
        Equal | Distinct => {
            check.arity(2, usize::MAX)?;
            check.all_sort(store.sort_of(arguments[0]))?;
            Ok(Interned(SortId::BOOL))
        }
        Ite => {
            check.arity(3, 3)?;
            check.is_sort(0, SortId::BOOL)?;
            let sort = store.sort_of(arguments[1]);
            check.is_sort(2, sort)?;
            Ok(Interned(sort))
        }
        Concat => {
            check.arity(2, usize::MAX)?;
            let mut width = 0u64;
            for position in 0..arguments.len() {
                width += u64::from(check.width(position)?);
            }
            Ok(ResultSort::BitVec(check_width(width)?))
        }
        Extract { high, low } => {
            check.arity(1, 1)?;
            let width = check.width(0)?;
            if low > high {
                return Err(check.index(format!("the high index {high} is below the low index {low}")));
            }
            if high >= width {
                return Err(check.index(format!("index {high} is outside an argument of {width} bits")));
            }
            Ok(ResultSort::BitVec(high - low + 1))
        }
        Repeat(times) => {
            check.arity(1, 1)?;
            if times == 0 {
                return Err(check.index("repeats at least once".into()));
            }
            let width = check_width(u64::from(check.width(0)?) * u64::from(times))?;
            Ok(ResultSort::BitVec(width))
        }
        ZeroExtend(by) | SignExtend(by) => {
            check.arity(1, 1)?;
            let width = check_width(u64::from(check.width(0)?) + u64::from(by))?;
            Ok(ResultSort::BitVec(width))
        }
        RotateLeft(_) | RotateRight(_) | BvNot | BvNeg | BvInc | BvDec => {
            check.arity(1, 1)?;
            check.width(0)?;
            Ok(Interned(store.sort_of(arguments[0])))
        }
        BvAnd | BvOr | BvXor | BvXnor | BvAdd | BvSub | BvMul => {
            check.arity(2, usize::MAX)?;
            check.same_widths().map(Interned)
        }
        BvNand | BvNor | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod | BvShl | BvLshr | BvAshr
        | ExtRotateLeft | ExtRotateRight => {
            check.arity(2, 2)?;
            check.same_widths().map(Interned)
        }
        BvComp => {
            check.arity(2, 2)?;
            check.same_widths()?;
            Ok(ResultSort::BitVec(1))
        }
        BvRedAnd | BvRedOr | BvRedXor => {
            check.arity(1, 1)?;
            check.width(0)?;
            Ok(ResultSort::BitVec(1))
        }
        BvUlt | BvUle | BvUgt | BvUge | BvSlt | BvSle | BvSgt | BvSge | BvUaddo | BvSaddo | BvUmulo
        | BvSmulo | BvUsubo | BvSsubo | BvSdivo => {
            check.arity(2, 2)?;
            check.same_widths()?;
            Ok(Interned(SortId::BOOL))
        }
        BvNego => {
            check.arity(1, 1)?;
            check.width(0)?;
            Ok(Interned(SortId::BOOL))
        }
        Select => {
            check.arity(2, 2)?;
            let (index, element) = check.array(0)?;
            check.is_sort(1, index)?;
            Ok(Interned(element))
        }
        Store => {
            check.arity(3, 3)?;
            let (index, element) = check.array(0)?;
            check.is_sort(1, index)?;
            check.is_sort(2, element)?;
            Ok(Interned(store.sort_of(arguments[0])))
        }
        ConstArray(sort) => {
            check.arity(1, 1)?;
            match *store.sort(sort) {
                Sort::Array { element, .. } => check.is_sort(0, element)?,
                _ => return Err(check.index("'as const' needs an array sort".into())),
            }
            Ok(Interned(sort))
        }
        Arithmetic(op) => op.result_sort(&check),
        Float(op) => op.result_sort(&check),
        String(op) => op.result_sort(&check),
        Sequence(op) => op.result_sort(&check),
        Datatype(op) => op.result_sort(&check),
        Forall(_) | Exists(_) => {
            check.arity(1, 1)?;
            check.all_sort(SortId::BOOL).map(Interned)
        }
    }
}

pub(crate) struct Checker<'a> {
    store: &'a TermStore,
    op: Op,
    arguments: &'a [TermId],
}

impl Checker<'_> {
    fn operator(&self) -> String {
        match self.op {
            Op::Apply(symbol) => self.store.symbol(symbol).name.to_string(),
            Op::Datatype(DatatypeOp::Test(constructor)) => {
                format!("(_ is {})", self.store.constructor(constructor).name)
            }
            Op::Datatype(op) => op.declared_name(self.store).to_string(),
            op => op.name().to_string(),
        }
    }

    pub(crate) fn arity(&self, least: usize, most: usize) -> Result<(), SortError> {
        let found = self.arguments.len();
        if (least..=most).contains(&found) {
            return Ok(());
        }
        let number = arguments_in_words(least);
        let expected = if most == usize::MAX { format!("at least {number}") } else { number };
        Err(SortError::Arity { operator: self.operator(), expected, found })
    }

    pub(crate) fn argument_error(&self, position: usize, expected: String) -> SortError {
        let found = self.store.sort_of(self.arguments[position]);
        SortError::Argument {
            operator: self.operator(),
            position: position + 1,
            expected,
            found: SortDisplay::new(self.store, found).to_string(),
        }
    }

    pub(crate) fn index(&self, reason: String) -> SortError {
        SortError::Index { operator: self.operator(), reason }
    }

    pub(crate) fn is_sort(&self, position: usize, sort: SortId) -> Result<(), SortError> {
        if self.store.sort_of(self.arguments[position]) == sort {
            return Ok(());
        }
        Err(self.argument_error(position, SortDisplay::new(self.store, sort).to_string()))
    }

    pub(crate) fn all_sort(&self, sort: SortId) -> Result<SortId, SortError> {
        for position in 0..self.arguments.len() {
            self.is_sort(position, sort)?;
        }
        Ok(sort)
    }

    pub(crate) fn width(&self, position: usize) -> Result<u32, SortError> {
        self.store
            .width(self.arguments[position])
            .ok_or_else(|| self.argument_error(position, "a bit-vector".into()))
    }

    /// The number of arguments.
    pub(crate) fn count(&self) -> usize {
        self.arguments.len()
    }

    /// The sort of an argument.
    pub(crate) fn argument_sort(&self, position: usize) -> SortId {
        self.store.sort_of(self.arguments[position])
    }

    /// The store that the arguments are in.
    pub(crate) fn store(&self) -> &TermStore {
        self.store
    }

    /// The sort of all arguments, which must be integers or reals alike.
    pub(crate) fn same_numbers(&self) -> Result<SortId, SortError> {
        let sort = self.store.sort_of(self.arguments[0]);
        if sort != SortId::INT && sort != SortId::REAL {
            return Err(self.argument_error(0, "Int or Real".into()));
        }
        self.all_sort(sort)
    }

    /// The format of a floating-point argument.
    pub(crate) fn float_format(&self, position: usize) -> Result<FloatFormat, SortError> {
        match self.store.sort(self.store.sort_of(self.arguments[position])) {
            Sort::Float(format) => Ok(*format),
            _ => Err(self.argument_error(position, "a floating-point sort".into())),
        }
    }

    /// The sort of all arguments from a position on, which must be floating-point values of one sort.
    pub(crate) fn same_floats(&self, first: usize) -> Result<SortId, SortError> {
        self.float_format(first)?;
        let sort = self.store.sort_of(self.arguments[first]);
        (first..self.count()).try_for_each(|position| self.is_sort(position, sort))?;
        Ok(sort)
    }

    fn same_widths(&self) -> Result<SortId, SortError> {
        self.width(0)?;
        self.all_sort(self.store.sort_of(self.arguments[0]))
    }

    fn array(&self, position: usize) -> Result<(SortId, SortId), SortError> {
        self.store
            .array_parts(self.store.sort_of(self.arguments[position]))
            .ok_or_else(|| self.argument_error(position, "an array".into()))
    }
}
