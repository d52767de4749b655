//! Options of a search as keyword arguments of Python, turned into a sampler.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sundry::strategy::Control;
use sundry::{Effort, Formula, Granularity, Guidance, Over, PanOptions, Sampler, Strategy};

use crate::errors;

/// The sampler that a dictionary of options describes. Options that are missing or `None` have their defaults.
///
/// # Errors
/// An option has a wrong value. The message names the values that it can have.
pub fn sampler(formula: &Formula, options: &Bound<'_, PyDict>, control: Control) -> PyResult<Sampler> {
    let mut sampler = formula.sampler().control(control).strategy(strategy(options)?);
    if let Some(effort) = word(options, "effort", &EFFORTS)? {
        sampler = sampler.effort(effort);
    }
    if let Some(over) = word(options, "over", &OVERS)? {
        sampler = sampler.over(over);
    }
    if let Some(target) = option(options, "target")? {
        sampler = sampler.target(target);
    }
    if let Some(count) = option(options, "limit")? {
        sampler = sampler.max_solutions(count);
    }
    if let Some(seed) = option(options, "seed")? {
        sampler = sampler.seed(seed);
    }
    if let Some(threads) = option(options, "threads")? {
        sampler = sampler.threads(threads);
    }
    if let Some(fill) = option(options, "fill")? {
        sampler = sampler.fill(fill);
    }
    if let Some(project) = option::<Vec<String>>(options, "project")? {
        sampler = sampler.project(project);
    }
    if let Some(bytes) = option(options, "remembered")? {
        sampler = sampler.remembered(bytes);
    }
    if let Some(number) = option(options, "run_number")? {
        sampler = sampler.run_number(number);
    }
    sampler.check().map_err(|error| errors::exception(options.py(), &error))?;
    Ok(sampler)
}

const EFFORTS: [(&str, Effort); 4] =
    [("low", Effort::Low), ("normal", Effort::Normal), ("high", Effort::High), ("max", Effort::Max)];
const OVERS: [(&str, Over); 3] =
    [("values", Over::Values), ("bits", Over::Bits), ("predicates", Over::Predicates)];
const GRANULARITIES: [(&str, Granularity); 3] =
    [("bit", Granularity::Bit), ("value", Granularity::Value), ("gate", Granularity::Gate)];
const GUIDANCES: [(&str, Guidance); 3] =
    [("neighbours", Guidance::Neighbours), ("classes", Guidance::Classes), ("bases", Guidance::Bases)];

/// The strategies by name, as on the command line; those with parameters of their own take them from other options.
const STRATEGIES: [&str; 10] = [
    "cover",
    "pan",
    "t-wise",
    "all",
    "smtsampler",
    "guided",
    "classes-hard",
    "classes-soft",
    "uniform",
    "quick",
];

fn strategy(options: &Bound<'_, PyDict>) -> PyResult<Strategy> {
    let name: Option<String> = option(options, "strategy")?;
    let name = name.as_deref().unwrap_or("cover");
    Ok(match name {
        "cover" => Strategy::Cover,
        "pan" => Strategy::Pan(PanOptions::default()),
        "t-wise" => Strategy::TWise(option(options, "strength")?.unwrap_or(2)),
        "all" => Strategy::All,
        "smtsampler" => {
            Strategy::SmtSampler(word(options, "granularity", &GRANULARITIES)?.unwrap_or_default())
        }
        "guided" => Strategy::Guided(word(options, "guidance", &GUIDANCES)?.unwrap_or(Guidance::Bases)),
        "classes-hard" => Strategy::ClassesHard,
        "classes-soft" => Strategy::ClassesSoft,
        "uniform" => Strategy::Uniform(option(options, "tolerance")?.unwrap_or(0.3)),
        "quick" => Strategy::Quick,
        _ => return Err(unknown(options.py(), "strategy", name, &STRATEGIES)),
    })
}

/// The value of an option; `None` where it is missing or `None`.
fn option<'py, T: FromPyObjectOwned<'py>>(options: &Bound<'py, PyDict>, name: &str) -> PyResult<Option<T>> {
    let value = options.get_item(name)?.filter(|value| !value.is_none());
    let Some(value) = value else { return Ok(None) };
    value.extract::<T>().map_err(Into::<PyErr>::into).map(Some).map_err(|error| {
        let message = format!("the option {name} cannot be {value}: {}", error.value(options.py()));
        errors::wrong_option(options.py(), &message, "help(sundry.Formula.sample) explains all options")
    })
}

/// The value that a word stands for.
fn word<T: Copy>(options: &Bound<'_, PyDict>, name: &str, words: &[(&str, T)]) -> PyResult<Option<T>> {
    let Some(chosen) = option::<String>(options, name)? else { return Ok(None) };
    match words.iter().find(|(word, _)| *word == chosen) {
        Some(&(_, value)) => Ok(Some(value)),
        None => {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            Err(unknown(options.py(), name, &chosen, &known))
        }
    }
}

fn unknown(py: Python<'_>, name: &str, value: &str, known: &[&str]) -> PyErr {
    let message = format!("there is no {name} '{value}'");
    errors::wrong_option(py, &message, &format!("{name} is one of {}", known.join(", ")))
}
