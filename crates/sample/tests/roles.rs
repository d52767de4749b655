//! Constants that stand for something: levels, negative values, groups, weights and auxiliary constants, against what
//! they mean by definition.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_sample::{Group, Level, Problem, Request, Roles, StopReason, TWiseOptions, TupleSummary, sample};
use sundry_term::{BitVector, Model, Op, SymbolId, TermId, TermStore, Value};

/// Parameters with levels, some of which are negative, and combinations that are forbidden.
struct System {
    levels: Vec<Vec<Level>>,
    /// Pairs of a parameter and a value that exclude one another.
    forbidden: Vec<[(usize, u64); 2]>,
    /// Parameters of groups, and how closely they are combined.
    groups: Vec<(Vec<usize>, usize)>,
}

/// Some values of different parameters.
type Tuple = Vec<(usize, u64)>;

impl System {
    fn random(random: &mut ChaCha8Rng) -> System {
        let level = |random: &mut ChaCha8Rng| Level { is_negative: random.random_bool(0.2), weight: 1 };
        let levels: Vec<Vec<Level>> = (0..random.random_range(3..=5))
            .map(|_| (0..random.random_range(1..=4)).map(|_| level(random)).collect())
            .collect();
        let value = |random: &mut ChaCha8Rng| {
            let parameter = random.random_range(0..levels.len());
            (parameter, random.random_range(0..levels[parameter].len()) as u64)
        };
        let forbidden = (0..random.random_range(0..4)).map(|_| [value(random), value(random)]).collect();
        let groups = (0..random.random_range(0..=2)).map(|_| {
            let members: Vec<usize> = (0..levels.len()).filter(|_| random.random_bool(0.7)).collect();
            let strength = random.random_range(1..=3);
            (members, strength)
        });
        let groups = groups.collect();
        System { levels, forbidden, groups }
    }

    fn problem(&self) -> (Problem, Vec<SymbolId>) {
        let mut store = TermStore::new();
        let mut roles = Roles::default();
        let mut symbols = Vec::new();
        let mut assertions = Vec::new();
        for (number, levels) in self.levels.iter().enumerate() {
            let sort = store.bit_vec_sort(2).expect("a width");
            let symbol = store.declare(&format!("p{number}"), &[], sort);
            let constant = store.symbol_term(symbol);
            let last = store.bit_vector(BitVector::from_u64(2, levels.len() as u64 - 1));
            assertions.push(store.make(Op::BvUle, &[constant, last]));
            roles.levels.insert(symbol, levels.clone());
            symbols.push(symbol);
        }
        let is = |store: &mut TermStore, (parameter, value): (usize, u64)| -> TermId {
            let constant = store.symbol_term(symbols[parameter]);
            let value = store.bit_vector(BitVector::from_u64(2, value));
            store.make(Op::Equal, &[constant, value])
        };
        let mut excluded = self.forbidden.clone();
        let all: Vec<(usize, u64)> = self.values();
        for &left in all.iter().filter(|&&value| self.is_negative(value)) {
            let others = all.iter().filter(|&&right| right.0 > left.0 && self.is_negative(right));
            excluded.extend(others.map(|&right| [left, right]));
        }
        for [left, right] in excluded {
            let both = [is(&mut store, left), is(&mut store, right)];
            let both = store.make(Op::And, &both);
            assertions.push(store.make(Op::Not, &[both]));
        }
        let group = |(members, strength): &(Vec<usize>, usize)| Group {
            symbols: members.iter().map(|&member| symbols[member]).collect(),
            strength: *strength,
        };
        roles.groups = self.groups.iter().map(group).collect();
        (Problem::new(store, assertions, symbols.clone()).with_roles(roles), symbols)
    }

    fn values(&self) -> Vec<(usize, u64)> {
        let of = |(number, levels): (usize, &Vec<Level>)| {
            (0..levels.len() as u64).map(move |value| (number, value))
        };
        self.levels.iter().enumerate().flat_map(of).collect()
    }

    fn is_negative(&self, (parameter, value): (usize, u64)) -> bool {
        self.levels[parameter][value as usize].is_negative
    }

