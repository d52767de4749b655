//! The list of defects as a page, for people who would rather look than read.

use std::collections::BTreeMap;
use std::fmt::Write;

use sundry_fuzz::{Bug, Kind, Overruns};
use sundry_report::page;

use super::findings::SolverEntry;
use super::page_names::PageNames;
use crate::charts;
use crate::untrusted::html;
use crate::values::counted;

/// Further parts of a page, in HTML.
#[derive(Copy, Clone, Default)]
pub struct Parts<'p> {
    /// The part above the defects: what the campaign was.
    pub head: &'p str,
    /// The part below the defects: other results.
    pub foot: &'p str,
    /// The names of solvers and seeds in these parts; without them, the page has names of its own.
    pub names: Option<&'p PageNames>,
}

/// A page with a row for each defect, suspicions below the others; its formula, given by `formula`, unfolds. `coarse` is how many
/// there are if operators do not count as a difference. Above these are the solvers, and around all of it further parts.
pub fn page(
    bugs: &[Bug],
    coarse: usize,
    solvers: &BTreeMap<String, SolverEntry>,
    parts: Parts<'_>,
    formula: impl Fn(&Bug) -> Option<String>,
) -> String {
    let own = match parts.names {
        Some(_) => None,
        None => {
            let commands = solvers.keys().chain(bugs.iter().flat_map(commands_of)).map(String::as_str);
            Some(PageNames::of(commands, bugs.iter().map(|bug| bug.seed.as_str())))
        }
    };
    let names = parts.names.or(own.as_ref()).expect("one of them is there");
    let (confirmed, doubtful): (Vec<&Bug>, Vec<&Bug>) = bugs.iter().partition(|bug| bug.confirmed);
    let cut_short = bugs.iter().filter(|bug| bug.cut_short).count();
    let open = match cut_short {
        0 => String::new(),
        count => format!(", {count} stopped before they were reduced"),
    };
    let mut body = parts.head.to_string();
    body.push_str(&solver_table(solvers, names));
    let _ = writeln!(
        body,
        "<h2>Defects</h2>\n<p>{} confirmed{}, {} not{open}; {coarse} if operators do not count as a difference.</p>",
        confirmed.iter().filter(|bug| !bug.cut_short).count(),
        by_kind(&confirmed),
        doubtful.iter().filter(|bug| !bug.cut_short).count(),
    );
    body.push_str(&table(&confirmed, names, &formula));
    if !doubtful.is_empty() {
        body.push_str("<h2>Suspicions</h2>\n");
        body.push_str(&table(&doubtful, names, &formula));
    }
    body.push_str(parts.foot);
    page::page("Defects of solvers", charts::STYLE, &body)
}

/// The commands of a bug: of the solvers that show it, and of releases.
fn commands_of(bug: &Bug) -> impl Iterator<Item = &String> {
    let releases = bug.releases.iter().flat_map(|(first, last)| [first, last]);
    std::iter::once(&bug.solver).chain(&bug.shown_by).chain(releases)
}

/// The number of defects of each kind, in brackets; nothing if there are none.
fn by_kind(bugs: &[&Bug]) -> String {
    let count = |kind| bugs.iter().filter(|bug| !bug.cut_short && bug.kind == kind).count();
    let counts = Kind::ALL.map(|kind| (count(kind), kind.name()));
    let present = counts.into_iter().filter(|(count, _)| *count > 0);
    let texts: Vec<String> = present.map(|(count, name)| counted(count, name)).collect();
    if texts.is_empty() { String::new() } else { format!(" ({})", texts.join(", ")) }
}

