//! Prints solutions as they are found, and stops after a number of them.
//!
//! usage: cargo run --release -p sundry --example stream -- FORMULA.smt2 NUMBER

use std::error::Error;

use sundry::{Formula, Granularity, Strategy, Update};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (path, number) = arguments.next().zip(arguments.next()).ok_or("usage: stream FORMULA.smt2 NUMBER")?;
    let mut left: usize = number.parse()?;
    let formula = Formula::reader().name(&path).read(std::fs::read_to_string(&path)?)?;
    let sampler = formula.sampler().strategy(Strategy::SmtSampler(Granularity::Bit));
    for update in sampler.stream()? {
        let Update::Solutions(solutions) = update? else { continue };
        for solution in solutions.iter().take(left) {
            println!("{solution:?}");
        }
        left = left.saturating_sub(solutions.len());
        if left == 0 {
            break;
        }
    }
    Ok(())
}