    /// All rows that are allowed.
    fn rows(&self) -> Vec<Tuple> {
        let mut rows: Vec<Tuple> = vec![Vec::new()];
        for (number, levels) in self.levels.iter().enumerate() {
            let longer = |row: &Tuple| {
                let row = row.clone();
                (0..levels.len() as u64).map(move |value| [&row[..], &[(number, value)]].concat())
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        rows.retain(|row| {
            let negative = row.iter().filter(|&&value| self.is_negative(value)).count();
            negative <= 1 && !self.forbidden.iter().any(|pair| pair.iter().all(|value| row.contains(value)))
        });
        rows
    }

    /// The tuples to be covered: combinations of values with at most one negative one.
    fn wanted(&self, strength: usize) -> BTreeSet<Tuple> {
        let all: Vec<usize> = (0..self.levels.len()).collect();
        let strength = strength.min(all.len());
        let mut wanted = BTreeSet::new();
        let groups = self.groups.iter().map(|(members, of_group)| (members, (*of_group).min(members.len())));
        for (members, size) in groups.filter(|(_, size)| *size > strength).chain([(&all, strength)]) {
            let mut tuples: Vec<Tuple> = vec![Vec::new()];
            for _ in 0..size {
                let longer = |tuple: &Tuple| {
                    let tuple = tuple.clone();
                    let behind = tuple.last().map_or(0, |(last, _)| last + 1);
                    let values = self.values().into_iter();
                    values
                        .filter(move |(parameter, _)| *parameter >= behind && members.contains(parameter))
                        .map(move |value| [&tuple[..], &[value]].concat())
                };
                tuples = tuples.iter().flat_map(longer).collect();
            }
            wanted.extend(tuples);
        }
        wanted.retain(|tuple| tuple.iter().filter(|&&value| self.is_negative(value)).count() <= 1);
        wanted
    }

    /// Whether a row shows a tuple: nothing negative beside values that are all valid.
    fn shows(&self, row: &Tuple, tuple: &Tuple) -> bool {
        let negative = |values: &Tuple| values.iter().any(|&value| self.is_negative(value));
        tuple.iter().all(|value| row.contains(value)) && negative(row) == negative(tuple)
    }
}

fn run(
    problem: &Problem,
    strength: usize,
    max_solutions: Option<u64>,
    fill: bool,
) -> (TupleSummary, StopReason) {
    let options = TWiseOptions { strength, fill, ..TWiseOptions::default() };
    let request = Request { max_solutions, seed: 1, ..Request::tuples(options) };
    let summary = sample(problem, &request, &mut |_| ControlFlow::Continue(())).expect("a run");
    (summary.tuples().expect("tuples").clone(), summary.stopped_by)
}

fn row(symbols: &[SymbolId], model: &Model) -> Tuple {
    let code = |symbol: &SymbolId| match model.constant(*symbol) {
        Some(Value::BitVec(bits)) => bits.to_u64().expect("few bits"),
        other => panic!("{other:?}"),
    };
    symbols.iter().map(code).enumerate().collect()
}

#[test]
fn groups_and_negative_values_are_covered_as_defined() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut mixed, mut unsatisfiable, mut impossible) = (0, 0, 0);
    for _ in 0..120 {
        let system = System::random(&mut random);
        let strength = random.random_range(1..=3);
        let (problem, symbols) = system.problem();
        let (outcome, stopped_by) = run(&problem, strength, None, false);
        let rows = system.rows();
        if rows.is_empty() {
            assert_eq!(stopped_by, StopReason::Unsatisfiable);
            unsatisfiable += 1;
            continue;
        }
        let wanted = system.wanted(strength);
        let shown_by = |rows: &[Tuple]| {
            wanted.iter().filter(|tuple| rows.iter().any(|row| system.shows(row, tuple))).count() as u64
        };
        let found: Vec<Tuple> = outcome.solutions.iter().map(|it| row(&symbols, &it.model)).collect();
        assert!(found.iter().all(|row| rows.contains(row)));
        assert_eq!(outcome.tuples.all, wanted.len() as u64);
        assert_eq!(shown_by(&found), shown_by(&rows));
        assert_eq!(outcome.tuples.covered, shown_by(&found));
        assert_eq!(outcome.tuples.impossible, wanted.len() as u64 - shown_by(&rows));
        assert!(outcome.lower_bound <= found.len() && outcome.factors == system.levels.len());
        mixed += usize::from(outcome.is_mixed);
        impossible += usize::from(outcome.tuples.impossible > 0);
    }
    assert!(mixed > 10 && impossible > 10, "{mixed} mixed, {impossible} with something impossible");
    assert!(unsatisfiable < 60, "{unsatisfiable} unsatisfiable");
}

#[test]
fn heavier_values_are_taken_where_nothing_else_decides() {
    let level = |weight| Level { is_negative: false, weight };
    for heavy in 0..2 {
        let weights = [0, 1].map(|code| level(if code == heavy { 10 } else { 1 }));
        let system = System {
            levels: vec![vec![level(1); 4], weights.to_vec()],
            forbidden: Vec::new(),
            groups: Vec::new(),
        };
        let (problem, symbols) = system.problem();
        let (outcome, _) = run(&problem, 1, None, false);
        let found = outcome.solutions.iter().map(|it| row(&symbols, &it.model)[1].1);
        assert_eq!((outcome.solutions.len(), found.filter(|&code| code == heavy).count()), (4, 3));
    }
}

/// Solutions that differ in auxiliary constants only are the same.
#[test]
fn auxiliary_constants_tell_no_solutions_apart() {
    let mut store = TermStore::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| store.declare(name, &[], sundry_term::SortId::BOOL));
    let [x, y] = [a, b].map(|symbol| store.symbol_term(symbol));
    let either = store.make(Op::Or, &[x, y]);
    let roles = Roles { auxiliary: [c].into_iter().collect(), ..Roles::default() };
    let z = store.symbol_term(c);
    let follows = store.make(Op::Implies, &[z, x]);
    let problem = Problem::new(store, vec![either, follows], vec![a, b, c]).with_roles(roles);
    let (outcome, _) = run(&problem, 2, Some(10), true);
    assert_eq!((outcome.solutions.len(), outcome.factors, outcome.is_all), (3, 2, true));
}
