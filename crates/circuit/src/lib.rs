//! Circuits: terms of bit-vectors and Booleans as an and-inverter graph, the graph as clauses, and
//! its simulation.
//!
//! [`Blaster`] turns terms into edges of an [`Aig`]; what the circuit does not know (declared
//! constants, applications, array accesses, equality of arrays) it asks an [`Abstraction`] for.
//! [`CnfEncoder`] passes the parts of the graph that are needed on to a SAT solver, and
//! [`Simulation`] computes all values of the graph from values of its inputs, 64 models at once.
//! [`words`] has the operations on bit-vectors of edges by themselves.

mod aig;
mod blaster;
mod cnf;
mod edge;
mod simulate;
mod support;
pub mod words;

pub use aig::{Aig, NodeKind};
pub use blaster::{Abstraction, Blaster, BuildError, Refusal, TooLarge, UNINTERPRETED_WIDTH, bit_count};
pub use cnf::CnfEncoder;
pub use edge::Edge;
pub use simulate::Simulation;
pub use support::Unsupported;
