//! Random graphs against all shortest paths.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::rational::Rational;

/// The shortest paths between all nodes by these edges, after Floyd & Warshall; `None` where a cycle is negative.
fn shortest_paths(nodes: usize, edges: &[Edge]) -> Option<Vec<Vec<Option<i128>>>> {
    let mut paths = vec![vec![None; nodes]; nodes];
    (0..nodes).for_each(|node| paths[node][node] = Some(0));
    let shorten = |known: &mut Option<i128>, length: i128| {
        *known = Some(known.map_or(length, |before: i128| before.min(length)));
    };
    for edge in edges {
        shorten(&mut paths[edge.start as usize][edge.end as usize], edge.length);
    }
    for middle in 0..nodes {
        for start in 0..nodes {
            for end in 0..nodes {
                if let Some((to, from)) = paths[start][middle].zip(paths[middle][end]) {
                    shorten(&mut paths[start][end], to + from);
                }
            }
        }
    }
    (0..nodes).all(|node| paths[node][node] >= Some(0)).then_some(paths)
}

/// The constraints of this list, as edges.
fn edges_of(graph: &Differences, constraints: &[Constraint]) -> Vec<Edge> {
    constraints.iter().map(|constraint| graph.edges[constraint.index()]).collect()
}

/// Whether a constraint follows from others.
fn follows(graph: &Differences, nodes: usize, from: &[Constraint], constraint: Constraint) -> bool {
    let edge = graph.edges[constraint.index()];
    let paths = shortest_paths(nodes, &edges_of(graph, from)).expect("they have a solution");
    paths[edge.start as usize][edge.end as usize].is_some_and(|length| length <= edge.length)
}

#[test]
fn random_graphs_agree_with_all_shortest_paths() {
    let (mut contradictions, mut propagations, mut late) = (0, 0, 0);
    for seed in 0..300 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let count = random.random_range(2..8);
        let mut graph = Differences::new();
        let nodes: Vec<Node> = (0..count).map(|_| graph.new_node()).collect();
        let constraints: Vec<Constraint> = (0..random.random_range(1..30))
            .map(|_| {
                let start = random.random_range(0..count);
                let end = (start + random.random_range(1..count)) % count;
                let [start, end] = [nodes[start], nodes[end]];
                let whole = Value::from(Rational::from(random.random_range(-5..15)));
                let strict = Value::below(Rational::from(random.random_range(-5..15)));
                let bound = if random.random_bool(0.3) { strict } else { whole };
                graph.new_constraint(end, start, Length::of(&bound).expect("a small bound"))
            })
            .collect();
        // The asserted constraints, and the marks before them.
        let mut asserted: Vec<(Constraint, DifferenceMark)> = Vec::new();
        for _ in 0..60 {
            if random.random_bool(0.2) && !asserted.is_empty() {
                let kept = random.random_range(0..asserted.len());
                graph.backtrack(asserted[kept].1);
                asserted.truncate(kept);
                continue;
            }
            let constraint = constraints[random.random_range(0..constraints.len())];
            let mark = graph.mark();
            let before: Vec<Constraint> = asserted.iter().map(|entry| entry.0).collect();
            let now: Vec<Constraint> = before.iter().copied().chain([constraint]).collect();
            let has_solution = shortest_paths(count, &edges_of(&graph, &now)).is_some();
            match graph.assert(constraint) {
                Err(cycle) => {
                    contradictions += 1;
                    assert!(!has_solution && cycle.contains(&constraint), "seed {seed}");
                    assert!(cycle.iter().all(|edge| now.contains(edge)), "seed {seed}");
                    assert!(shortest_paths(count, &edges_of(&graph, &cycle)).is_none(), "seed {seed}");
                    continue;
                }
                Ok(()) => assert!(has_solution, "seed {seed}"),
            }
            asserted.push((constraint, mark));
            let mut followed = Vec::new();
            graph.follow(constraint, &mut followed);
            for &constraint in &followed {
                propagations += 1;
                let reason = graph.explain(constraint);
                assert!(reason.iter().all(|edge| now.contains(edge)), "seed {seed}");
                assert!(follows(&graph, count, &reason, constraint), "seed {seed}");
            }
            for &constraint in &constraints {
                assert_eq!(
                    graph.holds(constraint),
                    now.contains(&constraint) || follows(&graph, count, &now, constraint),
                    "seed {seed}: all that follows is found"
                );
            }
            assert!(edges_of(&graph, &now).into_iter().all(|edge| graph.slack(edge) >= 0), "seed {seed}");
        }
        // Constraints that come later.
        let asserted: Vec<Constraint> = asserted.iter().map(|entry| entry.0).collect();
        for _ in 0..10 {
            let start = random.random_range(0..count);
            let end = (start + random.random_range(1..count)) % count;
            let length = Length::of(&Value::from(Rational::from(random.random_range(-5..15))));
            let new = graph.new_constraint(nodes[end], nodes[start], length.expect("a small bound"));
            assert_eq!(graph.follow_new(new), follows(&graph, count, &asserted, new), "seed {seed}");
            if graph.holds(new) {
                late += 1;
                let reason = graph.explain(new);
                assert!(reason.iter().all(|edge| asserted.contains(edge)), "seed {seed}");
                assert!(follows(&graph, count, &reason, new), "seed {seed}");
            }
        }
    }
    assert!(contradictions > 500 && propagations > 500, "{contradictions} and {propagations}");
    assert!(late > 100, "{late} constraints that came later follow");
}

#[test]
fn reasons_are_older_than_what_follows() {
    let mut graph = Differences::new();
    let [x, y, z] = [graph.new_node(), graph.new_node(), graph.new_node()];
    let mut most = |end, start, number: i64| {
        let bound = Value::from(Rational::from(number));
        graph.new_constraint(end, start, Length::of(&bound).expect("a small bound"))
    };
    let (near, far) = (most(y, x, 3), most(z, y, 4));
    let (sum, shorter) = (most(z, x, 8), most(z, x, 5));
    let mut followed = Vec::new();
    for constraint in [near, far] {
        assert_eq!(graph.assert(constraint), Ok(()));
        graph.follow(constraint, &mut followed);
    }
    assert_eq!(followed, [sum]);
    assert_eq!(graph.assert(shorter), Ok(()));
    let mut reason = graph.explain(sum);
    reason.sort();
    assert_eq!(reason, [near, far]);
}

#[test]
fn bounds_that_are_no_lengths_are_refused() {
    let half = Rational::from(2).reciprocal();
    assert_eq!(Length::of(&half.into()), None);
    assert_eq!(Length::of(&Value::from(Rational::from(i64::MAX))), None);
    let below = Length::of(&Value::below(Rational::from(3))).expect("a small bound");
    assert!(below < Length::of(&Value::from(Rational::from(3))).expect("a small bound"));
}
