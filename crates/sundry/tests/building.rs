//! Formulas that are built are the formulas that their text says, and extensions keep what they extend.

use sundry::value::RBig;
use sundry::{Answer, Control, ErrorKind, Format, Formula, FormulaBuilder, Over, Sort, Strategy, Value};

/// A formula with a term of every theory.
fn mixed() -> Result<Formula, sundry::Error> {
    let mut builder = FormulaBuilder::new();
    let user = builder.declare_sort("A user")?;
    let root = builder.constant("root", &user)?;
    let owner = builder.function("owner of", &[Sort::BitVec(4)], &user)?;
    let page = builder.constant("page", &Sort::BitVec(4))?;
    let memory = builder.constant("memory", &Sort::array(Sort::BitVec(4), Sort::Bool))?;
    let load = builder.constant("load", &Sort::FLOAT32)?;
    let count = builder.constant("count", &Sort::Int)?;
    let ratio = builder.constant("ratio", &Sort::Real)?;

    let owner_of_page = builder.call(owner, &[page])?;
    let is_owned = builder.equal(&[owner_of_page, root])?;
    let is_used = builder.apply("select", &[memory, page])?;
    let rule = builder.implies(is_used, is_owned)?;
    builder.assert(rule)?;
    let half = builder.float32(0.5)?;
    let is_loaded = builder.apply("fp.gt", &[load, half])?;
    let [low, high] = [builder.int(-3)?, builder.int(12)?];
    let is_in_range = builder.apply("<", &[low, count, high])?;
    let third = builder.real(RBig::from_parts(1.into(), 3u8.into()))?;
    let is_above = builder.apply(">", &[ratio, third])?;
    let all = builder.and(&[is_loaded, is_in_range, is_above])?;
    builder.assert(all)?;
    builder.build()
}

#[test]
fn built_formulas_are_those_of_their_text() {
    let built = mixed().unwrap();
    let text = built.to_smtlib();
    let read = Formula::parse(text.clone()).unwrap();
    assert_eq!(read.to_smtlib(), text);
    assert_eq!(read.ast_bits(), built.ast_bits());
    assert_eq!(read.constants().collect::<Vec<_>>(), built.constants().collect::<Vec<_>>());
    for name in built.constants() {
        assert_eq!(read.signature(name), built.signature(name), "{name}");
    }
    let samples = built.sampler().target(0.5).run().unwrap();
    assert!(!samples.solutions.is_empty());
    // What is printed of a solution is a solution of the formula that was read.
    let mut measurement = sundry::coverage::Measurement::new(&read);
    let models: String = samples.solutions.iter().map(ToString::to_string).collect();
    for measured in measurement.add_text(&models, None, &Control::default()).unwrap() {
        assert_eq!(measured.fault, None);
    }
    assert_eq!(measurement.covered(), built.coverage(&samples.solutions).unwrap());
}

#[test]
fn misuse_is_an_error() {
    let (mut mine, mut theirs) = (FormulaBuilder::new(), FormulaBuilder::new());
    let [p, q] = [mine.constant("p", &Sort::Bool).unwrap(), theirs.constant("q", &Sort::Bool).unwrap()];
    let f = theirs.function("f", &[Sort::Bool], &Sort::Bool).unwrap();
    let kind = |result: Result<sundry::Term, sundry::Error>| result.unwrap_err().kind();
    assert_eq!(kind(mine.and(&[p, q])), ErrorKind::Input);
    assert_eq!(kind(mine.call(f, &[p])), ErrorKind::Input);
    assert_eq!(kind(mine.apply("str.len", &[p])), ErrorKind::Unsupported);
    assert_eq!(kind(mine.constant("x", &Sort::BitVec(0))), ErrorKind::Input);
    assert_eq!(kind(mine.constant("x", &Sort::Declared("nobody".into()))), ErrorKind::Input);
    assert_eq!(kind(mine.constant("a|b", &Sort::Bool)), ErrorKind::Input);
    assert_eq!(kind(mine.value(&Sort::Bool, &Value::Int(1.into()))), ErrorKind::Input);
    assert_eq!(kind(mine.term("(and p")), ErrorKind::Input);
    let deep = (0..300).fold(Sort::Bool, |sort, _| Sort::array(Sort::Bool, sort));
    assert_eq!(kind(mine.constant("deep", &deep)), ErrorKind::Input);
    // Nothing of all that is left in the formula.
    mine.assert(p).unwrap();
    assert_eq!(
        mine.build().unwrap().to_smtlib(),
        "(set-logic ALL)\n(declare-fun p () Bool)\n(assert p)\n(check-sat)\n"
    );
}

#[test]
fn extensions_keep_names_values_and_predicates() {
    let text = "Disk: FAT, NTFS\nSize: 1, 9\nSpeed: low, high\nIF [Disk] = \"FAT\" THEN [Size] < 5;\n";
    let reader = Formula::reader().format(Format::Pict).predicates("(define-fun fat () Bool (= Disk #b0))");
    let formula = reader.read(text).unwrap();
    let mut builder = formula.extend();
    let is_fat = builder.term("(= Disk #b0)").unwrap();
    builder.assert(is_fat).unwrap();
    let only_fat = builder.build().unwrap();
    assert_eq!(only_fat.predicate_names().collect::<Vec<_>>(), ["fat"]);
    let pairs = only_fat.sampler().strategy(Strategy::TWise(2)).over(Over::Values).run().unwrap();
    assert!(pairs.is_complete());
    for solution in &pairs.solutions {
        let texts: Vec<String> = solution.texts().map(|(_, text)| text).collect();
        assert_eq!(texts[..2], ["FAT", "1"]);
    }
}

#[test]
fn declared_sorts_of_a_text_are_known_to_an_extension() {
    let text = "(declare-sort User 0) (declare-const alice User) (assert (= alice alice))";
    let mut builder = Formula::parse(text).unwrap().extend();
    let user = Sort::Declared("User".to_string());
    let bob = builder.constant("bob", &user).unwrap();
    let alice = builder.named("alice").unwrap();
    let differ = builder.distinct(&[alice, bob]).unwrap();
    builder.assert(differ).unwrap();
    let also = builder.term("(forall-is-no-name)");
    assert!(also.is_err());
    assert_eq!(builder.declare_sort("User").unwrap_err().message(), "the sort 'User' is declared already");
    assert!(matches!(builder.build().unwrap().solve(None).unwrap(), Answer::Satisfiable(_)));
}

#[test]
fn solutions_can_be_excluded_one_by_one() {
    let mut formula =
        Formula::parse("(declare-const x (_ BitVec 3)) (declare-const p Bool) (assert (bvult x #b101))")
            .unwrap();
    let mut found = Vec::new();
    while let Answer::Satisfiable(solution) = formula.solve(None).unwrap() {
        let mut builder = formula.extend();
        let mut same = Vec::new();
        for (name, value) in solution.values() {
            let sort = formula.signature(name).unwrap().result;
            let (constant, value) = (builder.named(name).unwrap(), builder.value(&sort, value).unwrap());
            same.push(builder.equal(&[constant, value]).unwrap());
        }
        let same = builder.and(&same).unwrap();
        let differs = builder.not(same).unwrap();
        builder.assert(differs).unwrap();
        found.push(solution.to_string());
        formula = builder.build().unwrap();
    }
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 10);
}
