//! One suite for every solver behind the traits, and a brute-force judge on small formulas.
//!
//! `suite` takes a maker of fresh solvers; a further backend is one more call to it. The contract of all traits is one file, however
//! long, so that the author of a backend has one place to read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_sat::{
    AddClauses, Assignment, Cadical, Cnf, Flip, Limits, Lit, Options, ReadStatistics, ReusedTrail, SatSolver,
    Solve, Turns, Var, Verdict,
};
use sundry_term::Control;

/// Everything the suite looks at.
trait Solver: SatSolver + Flip {}

impl<T: SatSolver + Flip> Solver for T {}

fn literals<S: AddClauses, const N: usize>(solver: &mut S) -> [Lit; N] {
    std::array::from_fn(|_| solver.new_var().positive())
}

/// The pigeonhole principle, with one pigeon more than holes: hard for resolution.
fn add_pigeons(solver: &mut impl AddClauses, holes: usize) {
    let at: Vec<Vec<Lit>> =
        (0..=holes).map(|_| (0..holes).map(|_| solver.new_var().positive()).collect()).collect();
    for pigeon in &at {
        solver.add_clause(pigeon);
    }
    for (position, first) in at.iter().enumerate() {
        for second in &at[position + 1..] {
            for (&one, &other) in first.iter().zip(second) {
                solver.add_clause(&[!one, !other]);
            }
        }
    }
}

fn variables_are_numbered_without_gaps<S: Solver>(mut solver: S) {
    for index in 0..100 {
        assert_eq!(solver.new_var(), Var::from_index(index));
    }
    assert_eq!(solver.statistics().variables, 100);
}

fn empty_formula_and_empty_clause<S: Solver>(mut solver: S) {
    assert_eq!(solver.solve(&[]), Verdict::Sat);
    solver.add_clause(&[]);
    assert_eq!(solver.solve(&[]), Verdict::Unsat);
    let [a] = literals(&mut solver);
    assert_eq!(solver.solve(&[a]), Verdict::Unsat);
    assert!(!solver.failed(a));
}

fn assumptions_hold_for_one_call<S: Solver>(mut solver: S) {
    let [a, b, c] = literals(&mut solver);
    solver.add_clause(&[a, b]);
    assert_eq!(solver.solve(&[!a]), Verdict::Sat);
    assert!(solver.value(b) && !solver.value(a) && solver.value(!a));
    assert_eq!(solver.solve(&[!a, c, !b]), Verdict::Unsat);
    assert!(solver.failed(!a) && solver.failed(!b) && !solver.failed(c));
    assert_eq!(solver.solve(&[]), Verdict::Sat);
    assert_eq!(solver.solve(&[a, !a]), Verdict::Unsat);
    assert_eq!(solver.solve(&[a, a]), Verdict::Sat);
    assert!(solver.value(a));
}

fn constraint_holds_for_one_call<S: Solver>(mut solver: S) {
    let [a, b, c] = literals(&mut solver);
    solver.add_clause(&[!a, !b]);
    solver.constrain(&[a, b]);
    assert_eq!(solver.solve(&[!a]), Verdict::Sat);
    assert!(solver.value(b));
    assert_eq!(solver.solve(&[!a, !b]), Verdict::Sat);
    solver.constrain(&[a, b]);
    assert_eq!(solver.solve(&[!a, !b, c]), Verdict::Unsat);
    assert!(solver.constraint_failed() && solver.failed(!a) && solver.failed(!b) && !solver.failed(c));
    assert_eq!(solver.solve(&[a, b]), Verdict::Unsat);
    assert!(!solver.constraint_failed());
    // A second constraint replaces the first; the empty one has no model.
    solver.constrain(&[c]);
    solver.constrain(&[!c]);
    assert_eq!(solver.solve(&[]), Verdict::Sat);
    assert!(!solver.value(c));
    solver.constrain(&[]);
    assert_eq!(solver.solve(&[]), Verdict::Unsat);
    assert!(solver.constraint_failed());
    assert_eq!(solver.solve(&[]), Verdict::Sat);
    assert_eq!(solver.fixed(a), None);
}

