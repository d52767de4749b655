//! Prints a small set of solutions that covers a formula.
//!
//! usage: cargo run --release -p sundry --example sample -- FORMULA.smt2

use std::error::Error;

use sundry::Formula;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: sample FORMULA.smt2")?;
    let formula = Formula::reader().name(&path).read(std::fs::read_to_string(&path)?)?;
    let samples = formula.sampler().run()?;
    for solution in &samples.solutions {
        print!("{solution}");
    }
    let percent = 100.0 * samples.coverage();
    eprintln!("{path}: {} solutions cover {percent:.1} %", samples.solutions.len());
    Ok(())
}
