//! The shapes of synthetic systems: their options and constraints.

use clap::ValueEnum;
use rand::Rng;
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

/// A number of more values than this is compared with thresholds.
const MANY: u64 = 64;

/// The shape of a system.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A feature tree with a small number of children at each node.
    Deep,
    /// A feature tree of many children each.
    Flat,
    /// A feature tree in which most groups are alternatives.
    Alternatives,
    /// A feature tree under many constraints between its features.
    CrossTree,
    /// Random clauses, almost as many as can be satisfied.
    Clauses,
    /// Parameters with a small number of values, some of which exclude most of the other parameters' values.
    Parameters,
    /// Flags with numbers that are compared, added and multiplied.
    Numbers,
}

/// An option of a system: a flag, or a number below a limit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SystemOption {
    name: String,
    /// The width and limit of a number; `None` for a flag.
    number: Option<(u32, u64)>,
}

/// A configurable system.
pub struct System {
    /// The options of the system.
    pub options: Vec<SystemOption>,
    /// Inner nodes of the constraints that are Boolean.
    pub nodes: Vec<String>,
    /// The constraints of every configuration.
    constraints: Vec<String>,
}

/// The way in which the children of a feature depend on it and on one another.
#[derive(Copy, Clone)]
enum Group {
    Mandatory,
    Optional,
    Some,
    One,
}

impl SystemOption {
    fn flag(name: String) -> Self {
        SystemOption { name, number: None }
    }

    fn number(name: String, limit: u64) -> Self {
        SystemOption { name, number: Some((u64::BITS - (limit - 1).leading_zeros(), limit)) }
    }

    /// The condition that the option has a random value; a flag is on with this probability.
    pub fn some_value(&self, polarity: f64, random: &mut ChaCha8Rng) -> String {
        match self.number {
            None if random.random_bool(polarity) => self.name.clone(),
            None => format!("(not {})", self.name),
            Some((_, limit)) if limit <= MANY => self.is(random.random_range(0..limit)),
            Some((width, limit)) => {
                let than = constant(width, random.random_range(1..limit));
                let comparison = ["bvult", "bvuge"].choose(random).expect("two");
                format!("({comparison} {} {than})", self.name)
            }
        }
    }

    /// Whether the option has so few values that each matters.
    pub fn is_narrow(&self) -> bool {
        self.number.is_none_or(|(_, limit)| limit <= MANY)
    }

    /// The condition that the option has a value, which is given as in a model.
    pub fn has(&self, value: &str) -> String {
        match (self.number, value) {
            (None, "true") => self.name.clone(),
            (None, _) => format!("(not {})", self.name),
            (Some(_), _) => format!("(= {} {value})", self.name),
        }
    }

    fn is(&self, value: u64) -> String {
        self.has(&self.text_of(value))
    }

    /// A value as text.
    pub fn text_of(&self, value: u64) -> String {
        match self.number {
            None => (value == 1).to_string(),
            Some((width, _)) => constant(width, value),
        }
    }

    fn values(&self) -> std::ops::Range<u64> {
        0..self.number.map_or(2, |(_, limit)| limit)
    }
}

impl System {
    fn new(options: Vec<SystemOption>) -> Self {
        System { options, nodes: Vec::new(), constraints: Vec::new() }
    }

    /// Adds a constraint of the system, an inner node of which may be a fault.
    fn restrict(&mut self, constraint: String, node: Option<String>) {
        self.constraints.push(constraint);
        self.nodes.extend(node);
    }

    /// Constants and assertions.
    pub fn declarations(&self) -> String {
        let mut text = "(set-logic QF_BV)\n".to_string();
        for SystemOption { name, number } in &self.options {
            let sort = number.map_or("Bool".into(), |(width, _)| format!("(_ BitVec {width})"));
            text.push_str(&format!("(declare-const {name} {sort})\n"));
            if let Some((width, limit)) = number.filter(|&(width, limit)| limit < 1 << width) {
                text.push_str(&format!("(assert (bvult {name} {}))\n", constant(width, limit)));
            }
        }
        self.constraints.iter().for_each(|it| text.push_str(&format!("(assert {it})\n")));
        text
    }

