//! Random systems of bounds: values meet all of them, and conflicts are conflicts.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_linear::{
    IntegerOutcome, Mark, Outcome, Rational, SearchLimits, Side, Simplex, Tag, Value, Variable,
};
use sundry_term::Control;

/// A system: the sums of the variables behind the first ones, and bounds, with their tags as positions.
struct System {
    is_integer: Vec<bool>,
    sums: Vec<Vec<(Variable, Rational)>>,
    bounds: Vec<(usize, Side, Value)>,
}

fn random_system(random: &mut ChaCha8Rng, only_integers: bool) -> System {
    let count = random.random_range(1..5);
    let is_integer: Vec<bool> = (0..count).map(|_| only_integers || random.random_bool(0.5)).collect();
    let mut simplex = Simplex::new();
    let variables: Vec<Variable> = is_integer.iter().map(|&integer| simplex.new_variable(integer)).collect();
    let sums: Vec<Vec<(Variable, Rational)>> = (0..random.random_range(1..6))
        .map(|_| {
            let mut sum = Vec::new();
            for &variable in &variables {
                let most = if only_integers { 9 } else { 3 };
                let factor = random.random_range(-most..=most);
                if factor != 0 {
                    let divisor = if only_integers { 1 } else { random.random_range(1..=3) };
                    sum.push((variable, &Rational::from(factor) / &Rational::from(divisor)));
                }
            }
            // An empty sum would be zero, and have bounds that are conflicts alone.
            if sum.is_empty() { vec![(variables[0], Rational::ONE)] } else { sum }
        })
        .collect();
    let bounds: Vec<(usize, Side, Value)> = (0..random.random_range(1..14))
        .map(|_| {
            let variable = random.random_range(0..count + sums.len());
            let side = if random.random() { Side::Lower } else { Side::Upper };
            let number = Rational::from(random.random_range(-6..=6));
            let is_strict = !only_integers && random.random_bool(0.3);
            let value = match (is_strict, side) {
                (false, _) => Value::from(number),
                (true, Side::Lower) => Value::above(number),
                (true, Side::Upper) => Value::below(number),
            };
            (variable, side, value)
        })
        .collect();
    System { is_integer, sums, bounds }
}

/// The simplex of a system without its bounds, and its variables.
fn build(system: &System) -> (Simplex, Vec<Variable>) {
    let mut simplex = Simplex::new();
    let mut variables: Vec<Variable> =
        system.is_integer.iter().map(|&is_integer| simplex.new_variable(is_integer)).collect();
    variables.extend(system.sums.iter().map(|sum| simplex.define(sum)));
    (simplex, variables)
}

/// Asserts the bounds with these tags, and checks over the rationals.
fn check(simplex: &mut Simplex, variables: &[Variable], system: &System, tags: &[Tag]) -> Outcome {
    for &tag in tags {
        let (variable, side, value) = &system.bounds[tag as usize];
        if let Err(conflict) = simplex.assert(variables[*variable], *side, value.clone(), tag) {
            return Outcome::Conflict(conflict);
        }
    }
    simplex.check(&Control::default()).expect("there is no limit")
}

fn is_within(value: &Value, side: Side, bound: &Value) -> bool {
    match side {
        Side::Lower => value >= bound,
        Side::Upper => value <= bound,
    }
}

/// Whether the values meet all sums and the bounds with these tags.
fn meets(simplex: &Simplex, variables: &[Variable], system: &System, tags: &[Tag]) -> bool {
    let sums_hold = system.sums.iter().enumerate().all(|(number, sum)| {
        let mut value = Value::ZERO;
        sum.iter().for_each(|(variable, factor)| value.add_product(&simplex.value(*variable), factor));
        value == *simplex.value(variables[system.is_integer.len() + number])
    });
    let bounds_hold = tags.iter().all(|&tag| {
        let (variable, side, bound) = &system.bounds[tag as usize];
        is_within(&simplex.value(variables[*variable]), *side, bound)
    });
    sums_hold && bounds_hold
}

