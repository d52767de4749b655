//! The clauses of a circuit mean what the circuit means, gate by gate and for whole operators.

use crate::common::{BINARY, declare};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_circuit::{Aig, Blaster, CnfEncoder, Edge, FreeInputs, Simulation};
use sundry_sat::{AddClauses, Assignment, Cadical, Cnf, Lit, Solve, Var, Verdict};
use sundry_term::{Control, TermId, TermStore};

/// The pattern of all assignments of up to six inputs, one word each.
const COLUMNS: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Checks that under every assignment of the inputs the clauses have a model, and that the literal of each of these
/// edges has its simulated value in it and cannot have the other.
fn check(aig: &Aig, edges: &[Edge], solver: &mut Cadical, encoder: &mut CnfEncoder) {
    let inputs = aig.inputs();
    assert!(inputs.len() <= COLUMNS.len());
    let mut simulation = Simulation::new();
    simulation.run(aig, &COLUMNS[..inputs.len()]);
    let outputs: Vec<Lit> = edges.iter().map(|&edge| encoder.literal(aig, solver, edge)).collect();
    for lane in 0..1u32 << inputs.len() {
        let assumptions: Vec<Lit> = inputs
            .iter()
            .filter_map(|&input| {
                encoder.literal_of(input).map(|literal| literal.negate_if(!simulation.value(input, lane)))
            })
            .collect();
        assert_eq!(solver.solve(&assumptions), Verdict::Sat, "lane {lane}");
        let values: Vec<bool> = outputs.iter().map(|&literal| solver.value(literal)).collect();
        for (position, &edge) in edges.iter().enumerate() {
            let expected = simulation.value(edge, lane);
            assert_eq!(values[position], expected, "{edge:?} in lane {lane}");
            let mut wrong = assumptions.clone();
            wrong.push(outputs[position].negate_if(expected));
            assert_eq!(solver.solve(&wrong), Verdict::Unsat, "{edge:?} in lane {lane}");
        }
    }
}

fn random_graph(random: &mut ChaCha8Rng, inputs: usize, gates: usize) -> (Aig, Vec<Edge>) {
    let mut aig = Aig::new();
    let mut edges: Vec<Edge> = (0..inputs).map(|_| aig.input()).collect();
    for _ in 0..gates {
        let recent = edges.len().saturating_sub(8);
        let mut pick = || {
            let start = if random.random_ratio(2, 3) { recent } else { 0 };
            edges[random.random_range(start..edges.len())].complement_if(random.random())
        };
        let [a, b, c, d] = [pick(), pick(), pick(), pick()];
        edges.push(match random.random_range(0..6) {
            0 => aig.and(a, b),
            1 => aig.xor(a, b),
            2 => aig.ite(a, b, c),
            3 => aig.majority(a, b, c),
            4 => aig.and_many(&[a, b, c, d]),
            _ => aig.or_many(&[a, b, c]),
        });
    }
    (aig, edges)
}

#[test]
fn random_graphs_under_all_assignments() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for round in 0..150 {
        let (aig, edges) = random_graph(&mut random, 2 + round % 5, 3 + round % 12);
        let (mut solver, mut encoder) = (Cadical::default(), CnfEncoder::new());
        // In two portions, the last one first, so that cones are extended.
        let (early, late) = edges.split_at(edges.len() / 2);
        check(&aig, late, &mut solver, &mut encoder);
        check(&aig, early, &mut solver, &mut encoder);
        assert!(encoder.encoded_count() <= aig.node_count());
    }
}

#[test]
fn every_node_of_a_graph_can_be_asked_for() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..60 {
        let (aig, edges) = random_graph(&mut random, 4, 10);
        let (mut solver, mut encoder) = (Cadical::default(), CnfEncoder::new());
        encoder.literal(&aig, &mut solver, *edges.last().expect("some gate"));
        let all: Vec<Edge> = (0..aig.node_count() as u32).map(Edge::from_node).collect();
        check(&aig, &all, &mut solver, &mut encoder);
    }
}

#[test]
fn operators_under_all_assignments() {
    for width in 1..=3 {
        let mut store = TermStore::new();
        let (x, y) = (declare(&mut store, "x", Some(width)), declare(&mut store, "y", Some(width)));
        let terms: Vec<TermId> = BINARY.iter().map(|&op| store.make(op, &[x.1, y.1])).collect();
        let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
        blaster.blast(&store, &mut aig, &mut FreeInputs, &terms).expect("small circuits");
        let (mut solver, mut encoder) = (Cadical::default(), CnfEncoder::new());
        let edges: Vec<Edge> =
            terms.iter().flat_map(|&term| blaster.bits(term).expect("blasted").to_vec()).collect();
        check(&aig, &edges, &mut solver, &mut encoder);
    }
}

