//! Clauses that wait for time.

use std::time::{Duration, Instant};

use super::*;
use crate::traits::ReadClauses;

#[test]
fn clauses_for_which_there_was_no_time_are_not_lost() {
    let mut solver = Cadical::default();
    let vars: Vec<Var> = (0..4).map(|_| solver.new_var()).collect();
    solver.add_clause(&[vars[0].positive()]);
    solver.tables = Tables::that_took(Duration::from_secs(1000));
    let control = Control::default().with_deadline(Some(Instant::now() + Duration::from_secs(1000)));
    solver.set_limits(Limits::new(&control, None));
    for (one, next) in vars.iter().zip(&vars[1..]) {
        solver.add_clause(&[one.negative(), next.positive()]);
    }
    // Time is up since it would not have sufficed.
    assert_eq!(solver.solve(&[]), Verdict::Unknown);
    assert!(control.stopped());
    let clauses = solver.clauses().expect("they are not simplified");
    assert_eq!(clauses.clauses().count(), 4);
    solver.set_limits(Limits::default());
    assert_eq!(solver.solve(&[vars[3].negative()]), Verdict::Unsat);
    assert_eq!(solver.solve(&[]), Verdict::Sat);
    assert!(vars.iter().all(|var| solver.value(var.positive())));
}
