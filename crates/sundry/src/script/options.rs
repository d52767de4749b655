//! The options of SMT-LIB scripts (standard 2.7, section 4.1.7) as far as they are handled.
//!
//! Models, assignments and unsatisfiable assumptions cost nothing beyond the answer, so their options are on
//! from the start, unlike in the standard, and scripts that forget them are served. Unsatisfiable
//! cores keep the solver from simplifying with named assertions, so they have to be asked for.

use sundry_smtlib::Attribute;

use super::channels::{STANDARD_ERROR, STANDARD_OUTPUT};
use super::response::{Response, string_literal};

/// The values of all options that are handled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ScriptOptions {
    pub print_success: bool,
    pub produce_models: bool,
    pub produce_assignments: bool,
    pub produce_assertions: bool,
    pub produce_unsat_assumptions: bool,
    pub produce_unsat_cores: bool,
    pub global_declarations: bool,
    pub random_seed: u32,
    /// Conflicts that a search may have; 0 means any number.
    pub resource_limit: u64,
    /// The amount of messages about the work that the script asks for.
    pub verbosity: u32,
    /// The destination of answers: a file, or one of two names with a meaning of their own.
    pub regular_channel: String,
    /// The destination of messages.
    pub diagnostic_channel: String,
}

/// A place for a value, with its type.
enum Slot<'a> {
    Switch(&'a mut bool),
    Number(&'a mut u32),
    Channel(&'a mut String),
    Limit(&'a mut u64),
    /// The option has this value and no other.
    Fixed(&'static str),
}

impl ScriptOptions {
    /// The values at the start of a script.
    pub(super) fn new(random_seed: u32) -> Self {
        ScriptOptions {
            print_success: false,
            produce_models: true,
            produce_assignments: true,
            produce_assertions: true,
            produce_unsat_assumptions: true,
            produce_unsat_cores: false,
            global_declarations: false,
            random_seed,
            resource_limit: 0,
            verbosity: 0,
            regular_channel: STANDARD_OUTPUT.to_string(),
            diagnostic_channel: STANDARD_ERROR.to_string(),
        }
    }

    fn slot(&mut self, keyword: &str) -> Option<Slot<'_>> {
        Some(match keyword {
            ":print-success" => Slot::Switch(&mut self.print_success),
            ":produce-models" => Slot::Switch(&mut self.produce_models),
            ":produce-assertions" | ":interactive-mode" => Slot::Switch(&mut self.produce_assertions),
            ":produce-unsat-assumptions" => Slot::Switch(&mut self.produce_unsat_assumptions),
            ":produce-unsat-cores" => Slot::Switch(&mut self.produce_unsat_cores),
            ":global-declarations" => Slot::Switch(&mut self.global_declarations),
            ":random-seed" => Slot::Number(&mut self.random_seed),
            ":verbosity" => Slot::Number(&mut self.verbosity),
            ":reproducible-resource-limit" => Slot::Limit(&mut self.resource_limit),
            ":produce-assignments" => Slot::Switch(&mut self.produce_assignments),
            ":produce-proofs" => Slot::Fixed("false"),
            ":regular-output-channel" => Slot::Channel(&mut self.regular_channel),
            ":diagnostic-output-channel" => Slot::Channel(&mut self.diagnostic_channel),
            _ => return None,
        })
    }

    /// Carries out `set-option`. Some options can be set only before the first assertion, and
    /// `asserted` says whether there was one.
    pub(super) fn set(&mut self, attribute: &Attribute, asserted: bool) -> Response {
        let keyword = attribute.keyword.as_str();
        if asserted && matches!(keyword, ":produce-unsat-cores" | ":random-seed") {
            return Response::Error(format!("'{keyword}' must be set before the first assertion"));
        }
        let Some(slot) = self.slot(keyword) else { return Response::Unsupported };
        let value = attribute.text().unwrap_or_default();
        let expected = match slot {
            Slot::Switch(place) => match value.parse() {
                Ok(value) => return assign(place, value),
                Err(_) => "true or false",
            },
            Slot::Channel(place) => match attribute.value.as_deref() {
                Some(written) if written.starts_with('"') => return assign(place, value),
                _ => "a string: the name of a file, \"stdout\" or \"stderr\"",
            },
            Slot::Number(place) => match value.parse() {
                Ok(value) => return assign(place, value),
                Err(_) => "a number below 2^32",
            },
            Slot::Limit(place) => match value.parse() {
                Ok(value) => return assign(place, value),
                Err(_) => "a number below 2^64",
            },
            Slot::Fixed(only) if value == only => return Response::Success,
            Slot::Fixed(_) => return Response::Unsupported,
        };
        Response::Error(format!("the value of '{keyword}' has to be {expected}"))
    }

    /// Carries out `get-option`.
    pub(super) fn get(&self, keyword: &str) -> Response {
        match self.clone().slot(keyword) {
            Some(Slot::Switch(value)) => Response::Text(value.to_string()),
            Some(Slot::Number(value)) => Response::Text(value.to_string()),
            Some(Slot::Channel(value)) => Response::Text(string_literal(value)),
            Some(Slot::Limit(value)) => Response::Text(value.to_string()),
            Some(Slot::Fixed(value)) => Response::Text(value.to_string()),
            None => Response::Unsupported,
        }
    }
}

fn assign<T>(place: &mut T, value: T) -> Response {
    *place = value;
    Response::Success
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(keyword: &str, value: &str) -> Attribute {
        Attribute { keyword: keyword.into(), value: Some(value.into()) }
    }

    #[test]
    fn what_is_set_is_got() {
        let mut options = ScriptOptions::new(7);
        assert_eq!(options.get(":random-seed"), Response::Text("7".into()));
        for (keyword, value) in [
            (":print-success", "true"),
            (":produce-unsat-cores", "true"),
            (":random-seed", "12"),
            (":reproducible-resource-limit", "1000"),
            (":regular-output-channel", "\"a \"\"file\"\"\""),
            (":diagnostic-output-channel", "\"stdout\""),
            (":verbosity", "2"),
            (":produce-assignments", "false"),
        ] {
            assert_eq!(options.set(&attribute(keyword, value), false), Response::Success);
            assert_eq!(options.get(keyword), Response::Text(value.into()));
        }
    }

    #[test]
    fn what_cannot_be_set_is_refused() {
        let mut options = ScriptOptions::new(0);
        let unsupported = [(":nonsense", "1"), (":produce-proofs", "true")];
        for (keyword, value) in unsupported {
            assert_eq!(options.set(&attribute(keyword, value), false), Response::Unsupported);
        }
        assert_eq!(options.get(":nonsense"), Response::Unsupported);
        for (keyword, value) in
            [(":print-success", "1"), (":random-seed", "-1"), (":regular-output-channel", "stdout")]
        {
            assert!(matches!(options.set(&attribute(keyword, value), false), Response::Error(_)));
        }
        assert!(matches!(options.set(&attribute(":random-seed", "1"), true), Response::Error(_)));
        assert_eq!(options, ScriptOptions::new(0));
    }
}
