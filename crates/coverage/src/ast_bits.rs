//! The AST-bits of a formula and their numbering.

use sundry_term::{Control, Sort, Stopped, TermId, TermStore};

/// A bit of a node, with one of its values.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AstBit {
    /// A Boolean, bit-vector, floating-point, integer or real node.
    pub term: TermId,
    /// Bit position, 0 the least significant; 0 for Booleans. The last bit of an integer says whether it is negative; those of a real
    /// say whether it is negative, zero, and an integer.
    pub bit: u32,
    /// The value it has to take.
    pub value: bool,
}

/// The number of low bits of integers that are AST-bits where nothing else is asked for.
pub const INTEGER_BITS: u32 = 64;

/// The greatest number of low bits of integers that programs may ask for. Each node of an integer gets an input of the circuit for each of them, and
/// larger values than 2^1024 hardly stand for anything that a test could have.
pub const MAXIMAL_INTEGER_BITS: u32 = 1024;

/// The number of AST-bits of a real, each with two values.
const REAL_BITS: u32 = 3;

/// All AST-bits of a set of assertions. *Positions* number the bits of all nodes; AST-bit
/// `2 * position + value` is the bit at that position with that value.
#[derive(Clone, Debug)]
pub struct AstBits {
    nodes: Vec<TermId>,
    /// First position of each node, and one more for the end.
    offsets: Vec<usize>,
    /// The number of low bits of integers.
    integer_bits: u32,
}

impl AstBits {
    /// The AST-bits of the nodes that the assertions reach.
    pub fn new(store: &TermStore, assertions: &[TermId]) -> Self {
        AstBits::within(store, assertions, &Control::default()).expect("nothing stops this control")
    }

    /// The AST-bits of some assertions, like [`new`](Self::new), until a control stops the work.
    ///
    /// # Errors
    /// The reason for which the control stopped it.
    pub fn within(store: &TermStore, assertions: &[TermId], control: &Control) -> Result<Self, Stopped> {
        AstBits::with_integer_bits(store, assertions, INTEGER_BITS, control)
    }

    /// The AST-bits of some assertions, with so many low bits of each integer; with 0, only its sign.
    ///
    /// # Errors
    /// The reason for which the control stopped the work.
    pub fn with_integer_bits(
        store: &TermStore,
        assertions: &[TermId],
        integer_bits: u32,
        control: &Control,
    ) -> Result<Self, Stopped> {
        let mut nodes = Vec::new();
        let mut offsets = vec![0];
        for term in store.reachable_within(assertions, control)? {
            control.spend(1)?;
            let bits = match store.sort(store.sort_of(term)) {
                Sort::Int => integer_bits + 1,
                Sort::Real => REAL_BITS,
                _ => store.bits(term),
            } as usize;
            if bits > 0 {
                nodes.push(term);
                offsets.push(offsets[offsets.len() - 1] + bits);
            }
        }
        Ok(AstBits { nodes, offsets, integer_bits })
    }

    /// The number of low bits of integers that are AST-bits; one more says whether the integer is negative.
    pub fn integer_bits(&self) -> u32 {
        self.integer_bits
    }

    /// Nodes with bits, arguments before applications.
    pub fn nodes(&self) -> &[TermId] {
        &self.nodes
    }

    /// Bits of all nodes together.
    pub fn positions(&self) -> usize {
        self.offsets[self.offsets.len() - 1]
    }

    /// AST-bits: twice the positions.
    pub fn total(&self) -> usize {
        2 * self.positions()
    }

    /// Positions of the bits of the node with this number in [`nodes`](Self::nodes).
    pub fn positions_of(&self, node: usize) -> std::ops::Range<usize> {
        self.offsets[node]..self.offsets[node + 1]
    }

    /// The AST-bit with this number.
    pub fn ast_bit(&self, number: usize) -> AstBit {
        let position = number / 2;
        let node = self.offsets.partition_point(|&offset| offset <= position) - 1;
        AstBit { term: self.nodes[node], bit: (position - self.offsets[node]) as u32, value: number % 2 == 1 }
    }
}
