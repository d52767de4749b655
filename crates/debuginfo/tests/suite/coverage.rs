//! Coverage of `modules/shapes.wasm`, with counts as an engine would make them.

use std::collections::BTreeMap;

use sundry_debuginfo::DebugInfo;
use sundry_debuginfo::coverage::{
    Coverage, Executed, FileCoverage, FunctionCoverage, Sites, measure, page, tracefile,
};

use crate::shapes::SHAPES;

/// The coverage after `fill` was executed twice, and no other function.
fn of_fill() -> (Coverage, Sites, DebugInfo) {
    let info = DebugInfo::read(SHAPES).expect("a module");
    let sites = Sites::read(SHAPES).expect("a module");
    let fill = info.functions()[0].range.clone();
    let mut executed = Executed::default();
    executed
        .instructions
        .extend(sites.instructions().iter().filter(|it| fill.contains(it)).map(|&it| (it, 2)));
    let branch = sites.branches().keys().copied().find(|offset| fill.contains(offset)).expect("a branch");
    executed.branches.insert(branch, vec![0, 2]);
    (measure(&info, &sites, &executed), sites, info)
}

#[test]
fn instructions_and_branches_of_all_functions_are_found() {
    let (_, sites, info) = of_fill();
    assert!(sites.instructions().is_sorted());
    for function in info.functions() {
        let first = sites.first_of(&function.range).expect("an instruction");
        // The declarations of locals stand before it.
        assert!(function.range.start < first);
        assert!(sites.branches().range(function.range.clone()).all(|(_, &outcomes)| outcomes == 2));
    }
    assert!(Sites::read(b"no module").is_err());
}

#[test]
fn counts_stand_at_the_lines_of_the_source() {
    let (coverage, ..) = of_fill();
    let [file] = &coverage.files[..] else { panic!("one file") };
    assert_eq!(&*file.path, "/shapes/shapes.c");
    assert_eq!((file.lines[&35], file.lines[&43]), (2, 0));
    let functions: Vec<_> = file.functions.iter().map(|it| (&*it.name, it.line, it.count)).collect();
    assert_eq!(functions, [("fill", 33, 2), ("sum", 38, 0), ("walk", 47, 0)]);
    assert_eq!((file.function_share().covered, file.function_share().all), (1, 3));
    assert_eq!(file.branch_share().covered, 1);
    assert!(file.line_share().covered < file.line_share().all);
    assert!(coverage.of_files(|path| path.ends_with(".cpp")).files.is_empty());
}

#[test]
fn a_tracefile_has_all_records() {
    let (coverage, ..) = of_fill();
    let text = tracefile(&coverage);
    assert!(text.starts_with("TN:\nSF:/shapes/shapes.c\nFN:33,fill\n"), "{text}");
    for line in [
        "FNDA:2,fill",
        "FNDA:0,walk",
        "FNF:3",
        "FNH:1",
        "BRDA:34,0,0,0",
        "BRDA:34,0,1,2",
        "DA:35,2",
        "DA:43,0",
    ] {
        assert!(text.lines().any(|it| it == line), "{line} is not in\n{text}");
    }
    // A branch that was never reached has no counts.
    assert!(text.lines().any(|line| line.starts_with("BRDA:") && line.ends_with(",-")), "{text}");
    assert!(text.ends_with("end_of_record\n"));
}

#[test]
fn a_page_has_the_source_beside_counts() {
    let (coverage, ..) = of_fill();
    let source = include_str!("../modules/shapes.c");
    let text = page("Coverage", &coverage, |_| Some(source.to_string()));
    assert!(
        text.contains("<tr class=\"missed\"><td class=\"number\">43</td><td class=\"number\">0</td>"),
        "{text}"
    );
    assert!(text.contains("<td>    for (length_t i = 0; i &lt; size; i++)</td>"), "{text}");
    assert!(text.contains("never called: sum (line 38)"));
    let without = page("Coverage", &coverage, |_| None);
    assert!(without.contains("The source is not there.") && without.contains("<td class=\"number\">35</td>"));
    assert!(!without.contains("<td class=\"number\">1</td><td"), "lines without code are left out");
}

#[test]
fn names_are_no_tags_and_break_no_lines() {
    let file = FileCoverage {
        path: "<a>\nSF:b.c".into(),
        lines: BTreeMap::from([(1, 0)]),
        branches: Vec::new(),
        functions: vec![FunctionCoverage { line: 1, name: "f<T>(int&,\n\u{1b})".into(), count: 0 }],
    };
    let coverage = Coverage { files: vec![file] };
    let text = tracefile(&coverage);
    assert_eq!(text.lines().filter(|line| line.starts_with("SF:")).count(), 1, "{text}");
    assert!(text.contains("FN:1,f<T>(int&, \\u{1b})\n"), "{text}");
    let text = page("<script>", &coverage, |_| Some("</td><script>".to_string()));
    assert!(!text.contains("<script>") && text.contains("f&lt;T&gt;(int&amp;,"), "{text}");
}
