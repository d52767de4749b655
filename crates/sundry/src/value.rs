//! Values: truth values, bit-vectors, numbers, floating-point values, arrays and functions.
//!
//! A [`Value`] is data of its own, without a formula: it may be kept, compared and sent to other threads. The numbers
//! [`IBig`] (integers) and [`RBig`] (rationals) have any size.
//!
//! ```
//! use sundry::value::{FunctionValue, Value};
//! use sundry::{Answer, Formula};
//!
//! let formula = Formula::parse(
//!     "(declare-const flags (_ BitVec 8)) (declare-const n Int) (declare-const ratio Real)
//!      (declare-const memory (Array (_ BitVec 8) Bool)) (declare-fun f (Int) Int)
//!      (assert (and (= flags #x81) (= n (- 3)) (= ratio 0.5) (select memory #x07) (not (select memory #x00)) (= (f 1) 2)))",
//! )?;
//! let Answer::Satisfiable(solution) = formula.solve(None)? else { panic!("there is one") };
//!
//! let Some(Value::BitVec(flags)) = solution.value("flags") else { panic!("a bit-vector") };
//! assert_eq!((flags.width(), flags.to_u64()), (8, Some(0x81)));
//! let Some(Value::Int(n)) = solution.value("n") else { panic!("an integer") };
//! assert_eq!(i64::try_from(n.clone()), Ok(-3));
//! let Some(Value::Real(ratio)) = solution.value("ratio") else { panic!("a rational number") };
//! assert_eq!(ratio.to_string(), "1/2");
//! let Some(Value::Array(memory)) = solution.value("memory") else { panic!("an array") };
//! let index = Value::BitVec(sundry::BitVector::from_u64(8, 7));
//! assert_eq!(memory.select(&index), &Value::Bool(true));
//! let Some(FunctionValue::Table { entries, default }) = solution.function("f") else { panic!("a table") };
//! assert_eq!(entries.get(&vec![Value::Int(1.into())]).unwrap_or(default), &Value::Int(2.into()));
//! # Ok::<(), sundry::Error>(())
//! ```

pub use crate::below::values::{
    ArrayValue, BitVector, Float, FloatFormat, FunctionValue, IBig, RBig, RoundingMode, UBig, Value,
};
