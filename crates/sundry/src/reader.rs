//! Reading formulas: names, languages, predicates and limits.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use sundry_models::Format;
use sundry_smtlib::SourceText;
use sundry_term::Control;

use crate::compression::{Expanded, Unread};
use crate::error::Error;
use crate::formula::Formula;
use crate::read::{read_formula_with, read_predicates};

/// The options for reading a formula: its name in messages, its language, a time limit.
///
/// ```
/// use sundry::{Format, Formula};
///
/// let text = "Disk: FAT, NTFS\nSize: 1, 9\nIF [Disk] = \"FAT\" THEN [Size] < 5;\n";
/// let formula = Formula::reader().name("disk.pict").format(Format::Pict).read(text)?;
/// assert_eq!(formula.constants().collect::<Vec<_>>(), ["Disk", "Size"]);
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FormulaReader {
    name: String,
    format: Option<Format>,
    recognises_format: bool,
    predicates: Option<String>,
    control: Control,
}

impl FormulaReader {
    /// The name of the text in messages [default: `formula`].
    ///
    /// ```
    /// let error = sundry::Formula::reader().name("door.smt2").read("(assert door)").unwrap_err();
    /// assert_eq!(error.place().map(|place| &*place.source), Some("door.smt2"));
    /// ```
    pub fn name(self, name: impl Into<String>) -> Self {
        FormulaReader { name: name.into(), ..self }
    }

    /// The language of the text [default: SMT-LIB].
    ///
    /// ```
    /// use sundry::{Format, Formula};
    ///
    /// let formula = Formula::reader().format(Format::Dimacs).read("c 1 door\np cnf 1 1\n1 0\n")?;
    /// assert_eq!(formula.constants().collect::<Vec<_>>(), ["door"]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn format(self, format: Format) -> Self {
        FormulaReader { format: Some(format), ..self }
    }

    /// Takes the language that the [name](Self::name) of the text says, or else its first words, in place of a language that was set
    /// before.
    ///
    /// ```
    /// use sundry::Formula;
    ///
    /// let formula = Formula::reader().name("backup.pict").recognise_format().read("Target: tape, disk\n")?;
    /// assert_eq!(formula.value_names("Target").collect::<Vec<_>>(), ["tape", "disk"]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn recognise_format(self) -> Self {
        FormulaReader { recognises_format: true, ..self }
    }

    /// Sets the control that stops the reader: a deadline, flags [default: none].
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::AtomicBool;
    /// use sundry::{Control, ErrorKind, Formula};
    ///
    /// let control = Control::default().with_stop(Arc::new(AtomicBool::new(true)));
    /// let text = "(declare-const p Bool)".to_string() + &"(assert p)".repeat(10_000);
    /// assert_eq!(Formula::reader().control(control).read(text).unwrap_err().kind(), ErrorKind::Limit);
    /// ```
    pub fn control(self, control: Control) -> Self {
        FormulaReader { control, ..self }
    }

    /// Predicates over the constants and functions of the formula: Boolean definitions in SMT-LIB [default: none].
    /// The predicates that hold form the class of a solution, and classes guide
    /// [`Strategy::Guided`](crate::Strategy::Guided).
    ///
    /// ```
    /// use sundry::{Formula, Guidance, Possibility, Strategy};
    ///
    /// let reader = Formula::reader().predicates("(define-fun small () Bool (bvult x #x10)) (define-fun big () Bool (bvugt x #x90))");
    /// let formula = reader.read("(declare-const x (_ BitVec 8)) (assert (bvult x #x80))")?;
    /// let [small, big] = formula.decide_predicates(None)?[..] else { panic!("there are two") };
    /// assert_eq!((small.holds, small.fails), (Possibility::Possible, Possibility::Possible));
    /// assert_eq!(big.holds, Possibility::Impossible);
    ///
    /// let guided = Strategy::Guided(Guidance::Bases);
    /// let samples = formula.sampler().strategy(guided).max_solutions(2).run()?;
    /// assert_eq!(samples.solutions.len(), 2);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn predicates(self, text: impl Into<String>) -> Self {
        FormulaReader { predicates: Some(text.into()), ..self }
    }

    /// Limits the time for reading [default: no limit].
    ///
    /// ```
    /// use std::time::Duration;
    /// use sundry::Formula;
    ///
    /// let formula = Formula::reader().timeout(Duration::from_secs(60)).read("(declare-const p Bool)")?;
    /// assert_eq!(formula.constants().count(), 1);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn timeout(self, timeout: Duration) -> Self {
        let control = self.control.with_deadline(Instant::now().checked_add(timeout));
        FormulaReader { control, ..self }
    }

    /// Reads a formula.
    ///
    /// # Errors
    /// The text is not a formula, uses an unsupported feature, or takes longer to read than the limit.
    ///
    /// ```
    /// let formula = sundry::Formula::reader().name("door.smt2").read("(declare-const door Bool) (assert door)")?;
    /// assert_eq!(formula.name(), "door.smt2");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn read(mut self, text: impl Into<String>) -> Result<Formula, Error> {
        let name = std::mem::take(&mut self.name);
        self.read_source(SourceText::new(name, text.into()))
    }

    /// Reads a formula from a file, whose path is its name. A compressed file (gzip, bzip2, xz, Zstandard) is expanded.
    ///
    /// # Errors
    /// The file cannot be read or is damaged; otherwise as for [`read`](Self::read).
    ///
    /// ```
    /// use sundry::{ErrorKind, Formula};
    ///
    /// let path = std::env::temp_dir().join(format!("sundry-backup-{}.pict", std::process::id()));
    /// std::fs::write(&path, "Target: tape, disk\n")?;
    /// let formula = Formula::reader().recognise_format().read_file(&path)?;
    /// assert_eq!(formula.constants().collect::<Vec<_>>(), ["Target"]);
    /// std::fs::remove_file(&path)?;
    /// assert_eq!(Formula::reader().read_file(&path).unwrap_err().kind(), ErrorKind::Input);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_file(self, path: impl AsRef<Path>) -> Result<Formula, Error> {
        let path = path.as_ref();
        let expanded = File::open(path).and_then(Expanded::new).map_err(Unread::Failed);
        let bytes = expanded.and_then(|mut expanded| expanded.read_whole(&self.control));
        let bytes = bytes.map_err(|unread| unread.about(path.display()))?;
        self.read_source(SourceText::from_bytes(path.display().to_string(), bytes))
    }

    fn read_source(self, source: SourceText) -> Result<Formula, Error> {
        let format = match self.recognises_format {
            true => Format::recognise(source.name(), source.text()),
            false => self.format,
        };
        let definitions = self.predicates.map(|text| SourceText::new("predicates", text));
        let (mut parts, read) = read_formula_with(source, format, &self.control, |parser, store| {
            definitions.map(|text| read_predicates(parser, store, &text)).transpose()
        })?;
        let (predicates, notes) = read?.unwrap_or_default();
        parts.notes.extend(notes);
        Ok(Formula::new(parts, predicates))
    }
}

