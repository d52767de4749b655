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

#[derive(Clone, Default, Debug)]
pub(crate) struct Tableau {
    rows: Vec<Row>,
    /// For each variable the rows in which it occurs, and maybe others.
    columns: Vec<Vec<u32>>,
    /// Room for a sum in the making.
    scratch: Sum,
}

impl Tableau {
    pub(crate) fn add_variable(&mut self) {
        self.columns.push(Vec::new());
    }

    pub(crate) fn row(&self, number: u32) -> &Row {
        &self.rows[number as usize]
    }

    pub(crate) fn row_count(&self) -> u32 {
        self.rows.len() as u32
    }

    /// The number of rows in which a variable occurs, at most.
    pub(crate) fn column_length(&self, variable: u32) -> usize {
        self.columns[variable as usize].len()
    }

    /// Adds a row for a variable that is in no sum. All variables of the sum are nonbasic.
    pub(crate) fn add_row(&mut self, basic: u32, sum: Sum) -> u32 {
        let number = self.rows.len() as u32;
        for &(variable, _) in &sum {
            self.columns[variable as usize].push(number);
        }
        self.rows.push(Row { basic, sum });
        number
    }

    /// Removes a row whose basic variable is in no other sum. Returns the basic variable of the row that takes its number, if one
    /// does.
    pub(crate) fn remove_row(&mut self, number: u32) -> Option<u32> {
        let last = self.rows.len() as u32 - 1;
        self.rows.swap_remove(number as usize);
        if number == last {
            return None;
        }
        for place in 0..self.rows[number as usize].sum.len() {
            let variable = self.rows[number as usize].sum[place].0;
            self.columns[variable as usize].push(number);
        }
        Some(self.rows[number as usize].basic)
    }

    /// Removes the last variable, which is in no sum.
    pub(crate) fn remove_variable(&mut self) {
        self.columns.pop();
    }

    /// The rows in which a variable occurs, each once.
    pub(crate) fn column(&mut self, variable: u32) -> Vec<u32> {
        let Tableau { rows, columns, .. } = self;
        let column = &mut columns[variable as usize];
        column.sort_unstable();
        column.dedup();
        column.retain(|&row| rows.get(row as usize).is_some_and(|row| row.place(variable).is_some()));
        column.clone()
    }

    /// Makes a nonbasic variable of a row basic, and the basic variable nonbasic. Returns the number of entries that were looked at.
    pub(crate) fn pivot(&mut self, number: u32, entering: u32) -> usize {
        let column = self.column(entering);
        let Row { basic: leaving, mut sum } = std::mem::take(&mut self.rows[number as usize]);
        let place = sum.binary_search_by_key(&entering, |entry| entry.0).expect("it is in the row");
        let reciprocal = sum.remove(place).1.reciprocal();
        let factor = -&reciprocal;
        for (_, coefficient) in &mut sum {
            *coefficient = &*coefficient * &factor;
        }
        let place = sum.partition_point(|entry| entry.0 < leaving);
        sum.insert(place, (leaving, reciprocal));
        self.columns[leaving as usize].push(number);
        self.columns[entering as usize].clear();
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
        add_scaled(&mut row.sum, by, &factor, scratch, |new| columns[new as usize].push(number));
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
                    add_scaled(&mut result, &self.rows[row as usize].sum, factor, &mut merged, |_| ())
                }
                None => {
                    let single = [(*variable, Rational::ONE)];
                    add_scaled(&mut result, &single, factor, &mut merged, |_| ());
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
    add_scaled(sum, more, factor, &mut result, |_| ());
    *sum = result;
}

/// Writes one sum plus a multiple of another one into an empty list. The variables that only the second one has are reported.
fn add_scaled(
    sum: &mut Sum,
    more: &[(u32, Rational)],
    factor: &Rational,
    result: &mut Sum,
    mut report: impl FnMut(u32),
) {
    let mut more = more.iter().peekable();
    for (variable, mut coefficient) in sum.drain(..) {
        while let Some((new, their)) = more.next_if(|entry| entry.0 < variable) {
            report(*new);
            result.push((*new, their * factor));
        }
        if let Some((_, their)) = more.next_if(|entry| entry.0 == variable) {
            coefficient.add_product(their, factor);
            if coefficient.is_zero() {
                continue;
            }
        }
        result.push((variable, coefficient));
    }
    for (new, their) in more {
        report(*new);
        result.push((*new, their * factor));
    }
}
