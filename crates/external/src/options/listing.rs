//! Options as solvers list them.
//!
//! Z3 prints a parameter per line below the name of its module, with its type, a description and its default value. The
//! others print the usual help: an option per paragraph, indented by two blanks. cvc marks switches by `[*]`; Bitwuzla
//! prints default values between brackets, and the modes of an option between braces.

/// An option in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ListedOption {
    /// The name.
    pub(crate) name: String,
    /// The kind of its values.
    pub(crate) kind: ListedKind,
    /// The default value, if the list has it.
    pub(crate) default: Option<String>,
}

/// The kind of values of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ListedKind {
    /// On or off.
    Switch,
    /// One of these values.
    Choice(Vec<String>),
    /// A number without a list of its values, a text, or none.
    Other,
}

/// The options in the text that a solver prints.
pub(crate) fn listed_options(text: &str) -> Vec<ListedOption> {
    if text.contains("[module] ") { parameters(text) } else { paragraphs(text).filter_map(option).collect() }
}

/// The parameters of the modules of Z3.
fn parameters(text: &str) -> Vec<ListedOption> {
    let mut module = String::new();
    let mut options = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("[module] ") {
            module = rest.split(',').next().unwrap_or_default().trim().to_string();
        } else if let Some(rest) = line.strip_prefix("    ")
            && let Some((name, rest)) = rest.split_once(" (")
            && let Some((kind, rest)) = rest.split_once(')')
        {
            let (description, default) = match rest.rsplit_once("(default: ") {
                Some((description, default)) => {
                    (description, Some(default.trim_end().trim_end_matches(')').to_string()))
                }
                None => (rest, None),
            };
            let name = if module.is_empty() { name.to_string() } else { format!("{module}.{name}") };
            let kind = match kind {
                "bool" => ListedKind::Switch,
                "unsigned int" => numbers(description),
                _ => ListedKind::Other,
            };
            options.push(ListedOption { name, kind, default: default.filter(|value| !value.is_empty()) });
        }
    }
    options
}

/// The numbers that a description explains, as in `0 - never, 1 - always`.
fn numbers(description: &str) -> ListedKind {
    let mut values = Vec::new();
    let mut word_before = "";
    for word in description.split_whitespace() {
        let number = match word {
            "-" => word_before,
            _ => word.strip_suffix('-').unwrap_or_default(),
        };
        if number.parse().ok() == Some(values.len()) {
            values.push(number.to_string());
        }
        word_before = word;
    }
    if values.len() > 1 { ListedKind::Choice(values) } else { ListedKind::Other }
}

/// The paragraphs about one option each, in one line.
fn paragraphs(text: &str) -> impl Iterator<Item = String> {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let indentation = line.len() - line.trim_start().len();
        let begins = indentation == 2 && line.trim_start().starts_with('-');
        match paragraphs.last_mut() {
            _ if begins => paragraphs.push(line.trim().to_string()),
            Some(last) if is_open && indentation > 2 => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => {}
        }
        is_open = begins || is_open && indentation > 2;
    }
    paragraphs.into_iter()
}

