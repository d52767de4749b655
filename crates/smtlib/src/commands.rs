//! The commands: the text after the opening parenthesis of each, and its effect on the scope. `declarations.rs` has
//! the commands that name sorts and symbols.

use sundry_term::{TermId, TheoryName};

use crate::cursor::{syntax, unclosed, unexpected};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::{Token, shorten};
use crate::reader::{Reader, unsupported};
use crate::scope::Scope;
use crate::script::{Attribute, Command};
use crate::source::Span;
use crate::theories::near_name;

/// The commands that are handled.
const COMMANDS: [&str; 25] = [
    "set-logic",
    "set-info",
    "set-option",
    "declare-sort",
    "define-sort",
    "declare-const",
    "declare-fun",
    "define-fun",
    "define-const",
    "assert",
    "push",
    "pop",
    "check-sat",
    "check-sat-assuming",
    "get-model",
    "get-value",
    "get-unsat-assumptions",
    "get-assertions",
    "get-assignment",
    "get-unsat-core",
    "get-info",
    "get-option",
    "echo",
    "reset",
    "reset-assertions",
];

/// Commands of the standard or of well-known solvers that are not handled, and the extensions that they belong to.
const UNSUPPORTED_COMMANDS: [(&str, &str); 16] = [
    ("define-fun-rec", TheoryName::RecursiveDefinitions.name()),
    ("define-funs-rec", TheoryName::RecursiveDefinitions.name()),
    ("declare-datatype", TheoryName::Datatypes.name()),
    ("declare-datatypes", TheoryName::Datatypes.name()),
    ("declare-codatatype", TheoryName::Datatypes.name()),
    ("declare-codatatypes", TheoryName::Datatypes.name()),
    ("declare-sort-parameter", "polymorphism"),
    ("declare-heap", "separation logic"),
    ("declare-var", "synthesis"),
    ("get-proof", "proofs"),
    ("assert-soft", "optimisation"),
    ("minimize", "optimisation"),
    ("maximize", "optimisation"),
    ("get-objectives", "optimisation"),
    ("simplify", "simplification"),
    ("block-model", "model enumeration"),
];

/// Commands that change no declaration and are kept as text where all theories are read.
const KEPT_COMMANDS: [&str; 12] = [
    "assert-soft",
    "minimize",
    "maximize",
    "get-objectives",
    "get-proof",
    "get-unsat-core-lemmas",
    "get-difficulty",
    "simplify",
    "eval",
    "block-model",
    "check-sat-using",
    "apply",
];

/// The kept commands that have a term for their first argument.
const OBJECTIVES: [&str; 3] = ["assert-soft", "minimize", "maximize"];

/// Commands that may stand in a text of definitions.
const AMONG_DEFINITIONS: [&str; 7] =
    ["define-fun", "define-const", "define-sort", "define-fun-rec", "define-funs-rec", "set-info", "echo"];

/// The maximal number of levels that are open together.
const MAX_LEVELS: usize = 1_000_000;

/// Whether this is the name of a command.
pub(crate) fn is_command(name: &str) -> bool {
    COMMANDS.contains(&name) || name == "exit" || UNSUPPORTED_COMMANDS.iter().any(|(known, _)| *known == name)
}

