//! The tableau: rows that define basic variables as sums of the others.
//!
//! A row is sorted by variables, and two rows are added like sorted lists are merged. A column lists the rows in which a variable
//! occurs; rows that the variable has left are dropped when the column is used next.

use crate::rational::Rational;

/// The terms of a sum, sorted by variables, without zeros.
pub(crate) type Sum = Vec<(u32, Rational)>;

/// A row: the basic variable equals the sum of the nonbasic ones.
#[derive(Clone, Default, Debug)]
pub(crate) struct Row {
    pub(crate) basic: u32,
    pub(crate) sum: Sum,
}

impl Row {
    /// The factor of a variable, if it occurs.
    pub(crate) fn factor(&self, variable: u32) -> Option<&Rational> {
        self.place(variable).map(|place| &self.sum[place].1)
    }

    fn place(&self, variable: u32) -> Option<usize> {
        self.sum.binary_search_by_key(&variable, |entry| entry.0).ok()
    }
}

/// The rows in which a variable occurs.
#[derive(Clone, Default, Debug)]
struct Column {
    rows: Vec<u32>,
    /// Whether rows may be listed that the variable has left, or rows twice.
    is_stale: bool,
}

#[derive(Clone, Default, Debug)]
pub(crate) struct Tableau {
    rows: Vec<Row>,
    columns: Vec<Column>,
    /// Room for a sum in the making.
    scratch: Sum,
}

impl Tableau {
    pub(crate) fn add_variable(&mut self) {
        self.columns.push(Column::default());
    }

    pub(crate) fn row(&self, number: u32) -> &Row {
        &self.rows[number as usize]
    }

    pub(crate) fn row_count(&self) -> u32 {
        self.rows.len() as u32
    }

    /// The number of rows in which a variable occurs, at most.
    pub(crate) fn column_length(&self, variable: u32) -> usize {
        self.columns[variable as usize].rows.len()
    }

    /// Adds a row for a variable that is in no sum. All variables of the sum are nonbasic.
    pub(crate) fn add_row(&mut self, basic: u32, sum: Sum) -> u32 {
        let number = self.rows.len() as u32;
        for &(variable, _) in &sum {
            self.columns[variable as usize].rows.push(number);
        }
        self.rows.push(Row { basic, sum });
        number
    }

    /// Removes a row whose basic variable is in no other sum. Returns the basic variable of the row that takes its number, if one
    /// does.
    pub(crate) fn remove_row(&mut self, number: u32) -> Option<u32> {
        let last = self.rows.len() as u32 - 1;
        for (variable, _) in self.rows.swap_remove(number as usize).sum {
            self.columns[variable as usize].is_stale = true;
        }
        if number == last {
            return None;
        }
        for place in 0..self.rows[number as usize].sum.len() {
            let variable = self.rows[number as usize].sum[place].0;
            let column = &mut self.columns[variable as usize];
            column.rows.push(number);
            column.is_stale = true;
        }
        Some(self.rows[number as usize].basic)
    }

    /// Removes the last variable, which is in no sum.
    pub(crate) fn remove_variable(&mut self) {
        self.columns.pop();
    }

    /// The rows in which a variable occurs, each once.
    pub(crate) fn column(&mut self, variable: u32) -> &[u32] {
        let Tableau { rows, columns, .. } = self;
        let column = &mut columns[variable as usize];
        if column.is_stale {
            column.rows.sort_unstable();
            column.rows.dedup();
            let occurs = |row: &u32| rows.get(*row as usize).is_some_and(|row| row.place(variable).is_some());
            column.rows.retain(occurs);
            column.is_stale = false;
        }
        &column.rows
    }

    /// One of the rows of a column that was looked at since the last change.
    pub(crate) fn row_of_column(&self, variable: u32, place: usize) -> &Row {
        self.row(self.columns[variable as usize].rows[place])
    }

