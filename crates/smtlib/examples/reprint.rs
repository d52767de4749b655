//! Reads a script and prints it again: `reprint FILE` prints the script, `reprint --formula FILE`
//! the formula of its first question, `reprint --model FILE MODELS` the models in another file
//! after checking them on that formula.

use std::process::ExitCode;

use sundry_smtlib::{
    SourceText, TheorySet, parse_script, print_formula, print_model, print_script, read_models,
};
use sundry_term::{TermStore, Value, evaluate};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["--formula", file] => reprint(file, true),
        ["--model", file, models] => check_models(file, models),
        [file] => reprint(file, false),
        _ => Err("usage: reprint [--formula] FILE | reprint --model FILE MODELS".into()),
    };
    match result {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn read(file: &str) -> Result<SourceText, String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    Ok(SourceText::from_bytes(file, bytes))
}

fn reprint(file: &str, as_formula: bool) -> Result<String, String> {
    let source = read(file)?;
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &source, TheorySet::ALL).map_err(|error| error.render(&source))?;
    Ok(if as_formula { print_formula(&store, &script.formula()) } else { print_script(&store, &script) })
}

fn check_models(file: &str, models: &str) -> Result<String, String> {
    let source = read(file)?;
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &source, TheorySet::ALL).map_err(|error| error.render(&source))?;
    let formula = script.formula();
    let source = read(models)?;
    let models = read_models(&mut store, &source, &formula.symbols).map_err(|error| error.render(&source))?;
    let mut text = String::new();
    for read in &models {
        for &assertion in &formula.assertions {
            if evaluate(&store, &read.model, assertion) != Ok(Value::Bool(true)) {
                let line = source.position(read.span.start).line;
                return Err(format!("{}:{line}: the model does not satisfy the formula", source.name()));
            }
        }
        text.push_str(&print_model(&store, &read.model, &formula.symbols));
    }
    Ok(text)
}
