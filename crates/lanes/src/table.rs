//! Arrays and functions that models define: finitely many points, and something everywhere else.

use rustc_hash::FxHashMap;

use crate::column::{Column, LANES};

/// An array or function in all lanes. The lanes share the points and differ in the values there.
#[derive(Clone, Debug)]
pub struct Table {
    points: Points,
    count: usize,
    result_limbs: usize,
    /// The limbs at the points, one point after the other.
    results: Vec<Column>,
    /// The limbs at all other points.
    default: Vec<Column>,
}

/// The number of each point.
#[derive(Clone, Debug)]
enum Points {
    Narrow(FxHashMap<u64, u32>),
    Wide(FxHashMap<Box<[u64]>, u32>),
}

impl Table {
    /// A table without points, for keys and results with these numbers of limbs.
    pub(crate) fn new(key_limbs: usize, result_limbs: usize) -> Self {
        let points = match key_limbs {
            1 => Points::Narrow(FxHashMap::default()),
            _ => Points::Wide(FxHashMap::default()),
        };
        Table { points, count: 0, result_limbs, results: Vec::new(), default: vec![[0; LANES]; result_limbs] }
    }

    /// Takes away all points.
    pub fn clear(&mut self) {
        match &mut self.points {
            Points::Narrow(points) => points.clear(),
            Points::Wide(points) => points.clear(),
        }
        self.count = 0;
        self.results.clear();
    }

    /// The number of a point, which is added if it is new. A key is the limbs of all arguments, one after the other.
    /// The value at a new point is zero in all lanes.
    pub fn point(&mut self, key: &[u64]) -> usize {
        let next = self.count as u32;
        let number = match &mut self.points {
            Points::Narrow(points) => *points.entry(key[0]).or_insert(next),
            Points::Wide(points) => *points.entry(key.into()).or_insert(next),
        };
        if number == next {
            self.count += 1;
            self.results.resize(self.count * self.result_limbs, [0; LANES]);
        }
        number as usize
    }

    /// The value at a point: a column for each limb.
    pub fn result_mut(&mut self, point: usize) -> &mut [Column] {
        &mut self.results[point * self.result_limbs..][..self.result_limbs]
    }

    /// The value at all other points: a column for each limb.
    pub fn default_mut(&mut self) -> &mut [Column] {
        &mut self.default
    }

    /// The value at the point of a key: a column for each limb.
    pub(crate) fn look_up(&self, key: &[u64]) -> &[Column] {
        let number = match &self.points {
            Points::Narrow(points) => points.get(&key[0]),
            Points::Wide(points) => points.get(key),
        };
        match number {
            Some(&point) => &self.results[point as usize * self.result_limbs..][..self.result_limbs],
            None => &self.default,
        }
    }

    /// The value at all points that were not added: a column for each limb.
    pub(crate) fn default(&self) -> &[Column] {
        &self.default
    }

    /// The keys of all points.
    pub(crate) fn keys(&self) -> Box<dyn Iterator<Item = &[u64]> + '_> {
        match &self.points {
            Points::Narrow(points) => Box::new(points.keys().map(std::slice::from_ref)),
            Points::Wide(points) => Box::new(points.keys().map(|key| &**key)),
        }
    }
}