fn answers_stay_readable_until_the_next_call<S: Solver>(mut solver: S) {
    let [a, b, c] = literals(&mut solver);
    solver.add_clause(&[a]);
    solver.add_clause(&[b, c]);
    assert_eq!(solver.solve(&[!b]), Verdict::Sat);
    solver.add_clause(&[!a, b]);
    solver.set_phase(c);
    solver.constrain(&[!c]);
    let [d] = literals(&mut solver);
    solver.add_clause(&[d]);
    assert!(solver.value(a) && !solver.value(b) && solver.value(c) && !solver.value(d));
    let mut assignment = Assignment::new();
    solver.assignment(&mut assignment);
    assert_eq!([a, b, c, d].map(|literal| assignment.value(literal)), [true, false, true, false]);
    assert!(!solver.flippable(c.var()));
    assert_eq!(solver.solve(&[]), Verdict::Sat);
    assert!(solver.value(b) && !solver.value(c) && solver.value(d));
    assert_eq!(solver.solve(&[!b]), Verdict::Unsat);
    solver.add_clause(&[c]);
    assert!(solver.failed(!b));
}

fn phases_decide_free_variables<S: Solver>(mut solver: S) {
    let variables: [Lit; 40] = literals(&mut solver);
    for pair in variables[..30].chunks(2) {
        solver.add_clause(&[pair[0], pair[1]]);
    }
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..20 {
        // Every clause has a literal whose phase satisfies it, so that no phase has to give way.
        let phases: Vec<Lit> = (variables.iter().enumerate())
            .map(|(position, &variable)| variable.negate_if(position % 2 == 1 && random.random()))
            .collect();
        phases.iter().for_each(|&phase| solver.set_phase(phase));
        assert_eq!(solver.solve(&[]), Verdict::Sat);
        for &phase in &phases {
            assert!(solver.value(phase), "{phase:?}");
        }
    }
    // A phase that came before the variable's first clause.
    let [late, other] = literals(&mut solver);
    solver.set_phase(!late);
    solver.set_phase(other);
    assert_eq!(solver.solve(&[]), Verdict::Sat);
    assert!(!solver.value(late));
    solver.add_clause(&[late, other]);
    assert_eq!(solver.solve(&[]), Verdict::Sat);
    assert!(!solver.value(late));
    solver.clear_phase(variables[35].var());
    assert_eq!(solver.solve(&[!variables[0]]), Verdict::Sat);
    assert!(solver.value(variables[1]));
}

fn root_facts_are_found<S: Solver>(mut solver: S) {
    let [a, b, c, d] = literals(&mut solver);
    solver.add_clause(&[a]);
    solver.add_clause(&[!a, !b]);
    solver.add_clause(&[c, d]);
    assert_eq!(solver.solve(&[c]), Verdict::Sat);
    assert_eq!((solver.fixed(a), solver.fixed(!a)), (Some(true), Some(false)));
    assert_eq!((solver.fixed(b), solver.fixed(!b)), (Some(false), Some(true)));
    assert_eq!((solver.fixed(c), solver.fixed(d)), (None, None));
}

fn clauses_are_read_back<S: Solver>(mut solver: S) {
    let [a, b, c] = literals(&mut solver);
    solver.add_clause(&[a]);
    solver.add_clause(&[!a, b, c]);
    let models = |solver: &mut S| models(&solver.clauses().expect("nothing was simplified"), 3).len();
    assert_eq!(models(&mut solver), 3);
    solver.constrain(&[b]);
    assert_eq!(solver.solve(&[c]), Verdict::Sat);
    assert_eq!(models(&mut solver), 3, "a constraint is no clause");
    solver.constrain(&[b, c]);
    assert_eq!(solver.solve(&[!b]), Verdict::Sat);
    solver.add_clause(&[!b, !c]);
    assert_eq!(models(&mut solver), 2);
}

/// The look of a call at its control at which a test stops the call: the search goes on by then, and is far from its end.
const LOOK_TO_STOP: usize = 5;

/// The greatest number of looks at a control that has ended, until the call returns.
const MOST_LATE_LOOKS: usize = 20;

/// A control that shows its looks to `observe`, and at each of them whether it is the look with this number.
fn observed_at(number: usize, observe: impl Fn(bool) + Send + Sync + 'static) -> Control {
    let looks = AtomicUsize::new(0);
    Control::default()
        .with_observer(Arc::new(move || observe(looks.fetch_add(1, Ordering::Relaxed) == number)))
}