/// A row for each solver: its version, and how often limits have ended it.
fn solver_table(solvers: &BTreeMap<String, SolverEntry>, names: &PageNames) -> String {
    let mut table = String::from(
        "<h2>Solvers</h2>\n<table>\n<tr><th>solver</th><th>version</th><th class=\"number\">timeouts</th>\
         <th class=\"number\">out of memory</th></tr>\n",
    );
    for (solver, SolverEntry { version, overruns: Overruns { timeouts, memory_outs } }) in solvers {
        let (solver, version) = (html(names.solver(solver)), html(version.as_deref().unwrap_or_default()));
        let _ = writeln!(
            table,
            "<tr><td>{solver}</td><td>{version}</td><td class=\"number\">{timeouts}</td>\
             <td class=\"number\">{memory_outs}</td></tr>"
        );
    }
    table + "</table>\n"
}

/// A row for each of some defects; nothing if there are none.
fn table(bugs: &[&Bug], names: &PageNames, formula: &impl Fn(&Bug) -> Option<String>) -> String {
    if bugs.is_empty() {
        return String::new();
    }
    let mut table = String::from(
        "<table>\n<tr><th>solver</th><th>defect</th><th>operators and formula</th>\
         <th class=\"number\">bytes</th><th class=\"number\">findings</th><th>found with</th><th>releases</th></tr>\n",
    );
    for bug in bugs {
        let folder = html(&bug.folder.display().to_string());
        let file = |name: &str| format!("<a href=\"{folder}/{name}\">{name}</a>");
        let mut origin = match bug.mutant {
            0 => "the seed itself".to_string(),
            number => format!("mutant {number}"),
        };
        if bug.in_seed && bug.mutant > 0 {
            origin.push_str("; an unchanged seed shows it too");
        }
        if bug.cut_short {
            origin.push_str("; stopped before it was reduced");
        }
        // That of a crash is the solver itself.
        let witness = match bug.kind {
            Kind::Crash => String::new(),
            _ => format!("{}<br>", html(&names.in_text(&bug.witness))),
        };
        let _ = writeln!(
            table,
            "<tr><td>{}</td><td>{}<br>{witness}{} {}</td>\
             <td><details><summary>{}</summary><pre>{}</pre></details></td>\
             <td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}, {origin}</td><td>{}</td></tr>",
            html(&solvers_of(bug, names)),
            html(&bug.defect),
            file("report.md"),
            file("issue.md"),
            if bug.skeleton.is_empty() { "formula".to_string() } else { html(&bug.skeleton) },
            html(&formula(bug).unwrap_or_default()),
            bug.bytes,
            bug.count,
            html(names.seed(&bug.seed)),
            html(&releases_of(bug, names)),
        );
    }
    table + "</table>\n"
}

/// The solver in the report of a bug, and the others under test that show it.
fn solvers_of(bug: &Bug, names: &PageNames) -> String {
    let others = bug.shown_by.iter().filter(|solver| **solver != bug.solver);
    let others: Vec<&str> = others.map(|solver| names.solver(solver)).collect();
    let own = names.of_bug(bug);
    if others.is_empty() { own } else { format!("{own}; also {}", others.join(", ")) }
}

