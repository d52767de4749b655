//! Circuits: terms of bit-vectors and Booleans as an and-inverter graph, the graph as clauses, and
//! its simulation.
//!
//! [`Blaster`] turns terms into edges of an [`Aig`]; what the circuit does not know (declared
//! constants, applications, array accesses, equality of arrays) it asks an [`Abstraction`] for.
//! [`CnfEncoder`] passes the parts of the graph that are needed on to a SAT solver, and
//! [`Simulation`] computes all values of the graph from values of its inputs, 64 models at once.
//! [`words`] has the operations on bit-vectors of edges by themselves.
//!
//! ```
//! use sundry_circuit::{Aig, CnfEncoder, Simulation, words};
//! use sundry_sat::Cnf;
//!
//! // The sum of two words of four bits, under two assignments at once.
//! let mut aig = Aig::new();
//! let [a, b] = [0; 2].map(|_| [0; 4].map(|_| aig.input()));
//! let sum = words::add(&mut aig, &a, &b);
//! let mut simulation = Simulation::new();
//! let (a, b) = ([0b10, 0b01, 0, 0], [0b11, 0b01, 0, 0]); // 2 + 3 in the first lane, 1 + 1 in the second
//! simulation.run(&aig, &[a, b].concat());
//! let value = |lane| (0..4).map(|bit| u32::from(simulation.value(sum[bit], lane)) << bit).sum::<u32>();
//! assert_eq!([value(0), value(1)], [5, 2]);
//!
//! // The clauses of one bit of it.
//! let (mut encoder, mut clauses) = (CnfEncoder::new(), Cnf::new());
//! encoder.literal(&aig, &mut clauses, sum[0]);
//! assert!(clauses.clause_count() > 0);
//! ```

mod aig;
mod blaster;
mod cnf;
mod edge;
pub mod floats;
mod simulate;
mod support;
pub mod words;

pub use aig::{Aig, NodeKind};
pub use blaster::{
    Abstraction, BitsOfTerms, Blaster, BuildError, FreeInputs, OpenFunction, Refusal, TooLarge,
    UNINTERPRETED_WIDTH, bit_count, canonical,
};
pub use cnf::CnfEncoder;
pub use edge::Edge;
pub use simulate::Simulation;
pub use support::{Unsupported, real_number};