/// Calls end soon after what stops them, counted in looks at the control and not in time.
fn limits_stop_calls<S: Solver>(mut solver: S) {
    add_pigeons(&mut solver, 14);
    let conflicts = |limit| Limits { conflicts: Some(limit), ..Limits::default() };
    solver.set_limits(conflicts(100));
    assert_eq!(solver.solve(&[]), Verdict::Unknown);
    assert_eq!(solver.solve(&[]), Verdict::Unknown);
    let spent = solver.statistics();
    assert!(spent.conflicts <= 250 && spent.calls == 2, "{spent:?}");
    let deadline = Instant::now() + Duration::from_millis(50);
    let late_looks = Arc::new(AtomicUsize::new(0));
    let control = observed_at(LOOK_TO_STOP, {
        let late_looks = late_looks.clone();
        move |is_time| {
            if is_time {
                std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
            }
            late_looks.fetch_add(usize::from(Instant::now() >= deadline), Ordering::Relaxed);
        }
    });
    solver.set_limits(Limits::new(&control.with_deadline(Some(deadline)), None));
    assert_eq!(solver.solve(&[]), Verdict::Unknown);
    let late_looks = late_looks.load(Ordering::Relaxed);
    assert!((1..=MOST_LATE_LOOKS).contains(&late_looks), "{late_looks} looks after the deadline");
    // The deadline has passed: no call starts any more, and nothing of it lingers.
    let [a] = literals(&mut solver);
    solver.constrain(&[]);
    assert_eq!(solver.solve(&[a]), Verdict::Unknown);
    let stop = Arc::new(AtomicBool::new(false));
    let control = observed_at(LOOK_TO_STOP, {
        let stop = stop.clone();
        move |is_time| stop.store(is_time || stop.load(Ordering::Relaxed), Ordering::Relaxed)
    });
    solver.set_limits(Limits::new(&control.with_stop(stop.clone()), None));
    assert_eq!(solver.solve(&[]), Verdict::Unknown);
    assert!(stop.load(Ordering::Relaxed), "the call looks at its control while it searches");
    assert_eq!(solver.solve(&[a]), Verdict::Unknown);
}

fn limits_can_be_lifted<S: Solver>(mut solver: S) {
    add_pigeons(&mut solver, 5);
    solver.set_limits(Limits { conflicts: Some(1), ..Limits::default() });
    assert_eq!(solver.solve(&[]), Verdict::Unknown);
    solver.set_limits(Limits::default());
    assert_eq!(solver.solve(&[]), Verdict::Unsat);
}

/// A clause of distinct variables among the first `variables`.
fn random_clause(random: &mut ChaCha8Rng, variables: usize, longest: usize) -> Vec<Lit> {
    let indices: Vec<usize> = (0..variables).collect();
    let length = random.random_range(1..=longest);
    indices
        .choose_multiple(random, length)
        .map(|&index| Var::from_index(index).literal(random.random()))
        .collect()
}

fn assignment_of(variables: usize, bits: u32) -> Assignment {
    let mut assignment = Assignment::new();
    assignment.fill(variables, |var| bits >> var.index() & 1 != 0);
    assignment
}

/// All models of the clauses, by trying.
fn models(cnf: &Cnf, variables: usize) -> Vec<Assignment> {
    (0..1 << variables)
        .map(|bits| assignment_of(variables, bits))
        .filter(|assignment| cnf.is_satisfied_by(assignment))
        .collect()
}

/// A random sequence of adding, assuming and constraining, judged by trying all
/// assignments after each step.
fn random_story<S: Solver>(mut solver: S, seed: u64) {
    const VARIABLES: usize = 9;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut cnf = Cnf::new();
    for _ in 0..VARIABLES {
        solver.new_var();
        cnf.new_var();
    }
    for _ in 0..12 {
        for _ in 0..random.random_range(0..6) {
            let clause = random_clause(&mut random, VARIABLES, 4);
            if clause.len() > 1 || random.random_ratio(1, 4) {
                solver.add_clause(&clause);
                cnf.add_clause(&clause);
            }
        }
        let models = models(&cnf, VARIABLES);
        // Whether somebody watches makes no difference.
        match random.random_range(0..4) {
            0 => solver.watch_restarts(&[random.random_range(0..VARIABLES)].map(Var::from_index), 100),
            1 => solver.stop_watching(),
            _ => {}
        }
        check_solving(&mut solver, &models, VARIABLES, &mut random);
        if let Some(kept) = solver.clauses() {
            assert_eq!(kept.var_count(), VARIABLES);
            assert_eq!(crate::models(&kept, VARIABLES).len(), models.len());
            assert!(models.iter().all(|model| kept.is_satisfied_by(model)), "a model is lost");
        }
        for index in 0..VARIABLES {
            let literal = Var::from_index(index).positive();
            if let Some(value) = solver.fixed(literal) {
                assert!(models.iter().all(|model| model.value(literal) == value), "{literal:?}");
            }
        }
    }
}