    /// The system as a formula to sample.
    pub fn script(&self) -> String {
        format!("{}(check-sat)\n", self.declarations())
    }
}

impl Shape {
    /// The name of the shape in names of files.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Deep => "deep",
            Shape::Flat => "flat",
            Shape::Alternatives => "alternatives",
            Shape::CrossTree => "cross-tree",
            Shape::Clauses => "clauses",
            Shape::Parameters => "parameters",
            Shape::Numbers => "numbers",
        }
    }

    /// Draws a system, which may have no configuration.
    pub fn draw(self, random: &mut ChaCha8Rng) -> System {
        use Group::{Mandatory, One, Optional, Some};
        match self {
            Shape::Deep => tree(random, 40, 1..=3, &[Mandatory, Optional, Optional, Some, One], 6),
            Shape::Flat => tree(random, 48, 6..=12, &[Optional, Optional, Some, One], 8),
            Shape::Alternatives => tree(random, 48, 3..=6, &[One, One, One, Optional], 4),
            Shape::CrossTree => tree(random, 40, 2..=6, &[Optional, Optional, Some], 40),
            Shape::Clauses => clauses(random),
            Shape::Parameters => parameters(random),
            Shape::Numbers => numbers(random),
        }
    }
}

fn constant(width: u32, value: u64) -> String {
    format!("(_ bv{value} {width})")
}

/// A feature tree with these numbers of features and of constraints across it.
fn tree(
    random: &mut ChaCha8Rng,
    features: usize,
    children: std::ops::RangeInclusive<usize>,
    groups: &[Group],
    across: usize,
) -> System {
    let names: Vec<String> = (0..features).map(|number| format!("f{number}")).collect();
    let mut system = System::new(names.iter().cloned().map(SystemOption::flag).collect());
    system.restrict(names[0].clone(), None);
    let (mut next, mut parents) = (1, std::collections::VecDeque::from([0]));
    while next < features {
        let parent = parents.pop_front().expect("every feature may have children");
        let last = (next + random.random_range(children.clone())).min(features);
        group(&mut system, &names[parent], &names[next..last], *groups.choose(random).expect("some"));
        let mut members: Vec<usize> = (next..last).collect();
        members.shuffle(random);
        parents.extend(members);
        next = last;
    }
    for _ in 0..across {
        let some = names[1..].iter().choose_multiple(random, 3);
        let (one, two, three) = (some[0], some[1], some[2]);
        let (constraint, node) = match random.random_range(0..4) {
            0 | 1 => (format!("(=> {one} {two})"), None),
            2 => (format!("(not (and {one} {two}))"), None),
            _ => {
                let both = format!("(and {one} {two})");
                (format!("(=> {both} {three})"), Option::Some(both))
            }
        };
        system.restrict(constraint, node);
    }
    system
}

/// The constraints of a group of features.
fn group(system: &mut System, parent: &str, children: &[String], group: Group) {
    let any = match children {
        [only] => only.clone(),
        _ => format!("(or {})", children.join(" ")),
    };
    let excluded = children.len() > 1;
    match group {
        Group::Mandatory => {
            children.iter().for_each(|child| system.restrict(format!("(= {child} {parent})"), None));
        }
        Group::Optional => {
            children.iter().for_each(|child| system.restrict(format!("(=> {child} {parent})"), None));
            system.nodes.extend(excluded.then_some(any));
        }
        Group::Some | Group::One => {
            system.restrict(format!("(= {any} {parent})"), excluded.then_some(any.clone()));
        }
    }
    if matches!(group, Group::One) {
        for (position, one) in children.iter().enumerate() {
            for two in &children[..position] {
                system.restrict(format!("(not (and {one} {two}))"), None);
            }
        }
    }
}

