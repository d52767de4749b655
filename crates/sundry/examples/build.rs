//! Builds a formula without text, finds ten solutions, and asks why there is none once too much is asserted.
//!
//! usage: cargo run --release -p sundry --example build

use sundry::{Answer, Error, Formula, Sort, Strategy};

fn main() -> Result<(), Error> {
    let mut builder = Formula::builder();
    let [width, height] = [builder.constant("width", &Sort::Int)?, builder.constant("height", &Sort::Int)?];
    let [least, most] = [builder.int(1)?, builder.int(40)?];
    for side in [width, height] {
        let is_in_range = builder.apply("<=", &[least, side, most])?;
        builder.assert(is_in_range)?;
    }
    let area = builder.apply("*", &[width, height])?;
    let wanted = builder.int(240)?;
    let fits = builder.equal(&[area, wanted])?;
    builder.assert(fits)?;
    let formula = builder.build()?;
    for solution in formula.sampler().strategy(Strategy::All).max_solutions(10).solutions()? {
        println!("{:?}", solution?);
    }

    let mut builder = formula.extend();
    let is_narrow = builder.term("(< width 6)")?;
    builder.assert(is_narrow)?;
    match builder.build()?.solver().with_core(true).run()? {
        Answer::Unsatisfiable { core } => println!("no narrow one: assertions {core:?} exclude each other"),
        answer => println!("{answer:?}"),
    }
    Ok(())
}
