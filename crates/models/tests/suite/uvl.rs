//! Feature models in UVL.

use std::collections::BTreeSet;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_models::Format;

use crate::common::{message, model, solutions};

const PHONE: &str = "\
namespace Phone // a small one
include
\tBoolean.group-cardinality
\tArithmetic.*
features
\tPhone {abstract}
\t\tmandatory
\t\t\tScreen
\t\t\t\talternative
\t\t\t\t\tOled {price 90.5}
\t\t\t\t\tLcd {price 40}
\t\toptional
\t\t\t\"Dual SIM\" {price 10, vendor 'Acme', limits {slots 2}}
\t\t\tMedia
\t\t\t\tor
\t\t\t\t\tCamera {price 25, tags ['a', [1, 2]], constraint Camera => Oled | Lcd}
\t\t\t\t\tPlayer
\t\t[1..2]
\t\t\tWifi
\t\t\tMobile
\t\t\tBluetooth
constraints
\t\"Dual SIM\" => Mobile
\t/* together
\t   too dear */ sum(price) <= 120
";

#[test]
fn a_model_has_its_configurations() {
    let model = model(Format::Uvl, PHONE);
    let names: Vec<&str> = model.columns.iter().map(|column| column.name.as_str()).collect();
    let expected = [
        "Phone",
        "Screen",
        "Oled",
        "Lcd",
        "Dual SIM",
        "Media",
        "Camera",
        "Player",
        "Wifi",
        "Mobile",
        "Bluetooth",
    ];
    assert_eq!(names, expected);
    let mut count = 0;
    for number in 0..1 << 10 {
        let has: Vec<bool> = (0..10).map(|bit| number >> bit & 1 == 1).collect();
        let [screen, oled, lcd, dual, media, camera, player, wifi, mobile, bluetooth] = has[..] else {
            panic!("ten features")
        };
        let price = [(oled, 905), (lcd, 400), (dual, 100), (camera, 250)];
        let price: u32 = price.into_iter().filter(|(has, _)| *has).map(|(_, price)| price).sum();
        let holds = screen
            && oled != lcd
            && media == (camera || player)
            && (1..=2).contains(&[wifi, mobile, bluetooth].into_iter().filter(|&has| has).count())
            && (!dual || mobile)
            && price <= 1200;
        count += usize::from(holds);
    }
    assert_eq!(solutions(&model).len(), count);
}

