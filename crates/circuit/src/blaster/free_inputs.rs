//! Circuits without a solver: what they do not know may have any value.

use sundry_term::{TermId, TermStore};

use super::{Abstraction, BitsOfTerms};
use crate::aig::Aig;
use crate::edge::Edge;

/// The abstraction without any theory: each bit of a leaf, each equality of arrays, and each `distinct` of many words is an
/// input of its own.
///
/// ```
/// use sundry_circuit::{Aig, Blaster, FreeInputs};
/// use sundry_term::{Op, TermStore};
///
/// let mut store = TermStore::new();
/// let sort = store.bit_vec_sort(4)?;
/// let [x, y] = ["x", "y"].map(|name| store.declare(name, &[], sort));
/// let [x, y] = [x, y].map(|symbol| store.symbol_term(symbol));
/// let sum = store.make(Op::BvAdd, &[x, y]);
///
/// let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
/// blaster.blast(&store, &mut aig, &mut FreeInputs, &[sum])?;
/// assert_eq!(aig.inputs().len(), 8);
/// assert_eq!(blaster.bits(sum).map(<[_]>::len), Some(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Default, Debug)]
pub struct FreeInputs;

impl Abstraction for FreeInputs {
    fn leaf(
        &mut self,
        aig: &mut Aig,
        _: &TermStore,
        _: TermId,
        width: u32,
        _: BitsOfTerms<'_>,
    ) -> Box<[Edge]> {
        (0..width).map(|_| aig.input()).collect()
    }

    fn equality(&mut self, aig: &mut Aig, _: &TermStore, _: TermId, _: TermId) -> Edge {
        aig.input()
    }

    fn distinct(&mut self, aig: &mut Aig, _: Vec<Box<[Edge]>>) -> Edge {
        aig.input()
    }
}
