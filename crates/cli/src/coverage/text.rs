//! The figures of a measurement as text for people.

use std::fmt;

use sundry_report::{Alignment, CoverageRecord, Measure, Table, percent};

use super::{predicates, wires};
use crate::values::grouped;

/// The maximal number of symbols that one message names.
const NAMED: usize = 10;

/// The first names of a list, and how many there are besides.
pub(super) fn listed(names: &[impl fmt::Display]) -> String {
    let shown: Vec<String> = names.iter().take(NAMED).map(|name| format!("'{name}'")).collect();
    let more = names.len() - shown.len();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

/// The record as text for people.
pub(super) fn describe(record: &CoverageRecord) -> String {
    let mut columns =
        vec![("model", Alignment::Left), ("gain", Alignment::Right), ("covered", Alignment::Right)];
    if record.predicates.is_some() {
        columns.extend(predicates::COLUMNS);
    }
    let mut table = Table::new(&columns);
    for model in &record.models {
        let gain = if model.satisfies { grouped(model.gain) } else { "invalid".to_string() };
        let mut row = vec![model.model.clone(), gain, grouped(model.covered)];
        row.extend(model.predicates.iter().flat_map(predicates::cells));
        table.push(row);
    }
    let (covered, total) = (grouped(record.covered), grouped(record.total));
    let conclusion = match &record.decided {
        None => {
            let units = match record.measure {
                Measure::Ast => "AST-bits",
                Measure::Wire => "points of wires",
            };
            format!("{covered} of {total} {units} covered ({})", percent(record.covered, record.total))
        }
        Some(decided) => {
            let possible = decided.valid + decided.unknown;
            let mut text = format!(
                "{covered} of the {} AST-bits that {} be covered ({}); {} of {total} are impossible",
                grouped(possible),
                if decided.unknown == 0 { "can" } else { "may" },
                percent(record.covered, possible),
                grouped(decided.impossible),
            );
            if decided.unknown > 0 {
                text.push_str(&format!(", {} undecided", grouped(decided.unknown)));
            }
            if decided.complete {
                text.push_str("; complete");
            }
            text
        }
    };
    let predicates = record.predicates.as_ref().map(predicates::describe).unwrap_or_default();
    let wires =
        record.wires.as_ref().map(|of_files| wires::describe(of_files, record.total)).unwrap_or_default();
    format!("{table}{conclusion}\n{wires}{predicates}")
}
