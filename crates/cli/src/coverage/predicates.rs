//! What models exercise of predicates that the user gives.

use sundry::coverage::{Class, Predicate, PredicateCoverage};
use sundry::{Possibilities, Possibility};
use sundry_report::{
    Alignment, ClassRecord, ModelPredicatesRecord, PredicateRecord, PredicatesRecord, Table, percent,
};

use super::text::listed;
use crate::input::Input;
use crate::values::{counted, grouped};

/// How many classes are listed in the text.
const LISTED: usize = 10;

/// With more predicates, classes are too wide to be listed in the text.
const WIDEST: usize = 64;

/// What the table of models has further columns for.
pub(super) const COLUMNS: [(&str, Alignment); 4] = [
    ("held", Alignment::Right),
    ("of all", Alignment::Right),
    ("both ways", Alignment::Right),
    ("classes", Alignment::Right),
];

/// The cells of a model in those columns.
pub(super) fn cells(record: &ModelPredicatesRecord) -> [String; 4] {
    let share = percent(record.held, record.class.len() as u64);
    [grouped(record.held), share, grouped(record.both_ways), grouped(record.classes)]
}

/// The predicates of a file, and what is known of them.
pub(super) struct Predicates {
    file: String,
    /// The values that each predicate can have, if somebody asked for them.
    decided: Option<Vec<Possibilities>>,
}

impl Predicates {
    pub(super) fn new(file: &Input) -> Self {
        Predicates { file: file.to_string(), decided: None }
    }

    /// The predicates that a model of a class shows, together with those before it.
    pub(super) fn model(&self, class: &Class, coverage: &PredicateCoverage) -> ModelPredicatesRecord {
        ModelPredicatesRecord {
            class: class.digits(),
            held: coverage.seen_true() as u64,
            both_ways: coverage.seen_both_ways() as u64,
            classes: coverage.class_count() as u64,
        }
    }

    /// Takes note of which values the predicates can have.
    pub(super) fn set_decided(&mut self, decided: Vec<Possibilities>) {
        self.decided = Some(decided);
    }

    /// The record of predicates, given what models have shown of them.
    pub(super) fn record(self, list: &[Predicate], coverage: &PredicateCoverage) -> PredicatesRecord {
        let known = |possibility| match possibility {
            Possibility::Possible => Some(true),
            Possibility::Impossible => Some(false),
            Possibility::Unknown => None,
        };
        let predicate = |(position, predicate): (usize, &Predicate)| {
            let decided = self.decided.as_ref().map(|decided| decided[position]).unwrap_or_default();
            PredicateRecord {
                name: predicate.name.clone(),
                holds: coverage.holds(position),
                fails: coverage.models() - coverage.holds(position),
                can_hold: known(decided.holds),
                can_fail: known(decided.fails),
            }
        };
        let class = |(class, models): (&Class, u64)| ClassRecord { class: class.digits(), models };
        PredicatesRecord {
            file: self.file,
            predicates: list.iter().enumerate().map(predicate).collect(),
            held: coverage.seen_true() as u64,
            failed: coverage.seen_false() as u64,
            both_ways: coverage.seen_both_ways() as u64,
            entropy: coverage.entropy(),
            classes: coverage.classes().into_iter().map(class).collect(),
        }
    }
}

/// In how many models a predicate has one of its values, and whether it can have it.
type Side = fn(&PredicateRecord) -> (u64, Option<bool>);

/// The record as text for people, behind the table of models.
pub(super) fn describe(record: &PredicatesRecord) -> String {
    let all = &record.predicates;
    let of_all = |count: u64| format!("{} ({})", grouped(count), percent(count, all.len() as u64));
    let mut text = format!(
        "\n{} in {}: {} held, {} failed, {} did both\n",
        counted(all.len(), "predicate"),
        record.file,
        of_all(record.held),
        of_all(record.failed),
        of_all(record.both_ways),
    );
    let sides: [(&str, Side); 2] = [
        ("hold", |record| (record.holds, record.can_hold)),
        ("fail", |record| (record.fails, record.can_fail)),
    ];
    for (verb, side) in sides {
        for (possible, words) in [
            (None, format!("did not {verb}")),
            (Some(true), format!("can {verb} and did not")),
            (Some(false), format!("cannot {verb}")),
        ] {
            let missed: Vec<&str> = all
                .iter()
                .filter(|record| side(record) == (0, possible))
                .map(|record| record.name.as_str())
                .collect();
            if !missed.is_empty() {
                text.push_str(&format!("{words}: {}\n", listed(&missed)));
            }
        }
    }
    let models: u64 = record.classes.iter().map(|class| class.models).sum();
    text.push_str(&format!(
        "{}, entropy {:.2} bits\n",
        counted(record.classes.len(), "class"),
        record.entropy
    ));
    let mut table =
        Table::new(&[("class", Alignment::Left), ("models", Alignment::Right), ("share", Alignment::Right)]);
    let listed = if all.len() > WIDEST { 0 } else { LISTED.min(record.classes.len()) };
    for class in &record.classes[..listed] {
        table.push([class.class.clone(), grouped(class.models), percent(class.models, models)]);
    }
    if !table.is_empty() {
        text.push_str(&table.to_string());
    }
    match record.classes.len() - listed {
        0 => {}
        more => text.push_str(&format!("{} not listed here; --json has all\n", counted(more, "class"))),
    }
    text
}