impl Formula {
    /// Reads a formula in SMT-LIB: the assertions at the first `check-sat`, or at the end of a script without one.
    ///
    /// # Errors
    /// The text is not a script, or uses an unsupported feature.
    ///
    /// ```
    /// let formula = sundry::Formula::parse("(declare-const p Bool) (assert (not p))")?;
    /// assert_eq!(formula.constants().collect::<Vec<_>>(), ["p"]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn parse(text: impl Into<String>) -> Result<Formula, Error> {
        Formula::reader().read(text)
    }

    /// Reads a formula from a file, compressed or not, in the language that its name says, or else its first words.
    ///
    /// # Errors
    /// The file cannot be read or is damaged, its text is not a formula or uses an unsupported feature.
    ///
    /// ```
    /// let path = std::env::temp_dir().join(format!("sundry-door-{}.smt2", std::process::id()));
    /// std::fs::write(&path, "(declare-const door Bool)")?;
    /// let formula = sundry::Formula::read_file(&path)?;
    /// assert_eq!(formula.constants().collect::<Vec<_>>(), ["door"]);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_file(path: impl AsRef<Path>) -> Result<Formula, Error> {
        Formula::reader().recognise_format().read_file(path)
    }

    /// Reads formulas in other languages, with a name for messages, or within a time limit.
    ///
    /// ```
    /// use sundry::{Format, Formula};
    ///
    /// let reader = Formula::reader().name("backup.pict").format(Format::Pict);
    /// assert_eq!(reader.read("Target: tape, disk\n")?.constants().collect::<Vec<_>>(), ["Target"]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn reader() -> FormulaReader {
        FormulaReader {
            name: "formula".to_string(),
            format: None,
            recognises_format: false,
            predicates: None,
            control: Control::default(),
        }
    }
}
