//! Texts that formulas are read from, and what their readers say.

/// A column is the way in which people see a constant of a model of a configurable system.
///
/// ```
/// use sundry::read::Column;
/// use sundry::{Format, Formula, Value};
///
/// let formula = Formula::reader().format(Format::Pict).read("Disk: FAT, NTFS, ext4\n")?;
/// let columns: &[Column] = formula.parts().columns.as_deref().expect("a model has columns");
/// let value = columns[0].value_named(&formula.parts().problem.store, "NTFS");
/// assert_eq!(columns[0].name, "Disk");
/// assert_eq!(value.and_then(|value| columns[0].name_of(&value).map(str::to_string)).as_deref(), Some("NTFS"));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_models::Column;

/// A model may ask that some of its parameters are combined more closely than others.
///
/// ```
/// use sundry::read::ColumnGroup;
/// use sundry::{Format, Formula};
///
/// let reader = Formula::reader().format(Format::Pict);
/// let formula = reader.read("A: 1, 2\nB: 1, 2\nC: 1, 2\n{ A, B, C } @ 3\n")?;
/// let groups: &[ColumnGroup] = &formula.parts().groups;
/// assert_eq!((groups[0].symbols.len(), groups[0].strength), (3, 3));
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_models::Group as ColumnGroup;

/// A level is a value of a parameter, which has names, and may be one that the system has to refuse.
///
/// ```
/// use sundry::read::ColumnLevel;
/// use sundry::{Format, Formula};
///
/// let formula = Formula::reader().format(Format::Pict).read("Size: ~0, 1, 9\n")?;
/// let columns = formula.parts().columns.as_deref().expect("a model has columns");
/// let refused: Vec<&ColumnLevel> = columns[0].levels.iter().filter(|level| level.is_negative).collect();
/// assert_eq!(refused.len(), 1);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_models::Level as ColumnLevel;

/// A format is recognised by the name of a file, or by its text.
///
/// ```
/// use sundry::{Format, Formula};
///
/// let text = "p cnf 2 1\n1 2 0\n";
/// assert_eq!(Format::recognise("model", text), Some(Format::Dimacs));
/// let formula = Formula::reader().format(Format::Dimacs).read(text)?;
/// assert_eq!(formula.constants().count(), 2);
/// # Ok::<(), sundry::Error>(())
/// ```
pub use sundry_models::Format;

/// A diagnostic points at a place of a text, and becomes an [`Error`](crate::Error) together with it.
///
/// ```
/// use sundry::Error;
/// use sundry::read::{Diagnostic, DiagnosticKind, SourceText};
/// use sundry::term::Span;
///
/// let source = SourceText::new("door.smt2", "(assert dor)");
/// let diagnostic = Diagnostic::new(DiagnosticKind::Unknown, Span::new(8, 11), "unknown symbol 'dor'");
/// assert!(diagnostic.render(&source).starts_with("door.smt2:1:9: error: unknown symbol 'dor'"));
/// assert_eq!(Error::at(&diagnostic, &source).place().map(|place| place.column), Some(9));
/// ```
pub use sundry_smtlib::Diagnostic;

/// The kind of a [`Diagnostic`] says whether the text is at fault.
///
/// ```
/// use sundry::ErrorKind;
/// use sundry::read::DiagnosticKind;
///
/// assert!(DiagnosticKind::Sort.is_input_at_fault());
/// assert!(!DiagnosticKind::Unsupported.is_input_at_fault());
/// let error = sundry::Formula::parse("(assert dor)").expect_err("a symbol that is not declared");
/// assert_eq!(error.kind(), ErrorKind::Input);
/// ```
pub use sundry_smtlib::DiagnosticKind;

/// A text has a name and knows the lines and columns of its places.
///
/// ```
/// use sundry::read::SourceText;
///
/// let source = SourceText::new("door.smt2", "(declare-const door Bool)\n(assert door)\n");
/// let position = source.position(34);
/// assert_eq!((position.line, position.column), (2, 9));
/// assert_eq!(source.name(), "door.smt2");
/// ```
pub use sundry_smtlib::SourceText;