/// Random clauses of three literals, and equalities between sums of flags.
fn clauses(random: &mut ChaCha8Rng) -> System {
    const FLAGS: usize = 50;
    const CLAUSES: usize = 180;
    let names: Vec<String> = (0..FLAGS).map(|number| format!("x{number}")).collect();
    let mut system = System::new(names.iter().cloned().map(SystemOption::flag).collect());
    for number in 0..CLAUSES {
        let mut literals: Vec<String> = names
            .iter()
            .choose_multiple(random, 3)
            .into_iter()
            .map(|name| if random.random() { name.clone() } else { format!("(not {name})") })
            .collect();
        if number % 6 == 0 {
            let last = literals.pop().expect("three");
            let node = format!("(and {})", literals.join(" "));
            system.restrict(format!("(=> {node} {last})"), Some(node));
        } else {
            system.restrict(format!("(or {})", literals.join(" ")), None);
        }
    }
    system
}

/// Parameters of two to eight values; some values demand a value of another parameter, or of all others.
fn parameters(random: &mut ChaCha8Rng) -> System {
    let options: Vec<SystemOption> = (0..random.random_range(8..=13))
        .map(|number| match random.random_range(0..3) {
            0 => SystemOption::number(format!("p{number}"), random.random_range(3..=8)),
            _ => SystemOption::flag(format!("p{number}")),
        })
        .collect();
    let has = |option: &SystemOption, value: u64| option.has(&option.text_of(value));
    let mut system = System::new(options.clone());
    for _ in 0..random.random_range(1..=3) {
        let option = options.choose(random).expect("some");
        let single = has(option, option.values().choose(random).expect("some"));
        for other in options.iter().filter(|&other| other != option) {
            if random.random_bool(0.8) {
                system.restrict(format!("(=> {single} {})", has(other, 0)), None);
            }
        }
    }
    for _ in 0..random.random_range(4..=16) {
        let some = options.iter().choose_multiple(random, 3);
        let mut value =
            |option: &SystemOption| has(option, option.values().choose(random).expect("some values"));
        let (if_this, then_one, or_two) = (value(some[0]), value(some[1]), value(some[2]));
        let node = format!("(or {then_one} {or_two})");
        let constraint = match random.random_range(0..3) {
            0 => format!("(=> {if_this} {then_one})"),
            1 => format!("(not (and {if_this} {then_one}))"),
            _ => format!("(=> {if_this} {node})"),
        };
        system.restrict(constraint, Some(node));
    }
    system
}

/// Flags that depend on comparisons of numbers, of their sums and products.
fn numbers(random: &mut ChaCha8Rng) -> System {
    const WIDTH: u32 = 8;
    let numbers: Vec<SystemOption> =
        (0..4).map(|number| SystemOption::number(format!("n{number}"), 1 << WIDTH)).collect();
    let flags: Vec<SystemOption> = (0..16).map(|number| SystemOption::flag(format!("x{number}"))).collect();
    let mut system = System::new([&numbers[..], &flags[..]].concat());
    for _ in 0..20 {
        let (some, flag) = (numbers.iter().choose_multiple(random, 2), flags.choose(random).expect("some"));
        let operator = ["bvadd", "bvmul", "bvsub", "bvand"].choose(random).expect("some");
        let comparison = ["bvult", "bvugt", "="].choose(random).expect("some");
        let sum = format!("({operator} {} {})", some[0].name, some[1].name);
        let node = format!("({comparison} {sum} {})", constant(WIDTH, random.random_range(1..1 << WIDTH)));
        let other = flags.iter().filter(|&it| it != flag).choose(random).expect("some");
        let constraint = match random.random_range(0..3) {
            0 => format!("(=> {} {node})", flag.name),
            1 => format!("(=> {node} (or {} {}))", flag.name, other.name),
            _ => format!("(=> (and {} {}) (not {node}))", flag.name, other.name),
        };
        system.restrict(constraint, Some(node));
    }
    system
}