#[test]
fn values_meet_all_bounds_and_conflicts_are_minimal() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut feasible, mut conflicts) = (0, 0);
    for _ in 0..2000 {
        let system = random_system(&mut random, false);
        let all: Vec<Tag> = (0..system.bounds.len() as Tag).collect();
        let (mut simplex, variables) = build(&system);
        match check(&mut simplex, &variables, &system, &all) {
            Outcome::Feasible => {
                feasible += 1;
                assert!(meets(&simplex, &variables, &system, &all));
                // With a number for δ, the order of all values is the same.
                let delta = simplex.choose_delta(&[]);
                assert!(delta.is_positive());
                for tag in &all {
                    let (variable, side, bound) = &system.bounds[*tag as usize];
                    let (value, bound) = (simplex.value(variables[*variable]).at(&delta), bound.at(&delta));
                    assert!(is_within(&value.into(), *side, &bound.into()));
                }
            }
            Outcome::Conflict(tags) => {
                conflicts += 1;
                let (mut fresh, variables) = build(&system);
                assert!(matches!(check(&mut fresh, &variables, &system, &tags), Outcome::Conflict(_)));
                for left_out in &tags {
                    let fewer: Vec<Tag> = tags.iter().copied().filter(|tag| tag != left_out).collect();
                    let (mut fresh, variables) = build(&system);
                    assert_eq!(check(&mut fresh, &variables, &system, &fewer), Outcome::Feasible);
                }
            }
        }
    }
    assert!(feasible > 300 && conflicts > 300, "{feasible} feasible, {conflicts} conflicts");
}

#[test]
fn bounds_are_taken_back() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..300 {
        let system = random_system(&mut random, false);
        let (mut simplex, variables) = build(&system);
        let mut marks: Vec<(Mark, usize)> = Vec::new();
        let mut asserted: Vec<Tag> = Vec::new();
        for _ in 0..40 {
            if random.random_bool(0.3) && !marks.is_empty() {
                let place = random.random_range(0..marks.len());
                simplex.backtrack(marks[place].0);
                asserted.truncate(marks[place].1);
                marks.truncate(place);
                simplex.rest();
                continue;
            }
            marks.push((simplex.mark(), asserted.len()));
            let tag = random.random_range(0..system.bounds.len()) as Tag;
            let outcome = check(&mut simplex, &variables, &system, &[tag]);
            asserted.push(tag);
            let (mut fresh, their) = build(&system);
            let expected = check(&mut fresh, &their, &system, &asserted);
            assert_eq!(outcome == Outcome::Feasible, expected == Outcome::Feasible);
            match outcome {
                Outcome::Feasible => assert!(meets(&simplex, &variables, &system, &asserted)),
                Outcome::Conflict(tags) => {
                    assert!(tags.iter().all(|tag| asserted.contains(tag)));
                    let (mark, length) = marks.pop().expect("one was pushed");
                    simplex.backtrack(mark);
                    asserted.truncate(length);
                }
            }
        }
    }
}

/// Whether integers in a box meet the bounds with these tags.
fn has_integers_in_box(system: &System, tags: &[Tag], most: i64) -> bool {
    let count = system.is_integer.len();
    let mut point = vec![-most; count];
    loop {
        let value = |variable: usize| -> Rational {
            if variable < count {
                return Rational::from(point[variable]);
            }
            let mut sum = Rational::ZERO;
            for (variable, factor) in &system.sums[variable - count] {
                sum.add_product(factor, &Rational::from(point[variable.index()]));
            }
            sum
        };
        let holds = |&tag: &Tag| {
            let (variable, side, bound) = &system.bounds[tag as usize];
            is_within(&value(*variable).into(), *side, bound)
        };
        if tags.iter().all(holds) {
            return true;
        }
        let Some(place) = point.iter().position(|&coordinate| coordinate < most) else { return false };
        point[place] += 1;
        point[..place].fill(-most);
    }
}

