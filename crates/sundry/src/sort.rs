//! Sorts as plain data, without the store that their terms are in.

use std::fmt;

use sundry_term::{FloatFormat, MAX_SORT_DEPTH, SortDisplay, SortId, SymbolId, TermStore, quote_symbol};

use crate::error::{Error, ErrorKind};

/// The sort of a constant, an argument or a result. `Display` writes it in SMT-LIB.
///
/// ```
/// use sundry::Sort;
///
/// let memory = Sort::array(Sort::BitVec(32), Sort::BitVec(8));
/// assert_eq!(memory.to_string(), "(Array (_ BitVec 32) (_ BitVec 8))");
/// assert_eq!(Sort::FLOAT64.to_string(), "(_ FloatingPoint 11 53)");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Real numbers.
    Real,
    /// The rounding modes of floating-point operations.
    RoundingMode,
    /// Bit-vectors of this number of bits.
    BitVec(u32),
    /// Floating-point values of a format.
    Float {
        /// The number of bits of the exponent.
        exponent_bits: u32,
        /// The number of bits of the significand, with the hidden one.
        significand_bits: u32,
    },
    /// Total maps from an index sort to an element sort.
    Array(Box<Sort>, Box<Sort>),
    /// A declared sort, by its name without quotes.
    Declared(String),
    /// Any other sort, as SMT-LIB writes it: only formulas that were read have such sorts.
    Other(String),
}

impl Sort {
    /// The sort of IEEE binary32 values.
    ///
    /// ```
    /// assert_eq!(sundry::Sort::FLOAT32.to_string(), "(_ FloatingPoint 8 24)");
    /// ```
    pub const FLOAT32: Sort = Sort::Float { exponent_bits: 8, significand_bits: 24 };
    /// The sort of IEEE binary64 values.
    ///
    /// ```
    /// assert_eq!(sundry::Sort::FLOAT64.to_string(), "(_ FloatingPoint 11 53)");
    /// ```
    pub const FLOAT64: Sort = Sort::Float { exponent_bits: 11, significand_bits: 53 };

    /// The sort of arrays from one sort to another.
    ///
    /// ```
    /// use sundry::Sort;
    ///
    /// let grid = Sort::array(Sort::Int, Sort::array(Sort::Int, Sort::Bool));
    /// assert_eq!(grid.to_string(), "(Array Int (Array Int Bool))");
    /// ```
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Box::new(index), Box::new(element))
    }

    /// The sort that an id means in a store. Sorts of arrays are nested at most [`MAX_SORT_DEPTH`] deep.
    pub(crate) fn of(store: &TermStore, sort: SortId) -> Sort {
        use sundry_term::Sort as Interned;
        match store.sort(sort) {
            Interned::Bool => Sort::Bool,
            Interned::Int => Sort::Int,
            Interned::Real => Sort::Real,
            Interned::RoundingMode => Sort::RoundingMode,
            Interned::BitVec(width) => Sort::BitVec(*width),
            Interned::Float(format) => Sort::Float {
                exponent_bits: format.exponent_bits(),
                significand_bits: format.significand_bits(),
            },
            Interned::Array { index, element } => {
                Sort::array(Sort::of(store, *index), Sort::of(store, *element))
            }
            Interned::Uninterpreted { declaration, arguments } if arguments.is_empty() => {
                Sort::Declared(store.sort_declaration(*declaration).name.to_string())
            }
            _ => Sort::Other(SortDisplay::new(store, sort).to_string()),
        }
    }

    /// The id of the sort in a store, in which `declared` finds sorts by name.
    pub(crate) fn intern(
        &self,
        store: &mut TermStore,
        declared: &dyn Fn(&str) -> Option<SortId>,
    ) -> Result<SortId, Error> {
        self.intern_below(store, declared, MAX_SORT_DEPTH)
    }

    fn intern_below(
        &self,
        store: &mut TermStore,
        declared: &dyn Fn(&str) -> Option<SortId>,
        depth: u32,
    ) -> Result<SortId, Error> {
        use sundry_term::Sort as Interned;
        let sort = match self {
            Sort::Bool => Interned::Bool,
            Sort::Int => Interned::Int,
            Sort::Real => Interned::Real,
            Sort::RoundingMode => Interned::RoundingMode,
            Sort::BitVec(width) => Interned::BitVec(*width),
            Sort::Float { exponent_bits, significand_bits } => {
                let format = FloatFormat::new(*exponent_bits, *significand_bits).ok_or_else(|| {
                    let message = format!(
                        "there is no floating-point format of {exponent_bits} and {significand_bits} bits"
                    );
                    Error::new(ErrorKind::Input, message)
                })?;
                Interned::Float(format)
            }
            Sort::Array(index, element) => {
                let Some(below) = depth.checked_sub(1) else {
                    return Err(Error::new(ErrorKind::Input, sundry_term::SortError::TooDeep));
                };
                let index = index.intern_below(store, declared, below)?;
                let element = element.intern_below(store, declared, below)?;
                Interned::Array { index, element }
            }
            Sort::Declared(name) => {
                return declared(name).ok_or_else(|| {
                    Error::new(ErrorKind::Input, format!("the sort '{name}' is not declared"))
                        .with_help("FormulaBuilder::declare_sort declares it")
                });
            }
            Sort::Other(text) => {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    format!("nothing of sort {text} can be built"),
                ));
            }
        };
        store.intern_sort(sort).map_err(|error| Error::new(ErrorKind::Input, error))
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::Real => f.write_str("Real"),
            Sort::RoundingMode => f.write_str("RoundingMode"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Float { exponent_bits, significand_bits } => {
                write!(f, "(_ FloatingPoint {exponent_bits} {significand_bits})")
            }
            Sort::Array(index, element) => write!(f, "(Array {index} {element})"),
            Sort::Declared(name) => f.write_str(&quote_symbol(name)),
            Sort::Other(text) => f.write_str(text),
        }
    }
}

/// The sorts of a declared constant or function.
///
/// ```
/// use sundry::{Formula, Sort};
///
/// let formula = Formula::parse("(declare-fun f (Int (_ BitVec 8)) Bool) (assert (f 1 #x00))")?;
/// let signature = formula.signature("f").expect("it is declared");
/// assert_eq!(signature.arguments, [Sort::Int, Sort::BitVec(8)]);
/// assert_eq!(signature.result, Sort::Bool);
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// The sorts of the arguments; none for a constant.
    pub arguments: Vec<Sort>,
    /// The sort of the value, or of the results of a function.
    pub result: Sort,
}

impl Signature {
    pub(crate) fn of(store: &TermStore, symbol: SymbolId) -> Signature {
        let declared = store.symbol(symbol);
        Signature {
            arguments: declared.arguments.iter().map(|&sort| Sort::of(store, sort)).collect(),
            result: Sort::of(store, declared.result),
        }
    }
}
