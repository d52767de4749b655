//! Samples with a strategy of its own, which takes whatever the solver finds next, and compares it with `cover`.
//!
//! usage: cargo run --release -p sundry --example own_strategy -- FORMULA.smt2

use std::error::Error;

use sundry::Formula;
use sundry::strategy::{Finder, Step, Strategy};

/// Each solution differs from those before it.
struct Whatever(Finder);

impl Strategy for Whatever {
    fn step(&mut self, _: &mut dyn FnMut(usize)) -> Step {
        self.0.find_another()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: own_strategy FORMULA.smt2")?;
    let formula = Formula::reader().name(&path).read(std::fs::read_to_string(&path)?)?;
    let cover = formula.sampler().run()?;
    let sampler = formula.sampler().max_solutions(cover.solutions.len() as u64);
    let whatever = sampler.run_with(|problem, control| Whatever(Finder::new(problem, control)))?;
    for (name, samples) in [("cover", &cover), ("whatever", &whatever)] {
        let bits = formula.coverage(&samples.solutions)?;
        println!("{name}: {} solutions cover {bits} AST-bits", samples.solutions.len());
    }
    Ok(())
}