#[test]
fn integers_are_found_or_refuted() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let (mut solved, mut conflicts) = (0, 0);
    for round in 0..4000 {
        let mut system = random_system(&mut random, true);
        // A sum that has a certain value.
        let number = Value::from(Rational::from(random.random_range(-6..=6)));
        system
            .bounds
            .extend([Side::Lower, Side::Upper].map(|side| (system.is_integer.len(), side, number.clone())));
        // Bounds on all variables, so that a box has all solutions.
        for variable in 0..system.is_integer.len() {
            for (side, number) in [(Side::Lower, -4), (Side::Upper, 4)] {
                system.bounds.push((variable, side, Value::from(Rational::from(number))));
            }
        }
        let all: Vec<Tag> = (0..system.bounds.len() as Tag).collect();
        let (mut simplex, variables) = build(&system);
        let relaxed = check(&mut simplex, &variables, &system, &all);
        if relaxed != Outcome::Feasible {
            continue;
        }
        let limits = SearchLimits { nodes: 10_000, rounds_of_cuts: round % 4 };
        let count = simplex.variable_count();
        match simplex.check_integers(&Control::default(), limits).expect("there is no limit") {
            IntegerOutcome::Solved => {
                solved += 1;
                assert!(meets(&simplex, &variables, &system, &all));
                assert!(variables.iter().all(|&variable| simplex.value(variable).is_integer()));
            }
            IntegerOutcome::Conflict(tags) => {
                conflicts += 1;
                assert!(!has_integers_in_box(&system, &tags, 8), "{tags:?} of {:?}", system.bounds);
            }
            IntegerOutcome::Branch(..) => panic!("all variables have bounds"),
        }
        assert_eq!(simplex.variable_count(), count);
        // What the search has left behind is as good as a fresh start.
        simplex.check(&Control::default()).expect("there is no limit");
        assert!(meets(&simplex, &variables, &system, &all));
    }
    assert!(solved > 300 && conflicts > 100, "{solved} solved, {conflicts} conflicts");
}

/// The least values of sums of two integers, `(factor of x, factor of y, least value)`, and the points that a search for them passes.
fn points_passed(bounds: &[(i64, i64, i64)], most: usize) -> (Vec<[Rational; 2]>, Simplex, Mark) {
    let mut simplex = Simplex::new();
    let [x, y] = [(); 2].map(|()| simplex.new_variable(true));
    let start = simplex.mark();
    for (tag, &(of_x, of_y, least)) in bounds.iter().enumerate() {
        let sum = simplex.define(&[(x, Rational::from(of_x)), (y, Rational::from(of_y))]);
        simplex.assert(sum, Side::Lower, Rational::from(least).into(), tag as Tag).expect("no conflict");
    }
    simplex.watch(most);
    assert_eq!(simplex.check(&Control::default()), Ok(Outcome::Feasible));
    let point = |values: &Vec<Rational>| [x, y].map(|variable| values[variable.index()].clone());
    (simplex.take_watched().iter().map(point).collect(), simplex, start)
}

/// The example of Zhang et al., *Multiplex Symbolic Execution* (ASE 2020), figure 3: x + y >= 2, 2y - x >= 1, 2x - y >= 0.
#[test]
fn values_before_pivots_are_kept_while_somebody_watches() {
    let figure = [(1, 1, 2), (-1, 2, 1), (2, -1, 0)];
    let integers = |point: [i64; 2]| point.map(Rational::from);
    let (passed, mut simplex, _) = points_passed(&figure, 10);
    assert_eq!(passed, [[0, 0], [2, 0]].map(integers));
    let [x, y] = [0, 1].map(Variable::from_index);
    assert_eq!([x, y].map(|variable| simplex.value(variable).floor()), integers([1, 1]));
    // Nobody watches any more.
    simplex.assert(x, Side::Lower, Rational::from(7).into(), 3).expect("no conflict");
    assert_eq!(simplex.check(&Control::default()), Ok(Outcome::Feasible));
    assert!(simplex.take_watched().is_empty());
    assert_eq!(points_passed(&figure, 1).0, [integers([0, 0])]);
    assert!(points_passed(&figure, 0).0.is_empty());
}

#[test]
fn values_before_pivots_are_rounded() {
    let (passed, mut simplex, start) = points_passed(&[(3, 0, 5), (1, 1, 9)], 10);
    // 3x is 5, and x the nearest integer.
    assert_eq!(passed, [[0, 0], [2, 0]].map(|point: [i64; 2]| point.map(Rational::from)));
    // Sums are what follows.
    simplex.backtrack(start);
    simplex.watch(9);
    let tripled = Variable::from_index(2);
    simplex.assert(tripled, Side::Upper, Rational::from(-4).into(), 0).expect("no conflict");
    simplex.assert(Variable::from_index(3), Side::Upper, Rational::from(-9).into(), 1).expect("no conflict");
    assert_eq!(simplex.check(&Control::default()), Ok(Outcome::Feasible));
    for values in simplex.take_watched() {
        assert_eq!(values[2], &values[0] * &Rational::from(3));
        assert_eq!(values[3], &values[0] + &values[1]);
    }
}