#[test]
fn constraints_choose() {
    let count = |constraint: &str| {
        let text = format!(
            "features\n    R\n        optional\n            A {{n 3, t 'x', low 0.5}}\n            B {{n -2, t 'x', on}}\n            C\nconstraints\n    {constraint}\n"
        );
        solutions(&model(Format::Uvl, &text)).len()
    };
    assert_eq!(count("true"), 8);
    assert_eq!(count("R & !false"), 8);
    assert_eq!(count("A | B & C"), 5);
    assert_eq!(count("(A | B) & C"), 3);
    assert_eq!(count("A => B | C"), 7);
    assert_eq!(count("(A => B) => C"), 5);
    assert_eq!(count("A <=> B => C"), 4);
    assert_eq!(count("!A == B"), 4);
    assert_eq!(count("!(A & B)"), 6);
    assert_eq!(count("!A & B"), 2);
    assert_eq!(count("A.n > 2"), 4);
    assert_eq!(count("A.n + B.n == 1"), 2);
    assert_eq!(count("A.n - -B.n * 2 == -1"), 2);
    assert_eq!(count("sum(n) >= 0"), 6);
    assert_eq!(count("sum(n, R) != 0"), 6);
    assert_eq!(count("sum(B, n) == -2"), 4);
    assert_eq!(count("avg(n) == 0.5"), 2);
    assert_eq!(count("0.25 < avg(n)"), 4);
    assert_eq!(count("avg(n) >= 0"), 6);
    assert_eq!(count("A.low / 0.25 == 2"), 4);
    assert_eq!(count("A.n / -2 < -1.4"), 4);
    assert_eq!(count("floor(A.low) == 0 & ceil(A.low) == 1"), 4);
    assert_eq!(count("len(A.t) == 1"), 4);
    assert_eq!(count("A.t == B.t"), 4);
    assert_eq!(count("A.t != 'x'"), 4);
    assert_eq!(count("B.on == true"), 4);
    assert_eq!(count("B.on & A"), 2);
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_place() {
    let tree = "features\n\tR\n\t\toptional\n\t\t\tA {n 3, t 'x', l [1]}\n\t\t\tB\n";
    for (text, place, words) in [
        ("constraints\n\tA => a\n", "7:7", "did you mean 'A'?"),
        ("constraints\n\tA => B => R\n", "7:9", "chain of implications"),
        ("constraints\n\tA &\n", "7:4", "ends too early"),
        ("constraints\n\tA B\n", "7:4", "does not belong here"),
        ("constraints\n\t(A\n", "7:2", "not closed"),
        ("constraints\n\tA)\n", "7:3", "closes no bracket"),
        ("constraints\n\tA < B\n", "7:2", "does not go with true or false and true or false"),
        ("constraints\n\tA.n\n", "7:2", "the constraint is a number"),
        ("constraints\n\tA.m > 1\n", "7:2", "has no attribute 'm'"),
        ("constraints\n\tA.n / A.n > 1\n", "7:8", "division by something that varies"),
        ("constraints\n\tA.n / 0 > 1\n", "7:8", "division by zero"),
        ("constraints\n\tA.t < 'x'\n", "7:2", "does not go with a text and a text"),
        ("constraints\n\tA.l == 1\n", "7:2", "the attribute is a list"),
        ("constraints\n\tsum(m) > 1\n", "7:6", "no feature has a number"),
        ("constraints\n\tavg(n) + 1 > 1\n", "7:2", "an average and a number"),
        ("constraints\n\tA.n > 99999999999999999999999999999999999999999\n", "7:8", "too large"),
        ("\t\t\tA\n", "6:4", "there is a feature 'A' already"),
        ("\t\t\tInteger N\n", "6:4", "features of type Integer are not supported"),
        ("\t\t\tC cardinality [1..3]\n", "6:6", "several times"),
        ("\t\t\tC D\n", "6:6", "does not belong here"),
        ("\t\t\tC {n 1\n", "6:6", "not closed"),
        ("\t\t\tC {n 1, n 2}\n", "6:12", "an attribute 'n' already"),
        ("\t\t\tor\n", "6:4", "the group 'or' stands in another group"),
        ("\t\tor\n", "6:3", "this group has no features"),
        ("\t\t[3..1]\n\t\t\tC\n", "6:3", "the lower bound is above"),
        ("\t\t[a]\n\t\t\tC\n", "6:3", "no cardinality"),
        ("\t\tsome\n\t\t\tC\n", "6:3", "is no group of features"),
        ("\t  C\n", "6:4", "fits to no line above"),
        ("\tR2\n", "6:2", "a root feature already"),
        ("imports\n\tother\n", "6:1", "imports are not supported"),
        ("else\n", "6:1", "begins no part of a model"),
        ("/* open\n", "6:1", "this comment does not end"),
        ("constraints\n\tA $ B\n", "7:4", "has no meaning in UVL"),
        ("constraints\n\t\"A\n", "7:2", "a name begins here"),
    ] {
        let message = message(Format::Uvl, &format!("{tree}{text}"));
        assert!(message.starts_with(&format!("model:{place}: error: ")), "{text}\n{message}");
        assert!(message.contains(words), "{text}\n{message}");
    }
    assert!(message(Format::Uvl, "namespace x\n").contains("there are no features in it"));
}

/// A feature as data: its number, its price, and its groups.
struct Feature {
    number: usize,
    price: i32,
    groups: Vec<(&'static str, Vec<Feature>)>,
}

impl Feature {
    fn random(random: &mut ChaCha8Rng, count: &mut usize, depth: usize) -> Feature {
        let number = *count;
        *count += 1;
        let mut groups = Vec::new();
        for _ in 0..random.random_range(0..=2) {
            let kind = ["mandatory", "optional", "or", "alternative", "[2]", "[0..1]", "[1..2]", "[2..*]"]
                .choose(random)
                .expect("some");
            let mut children = Vec::new();
            for _ in 0..random.random_range(1..=3) {
                if depth < 3 && *count < 11 {
                    children.push(Feature::random(random, count, depth + 1));
                }
            }
            if !children.is_empty() {
                groups.push((*kind, children));
            }
        }
        Feature { number, price: random.random_range(-3..4), groups }
    }

    fn write(&self, out: &mut String, depth: usize) {
        let indent = |depth| "\t".repeat(depth);
        *out += &format!("{}F{} {{price {}}}\n", indent(depth), self.number, self.price);
        for (kind, children) in &self.groups {
            *out += &format!("{}{kind}\n", indent(depth + 1));
            children.iter().for_each(|child| child.write(out, depth + 2));
        }
    }

    /// Whether a selection is one of the tree, below this feature.
    fn allows(&self, selected: u32) -> bool {
        let has = |feature: &Feature| selected >> feature.number & 1 == 1;
        self.groups.iter().all(|(kind, children)| {
            let number = children.iter().filter(|child| has(child)).count();
            let fits = match *kind {
                _ if !has(self) => number == 0,
                "mandatory" => number == children.len(),
                "optional" => true,
                "or" => number >= 1,
                "alternative" => number == 1,
                "[2]" => number == 2,
                "[0..1]" => number <= 1,
                "[1..2]" => (1..=2).contains(&number),
                _ => number >= 2,
            };
            fits && children.iter().all(|child| child.allows(selected))
        })
    }

    fn price(&self, selected: u32) -> i32 {
        let below = self.groups.iter().flat_map(|(_, children)| children);
        let own = if selected >> self.number & 1 == 1 { self.price } else { 0 };
        own + below.map(|child| child.price(selected)).sum::<i32>()
    }
}

#[test]
fn random_trees_mean_what_they_say() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut sizes = BTreeSet::new();
    for _ in 0..200 {
        let mut count = 0;
        let root = Feature::random(&mut random, &mut count, 0);
        sizes.insert(count);
        let mut text = "features\n".to_string();
        root.write(&mut text, 1);
        let (left, right) = (random.random_range(0..count), random.random_range(0..count));
        let least = random.random_range(-4..5);
        text += &format!("constraints\n\tF{left} => !F{right} | sum(price) >= {least}\n");
        let expected: BTreeSet<Vec<String>> = (0..1_u32 << count)
            .filter(|&selected| {
                let has = |number: usize| selected >> number & 1 == 1;
                let constraint = !has(left) || !has(right) || root.price(selected) >= least;
                has(0) && root.allows(selected) && constraint
            })
            .map(|selected| (0..count).map(|number| (selected >> number & 1 == 1).to_string()).collect())
            .collect();
        assert_eq!(solutions(&model(Format::Uvl, &text)), expected, "{text}");
    }
    assert!(sizes.len() > 5, "trees of many sizes: {sizes:?}");
}
