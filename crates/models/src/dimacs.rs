//! DIMACS CNF, as solvers and tools for feature models write it.
//!
//! Comments carry information about variables: `c 12 NAME` names one, `c 12$ NAME` names one that a translation has
//! generated, and `c ind 1 2 0` or `c p show 1 2 0` lists those that matter. Variables that are generated, or not
//! listed if there is a list, are auxiliary: they have no column and are no factors. A file with fewer clauses than
//! it announces was perhaps cut off, so that is an error; other wrong numbers are reported as notes and otherwise
//! ignored.

use rustc_hash::FxHashMap;
use sundry_smtlib::{Diagnostic, DiagnosticKind, SourceText, Span, spend};
use sundry_term::{Control, TermId};

use crate::WORK_OF_WORD;
use crate::builder::Builder;
use crate::lines::{Line, shorten};
use crate::model::SystemModel;

/// Variables, at most: each is declared, whether it is used or not.
const MAX_VARIABLES: usize = 1 << 22;

/// The work of declaring a variable, in the units of [`Control::spend`].
const WORK_OF_VARIABLE: u32 = 64;

/// A clause with its place.
struct Clause {
    literals: Vec<i64>,
    span: Span,
}

/// The information in a comment about a variable.
struct Named<'t> {
    variable: usize,
    is_generated: bool,
    name: &'t str,
    span: Span,
}

/// The parts of a file.
#[derive(Default)]
struct File<'t> {
    /// The numbers of variables and clauses, with their place.
    header: Option<(usize, usize, Span)>,
    clauses: Vec<Clause>,
    /// The clause that has no end yet.
    open: Option<Clause>,
    names: Vec<Named<'t>>,
    /// The variables of `c ind` and of `c p show`, if there are such lines.
    independent: Option<Vec<usize>>,
    shown: Option<Vec<usize>>,
    notes: Vec<(Span, String)>,
}

/// Reads a file.
pub(crate) fn read(source: &SourceText, control: &Control) -> Result<SystemModel, Diagnostic> {
    let mut file = File::default();
    for line in Line::all(source.text()) {
        spend(control, WORK_OF_WORD, line.span())?;
        let first = line.words().next().unwrap_or("");
        match first {
            "" => {}
            // The end of files of an old collection.
            "%" => break,
            "c" => file.comment(&line)?,
            "p" => file.problem(&line)?,
            // Some tools write comments without a blank.
            _ if first.starts_with('c') => {}
            _ => file.literals(&line, control)?,
        }
    }
    file.model(source, control)
}

impl<'t> File<'t> {
    fn comment(&mut self, line: &Line<'t>) -> Result<(), Diagnostic> {
        let mut words = line.words().skip(1);
        let (first, second) = (words.next().unwrap_or(""), words.next());
        match (first, second) {
            ("ind", _) => {
                let listed = variables(line, 2)?;
                self.independent.get_or_insert_default().extend(listed);
            }
            ("p", Some("show")) => {
                let listed = variables(line, 3)?;
                self.shown.get_or_insert_default().extend(listed);
            }
            ("p", Some("weight")) => {
                let message = "weights of literals are for counting and make no difference here";
                if !self.notes.iter().any(|(_, note)| note == message) {
                    self.notes.push((line.span(), message.to_string()));
                }
            }
            (number, Some(second)) => {
                let digits = number.strip_suffix('$');
                let Ok(variable) = digits.unwrap_or(number).parse() else { return Ok(()) };
                // A name may have blanks.
                let begin = line.span_of(second).start - line.start;
                let name = line.text[begin..].trim();
                let span = line.span_of(name);
                self.names.push(Named { variable, is_generated: digits.is_some(), name, span });
            }
            _ => {}
        }
        Ok(())
    }

    fn problem(&mut self, line: &Line<'t>) -> Result<(), Diagnostic> {
        if let Some((_, _, first)) = self.header {
            let message = "there is a second line with the numbers of variables and clauses";
            return Err(Diagnostic::new(DiagnosticKind::Syntax, line.span(), message)
                .with_help(format!("the first one is at byte offset {}", first.start)));
        }
        let words: Vec<&str> = line.words().collect();
        match words[1..] {
            ["cnf", variables, clauses] => {
                let number = |word: &str| {
                    word.parse::<usize>().map_err(|_| {
                        Diagnostic::new(
                            DiagnosticKind::Syntax,
                            line.span_of(word),
                            format!("'{}' is no number", shorten(word)),
                        )
                        .with_expected("a whole number from 0")
                    })
                };
                let count = number(variables)?;
                check_count(count, line.span_of(variables))?;
                self.header = Some((count, number(clauses)?, line.span()));
                Ok(())
            }
            ["cnf"] => {
                self.notes.push((line.span(), "the numbers of variables and clauses are missing".into()));
                self.header = Some((0, 0, line.span()));
                Ok(())
            }
            _ => {
                let kind = words.get(1).copied().unwrap_or("");
                let message = match kind {
                    "cnf" => "the line has not two numbers".to_string(),
                    _ => format!("'p {}' is another kind of problem than CNF", shorten(kind)),
                };
                Err(Diagnostic::new(DiagnosticKind::Syntax, line.span(), message)
                    .with_expected("'p cnf VARIABLES CLAUSES'"))
            }
        }
    }