    /// Makes a nonbasic variable of a row basic, and the basic variable nonbasic. Returns the number of entries that were looked at.
    pub(crate) fn pivot(&mut self, number: u32, entering: u32) -> usize {
        self.column(entering);
        let column = std::mem::take(&mut self.columns[entering as usize].rows);
        let Row { basic: leaving, mut sum } = std::mem::take(&mut self.rows[number as usize]);
        let place = sum.binary_search_by_key(&entering, |entry| entry.0).expect("it is in the row");
        let reciprocal = sum.remove(place).1.reciprocal();
        let factor = -&reciprocal;
        for (_, coefficient) in &mut sum {
            *coefficient = &*coefficient * &factor;
        }
        let place = sum.partition_point(|entry| entry.0 < leaving);
        sum.insert(place, (leaving, reciprocal));
        self.columns[leaving as usize].rows.push(number);
        let mut work = sum.len();
        for &other in column.iter().filter(|&&other| other != number) {
            work += self.replace(other, entering, &sum);
        }
        self.rows[number as usize] = Row { basic: entering, sum };
        work
    }

    /// Replaces a variable in a row by a sum. Returns the number of entries that were looked at.
    fn replace(&mut self, number: u32, variable: u32, by: &Sum) -> usize {
        let Tableau { rows, columns, scratch } = self;
        let row = &mut rows[number as usize];
        let place = row.place(variable).expect("it is in the row");
        let factor = row.sum.remove(place).1;
        scratch.clear();
        add_scaled(&mut row.sum, by, &factor, scratch, |variable, change| {
            let column = &mut columns[variable as usize];
            match change {
                Change::Appears => column.rows.push(number),
                Change::Vanishes => column.is_stale = true,
            }
        });
        std::mem::swap(&mut row.sum, scratch);
        row.sum.len() + by.len()
    }

    /// A sum over any variables as one over nonbasic variables.
    pub(crate) fn over_nonbasic(
        &mut self,
        sum: &[(u32, Rational)],
        row_of: impl Fn(u32) -> Option<u32>,
    ) -> Sum {
        let mut result = Sum::new();
        for (variable, factor) in sum {
            self.scratch.clear();
            let mut merged = std::mem::take(&mut self.scratch);
            match row_of(*variable) {
                Some(row) => {
                    add_scaled(&mut result, &self.rows[row as usize].sum, factor, &mut merged, |_, _| ())
                }
                None => {
                    let single = [(*variable, Rational::ONE)];
                    add_scaled(&mut result, &single, factor, &mut merged, |_, _| ());
                }
            }
            std::mem::swap(&mut result, &mut merged);
            self.scratch = merged;
        }
        result
    }
}

/// Adds a multiple of a sum to another one.
pub(crate) fn add_to_sum(sum: &mut Sum, more: &[(u32, Rational)], factor: &Rational) {
    let mut result = Sum::with_capacity(sum.len() + more.len());
    add_scaled(sum, more, factor, &mut result, |_, _| ());
    *sum = result;
}

/// The way in which a variable is in a sum after an addition, but was not before, or the other way round.
enum Change {
    Appears,
    Vanishes,
}

/// Writes one sum plus a multiple of another one into an empty list, and reports which variables appear and vanish.
fn add_scaled(
    sum: &mut Sum,
    more: &[(u32, Rational)],
    factor: &Rational,
    result: &mut Sum,
    mut report: impl FnMut(u32, Change),
) {
    let mut more = more.iter().peekable();
    for (variable, mut coefficient) in sum.drain(..) {
        while let Some((new, their)) = more.next_if(|entry| entry.0 < variable) {
            report(*new, Change::Appears);
            result.push((*new, their * factor));
        }
        if let Some((_, their)) = more.next_if(|entry| entry.0 == variable) {
            coefficient.add_product(their, factor);
            if coefficient.is_zero() {
                report(variable, Change::Vanishes);
                continue;
            }
        }
        result.push((variable, coefficient));
    }
    for (new, their) in more {
        report(*new, Change::Appears);
        result.push((*new, their * factor));
    }
}