#[test]
fn constants_are_one_fixed_variable() {
    let aig = Aig::new();
    let (mut cnf, mut encoder) = (Cnf::new(), CnfEncoder::new());
    assert_eq!(encoder.literal_of(Edge::TRUE), None);
    let no = encoder.literal(&aig, &mut cnf, Edge::FALSE);
    assert_eq!(encoder.literal(&aig, &mut cnf, Edge::TRUE), !no);
    assert_eq!((cnf.var_count(), cnf.clause_count()), (1, 1));
    assert_eq!(cnf.clauses().next(), Some(&[!no][..]));
}

/// Variables and clauses that an edge takes.
fn size(aig: &Aig, edge: Edge) -> (usize, usize) {
    let (mut cnf, mut encoder) = (Cnf::new(), CnfEncoder::new());
    encoder.literal(aig, &mut cnf, edge);
    assert_eq!(cnf.var_count(), encoder.encoded_count());
    (cnf.var_count(), cnf.clause_count())
}

#[test]
fn gates_are_recognised() {
    let mut aig = Aig::new();
    let inputs: Vec<Edge> = (0..40).map(|_| aig.input()).collect();
    let xor = aig.xor(inputs[0], !inputs[1]);
    assert_eq!(size(&aig, xor), (3, 4));
    let ite = aig.ite(inputs[0], inputs[1], !inputs[2]);
    assert_eq!(size(&aig, ite), (4, 6));
    let majority = aig.majority(inputs[0], !inputs[1], !inputs[2]);
    assert_eq!(size(&aig, majority), (4, 6));
    let and = aig.and_many(&inputs[4..24]);
    assert_eq!(size(&aig, and), (21, 21));
    let or = aig.or_many(&inputs[24..]);
    assert_eq!(size(&aig, or), (17, 17));
}

#[test]
fn shared_conjunctions_are_not_merged() {
    let mut aig = Aig::new();
    let inputs: Vec<Edge> = (0..4).map(|_| aig.input()).collect();
    let shared = aig.and(inputs[0], inputs[1]);
    let left = aig.and(shared, inputs[2]);
    let right = aig.and(shared, inputs[3]);
    let top = aig.or(left, right);
    // or = shared & (c | d) is a matter of the word level; here four gates are four gates.
    assert_eq!(size(&aig, top), (8, 12));
}

#[test]
fn a_deep_graph_needs_no_deep_stack() {
    let mut aig = Aig::new();
    let mut edge = aig.input();
    for index in 0..300_000 {
        let input = aig.input();
        edge = if index % 2 == 0 { aig.xor(edge, input) } else { aig.or(edge, input) };
    }
    let (mut cnf, mut encoder) = (Cnf::new(), CnfEncoder::new());
    encoder.literal(&aig, &mut cnf, edge);
    assert_eq!(cnf.var_count(), 600_001);
}

#[test]
fn a_simulated_assignment_satisfies_the_clauses() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..50 {
        let (aig, edges) = random_graph(&mut random, 30, 300);
        let (mut cnf, mut encoder) = (Cnf::new(), CnfEncoder::new());
        for &edge in edges.iter().skip(200) {
            encoder.literal(&aig, &mut cnf, edge);
        }
        let inputs: Vec<u64> = (0..30).map(|_| random.random()).collect();
        let mut simulation = Simulation::new();
        simulation.run(&aig, &inputs);
        let mut node_of = vec![0; cnf.var_count()];
        for node in 0..aig.node_count() as u32 {
            if let Some(literal) = encoder.literal_of(Edge::from_node(node)) {
                node_of[literal.var().index()] = node;
            }
        }
        let mut assignment = Assignment::new();
        for lane in 0..64 {
            let value = |var: Var| simulation.value(Edge::from_node(node_of[var.index()]), lane);
            assignment.fill(cnf.var_count(), value);
            assert!(cnf.is_satisfied_by(&assignment));
        }
    }
}

#[test]
fn any_solver_will_do() {
    let mut aig = Aig::new();
    let (a, b) = (aig.input(), aig.input());
    let and = aig.and(a, b);
    let mut cnf = Cnf::new();
    let solver: &mut dyn AddClauses = &mut cnf;
    let literal = CnfEncoder::new().literal(&aig, solver, !and);
    assert!(literal.is_negative());
    assert_eq!(cnf.to_string(), "p cnf 3 3\n-1 2 0\n-1 3 0\n1 -2 -3 0\n");
}

#[test]
fn an_encoding_that_was_stopped_ends_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let (aig, edges) = random_graph(&mut random, 6, 6_000);
    let root = *edges.last().expect("many");
    let (mut whole, mut encoder) = (Cnf::default(), CnfEncoder::new());
    let literal = encoder.literal(&aig, &mut whole, root);
    let (mut parts, mut stopped) = (Cnf::default(), CnfEncoder::new());
    stopped.set_control(&Control::default().with_deadline(Some(std::time::Instant::now())));
    assert_eq!(stopped.literal(&aig, &mut parts, root), literal);
    assert!(!stopped.finish(&aig, &mut parts), "the deadline has passed");
    assert!(parts.clauses().count() < whole.clauses().count());
    stopped.set_control(&Control::default());
    assert!(stopped.finish(&aig, &mut parts));
    assert!(parts.clauses().eq(whole.clauses()));
}
