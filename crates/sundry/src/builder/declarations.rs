//! Declarations of sorts, constants and functions.

use sundry_smtlib::{Command, SourceText, can_be_declared};
use sundry_term::{SymbolId, quote_symbol};

use super::{FormulaBuilder, Function, Term, wrong};
use crate::error::{Error, ErrorKind};
use crate::sort::Sort;

impl FormulaBuilder {
    /// Declares a sort of which only one thing is known: it is not empty.
    ///
    /// # Errors
    /// The name is declared already, belongs to SMT-LIB or cannot be written.
    ///
    /// ```
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let user = builder.declare_sort("User")?;
    /// let [alice, bob] = [builder.constant("alice", &user)?, builder.constant("bob", &user)?];
    /// let differ = builder.distinct(&[alice, bob])?;
    /// builder.assert(differ)?;
    /// assert_eq!(builder.build()?.sampler().run()?.solutions.len(), 1);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn declare_sort(&mut self, name: &str) -> Result<Sort, Error> {
        check_name(name)?;
        if self.sorts.contains_key(name) {
            return Err(declared_twice("sort", name));
        }
        // The parser declares the sort, so that terms that are written as text can name it.
        self.parser.restart();
        let text = format!("(declare-sort {} 0)", quote_symbol(name));
        let source = SourceText::new("declaration", text);
        let command = self.parser.next_command(&mut self.store, &source);
        match command.map_err(|diagnostic| Error::at(&diagnostic, &source))? {
            Some((Command::DeclareSort(declaration), _)) => {
                let sort = sundry_term::Sort::Uninterpreted { declaration, arguments: Box::default() };
                let sort = self.store.intern_sort(sort).map_err(|error| wrong(&error))?;
                self.sorts.insert(name.to_string(), sort);
                Ok(Sort::Declared(name.to_string()))
            }
            _ => Err(Error::new(ErrorKind::Internal, "a declaration was read as another command")),
        }
    }

    /// Declares a constant.
    ///
    /// # Errors
    /// The name is declared already, belongs to SMT-LIB or cannot be written; or the sort does not exist.
    ///
    /// ```
    /// use sundry::Sort;
    ///
    /// let mut builder = sundry::FormulaBuilder::new();
    /// builder.constant("x", &Sort::BitVec(8))?;
    /// assert_eq!(builder.constant("x", &Sort::Bool).unwrap_err().message(), "the constant or function 'x' is declared already");
    /// assert_eq!(builder.constant("bvadd", &Sort::Bool).unwrap_err().message(), "no constant, function or sort can be called 'bvadd'");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn constant(&mut self, name: &str, sort: &Sort) -> Result<Term, Error> {
        let symbol = self.declare(name, &[], sort)?;
        Ok(self.constant_term(symbol))
    }

    /// Declares a function. [`call`](Self::call) applies it.
    ///
    /// # Errors
    /// The errors of [`constant`](Self::constant); or the function has no argument.
    ///
    /// ```
    /// use sundry::Sort;
    ///
    /// let mut builder = sundry::FormulaBuilder::new();
    /// let likes = builder.function("likes", &[Sort::Int, Sort::Int], &Sort::Bool)?;
    /// let [one, two] = [builder.int(1)?, builder.int(2)?];
    /// let fact = builder.call(likes, &[one, two])?;
    /// builder.assert(fact)?;
    /// assert_eq!(builder.build()?.constants().collect::<Vec<_>>(), ["likes"]);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn function(&mut self, name: &str, arguments: &[Sort], result: &Sort) -> Result<Function, Error> {
        if arguments.is_empty() {
            let message = format!("the function '{name}' has no argument");
            return Err(Error::new(ErrorKind::Input, message)
                .with_help("FormulaBuilder::constant declares constants"));
        }
        let symbol = self.declare(name, arguments, result)?;
        Ok(Function { symbol, builder: self.number })
    }

    fn declare(&mut self, name: &str, arguments: &[Sort], result: &Sort) -> Result<SymbolId, Error> {
        check_name(name)?;
        if self.by_name.contains_key(name) {
            return Err(declared_twice("constant or function", name));
        }
        let arguments = arguments.iter().map(|sort| self.intern(sort)).collect::<Result<Vec<_>, _>>()?;
        let result = self.intern(result)?;
        let symbol = self.store.declare(name, &arguments, result);
        self.parser.declare(&mut self.store, symbol);
        self.symbols.push(symbol);
        self.by_name.insert(name.to_string(), symbol);
        Ok(symbol)
    }
}

/// Refuses names that other solvers could not read.
fn check_name(name: &str) -> Result<(), Error> {
    if can_be_declared(name) {
        return Ok(());
    }
    let message = format!("no constant, function or sort can be called '{name}'");
    let help = "names of SMT-LIB are taken; '|', '\\' and control characters cannot be written; '.' and '@' do not come first";
    Err(Error::new(ErrorKind::Input, message).with_help(help))
}

pub(super) fn declared_twice(what: &str, name: &str) -> Error {
    Error::new(ErrorKind::Input, format!("the {what} '{name}' is declared already"))
}