/// The option of a paragraph; `None` if it has no long name.
fn option(paragraph: String) -> Option<ListedOption> {
    // All spellings stand before two blanks or, where they are long, before the end of the line.
    let start = paragraph.find("--")?;
    let rest = &paragraph[start + 2..];
    let end = rest.find([' ', '=', ',']).unwrap_or(rest.len());
    let (name, behind) = rest.split_at(end);
    let takes_value = behind.starts_with('=') || behind.starts_with(" <");
    let between = |open: &str, close: &str| {
        let (_, inside) = behind.rsplit_once(open)?;
        inside.split_once(close).map(|(inside, _)| inside.to_string())
    };
    let default = between("[", "]").filter(|value| value != "*");
    let kind = match (takes_value, between("{", "}"), &default) {
        (true, Some(modes), _) => {
            ListedKind::Choice(modes.split(',').map(|it| it.trim().to_string()).collect())
        }
        (true, None, _) => ListedKind::Other,
        (false, _, Some(value)) if value == "true" || value == "false" => ListedKind::Switch,
        (false, _, _) if behind.contains("[*]") => ListedKind::Switch,
        (false, ..) => ListedKind::Other,
    };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (!name.is_empty() && name.bytes().all(is_name)).then(|| ListedOption {
        name: name.to_string(),
        kind,
        default,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switch(name: &str, default: Option<&str>) -> ListedOption {
        ListedOption { name: name.into(), kind: ListedKind::Switch, default: default.map(String::from) }
    }

    fn other(name: &str, default: Option<&str>) -> ListedOption {
        ListedOption { kind: ListedKind::Other, ..switch(name, default) }
    }

    fn choice(name: &str, values: &[&str], default: &str) -> ListedOption {
        let values = values.iter().map(|value| value.to_string()).collect();
        ListedOption { kind: ListedKind::Choice(values), ..switch(name, Some(default)) }
    }

    #[test]
    fn parameters_of_z3() {
        let text = "Global parameters\n    model (bool) produce models (default: true)\n\n\
            To set a module parameter, use <module-name>.<parameter-name>=value\nExample:  pp.decimal=true\n\n\
            [module] smt, description: lazy solver (core)\n    arith.nl (bool) products (in part) (default: true)\n\
            \x20   dack (unsigned int) 0 - never, 1 - at the root, 2- everywhere (default: 1)\n\
            \x20   cube_depth (unsigned int) depth of 2 cubes (default: 1)\n    logic (symbol) name of a logic\n\
            [module] sat\n    gc.k (unsigned int) learned clauses (default: 7)\n    bce (bool) (default: false)\n";
        assert_eq!(
            listed_options(text),
            [
                switch("model", Some("true")),
                switch("smt.arith.nl", Some("true")),
                choice("smt.dack", &["0", "1", "2"], "1"),
                other("smt.cube_depth", Some("1")),
                other("smt.logic", None),
                other("sat.gc.k", Some("7")),
                switch("sat.bce", Some("false")),
            ]
        );
    }

    #[test]
    fn help_of_cvc() {
        let text = "usage: cvc5 [options] [input-file]\n\nMost common options:\n  --lang=LANG | -L LANG  language of the \
            input (see --lang\n                         help)\n  --stats                figures at the end [*]\n\n\
            From the Arithmetic Theory module:\n  --arith-brab           round where possible (EXPERTS\n                         only) \
            [*]\n  --cbqi-mode=MODE       mode, see --cbqi-mode=help\n  --copyright            print it\n\n\
            [*] These options have a form --no-OPTION.\n";
        assert_eq!(
            listed_options(text),
            [
                other("lang", None),
                switch("stats", None),
                switch("arith-brab", None),
                other("cbqi-mode", None),
                other("copyright", None)
            ]
        );
    }

    #[test]
    fn help_of_bitwuzla() {
        let text = "Usage:\n  bitwuzla [<options>] [<input>]\n\nOptions:\n  <input>                     [<stdin>]   file\n\
            \x20 -h, --help                              print this\n  --bv-solver <M>             [bitblast]  engine \n\
            \x20                                         {preprop, prop, bitblast} \n  -rwl <n>, --rewrite-level <n> [2]         level\n\
            \x20 --preprocess                [true]      simplify first\n  --unsafe                    [false]     of experts\n";
        assert_eq!(
            listed_options(text),
            [
                other("help", None),
                choice("bv-solver", &["preprop", "prop", "bitblast"], "bitblast"),
                other("rewrite-level", Some("2")),
                switch("preprocess", Some("true")),
                switch("unsafe", Some("false")),
            ]
        );
    }

    #[test]
    fn what_is_no_list_has_no_options() {
        assert_eq!(listed_options("(error \"failed to open '--help'\")\n"), []);
        assert_eq!(listed_options(""), []);
    }
}
