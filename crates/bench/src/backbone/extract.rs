//! The backbone of clauses, among given variables: the literals that are true in all models.
//!
//! This is an implementation of the algorithm of Biere, Froleyks & Wang, *CadiBack: Extracting Backbones with
//! CaDiCaL* (SAT 2023), not the program of its authors, which no package registry offers. The solver is the same,
//! CaDiCaL with its default options (including inprocessing), and so are the means: each model retires the candidates
//! that it contradicts, and those that can be flipped in it; facts of the solver decide candidates without a
//! question; a question is one clause for one call, which says that some candidate of a chunk is false. A refuted
//! chunk belongs to the backbone entirely. Chunks grow tenfold with each refutation, and start again at one candidate
//! with each model. The solver chooses phases, as the authors found best.

use sundry_sat::{Constrain, Flip, Lit, RootFacts, Verdict};

/// The factor by which chunks grow with each refutation.
const GROWTH: usize = 10;

/// The result of an extraction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Backbone {
    /// Literals of given variables that are true in all models.
    pub literals: Vec<Lit>,
    /// Variables that were not decided.
    pub undecided: usize,
    /// Whether the clauses have no model at all.
    pub unsatisfiable: bool,
    /// Questions to the solver, the first model included.
    pub calls: u64,
}

/// Decides all given literals' variables, as far as the limits of the solver allow.
pub fn extract<S: Constrain + Flip + RootFacts>(solver: &mut S, literals: &[Lit]) -> Backbone {
    let mut found = Backbone { undecided: literals.len(), calls: 1, ..Backbone::default() };
    match solver.solve(&[]) {
        Verdict::Sat => {}
        Verdict::Unsat => return Backbone { unsatisfiable: true, undecided: 0, ..found },
        Verdict::Unknown => return found,
    }
    let mut candidates: Vec<Lit> =
        literals.iter().map(|&literal| literal.negate_if(!solver.value(literal))).collect();
    retire(solver, &mut candidates);
    let mut chunk = 1;
    loop {
        candidates.retain(|&candidate| match solver.fixed(candidate) {
            Some(value) => {
                if value {
                    found.literals.push(candidate);
                }
                false
            }
            None => true,
        });
        found.undecided = candidates.len();
        if candidates.is_empty() {
            return found;
        }
        let asked = &candidates[..chunk.min(candidates.len())];
        found.calls += 1;
        let verdict = match asked {
            [only] => solver.solve(&[!*only]),
            _ => {
                let some_is_false: Vec<Lit> = asked.iter().map(|&candidate| !candidate).collect();
                solver.constrain(&some_is_false);
                solver.solve(&[])
            }
        };
        match verdict {
            Verdict::Sat => {
                retire(solver, &mut candidates);
                chunk = 1;
            }
            Verdict::Unsat => {
                found.literals.extend(candidates.drain(..chunk.min(candidates.len())));
                chunk = chunk.saturating_mul(GROWTH);
            }
            Verdict::Unknown => return found,
        }
    }
}

/// Drops the candidates that the last model contradicts, or would with one variable changed.
fn retire<S: Flip>(solver: &S, candidates: &mut Vec<Lit>) {
    candidates.retain(|&candidate| solver.value(candidate));
    candidates.retain(|&candidate| !solver.flippable(candidate.var()));
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use sundry_sat::{AddClauses, Assignment, Cadical, Cnf, Interrupt, Limits, Options, Solve};
    use sundry_term::Control;

    use super::*;

    const VARIABLES: usize = 10;

    fn random_clauses(seed: u64) -> Cnf {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut cnf = Cnf::new();
        let variables: Vec<Lit> = (0..VARIABLES).map(|_| cnf.new_var().positive()).collect();
        for _ in 0..random.random_range(20..44) {
            let clause: Vec<Lit> = (0..3)
                .map(|_| variables[random.random_range(0..VARIABLES)].negate_if(random.random()))
                .collect();
            cnf.add_clause(&clause);
        }
        cnf
    }

    #[test]
    fn agrees_with_all_models() {
        let (mut constant, mut unsatisfiable) = (0, 0);
        for seed in 0..300 {
            let cnf = random_clauses(seed);
            let mut solver = Cadical::new(&Options::default());
            let literals: Vec<Lit> = (0..VARIABLES).map(|_| solver.new_var().positive()).collect();
            cnf.clauses().for_each(|clause| solver.add_clause(clause));
            let mut found = extract(&mut solver, &literals[..8]);
            let models: Vec<Assignment> = (0..1 << VARIABLES)
                .map(|bits: u32| {
                    let mut assignment = Assignment::new();
                    assignment.fill(VARIABLES, |var| bits >> var.index() & 1 != 0);
                    assignment
                })
                .filter(|assignment| cnf.is_satisfied_by(assignment))
                .collect();
            assert_eq!((found.unsatisfiable, found.undecided), (models.is_empty(), 0), "seed {seed}");
            unsatisfiable += u32::from(models.is_empty());
            if let Some(first) = models.first() {
                let mut expected: Vec<Lit> =
                    literals[..8].iter().map(|&literal| literal.negate_if(!first.value(literal))).collect();
                expected.retain(|&literal| models.iter().all(|model| model.value(literal)));
                constant += expected.len();
                found.literals.sort_unstable();
                assert_eq!(found.literals, expected, "seed {seed}");
            }
        }
        assert!(constant > 50 && unsatisfiable > 5, "{constant} and {unsatisfiable}: too easy a test");
    }

    #[test]
    fn limits_leave_the_rest_undecided() {
        let mut solver = Cadical::new(&Options::default());
        let literal = solver.new_var().positive();
        let over = Control::default().with_deadline(Some(std::time::Instant::now()));
        solver.set_limits(Limits::new(&over, None));
        assert_eq!(solver.solve(&[]), Verdict::Unknown);
        assert_eq!(extract(&mut solver, &[literal]).undecided, 1);
    }
}
