//! Measures what models in a file cover of a formula, whichever program wrote them, and names what is missing.
//!
//! usage: cargo run --release -p sundry --example coverage -- FORMULA.smt2 MODELS

use std::error::Error;

use sundry::coverage::{Measurement, ModelFormat};
use sundry::{Control, Formula, Possibility};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (path, models) =
        arguments.next().zip(arguments.next()).ok_or("usage: coverage FORMULA.smt2 MODELS")?;
    let formula = Formula::reader().name(&path).read(std::fs::read_to_string(&path)?)?;
    let control = Control::default();
    let mut measurement = Measurement::new(&formula);
    let text = std::fs::read_to_string(&models)?;
    for (number, model) in
        measurement.add_text(&text, ModelFormat::of_name(&models), &control)?.iter().enumerate()
    {
        match &model.fault {
            None => println!("model {}: {} AST-bits more", number + 1, model.gain),
            Some(fault) => println!("model {} is no solution: {fault}", number + 1),
        }
    }
    let decided = measurement.decide(0, 1, &control)?;
    println!("{} of the {} AST-bits that can be covered", measurement.covered(), decided.valid);
    let reader = formula.ast_bit_reader(&control)?;
    let is_missing = |&number: &usize| {
        decided.ast_bit(number) == Some(Possibility::Possible) && !measurement.covers(number)
    };
    for bit in (0..formula.ast_bits()).filter(is_missing).filter_map(|number| reader.ast_bit(number)) {
        let place = bit.place.map_or(String::new(), |place| format!("{place}: "));
        println!("{place}bit {} of {} is never {}", bit.bit, bit.term, u8::from(bit.value));
    }
    Ok(())
}