    fn literals(&mut self, line: &Line<'t>, control: &Control) -> Result<(), Diagnostic> {
        if self.header.is_none() {
            let message = "a clause stands before the line 'p cnf VARIABLES CLAUSES'";
            return Err(Diagnostic::new(DiagnosticKind::Syntax, line.span(), message).with_help(
                "DIMACS CNF begins with that line, with comments ('c ...') before it; \
                 for another format, use --input-format",
            ));
        }
        for word in line.words() {
            let span = line.span_of(word);
            spend(control, WORK_OF_WORD, span)?;
            let literal: i64 = word.parse().map_err(|_| {
                Diagnostic::new(DiagnosticKind::Syntax, span, format!("'{}' is no literal", shorten(word)))
                    .with_expected("the number of a variable, with '-' before it for its negation, or 0")
            })?;
            let clause = self.open.get_or_insert_with(|| Clause { literals: Vec::new(), span });
            clause.span = clause.span.to(span);
            if literal != 0 {
                check_count(usize::try_from(literal.unsigned_abs()).unwrap_or(usize::MAX), span)?;
                clause.literals.push(literal);
            } else {
                self.clauses.extend(self.open.take());
            }
        }
        Ok(())
    }

    fn model(mut self, source: &SourceText, control: &Control) -> Result<SystemModel, Diagnostic> {
        let end = Span::new(source.text().len(), source.text().len());
        let Some((declared, wanted, header)) = self.header else {
            let message = "there is no line 'p cnf VARIABLES CLAUSES'";
            return Err(Diagnostic::new(DiagnosticKind::Syntax, end, message)
                .with_help("DIMACS CNF begins with that line; for another format, use --input-format"));
        };
        if let Some(clause) = &self.open {
            let message = "the last clause has no end";
            return Err(Diagnostic::new(DiagnosticKind::Syntax, clause.span, message)
                .with_expected("0 behind its literals")
                .with_help("the file may be cut off"));
        }
        let found = self.clauses.len();
        if found < wanted {
            let message = format!("{wanted} clauses are announced and {found} are there");
            return Err(Diagnostic::new(DiagnosticKind::Syntax, header, message)
                .with_help("the file may be cut off; if it is whole, correct the number"));
        }
        // A line without numbers announces nothing.
        if found > wanted && (declared, wanted) != (0, 0) {
            self.notes.push((header, format!("{wanted} clauses are announced and {found} are there")));
        }
        let mut count = declared;
        for clause in &self.clauses {
            for literal in &clause.literals {
                count = count.max(literal.unsigned_abs() as usize);
            }
        }
        if count > declared && (declared, wanted) != (0, 0) {
            self.notes.push((header, format!("{declared} variables are announced and {count} are there")));
        }
        self.build(count, control)
    }

    fn build(self, count: usize, control: &Control) -> Result<SystemModel, Diagnostic> {
        let start = Span::default();
        let mut builder = Builder::default();
        let mut names: FxHashMap<usize, &Named<'_>> = FxHashMap::default();
        for named in self.names.iter().filter(|named| (1..=count).contains(&named.variable)) {
            if let Some(first) = names.get(&named.variable)
                && first.name != named.name
            {
                let number = named.variable;
                let (first, second) = (shorten(first.name), shorten(named.name));
                builder.note(
                    named.span,
                    format!("variable {number} is named '{first}' already and not '{second}'"),
                );
                continue;
            }
            names.entry(named.variable).or_insert(named);
        }
        let listed = self.shown.or(self.independent).map(|listed| {
            let mut is_listed = vec![false; count + 1];
            listed.into_iter().filter(|&it| it <= count).for_each(|variable| is_listed[variable] = true);
            is_listed
        });
        let variables = (1..=count)
            .map(|variable| {
                spend(control, WORK_OF_VARIABLE, start)?;
                let named = names.get(&variable);
                let is_shown = match &listed {
                    Some(is_listed) => is_listed[variable],
                    None => !named.is_some_and(|named| named.is_generated),
                };
                Ok(match named {
                    Some(named) => builder.boolean(named.name, is_shown),
                    None => builder.boolean(&variable.to_string(), is_shown),
                })
            })
            .collect::<Result<Vec<TermId>, Diagnostic>>()?;
        for clause in &self.clauses {
            spend(control, WORK_OF_WORD * (1 + clause.literals.len() as u32), clause.span)?;
            let literals: Vec<TermId> = clause
                .literals
                .iter()
                .map(|literal| {
                    let variable = variables[literal.unsigned_abs() as usize - 1];
                    if *literal < 0 { builder.not(variable) } else { variable }
                })
                .collect();
            let term = builder.any_of(&literals);
            builder.assert(term, clause.span);
        }
        for (span, message) in self.notes {
            builder.note(span, message);
        }
        Ok(builder.finish())
    }
}

/// The numbers of variables after the skipped words of a line, up to a 0.
fn variables(line: &Line<'_>, skipped: usize) -> Result<Vec<usize>, Diagnostic> {
    let mut listed = Vec::new();
    for word in line.words().skip(skipped) {
        match word.parse() {
            Ok(0) => break,
            Ok(variable) => listed.push(variable),
            Err(_) => {
                let message = format!("'{}' is no variable", shorten(word));
                return Err(Diagnostic::new(DiagnosticKind::Syntax, line.span_of(word), message)
                    .with_expected("the number of a variable, or 0 behind the last one"));
            }
        }
    }
    Ok(listed)
}

fn check_count(variables: usize, span: Span) -> Result<(), Diagnostic> {
    if variables <= MAX_VARIABLES {
        return Ok(());
    }
    let message = format!("there are more variables than {MAX_VARIABLES}");
    Err(Diagnostic::new(DiagnosticKind::Limit, span, message))
}
