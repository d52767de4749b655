//! What models exercise of predicates that the user gives.

use sundry_coverage::{Class, Predicate, PredicateCoverage};
use sundry_report::{
    Alignment, ClassRecord, ModelPredicatesRecord, PredicateRecord, PredicatesRecord, Table, percent,
};
use sundry_sample::{Control, Possibilities, Possibility, decide_predicates};

use super::{contradiction, listed};
use crate::failure::Failure;
use crate::formula::{LoadedFormula, predicate_failure};
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

/// The predicates of a file, and what the models so far exercise of them.
pub(super) struct Predicates {
    file: String,
    list: Vec<Predicate>,
    coverage: PredicateCoverage,
    /// By predicate, what is known of it, where that was asked for.
    decided: Option<Vec<Possibilities>>,
}

impl Predicates {
    pub(super) fn new(file: &Input, list: Vec<Predicate>) -> Self {
        let coverage = PredicateCoverage::new(list.len());
        Predicates { file: file.to_string(), list, coverage, decided: None }
    }

    pub(super) fn list(&self) -> &[Predicate] {
        &self.list
    }

    /// Adds a model of this class.
    pub(super) fn add(&mut self, class: Class) -> ModelPredicatesRecord {
        let digits = class.digits();
        self.coverage.add(class);
        ModelPredicatesRecord {
            class: digits,
            held: self.coverage.seen_true() as u64,
            both_ways: self.coverage.seen_both_ways() as u64,
            classes: self.coverage.class_count() as u64,
        }
    }

    /// Decides which values the predicates can have, also of those that the models show: a model and a proof
    /// that contradict each other are a defect.
    pub(super) fn decide(
        &mut self,
        formula: &LoadedFormula,
        seed: u64,
        control: &Control,
    ) -> Result<(), Failure> {
        let mut decided = decide_predicates(&formula.problem, &self.list, seed, control)
            .map_err(|error| predicate_failure(formula, &error))?;
        for (position, possibilities) in decided.iter_mut().enumerate() {
            let holds = self.coverage.holds(position);
            let fails = self.coverage.models() - holds;
            for (seen, possibility, verb) in
                [(holds, &mut possibilities.holds, "holds"), (fails, &mut possibilities.fails, "fails")]
            {
                match possibility {
                    Possibility::Impossible if seen > 0 => {
                        let name = &self.list[position].name;
                        return Err(contradiction(formula, format_args!("that predicate '{name}' {verb}")));
                    }
                    Possibility::Unknown if seen > 0 => *possibility = Possibility::Possible,
                    _ => {}
                }
            }
        }
        self.decided = Some(decided);
        Ok(())
    }

    pub(super) fn record(self) -> PredicatesRecord {
        let coverage = &self.coverage;
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
            predicates: self.list.iter().enumerate().map(predicate).collect(),
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
