//! The list of defects as a page, for people who would rather look than read.

use std::collections::BTreeMap;
use std::fmt::Write;

use sundry_fuzz::{Bug, Overruns};
use sundry_report::page;

use super::findings::SolverEntry;
use crate::charts;
use crate::untrusted::html;

/// Further parts of a page, in HTML.
#[derive(Copy, Clone, Default)]
pub struct Parts<'p> {
    /// The part above the defects: what the campaign was.
    pub head: &'p str,
    /// The part below the defects: other results.
    pub foot: &'p str,
}

/// A page with a row for each defect, suspicions below the others; its formula, given by `formula`, unfolds. `coarse` is how many
/// there are if operators do not count as a difference. Around these are further parts, and below a row for each solver.
pub fn page(
    bugs: &[Bug],
    coarse: usize,
    solvers: &BTreeMap<String, SolverEntry>,
    parts: Parts<'_>,
    formula: impl Fn(&Bug) -> Option<String>,
) -> String {
    let (confirmed, doubtful): (Vec<&Bug>, Vec<&Bug>) = bugs.iter().partition(|bug| bug.confirmed);
    let cut_short = bugs.iter().filter(|bug| bug.cut_short).count();
    let open = match cut_short {
        0 => String::new(),
        count => format!(", {count} stopped before they were reduced"),
    };
    let mut body = parts.head.to_string();
    let _ = writeln!(
        body,
        "<p>{} confirmed, {} not{open}; {coarse} if operators do not count as a difference.</p>",
        confirmed.iter().filter(|bug| !bug.cut_short).count(),
        doubtful.iter().filter(|bug| !bug.cut_short).count(),
    );
    body.push_str(&table(&confirmed, &formula));
    if !doubtful.is_empty() {
        body.push_str("<h2>Suspicions</h2>\n");
        body.push_str(&table(&doubtful, &formula));
    }
    body.push_str(parts.foot);
    body.push_str(
        "<h2>Solvers</h2>\n<table>\n<tr><th>solver</th><th>version</th><th class=\"number\">timeouts</th>\
         <th class=\"number\">out of memory</th></tr>\n",
    );
    for (solver, SolverEntry { version, overruns: Overruns { timeouts, memory_outs } }) in solvers {
        let (solver, version) = (html(solver), html(version.as_deref().unwrap_or_default()));
        let _ = writeln!(
            body,
            "<tr><td>{solver}</td><td>{version}</td><td class=\"number\">{timeouts}</td>\
             <td class=\"number\">{memory_outs}</td></tr>"
        );
    }
    body.push_str("</table>\n");
    page::page("Defects of solvers", charts::STYLE, &body)
}

/// A row for each of some defects; nothing if there are none.
fn table(bugs: &[&Bug], formula: &impl Fn(&Bug) -> Option<String>) -> String {
    if bugs.is_empty() {
        return String::new();
    }
    let mut table = String::from(
        "<table>\n<tr><th>solver</th><th>defect</th><th>operators and formula</th>\
         <th class=\"number\">bytes</th><th class=\"number\">findings</th><th>found with</th></tr>\n",
    );
    for bug in bugs {
        let folder = html(&bug.folder.display().to_string());
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
        let releases = bug.releases.as_ref();
        let fixed = if bug.fixed == Some(true) { ", fixed" } else { "" };
        let releases =
            releases.map_or_else(String::new, |(first, last)| format!("; {first} to {last}{fixed}"));
        let _ = writeln!(
            table,
            "<tr><td>{}</td><td><a href=\"{folder}/report.md\">{}</a><br>{}{}</td>\
             <td><details><summary>{}</summary><pre>{}</pre></details></td>\
             <td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}, {origin}</td></tr>",
            html(&bug.command()),
            html(&bug.defect),
            html(&bug.witness),
            html(&releases),
            if bug.skeleton.is_empty() { "formula".to_string() } else { html(&bug.skeleton) },
            html(&formula(bug).unwrap_or_default()),
            bug.bytes,
            bug.count,
            html(&bug.seed),
        );
    }
    table + "</table>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use sundry_fuzz::Kind;

    #[test]
    fn formulas_are_no_tags() {
        let bug = Bug {
            folder: "z3-crash-1".into(),
            solver: "z3 <x>".into(),
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
            seed: "s.smt2".into(),
            mutant: 3,
            in_seed: true,
            count: 2,
            findings: [("s.smt2".into(), 3), ("t.smt2".into(), 0)].into(),
        };
        let overruns = Overruns { timeouts: 7, memory_outs: 8 };
        let entry = SolverEntry { version: Some("1 & 2".into()), overruns };
        let solvers = BTreeMap::from([("z3 <x>".to_string(), entry)]);
        let doubtful = Bug { folder: "z3-crash-2".into(), confirmed: false, ..bug.clone() };
        let parts = Parts { head: "<p>what</p>\n", foot: "<p>more</p>\n" };
        let page = page(&[bug, doubtful], 2, &solvers, parts, |_| Some("(assert (< x 1))\n".into()));
        let places = ["<p>what</p>", "z3-crash-1/", "<h2>Suspicions</h2>", "z3-crash-2/", "<p>more</p>"]
            .map(|text| page.find(text).expect(text));
        assert!(places.is_sorted(), "{places:?}");
        let row =
            "<td>z3 &lt;x&gt;</td><td>1 &amp; 2</td><td class=\"number\">7</td><td class=\"number\">8</td>";
        assert!(page.contains(row), "{page}");
        assert!(page.contains("<td>z3 &lt;x&gt;</td>") && page.contains("crash: a &amp; b</a>"), "{page}");
        assert!(page.contains("<summary>&lt; &lt;=</summary><pre>(assert (&lt; x 1))\n</pre>"), "{page}");
        assert!(
            page.contains("1 confirmed, 1 not") && page.contains("s.smt2, mutant 3; an unchanged"),
            "{page}"
        );
    }
}