fn check_solving<S: Solver>(
    solver: &mut S,
    models: &[Assignment],
    variables: usize,
    random: &mut ChaCha8Rng,
) {
    let assumptions = random_clause(random, variables, 5);
    let constraint = random.random::<bool>().then(|| random_clause(random, variables, 3));
    for index in 0..variables {
        match random.random_range(0..3) {
            0 => solver.clear_phase(Var::from_index(index)),
            _ => solver.set_phase(Var::from_index(index).literal(random.random())),
        }
    }
    if let Some(clause) = &constraint {
        solver.constrain(clause);
    }
    let allowed = |model: &Assignment, assumptions: &[Lit], constraint: &Option<Vec<Lit>>| {
        assumptions.iter().all(|&literal| model.value(literal))
            && constraint.as_ref().is_none_or(|clause| clause.iter().any(|&literal| model.value(literal)))
    };
    let expected = models.iter().any(|model| allowed(model, &assumptions, &constraint));
    match solver.solve(&assumptions) {
        Verdict::Unknown => panic!("no limit was set"),
        Verdict::Sat => {
            assert!(expected);
            let mut model = Assignment::new();
            solver.assignment(&mut model);
            assert!(models.contains(&model) && allowed(&model, &assumptions, &constraint));
            check_flipping(solver, models, variables, random);
        }
        Verdict::Unsat => {
            assert!(!expected);
            let core: Vec<Lit> =
                assumptions.iter().copied().filter(|&literal| solver.failed(literal)).collect();
            let constraint = constraint.filter(|_| solver.constraint_failed());
            let refuted = !models.iter().any(|model| allowed(model, &core, &constraint));
            assert!(refuted, "{core:?} and {constraint:?} are no core of {assumptions:?}");
        }
    }
}

/// Flips variables of the model; each successful flip leads to another model of the clauses.
fn check_flipping<S: Solver>(
    solver: &mut S,
    models: &[Assignment],
    variables: usize,
    random: &mut ChaCha8Rng,
) {
    let (mut before, mut after) = (Assignment::new(), Assignment::new());
    for _ in 0..variables {
        let var = Var::from_index(random.random_range(0..variables));
        solver.assignment(&mut before);
        let expected = solver.flippable(var);
        assert_eq!(solver.flip(var), expected);
        solver.assignment(&mut after);
        assert!(models.contains(&after));
        assert_eq!(before.value(var.positive()) != after.value(var.positive()), expected);
    }
}

/// Formulas that are large enough for inprocessing, judged by solving them anew.
fn larger_story<S: Solver>(make: impl Fn() -> S, seed: u64) {
    const VARIABLES: usize = 120;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut cnf = Cnf::new();
    let mut solver = make();
    for _ in 0..VARIABLES {
        solver.new_var();
        cnf.new_var();
    }
    for round in 0..12 {
        for _ in 0..if round == 0 { 350 } else { 12 } {
            let mut clause = random_clause(&mut random, VARIABLES, 3);
            clause.extend(random_clause(&mut random, VARIABLES, 2));
            solver.add_clause(&clause);
            cnf.add_clause(&clause);
        }
        let assumptions = random_clause(&mut random, VARIABLES, 8);
        let constraint = random_clause(&mut random, VARIABLES, 4);
        solver.constrain(&constraint);
        if round % 4 == 3 {
            solver.set_phase(random_clause(&mut random, VARIABLES, 1)[0]);
        }
        let anew = |assumptions: &[Lit], constraint: Option<&[Lit]>| {
            let mut fresh = make();
            (0..VARIABLES).for_each(|_| {
                fresh.new_var();
            });
            cnf.clauses().chain(constraint).for_each(|clause| fresh.add_clause(clause));
            assumptions.iter().for_each(|&literal| fresh.add_clause(&[literal]));
            fresh.solve(&[])
        };
        let verdict = solver.solve(&assumptions);
        assert_eq!(verdict, anew(&assumptions, Some(&constraint)));
        if verdict == Verdict::Sat {
            let mut model = Assignment::new();
            solver.assignment(&mut model);
            assert!(cnf.is_satisfied_by(&model));
            assert!(assumptions.iter().all(|&literal| model.value(literal)));
            assert!(constraint.iter().any(|&literal| model.value(literal)));
        } else {
            let core: Vec<Lit> = assumptions.into_iter().filter(|&literal| solver.failed(literal)).collect();
            let constraint = solver.constraint_failed().then_some(&constraint[..]);
            assert_eq!(anew(&core, constraint), Verdict::Unsat);
        }
        for index in 0..VARIABLES {
            if let Some(value) = solver.fixed(Var::from_index(index).positive()) {
                assert_eq!(anew(&[Var::from_index(index).literal(!value)], None), Verdict::Unsat);
            }
        }
    }
}

