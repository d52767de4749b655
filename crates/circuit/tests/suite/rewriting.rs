//! The graph's simplifications: each rule fires where it should, every result has the value that
//! it had to have, and no construction makes more nodes than it may.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_circuit::{Aig, Edge, NodeKind, Simulation};

fn inputs<const N: usize>(aig: &mut Aig) -> [Edge; N] {
    std::array::from_fn(|_| aig.input())
}

const COLUMNS: [u64; 4] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];
const MASK: u64 = 0xffff;

/// Values of edges under all assignments of up to four inputs.
#[derive(Default)]
struct Tables(Simulation);

impl Tables {
    fn of(&mut self, aig: &Aig, edge: Edge) -> u64 {
        self.0.extend(aig, &COLUMNS);
        self.0.word(edge) & MASK
    }
}

/// Every conjunction of two edges, each a constant, an input or a conjunction of two inputs, all
/// in all polarities: that covers each one- and two-level rule in all its symmetries.
#[test]
fn two_levels_exhaustively() {
    let (mut aig, mut tables) = (Aig::new(), Tables::default());
    let inputs = inputs::<4>(&mut aig);
    let mut operands = vec![Edge::FALSE, Edge::TRUE];
    operands.extend(inputs.iter().flat_map(|&input| [input, !input]));
    let literals = operands.clone();
    for &left in &literals {
        for &right in &literals {
            let and = aig.and(left, right);
            operands.extend([and, !and]);
        }
    }
    operands.sort_unstable();
    operands.dedup();
    for &left in &operands {
        for &right in &operands {
            let (expected, before) = (tables.of(&aig, left) & tables.of(&aig, right), aig.node_count());
            let and = aig.and(left, right);
            assert!(aig.node_count() <= before + 1);
            assert_eq!(tables.of(&aig, and), expected, "{left:?} and {right:?}");
            assert_eq!(aig.and(right, left), and, "the order does not matter");
            let or = aig.or(left, right);
            assert_eq!(tables.of(&aig, or), tables.of(&aig, left) | tables.of(&aig, right));
            let constant = [0, MASK].iter().position(|&word| word == expected).map(|value| value == 1);
            assert_eq!(and.is_constant(), constant, "{left:?} and {right:?}");
        }
    }
}

#[test]
fn derived_gates_exhaustively() {
    let (mut aig, mut tables) = (Aig::new(), Tables::default());
    let [a, b, c, _] = inputs(&mut aig);
    let (and, xor) = (aig.and(a, b), aig.xor(b, c));
    let mut operands = vec![Edge::FALSE, a, b, c, and, xor];
    operands.extend(operands.clone().iter().map(|&edge| !edge));
    for &x in &operands {
        for &y in &operands {
            let (tx, ty) = (tables.of(&aig, x), tables.of(&aig, y));
            let (xor, equal, implies) = (aig.xor(x, y), aig.equal(x, y), aig.implies(x, y));
            assert_eq!(tables.of(&aig, xor), tx ^ ty);
            assert_eq!(equal, !xor);
            assert_eq!(tables.of(&aig, implies), (!tx | ty) & MASK);
            assert_eq!(aig.xor(!y, x), !xor);
            for &z in &operands {
                let tz = tables.of(&aig, z);
                let ite = aig.ite(x, y, z);
                assert_eq!(tables.of(&aig, ite), tx & ty | !tx & tz & MASK, "{x:?} ? {y:?} : {z:?}");
                assert_eq!(aig.ite(!x, z, y), ite);
                assert_eq!(aig.ite(x, !y, !z), !ite);
                let majority = aig.majority(x, y, z);
                assert_eq!(tables.of(&aig, majority), tx & ty | tx & tz | ty & tz);
                assert_eq!(aig.majority(!x, !y, !z), !majority);
                let many = aig.and_many(&[x, y, z]);
                assert_eq!(tables.of(&aig, many), tx & ty & tz);
                assert_eq!(aig.and_many(&[z, y, x, y]), many);
            }
        }
    }
}

#[test]
fn each_rule_fires() {
    let mut aig = Aig::new();
    let [a, b, c, d] = inputs(&mut aig);
    let (ab, cd, ac) = (aig.and(a, b), aig.and(c, d), aig.and(a, c));
    let (a_not_b, not_a_c) = (aig.and(a, !b), aig.and(!a, c));
    let before = aig.node_count();
    // One level.
    assert_eq!(aig.and(a, Edge::TRUE), a);
    assert_eq!(aig.and(Edge::FALSE, a), Edge::FALSE);
    assert_eq!(aig.and(a, a), a);
    assert_eq!(aig.and(a, !a), Edge::FALSE);
    // Contradiction.
    assert_eq!(aig.and(ab, !a), Edge::FALSE);
    assert_eq!(aig.and(ab, not_a_c), Edge::FALSE);
    // Subsumption.
    assert_eq!(aig.and(!ab, !a), !a);
    assert_eq!(aig.and(!ab, not_a_c), not_a_c);
    // Idempotence.
    assert_eq!(aig.and(ab, b), ab);
    // Resolution.
    assert_eq!(aig.and(!ab, !a_not_b), !a);
    // Substitution: a & !(a & b) is a & !b.
    assert_eq!(aig.and(!ab, a), a_not_b);
    assert_eq!(aig.node_count(), before);
    // Substitution in a conjunction, and a shared operand.
    let substituted = aig.and(!ab, ac);
    assert_eq!(aig.kind(substituted.node()), NodeKind::And((!b).min(ac), (!b).max(ac)));
    let shared = aig.and(ab, ac);
    assert_eq!(aig.kind(shared.node()), NodeKind::And(c.min(ab), c.max(ab)));
    // Nothing to do: the node is as asked for, and found again.
    let plain = aig.and(ab, !cd);
    assert_eq!(aig.kind(plain.node()), NodeKind::And(ab.min(!cd), ab.max(!cd)));
    assert_eq!(aig.and(!cd, ab), plain);
}

#[test]
fn a_large_table_keeps_nodes_unique() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut aig = Aig::new();
    let mut edges: Vec<Edge> = (0..50).map(|_| aig.input()).collect();
    let mut made = Vec::new();
    for _ in 0..50_000 {
        let mut pick = || edges[random.random_range(0..edges.len())].complement_if(random.random());
        let (left, right) = (pick(), pick());
        let and = aig.and(left, right);
        made.push((left, right, and));
        if and.is_constant().is_none() {
            edges.push(and);
        }
    }
    let before = aig.node_count();
    for (left, right, and) in made {
        assert_eq!(aig.and(left, right), and);
    }
    assert_eq!(aig.node_count(), before);
    let mut pairs: Vec<_> = (0..before as u32).filter_map(|node| aig.operands(node)).collect();
    let count = pairs.len();
    assert_eq!(count, aig.and_count());
    for (node, &(left, right)) in (0..before as u32).filter(|&node| aig.operands(node).is_some()).zip(&pairs)
    {
        assert!(left < right && right.node() < node);
    }
    pairs.sort_unstable();
    pairs.dedup();
    assert_eq!(pairs.len(), count);
}
