//! Random formulas in which the sizes of sorts matter.

use std::collections::BTreeMap;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A random formula as text: a sort or two, constants, arrays over them, and equalities of chains of stores.
pub(super) struct Writer {
    random: ChaCha8Rng,
    sorts: Vec<String>,
    constants: BTreeMap<String, Vec<String>>,
    /// Array sorts with their parts.
    arrays: Vec<(String, String, String)>,
}

impl Writer {
    /// The formula of a seed; `nested` says whether arrays may be indices and elements of arrays.
    pub(super) fn write(seed: u64, nested: bool) -> String {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(3 + u64::from(nested));
        let count = if random.random_range(0..4) == 0 { 2 } else { 1 };
        let sorts: Vec<String> = (0..count).map(|number| format!("U{number}")).collect();
        let mut writer = Writer { random, sorts, constants: BTreeMap::new(), arrays: Vec::new() };
        let mut text = String::new();
        for sort in &writer.sorts {
            text += &format!("(declare-sort {sort} 0)\n");
        }
        for _ in 0..writer.random.random_range(1..=2) {
            let index = writer.part(nested, 10);
            let element = writer.part(nested, 60);
            let sort = format!("(Array {index} {element})");
            if !writer.arrays.iter().any(|(known, _, _)| *known == sort) {
                writer.arrays.push((sort, index, element));
            }
        }
        let arrays: Vec<String> = writer.arrays.iter().map(|(sort, _, _)| sort.clone()).collect();
        let plain = ["Bool", "(_ BitVec 1)"].map(String::from);
        let mut number = 0;
        for sort in plain.into_iter().chain(writer.sorts.clone()).chain(arrays) {
            let most = if sort.starts_with('U') { 3 } else { 1 };
            let names: Vec<String> = (0..writer.random.random_range(1..=most))
                .map(|_| {
                    number += 1;
                    format!("c{number}")
                })
                .collect();
            for name in &names {
                text += &format!("(declare-const {name} {sort})\n");
            }
            writer.constants.insert(sort, names);
        }
        for _ in 0..writer.random.random_range(1..=3) {
            let assertion = writer.assertion();
            text += &format!("(assert {assertion})\n");
        }
        text
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    fn one_of(&mut self, choices: &[String]) -> String {
        choices.choose(&mut self.random).expect("there is a choice").clone()
    }

    /// The sort of indices or elements: a plain one in `plain` of 100 cases.
    fn part(&mut self, nested: bool, plain: u32) -> String {
        let arrays: Vec<String> = self.arrays.iter().map(|(sort, _, _)| sort.clone()).collect();
        if nested && !arrays.is_empty() && self.chance(50) {
            return self.one_of(&arrays);
        }
        if self.chance(plain) {
            return self.one_of(&["Bool", "(_ BitVec 1)"].map(String::from));
        }
        let sorts = self.sorts.clone();
        self.one_of(&sorts)
    }

    /// A term of a sort.
    fn term(&mut self, sort: &str, depth: u32) -> String {
        if let Some((_, index, element)) = self.arrays.iter().find(|(known, _, _)| known == sort).cloned() {
            return match self.random.random_range(0..4) {
                0 => format!("((as const {sort}) {})", self.term(&element, 0)),
                1.. if depth > 0 => {
                    let (below, index) = (self.term(sort, depth - 1), self.term(&index, 0));
                    format!("(store {below} {index} {})", self.term(&element, 0))
                }
                _ => {
                    let names = self.constants[sort].clone();
                    self.one_of(&names)
                }
            };
        }
        if depth > 0 && self.chance(40) {
            let readable: Vec<_> =
                self.arrays.iter().filter(|(_, _, element)| element == sort).cloned().collect();
            if let Some((array, index, _)) = readable.choose(&mut self.random) {
                let below = self.term(array, depth - 1);
                return format!("(select {below} {})", self.term(index, 0));
            }
        }
        if sort == "(_ BitVec 1)" && self.chance(60) {
            return format!("#b{}", self.random.random_range(0..2));
        }
        if sort == "Bool" && self.chance(40) {
            return self.chance(50).to_string();
        }
        let names = self.constants[sort].clone();
        self.one_of(&names)
    }

    /// Mostly that two chains of stores over constant arrays are equal.
    fn assertion(&mut self) -> String {
        let arrays: Vec<String> = self.arrays.iter().map(|(sort, _, _)| sort.clone()).collect();
        let sort = if self.chance(80) {
            self.one_of(&arrays)
        } else {
            let all: Vec<String> = self.constants.keys().cloned().collect();
            self.one_of(&all)
        };
        let (left, right) = (self.chain(&sort), self.chain(&sort));
        let equality = format!("(= {left} {right})");
        match self.random.random_range(0..10) {
            0 => format!("(not {equality})"),
            1 => format!("(or {equality} {})", self.term("Bool", 2)),
            _ => equality,
        }
    }

    fn chain(&mut self, sort: &str) -> String {
        let Some((_, index, element)) = self.arrays.iter().find(|(known, _, _)| known == sort).cloned()
        else {
            return self.term(sort, 2);
        };
        let mut chain = match self.chance(75) {
            true => format!("((as const {sort}) {})", self.term(&element, 0)),
            false => self.term(sort, 0),
        };
        for _ in 0..self.random.random_range(0..=3) {
            let index = self.term(&index, 1);
            chain = format!("(store {chain} {index} {})", self.term(&element, 0));
        }
        chain
    }
}
