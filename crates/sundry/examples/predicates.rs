//! Says which predicates can hold and fail in solutions of a formula, and which do in a small set of solutions.
//!
//! usage: cargo run --release -p sundry --example predicates -- FORMULA.smt2 PREDICATES.smt2

use std::error::Error;

use sundry::{Formula, Possibility};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let files = arguments.next().zip(arguments.next());
    let (path, predicates) = files.ok_or("usage: predicates FORMULA.smt2 PREDICATES.smt2")?;
    let reader = Formula::reader().name(&path).predicates(std::fs::read_to_string(predicates)?);
    let formula = reader.read(std::fs::read_to_string(&path)?)?;
    let said = |possibility| match possibility {
        Possibility::Possible => "yes",
        Possibility::Impossible => "no",
        Possibility::Unknown => "unknown",
    };
    for (name, possible) in formula.predicate_names().zip(formula.decide_predicates(None)?) {
        println!("{name}: can hold: {}, can fail: {}", said(possible.holds), said(possible.fails));
    }
    Ok(())
}