/// The releases that show a bug.
fn releases_of(bug: &Bug, names: &PageNames) -> String {
    let Some(is_fixed) = bug.fixed else { return "not asked".to_string() };
    let shown = match &bug.releases {
        None => "none of those asked".to_string(),
        Some((first, last)) if first == last => format!("{} alone of those asked", names.solver(first)),
        Some((first, last)) => format!("{} to {}", names.solver(first), names.solver(last)),
    };
    if is_fixed { format!("{shown}; the newest is right") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bug() -> Bug {
        Bug {
            folder: "z3-crash-1".into(),
            solver: "z3 <x>".into(),
            shown_by: ["z3 <x>".into()].into(),
            options: Vec::new(),
            cures: Vec::new(),
            kind: Kind::Crash,
            defect: "crash: a & b".into(),
            witness: "it says so itself".into(),
            confirmed: true,
            skeleton: "< <=".into(),
            releases: Some(("z3-1".into(), "z3-2".into())),
            fixed: Some(true),
            reduced: true,
            bytes: 12,
            cut_short: false,
            unfinished: false,
            seed: "s.smt2".into(),
            mutant: 3,
            in_seed: true,
            count: 2,
            findings: [("s.smt2".into(), 3), ("t.smt2".into(), 0)].into(),
        }
    }

    #[test]
    fn pages_have_names_in_place_of_paths() {
        let bug = Bug {
            solver: "/opt/z3-4.8.7 -st".into(),
            shown_by: ["/opt/z3-4.8.7 -st".into(), "/opt/z3-4.8.10".into()].into(),
            kind: Kind::WrongAnswer,
            witness: "the formula has a model (/opt/z3-4.8.10)".into(),
            seed: "/home/me/s.smt2".into(),
            releases: Some(("/opt/z3-4.8.10".into(), "/opt/z3-4.8.10".into())),
            ..bug()
        };
        let solvers = BTreeMap::from([("/opt/z3-4.8.7 -st".to_string(), SolverEntry::default())]);
        let page = page(&[bug], 1, &solvers, Parts::default(), |_| None);
        assert!(!page.contains("/opt") && !page.contains("/home"), "{page}");
        assert!(page.contains("<td>z3-4.8.7 -st; also z3-4.8.10</td>"), "{page}");
        assert!(page.contains("<td>z3-4.8.10 alone of those asked; the newest is right</td>"), "{page}");
        assert!(page.contains("1 confirmed (1 wrong answer), 0 not"), "{page}");
        assert!(page.contains("<br>the formula has a model (z3-4.8.10)<br>"), "{page}");
    }

    #[test]
    fn releases_that_nobody_has_asked_are_not_called_right() {
        let names = PageNames::of(["z3-1", "z3-2"], []);
        let of = |releases: Option<(&str, &str)>, fixed| {
            let releases = releases.map(|(first, last)| (first.to_string(), last.to_string()));
            releases_of(&Bug { releases, fixed, ..bug() }, &names)
        };
        assert_eq!(of(None, None), "not asked");
        assert_eq!(of(None, Some(true)), "none of those asked; the newest is right");
        assert_eq!(of(Some(("z3-1", "z3-2")), Some(false)), "z3-1 to z3-2");
    }

    #[test]
    fn formulas_are_no_tags() {
        let bug = bug();
        let overruns = Overruns { timeouts: 7, memory_outs: 8 };
        let entry = SolverEntry { version: Some("1 & 2".into()), overruns };
        let solvers = BTreeMap::from([("z3 <x>".to_string(), entry)]);
        let doubtful = Bug { folder: "z3-crash-2".into(), confirmed: false, ..bug.clone() };
        let parts = Parts { head: "<p>what</p>\n", foot: "<p>more</p>\n", names: None };
        let page = page(&[bug, doubtful], 2, &solvers, parts, |_| Some("(assert (< x 1))\n".into()));
        let places = [
            "<p>what</p>",
            "<h2>Solvers</h2>",
            "z3-crash-1/report.md\">report.md</a>",
            "<h2>Suspicions</h2>",
            "z3-crash-2/",
            "<p>more</p>",
        ]
        .map(|text| page.find(text).expect(text));
        assert!(places.is_sorted(), "{places:?}");
        let row = "<td>z3 &#39;&lt;x&gt;&#39;</td><td>1 &amp; 2</td><td class=\"number\">7</td><td class=\"number\">8</td>";
        assert!(page.contains(row), "{page}");
        assert!(page.contains("<td>z3 &#39;&lt;x&gt;&#39;</td><td>crash: a &amp; b<br><a href"), "{page}");
        assert!(page.contains("<summary>&lt; &lt;=</summary><pre>(assert (&lt; x 1))\n</pre>"), "{page}");
        assert!(
            page.contains("1 confirmed (1 crash), 1 not") && page.contains("s.smt2, mutant 3; an unchanged"),
            "{page}"
        );
    }
}