/// Watching changes no answer, and phases are values of what is watched.
fn restarts_are_shown<S: Solver>(mut solver: S) {
    add_pigeons(&mut solver, 6);
    let [guard, free] = literals(&mut solver);
    solver.add_clause(&[guard, free]);
    let watched: Vec<Var> = (0..solver.statistics().variables as usize).map(Var::from_index).collect();
    solver.watch_restarts(&watched[..20], 5);
    solver.watch_restarts(&watched[10..30], 5);
    assert_eq!(solver.solve(&[guard]), Verdict::Unsat);
    let kept = solver.take_restarts();
    assert!(kept.len() <= 5 * 4, "{} of several solvers", kept.len());
    for phases in &kept {
        let mut variables: Vec<Var> = phases.iter().map(|literal| literal.var()).collect();
        variables.sort_unstable();
        variables.dedup();
        assert_eq!(variables.len(), phases.len(), "a variable has two phases");
        assert!(variables.iter().all(|var| watched[..30].contains(var)), "{phases:?}");
    }
    assert!(solver.take_restarts().is_empty(), "they were taken");
    solver.stop_watching();
    assert_eq!(solver.solve(&[]), Verdict::Unsat);
    assert!(solver.take_restarts().is_empty(), "nobody watches");
}

fn suite<S: Solver>(make: impl Fn() -> S) {
    phases_decide_free_variables(make());
    suite_without_phases(make);
}

fn suite_without_phases<S: Solver>(make: impl Fn() -> S) {
    variables_are_numbered_without_gaps(make());
    empty_formula_and_empty_clause(make());
    assumptions_hold_for_one_call(make());
    constraint_holds_for_one_call(make());
    answers_stay_readable_until_the_next_call(make());
    root_facts_are_found(make());
    clauses_are_read_back(make());
    limits_stop_calls(make());
    limits_can_be_lifted(make());
    restarts_are_shown(make());
    for seed in 0..200 {
        random_story(make(), seed);
    }
    for seed in 0..20 {
        larger_story(&make, seed);
    }
}

#[test]
fn cadical_as_it_comes() {
    suite(|| Cadical::new(&Options { lucky: false, ..Options::default() }));
}

#[test]
fn cadical_for_many_calls() {
    suite(|| Cadical::new(&Options::for_many_calls()));
}

#[test]
fn cadical_far_from_its_defaults() {
    let options = Options {
        walk: false,
        rephase: false,
        stabilize_only: true,
        restore_flush: true,
        chronological: false,
        reused_trail: ReusedTrail::Assumptions,
        initial_phase: false,
        seed: 3,
        ..Options::for_many_calls()
    };
    suite(|| Cadical::new(&options));
}

#[test]
fn cadical_that_goes_on_where_it_ended() {
    suite_without_phases(|| {
        Cadical::new(&Options { lucky: false, reused_trail: ReusedTrail::Everything, ..Options::default() })
    });
}

#[test]
fn cadical_without_elimination() {
    suite(|| {
        Cadical::new(&Options { lucky: false, elimination: false, probing: false, ..Options::default() })
    });
}

#[test]
fn turns_of_one_solver() {
    suite(|| Turns::new(&Options { lucky: false, ..Options::default() }));
}

#[test]
fn short_turns_of_several_solvers() {
    suite(|| Turns::with_first_turn(&Options { lucky: false, ..Options::default() }, 1));
}

#[test]
fn the_same_calls_give_the_same_answers() {
    let run = || {
        let mut solver = Cadical::default();
        let mut random = ChaCha8Rng::seed_from_u64(1);
        (0..200).for_each(|_| {
            solver.new_var();
        });
        let mut answers = Vec::new();
        let mut model = Assignment::new();
        for _ in 0..30 {
            for _ in 0..25 {
                let clause: Vec<Lit> = (0..3)
                    .map(|_| Var::from_index(random.random_range(0..200)).literal(random.random()))
                    .collect();
                solver.add_clause(&clause);
            }
            let verdict = solver.solve(&[Var::from_index(7).positive()]);
            if verdict == Verdict::Sat {
                solver.assignment(&mut model);
            }
            answers.push((verdict, model.clone(), solver.statistics()));
        }
        answers
    };
    assert_eq!(run(), run());
}

#[test]
#[should_panic(expected = "a value needs the answer Sat")]
fn no_value_after_unsat() {
    let mut solver = Cadical::default();
    let var = solver.new_var();
    solver.add_clause(&[var.positive()]);
    solver.add_clause(&[var.negative()]);
    solver.solve(&[]);
    solver.value(var.positive());
}

#[test]
#[should_panic(expected = "not made here")]
fn foreign_variables_are_refused() {
    Cadical::default().add_clause(&[Var::from_index(0).positive()]);
}