impl<'a> Reader<'a, '_> {
    /// Reads the rest of a command whose parenthesis was taken, and carries out its effect on the meaning of names.
    pub(crate) fn command(&mut self, open: Span) -> Result<(Command, Span), Diagnostic> {
        let (name, name_span) = match self.cursor.next()? {
            (Token::Symbol(name), span) => (name, span),
            (Token::End, _) => return Err(unclosed(open)),
            (token, span) => return Err(unexpected(token, span, "the name of a command")),
        };
        if self.scope.only_definitions.is_some() && is_command(name) && !AMONG_DEFINITIONS.contains(&name) {
            let message = format!("'{name}' does not belong among definitions");
            let help = "symbols, sorts and assertions are those of the formula; here they are only used";
            return Err(Diagnostic::new(DiagnosticKind::Mode, name_span, message)
                .with_expected("a definition")
                .with_help(help));
        }
        let mut command = self.command_body(name, name_span)?;
        let close = match self.cursor.next()? {
            (Token::Close, span) => span,
            (Token::End, _) => return Err(unclosed(open)),
            (token, span) => return Err(unexpected(token, span, &format!("')' at the end of '{name}'"))),
        };
        if let Command::Other { text, .. } = &mut command {
            *text = self.cursor.slice(open.to(close)).to_string();
        }
        self.carry_out(&command);
        Ok((command, open.to(close)))
    }

    fn command_body(&mut self, name: &str, name_span: Span) -> Result<Command, Diagnostic> {
        Ok(match name {
            "set-logic" => Command::SetLogic(self.cursor.expect_symbol("the name of a logic")?.0.to_string()),
            "set-info" => Command::SetInfo(self.attribute()?.0),
            "set-option" => self.set_option()?,
            "declare-sort" => self.declare_sort()?,
            "define-sort" => self.define_sort()?,
            "declare-const" => self.declare_symbol(false)?,
            "declare-fun" => self.declare_symbol(true)?,
            "define-const" => self.define_symbol(false)?,
            "define-fun" => self.define_symbol(true)?,
            "assert" => Command::Assert(self.bounded_formula()?),
            "push" => self.push()?,
            "pop" => self.pop(name_span)?,
            "check-sat" => Command::CheckSat,
            "check-sat-assuming" => self.check_sat_assuming()?,
            "get-model" => Command::GetModel,
            "get-value" => self.get_value()?,
            "get-unsat-assumptions" => Command::GetUnsatAssumptions,
            "get-assertions" => Command::GetAssertions,
            "get-assignment" => Command::GetAssignment,
            "get-unsat-core" => Command::GetUnsatCore,
            "get-info" => {
                Command::GetInfo(self.cursor.expect_keyword("a keyword such as :name")?.0.to_string())
            }
            "get-option" => Command::GetOption(
                self.cursor.expect_keyword("a keyword such as :produce-models")?.0.to_string(),
            ),
            "echo" => Command::Echo(self.cursor.expect_string("a string")?.0),
            "reset" => Command::Reset,
            "reset-assertions" => Command::ResetAssertions,
            "exit" => Command::Exit,
            "define-fun-rec" if self.reads(TheoryName::RecursiveDefinitions) => self.define_recursive()?,
            "define-funs-rec" if self.reads(TheoryName::RecursiveDefinitions) => {
                self.define_recursive_together()?
            }
            "declare-datatypes" if self.reads(TheoryName::Datatypes) => self.declare_datatypes()?,
            "declare-datatype" if self.reads(TheoryName::Datatypes) => self.declare_datatype()?,
            _ if self.reads_all() && KEPT_COMMANDS.contains(&name) => {
                let mut terms = Vec::new();
                if OBJECTIVES.contains(&name) {
                    terms.push(self.term()?.term);
                }
                while !self.cursor.at_close()? {
                    self.cursor.skip_expression("an argument")?;
                }
                Command::Other { name: name.to_string(), text: String::new(), terms }
            }
            _ => return Err(unknown_command(name, name_span)),
        })
    }

    /// Carries out the effect of a complete command on levels and names. Declarations were entered while they were
    /// read.
    fn carry_out(&mut self, command: &Command) {
        match command {
            Command::Push(count) => (0..*count).for_each(|_| self.scope.push()),
            Command::Pop(count) => (0..*count).for_each(|_| self.scope.pop()),
            Command::ResetAssertions => self.scope.reset_levels(),
            Command::Reset => *self.scope = Scope::new(self.store, self.scope.theories),
            Command::SetLogic(logic) => self.scope.numerals_are_real = has_reals_only(logic),
            _ => {}
        }
    }

    // ---- attributes and options

    fn attribute(&mut self) -> Result<(Attribute, Span), Diagnostic> {
        let (keyword, span) = self.cursor.expect_keyword("a keyword such as :status")?;
        if self.cursor.at_close()? {
            return Ok((Attribute { keyword: keyword.to_string(), value: None }, span));
        }
        let value_span = self.cursor.skip_expression("the value of the attribute")?;
        let value = Some(self.cursor.slice(value_span).to_string());
        Ok((Attribute { keyword: keyword.to_string(), value }, span.to(value_span)))
    }

    fn set_option(&mut self) -> Result<Command, Diagnostic> {
        let (attribute, span) = self.attribute()?;
        if attribute.keyword == ":global-declarations" {
            let global = match attribute.value.as_deref() {
                Some("true") => true,
                Some("false") => false,
                _ => return Err(syntax(span, "this option is true or false")),
            };
            if global != self.scope.global_declarations && !self.scope.is_untouched() {
                let message = "':global-declarations' must be set before the first declaration";
                return Err(Diagnostic::new(DiagnosticKind::Mode, span, message));
            }
            self.scope.global_declarations = global;
        }
        Ok(Command::SetOption(attribute))
    }

    // ---- levels

    fn level_count(&mut self) -> Result<(u32, Span), Diagnostic> {
        let (_, span) = self.cursor.peek()?;
        if self.cursor.at_close()? { Ok((1, span)) } else { self.cursor.expect_numeral("a number of levels") }
    }

    fn push(&mut self) -> Result<Command, Diagnostic> {
        let (count, span) = self.level_count()?;
        if self.scope.level() + count as usize > MAX_LEVELS {
            let message = format!("more than {MAX_LEVELS} levels would be open");
            return Err(Diagnostic::new(DiagnosticKind::Limit, span, message));
        }
        Ok(Command::Push(count))
    }

    fn pop(&mut self, name_span: Span) -> Result<Command, Diagnostic> {
        let (count, span) = self.level_count()?;
        let level = self.scope.level();
        if count as usize > level {
            let plural = if level == 1 { "level is" } else { "levels are" };
            let message = format!("{count} cannot be popped, {level} {plural} open");
            return Err(Diagnostic::new(DiagnosticKind::Mode, name_span.to(span), message));
        }
        Ok(Command::Pop(count))
    }

    // ---- questions

    /// Reads a formula to be asserted or assumed.
    fn bounded_formula(&mut self) -> Result<TermId, Diagnostic> {
        let formula = self.formula()?;
        self.check_integers(formula)?;
        Ok(formula.term)
    }

    fn check_sat_assuming(&mut self) -> Result<Command, Diagnostic> {
        self.cursor.expect_open("the assumptions")?;
        let mut assumptions = Vec::new();
        while !self.cursor.at_close()? {
            assumptions.push(self.bounded_formula()?);
        }
        self.cursor.expect_close("the assumptions")?;
        Ok(Command::CheckSatAssuming(assumptions))
    }

    fn get_value(&mut self) -> Result<Command, Diagnostic> {
        let open = self.cursor.expect_open("the terms")?;
        let mut terms = Vec::new();
        while !self.cursor.at_close()? {
            let value = self.term()?;
            self.check_integers(value)?;
            terms.push((value.term, self.cursor.slice(value.span).to_string()));
        }
        let close = self.cursor.expect_close("the terms")?;
        if terms.is_empty() {
            return Err(syntax(open.to(close), "'get-value' needs at least one term"));
        }
        Ok(Command::GetValue(terms))
    }
}

/// Whether numerals are reals in a logic: it has real arithmetic and no integers.
fn has_reals_only(logic: &str) -> bool {
    let has = |parts: &[&str]| parts.iter().any(|part| logic.contains(part));
    has(&["LRA", "NRA", "RDL"]) && !has(&["LIRA", "NIRA", "LIA", "NIA", "IDL"])
}

fn unknown_command(name: &str, span: Span) -> Diagnostic {
    if let Some((_, theory)) = UNSUPPORTED_COMMANDS.iter().find(|(known, _)| *known == name) {
        return unsupported(span, &format!("the command '{name}'"), theory);
    }
    let diagnostic = syntax(span, format!("unknown command '{}'", shorten(name)));
    match near_name(name, COMMANDS.into_iter().chain(["exit"])) {
        Some(near) => diagnostic.with_help(format!("did you mean '{near}'?")),
        None => diagnostic,
    }
}
