//! Prints a table of tests that shows all pairs of values of a model in PICT.
//!
//! usage: cargo run --release -p sundry --example pairs -- MODEL.pict

use std::error::Error;

use sundry::{Format, Formula, Strategy};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: pairs MODEL.pict")?;
    let reader = Formula::reader().name(&path).format(Format::Pict);
    let model = reader.read(std::fs::read_to_string(&path)?)?;
    println!("{}", model.constants().collect::<Vec<_>>().join(","));
    for test in model.sampler().strategy(Strategy::TWise(2)).run()?.solutions {
        println!("{}", test.texts().map(|(_, value)| value).collect::<Vec<_>>().join(","));
    }
    Ok(())
}
