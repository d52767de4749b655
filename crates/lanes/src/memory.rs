//! The memory of a program: the values of its slots in all lanes.

use sundry_term::{Model, TermStore, Value};

use crate::column::{Column, LANES};
use crate::limbs::{Content, limbs_of};
use crate::program::{Program, Slot};
use crate::table::Table;

/// Masks, columns and tables of one program.
#[derive(Clone, Debug)]
pub struct Memory {
    pub(crate) masks: Vec<u64>,
    pub(crate) columns: Vec<Column>,
    pub(crate) tables: Vec<Table>,
    /// The number of elements of each bounded sort of the program; 0 for more than can be listed.
    pub(crate) universes: Vec<Column>,
}

impl Memory {
    /// The mask of a slot for truth values: a bit for each lane.
    ///
    /// # Panics
    /// The slot is for something else.
    pub fn mask(&self, slot: Slot) -> u64 {
        match slot {
            Slot::Mask(number) => self.masks[number as usize],
            Slot::Columns { .. } => panic!("columns have no mask"),
        }
    }

    /// Gives a slot for truth values its values: a bit for each lane.
    ///
    /// # Panics
    /// The slot is for something else.
    pub fn set_mask(&mut self, slot: Slot, mask: u64) {
        match slot {
            Slot::Mask(number) => self.masks[number as usize] = mask,
            Slot::Columns { .. } => panic!("columns have no mask"),
        }
    }

    /// The columns of a slot for other values, the least significant limbs first.
    ///
    /// # Panics
    /// The slot is for truth values.
    pub fn columns(&self, slot: Slot) -> &[Column] {
        match slot {
            Slot::Columns { first, .. } => &self.columns[first as usize..][..slot.limbs()],
            Slot::Mask(_) => panic!("a mask has no columns"),
        }
    }

    /// The columns of a slot for other values, to be filled.
    ///
    /// # Panics
    /// The slot is for truth values.
    pub fn columns_mut(&mut self, slot: Slot) -> &mut [Column] {
        match slot {
            Slot::Columns { first, .. } => &mut self.columns[first as usize..][..slot.limbs()],
            Slot::Mask(_) => panic!("a mask has no columns"),
        }
    }

    /// The table with a number.
    pub fn table_mut(&mut self, number: usize) -> &mut Table {
        &mut self.tables[number]
    }

    /// The number of elements of the bounded sort with a number; 0 for more than can be listed.
    pub fn universe_mut(&mut self, number: usize) -> &mut Column {
        &mut self.universes[number]
    }

    /// One limb of a slot in one lane; truth values are 0 and 1.
    pub fn limb(&self, slot: Slot, limb: usize, lane: usize) -> u64 {
        match slot {
            Slot::Mask(number) => self.masks[number as usize] >> lane & 1,
            Slot::Columns { first, .. } => self.columns[first as usize + limb][lane],
        }
    }

    /// All limbs of a slot in one lane.
    pub(crate) fn limbs(&self, slot: Slot, lane: usize) -> Vec<u64> {
        (0..slot.limbs()).map(|limb| self.limb(slot, limb, lane)).collect()
    }

    pub(crate) fn set_limb(&mut self, slot: Slot, limb: usize, lane: usize, value: u64) {
        match slot {
            Slot::Mask(number) => {
                let mask = &mut self.masks[number as usize];
                *mask = *mask & !(1 << lane) | (value & 1) << lane;
            }
            Slot::Columns { first, .. } => self.columns[first as usize + limb][lane] = value,
        }
    }
}

impl Program {
    /// Memory for this program, with its literals; all else is zero.
    pub fn memory(&self) -> Memory {
        let mut memory = Memory {
            masks: vec![0; self.masks as usize],
            columns: vec![[0; LANES]; self.columns as usize],
            tables: self.tables.iter().map(|&(_, key, result)| Table::new(key, result)).collect(),
            universes: vec![[0; LANES]; self.bounded.len()],
        };
        for (slot, limbs) in &self.literals {
            match slot {
                Slot::Mask(number) => memory.masks[*number as usize] = limbs[0].wrapping_neg(),
                Slot::Columns { .. } => {
                    for (column, &limb) in memory.columns_mut(*slot).iter_mut().zip(limbs) {
                        *column = [limb; LANES];
                    }
                }
            }
        }
        memory
    }

    /// Puts models into the lanes, the first into lane 0. Lanes without a model keep their values, but lose their
    /// arrays and functions. Symbols without a value have the default value of their sort.
    ///
    /// # Panics
    /// If there are more models than lanes, or a model defines a function by a body.
    pub fn load(&self, store: &TermStore, memory: &mut Memory, models: &[&Model]) {
        assert!(models.len() <= LANES, "a lane for each model");
        for &(symbol, slot) in &self.constants {
            let default = Value::default_of(store, store.symbol(symbol).result);
            for (lane, model) in models.iter().enumerate() {
                let limbs =
                    limbs_of(model.constant(symbol).unwrap_or(&default)).expect("compiled sorts have limbs");
                for (number, limb) in limbs.into_iter().enumerate() {
                    memory.set_limb(slot, number, lane, limb);
                }
            }
        }
        for (column, &sort) in memory.universes.iter_mut().zip(&self.bounded) {
            for (count, model) in column.iter_mut().zip(models) {
                *count = model.universes().count(sort).map_or(0, u64::from);
            }
        }
        for (number, &(symbol, _, _)) in self.tables.iter().enumerate() {
            let table = &mut memory.tables[number];
            table.clear();
            let contents: Vec<Content> =
                models.iter().map(|model| Content::of(store, symbol, model)).collect();
            // A point of one model is a point of all others too, with their default value.
            for (key, _) in contents.iter().flat_map(|content| &content.entries) {
                let point = table.point(key);
                for (lane, content) in contents.iter().enumerate() {
                    put(table.result_mut(point), lane, &content.default);
                }
            }
            for (lane, content) in contents.iter().enumerate() {
                put(table.default_mut(), lane, &content.default);
                for (key, result) in &content.entries {
                    let point = table.point(key);
                    put(table.result_mut(point), lane, result);
                }
            }
        }
    }
}

fn put(columns: &mut [Column], lane: usize, limbs: &[u64]) {
    for (column, &limb) in columns.iter_mut().zip(limbs) {
        column[lane] = limb;
    }
}
