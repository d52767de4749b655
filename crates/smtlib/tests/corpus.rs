//! Every formula of the shared benchmark folders parses, and its printed form is read back as the same terms. Those
//! folders are not part of the project; without them the test is skipped.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use sundry_smtlib::{
    Command, DiagnosticKind, Parser, Script, SourceText, TheorySet, parse_script, print_formula, print_script,
};
use sundry_term::{Op, SortDisplay, TermId, TermStore};
use sundry_testing::skipped::shared_folder;

/// All `.smt2` files below a folder, sorted.
fn scripts_below(folder: PathBuf) -> Vec<PathBuf> {
    let mut folders = vec![folder];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "smt2") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn read(path: &Path) -> SourceText {
    let bytes = std::fs::read(path).expect("a listed file can be read");
    SourceText::from_bytes(path.display().to_string(), bytes)
}

fn assertions(script: &Script) -> Vec<TermId> {
    let asserted = |(command, _): &(Command, _)| match command {
        Command::Assert(term) => Some(*term),
        _ => None,
    };
    script.commands.iter().filter_map(asserted).collect()
}

/// Numbers for terms by their content, the same for terms of different stores: symbols count by
/// name.
#[derive(Default)]
struct Contents(HashMap<(String, Vec<usize>), usize>);

impl Contents {
    fn numbers(&mut self, store: &TermStore, roots: &[TermId]) -> Vec<usize> {
        let mut numbers: HashMap<TermId, usize> = HashMap::new();
        for term in store.reachable(roots) {
            let head = match store.op(term) {
                Op::Apply(symbol) => store.symbol(symbol).name.to_string(),
                Op::Constant(_) => format!("{:?}", store.value(term)),
                Op::ConstArray(sort) => format!("const {}", SortDisplay::new(store, sort)),
                op => format!("{op:?}"),
            };
            let arguments = store.args(term).iter().map(|argument| numbers[argument]).collect();
            let next = self.0.len();
            numbers.insert(term, *self.0.entry((head, arguments)).or_insert(next));
        }
        roots.iter().map(|root| numbers[root]).collect()
    }
}

fn parse(store: &mut TermStore, source: &SourceText) -> Script {
    parse_script(store, source, TheorySet::DECIDED).unwrap_or_else(|error| panic!("{}", error.render(source)))
}

/// The script of a text without the commands that are not supported; anything else must parse.
fn parse_supported(store: &mut TermStore, source: &SourceText) -> Script {
    let mut parser = Parser::new(store, TheorySet::DECIDED);
    let mut script = Script::default();
    loop {
        match parser.next_command(store, source) {
            Ok(Some(command)) => script.commands.push(command),
            Ok(None) => return script,
            Err(error) => {
                let rendered = error.render(source);
                assert_eq!(error.kind, DiagnosticKind::Unsupported, "{rendered}");
                assert!(source.name().contains("/seeds/"), "{rendered}");
            }
        }
    }
}

#[test]
fn benchmarks_parse_and_survive_printing() {
    let folders =
        ["benchmarks/sampling", "benchmarks/large", "benchmarks/faults", "seeds/QF_BV", "seeds/QF_ABV"];
    let folders = folders
        .into_iter()
        .filter_map(|folder| shared_folder("benchmarks_parse_and_survive_printing", folder));
    let files = folders.flat_map(scripts_below);
    for path in files.filter(|path| !path.to_string_lossy().ends_with(".faults.smt2")) {
        let source = read(&path);
        let mut store = TermStore::new();
        let script = parse_supported(&mut store, &source);
        let mut contents = Contents::default();
        let numbers = contents.numbers(&store, &assertions(&script));
        assert!(!numbers.is_empty() || source.name().contains("/seeds/"), "{}", path.display());

        let printed = SourceText::new("printed script", print_script(&store, &script));
        let mut other = TermStore::new();
        let again = parse(&mut other, &printed);
        assert!(numbers == contents.numbers(&other, &assertions(&again)), "{}", path.display());
        assert!(print_script(&other, &again) == printed.text(), "{}", path.display());

        let whole = SourceText::new("printed formula", print_formula(&store, &script.formula()));
        let mut third = TermStore::new();
        let reread = parse(&mut third, &whole).formula();
        let expected = contents.numbers(&store, &script.formula().assertions);
        assert!(expected == contents.numbers(&third, &reread.assertions), "{}", path.display());
    }
}
