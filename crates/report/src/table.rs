//! Tables as text for people: columns as wide as their widest cell.

use std::fmt;

/// The side of its column on which a cell stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Alignment {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A heading and rows of cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    alignments: Vec<Alignment>,
    /// The heading first.
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns and no rows.
    pub fn new(columns: &[(&str, Alignment)]) -> Self {
        Table {
            alignments: columns.iter().map(|&(_, alignment)| alignment).collect(),
            rows: vec![columns.iter().map(|&(title, _)| title.to_string()).collect()],
        }
    }

    /// Adds a row; missing cells are empty, further ones left out.
    pub fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut row: Vec<String> = cells.into_iter().take(self.alignments.len()).collect();
        row.resize(self.alignments.len(), String::new());
        self.rows.push(row);
    }

    /// Whether there is nothing below the heading.
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 1
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.alignments.len()).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, &width), alignment) in row.iter().zip(&widths).zip(&self.alignments) {
                let padding = " ".repeat(width - cell.chars().count());
                match alignment {
                    Alignment::Left => line.extend([cell, &padding, "  "]),
                    Alignment::Right => line.extend([&padding, cell.as_str(), "  "]),
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_not_padded() {
        let mut table = Table::new(&[("name", Alignment::Left), ("count", Alignment::Right)]);
        assert!(table.is_empty());
        table.push(["é".to_string(), "7".to_string()]);
        table.push(["longer".to_string()]);
        assert_eq!(table.to_string(), "name    count\né           7\nlonger\n");
    }
}
