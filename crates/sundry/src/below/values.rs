//! Values, and the models that consist of them.

/// An array is a value for every index: a default, and entries that differ from it.
///
/// ```
/// use sundry::term::{SortId, TermStore};
/// use sundry::value::{ArrayValue, Value};
///
/// let zeros = ArrayValue::constant(&TermStore::new(), SortId::INT, Value::Int(0.into()));
/// let array = zeros.store(Value::Int(7.into()), Value::Int(1.into()));
/// assert_eq!(array.select(&Value::Int(7.into())), &Value::Int(1.into()));
/// assert_eq!(array.select(&Value::Int(8.into())), array.default());
/// ```
pub use sundry_term::ArrayValue;

/// A bit-vector of any width computes as the operators of SMT-LIB do.
///
/// ```
/// use sundry::BitVector;
///
/// let byte = BitVector::from_u64(8, 0xf0);
/// assert_eq!(byte.add(&byte).to_string(), "#xe0");
/// assert_eq!(byte.extract(7, 4), BitVector::ones(4));
/// assert!(byte.is_negative());
/// ```
pub use sundry_term::BitVector;

/// A floating-point value of any format computes as IEEE 754 says, without the processor.
///
/// ```
/// use sundry::value::{Float, RoundingMode};
///
/// let half = Float::from_f32(0.5);
/// let sum = half.add(&half, RoundingMode::NearestTiesToEven);
/// assert_eq!(sum.to_f64(), Some(1.0));
/// // Equality is identity, so that the zeros differ.
/// assert_ne!(Float::from_f32(0.0), Float::from_f32(-0.0));
/// ```
pub use sundry_term::Float;

/// A format has so many bits for the exponent and, with the hidden one, for the significand.
///
/// ```
/// use sundry::value::{Float, FloatFormat};
///
/// let single = FloatFormat::new(8, 24);
/// assert_eq!(single, Some(Float::from_f32(1.5).format()));
/// assert_eq!(single.map(FloatFormat::width), Some(32));
/// ```
pub use sundry_term::FloatFormat;

/// Solutions define functions by tables: results for some arguments, and one for all others.
///
/// ```
/// use sundry::value::{FunctionValue, Value};
/// use sundry::{Answer, Formula};
///
/// let formula = Formula::parse("(declare-fun f (Bool) Bool) (assert (and (f true) (not (f false))))")?;
/// let Answer::Satisfiable(solution) = formula.solve(None)? else { panic!("the identity") };
/// let Some(FunctionValue::Table { entries, default }) = solution.function("f") else { panic!("a table") };
/// assert_eq!(entries.get(&vec![Value::Bool(true)]).unwrap_or(default), &Value::Bool(true));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_term::FunctionValue;

/// An integer of any size is a value of sort `Int`.
///
/// ```
/// use sundry::value::{IBig, Value};
/// use sundry::{Answer, Formula};
///
/// let formula = Formula::parse("(declare-const n Int) (assert (= n (* (- 4294967296) 4294967296)))")?;
/// let Answer::Satisfiable(solution) = formula.solve(None)? else { panic!("there is one") };
/// assert_eq!(solution.value("n"), Some(&Value::Int(-(IBig::from(1) << 64))));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_term::IBig;

/// A model has values by symbol, before anybody has judged it.
///
/// ```
/// use sundry::coverage::Measurement;
/// use sundry::{Control, Formula, Model, Value};
///
/// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
/// let symbol = formula.constant("p").expect("it is declared");
/// let mut model = Model::new();
/// model.set_constant(symbol, Value::Bool(true));
/// let measured = Measurement::new(&formula).add(&model, &Control::default());
/// assert_eq!(measured.map(|measured| measured.gain), Ok(1));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_term::Model;

/// A rational number is a value of sort `Real`, always in lowest terms.
///
/// ```
/// use std::sync::Arc;
/// use sundry::value::{RBig, Value};
/// use sundry::{Answer, Formula};
///
/// let formula = Formula::parse("(declare-const x Real) (assert (= (* 6.0 x) 4.0))")?;
/// let Answer::Satisfiable(solution) = formula.solve(None)? else { panic!("two thirds") };
/// let two_thirds = RBig::from_parts(2.into(), 3u8.into());
/// assert_eq!(solution.value("x"), Some(&Value::Real(Arc::new(two_thirds))));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_term::RBig;

/// A rounding mode decides between the two neighbours of a number that has no exact floating-point value.
///
/// ```
/// use sundry::value::{Float, RBig, RoundingMode};
///
/// let third = RBig::from_parts(1.into(), 3u8.into());
/// let single = Float::from_f32(1.0).format();
/// let [above, below] = [RoundingMode::TowardPositive, RoundingMode::TowardNegative]
///     .map(|mode| Float::from_rational(single, &third, mode));
/// assert!(below.less(&above));
/// assert_eq!(RoundingMode::TowardZero.name(), "RTZ");
/// ```
pub use sundry_term::RoundingMode;

/// A natural number of any size is the denominator of a rational one.
///
/// ```
/// use sundry::value::{IBig, RBig, UBig};
///
/// let third = RBig::from_parts(IBig::from(-2), UBig::from(6u8));
/// assert_eq!(third.denominator(), &UBig::from(3u8));
/// assert_eq!(third.numerator(), &IBig::from(-1));
/// ```
pub use sundry_term::UBig;

/// A value of any sort is data of its own, and says by its variant what it is.
///
/// ```
/// use sundry::{Answer, Formula, Value};
///
/// let formula = Formula::parse("(declare-const x (_ BitVec 8)) (assert (= x #x0f))")?;
/// let Answer::Satisfiable(solution) = formula.solve(None)? else { panic!("there is one") };
/// let Some(Value::BitVec(bits)) = solution.value("x") else { panic!("a bit-vector") };
/// assert_eq!(bits.to_u64(), Some(15));
/// assert_eq!(solution.evaluate("(= x #x00)")?.as_bool(), Some(false));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_term::Value;
