//! Solutions of floating-point formulas by optimisation.
//!
//! Circuits of floating-point arithmetic are large, and SAT solvers are lost in dozens of divisions or products. XSat (Fu & Su, *XSat: A
//! fast floating-point satisfiability solver*, CAV 2016) looks at such a formula as a function of its variables, whose value says how far the assertions are from
//! true, and minimises it by evaluating it millions of times a second. A [`Program`] evaluates the distances of assertions over Booleans,
//! bit-vectors, floats of any format, integers and reals; a [`Search`] minimises their sum by one of three strategies.
//!
//! Nothing follows if a search finds nothing. The arithmetic of the processor only guides: callers judge what is found.
//!
//! ```
//! use sundry_descent::{Program, Search, StrategyKind, Turn};
//! use sundry_term::{Control, Float, FloatFormat, FloatOp, Op, RoundingMode, Sort, TermStore, Value, evaluate};
//! use std::sync::Arc;
//!
//! // A root of x * x = 2 does not exist among doubles, but x * x is near 2.
//! let mut store = TermStore::new();
//! let format = FloatFormat::new(11, 53).unwrap();
//! let sort = store.intern_sort(Sort::Float(format)).unwrap();
//! let symbol = store.declare("x", &[], sort);
//! let x = store.symbol_term(symbol);
//! let mode = store.constant(Value::RoundingMode(RoundingMode::NearestTiesToEven));
//! let square = store.make(Op::Float(FloatOp::Mul), &[mode, x, x]);
//! let mut bound = |numerator: i64| {
//!     let number = Float::from_integer(format, &numerator.into(), RoundingMode::NearestTiesToEven);
//!     let scale = Float::from_integer(format, &1_000_000_000.into(), RoundingMode::NearestTiesToEven);
//!     store.constant(Value::Float(Arc::new(number.div(&scale, RoundingMode::NearestTiesToEven))))
//! };
//! let (least, greatest) = (bound(1_999_999_999), bound(2_000_000_001));
//! let near = store.make(Op::Float(FloatOp::Lt), &[least, square, greatest]);
//!
//! let program = Program::new(&store, &[near], &Control::default()).unwrap();
//! let mut search = Search::new(program, StrategyKind::BasinHopping, 0);
//! let Turn::Found(point) = search.turn(&store, 1_000_000, &Control::default(), None) else { panic!("it is easy") };
//! assert_eq!(evaluate(&store, &search.model(&point), near), Ok(Value::Bool(true)));
//! ```
//!
//! The crate `argmin` (0.11) has simulated annealing and particle swarms, and was tried first. Its executor owns the loop, copies the
//! point and reads a clock in each iteration: a microsecond, in which a whole function of three variables was evaluated twelve times. A run
//! cannot be divided into turns of counted work, each move would compute everything, and the local searches are for
//! smooth functions of doubles, of which a step of one float is no step.
//!
//! Deliberately absent: arrays, functions and declared sorts.

mod annealing;
mod basin_hopping;
mod bounds;
mod compile;
mod cone;
mod distance;
mod landscape;
mod local;
mod moves;
mod native;
mod program;
mod run;
mod search;
mod strategy;
mod swarm;
mod theta;
mod variable;

pub use compile::CompileError;
pub use distance::Distance;
pub use landscape::{Counts, Point, Spectator, Waypoint};
pub use program::{Program, Unsupported};
pub use search::{Search, Turn};
pub use strategy::StrategyKind;
pub use theta::theta;
pub use variable::{Kind, Variable};
