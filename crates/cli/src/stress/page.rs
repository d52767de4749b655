//! A campaign as a page: findings with their formulas, and how the search went as curves.

use std::fmt::Write;

use sundry_external::Respondent;
use sundry_report::page;
use sundry_stress::{Cases, Effort, Generation, State};

use super::plan::Plan;
use super::report;
use crate::charts::{self, Chart, Mark, Series, side_by_side};
use crate::untrusted::html;

/// The fronts that get a colour of their own.
const FRONTS: usize = 3;

/// The page of a campaign.
pub fn page(plan: &Plan, state: &State) -> String {
    let last = state.history.last().copied().unwrap_or_default();
    let findings = state.cases.confirmed().count();
    let mut body = format!(
        "<p>{findings} confirmed after {} generations and {} runs; the variant is {}.</p>\n",
        last.number,
        last.runs,
        html(&plan.effective_variant())
    );
    if findings > 0 {
        body.push_str(&table(&state.cases));
    }
    body.push_str(&solvers(plan, state));
    body.push_str(&own_work(&last));
    body.push_str("<h2>The search</h2>\n");
    let counted = plan.counters.as_ref().map_or("lines", |counters| counters.unit());
    let charts = charts(state, plan.measure.unit(), counted);
    body.push_str(&side_by_side(charts.iter().map(Chart::svg)));
    page::page("Slow inputs", charts::STYLE, &body)
}

/// The page of findings whose search is elsewhere.
pub fn page_of_cases(cases: &Cases) -> String {
    let mut body = format!("<p>{} confirmed.</p>\n", cases.confirmed().count());
    body.push_str(&table(cases));
    page::page("Slow inputs", charts::STYLE, &body)
}

/// A row for each finding; its formula unfolds.
fn table(cases: &Cases) -> String {
    let mut table = String::from(
        "<table>\n<tr><th>finding</th><th>operators and formula</th><th class=\"number\">bytes</th>\
         <th class=\"number\">generation</th><th class=\"number\">inputs alike</th></tr>\n",
    );
    for (_, case, finding) in cases.confirmed() {
        let smallest = finding.smallest(&case.script);
        let folder = html(&report::folder_of(finding, &case.script).display().to_string());
        let _ = writeln!(
            table,
            "<tr><td><a href=\"{folder}/report.md\">{}</a></td>\
             <td><details><summary>{}</summary><pre>{}</pre></details></td>\
             <td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
            html(&report::title(finding)),
            if finding.shape.is_empty() { "formula".to_string() } else { html(&finding.shape) },
            html(smallest),
            smallest.len(),
            case.generation,
            case.count,
        );
    }
    table + "</table>\n"
}

/// A row for each solver: what it has answered in the search.
fn solvers(plan: &Plan, state: &State) -> String {
    const HEADS: [&str; 7] = ["runs", "sat", "unsat", "unknown", "stopped", "failed", "effort"];
    let mut table = String::from("<h2>Solvers</h2>\n<table>\n<tr><th>solver</th><th>version</th>");
    for head in HEADS {
        let _ = write!(table, "<th class=\"number\">{head}</th>");
    }
    table.push_str("</tr>\n");
    for (solver, is_reference, tally) in plan.tallies(state) {
        let role = if is_reference { "reference" } else { "under test" };
        let version = solver.capabilities().version.as_deref().unwrap_or_default();
        let _ = write!(table, "<tr><td>{} ({role})</td><td>{}</td>", html(&solver.name), html(version));
        for number in [tally.runs(), tally.sat, tally.unsat, tally.unknown, tally.stopped, tally.failed] {
            let _ = write!(table, "<td class=\"number\">{number}</td>");
        }
        let unit = html(plan.measure.unit());
        let _ = writeln!(table, "<td class=\"number\">{:.1} {unit}</td></tr>", tally.effort);
    }
    table + "</table>\n"
}

/// A row for each kind of work beside the solvers': in all, and for each run of an input.
fn own_work(last: &Generation) -> String {
    let mut table = String::from(
        "<h2>Own work</h2>\n<table>\n<tr><th>work</th><th class=\"number\">seconds</th>\
         <th class=\"number\">milliseconds for each input</th></tr>\n",
    );
    for (name, seconds) in last.own_work.named() {
        let each = 1000.0 * seconds / last.runs.max(1) as f64;
        let _ = writeln!(
            table,
            "<tr><td>{name}</td><td class=\"number\">{seconds:.2}</td><td class=\"number\">{each:.2}</td></tr>"
        );
    }
    table + "</table>\n"
}

fn charts<'a>(state: &State, unit: &str, counted: &'a str) -> Vec<Chart<'a>> {
    let curve = |name: &str, figure: fn(&Generation) -> f64| Series {
        name: name.to_string(),
        points: state.history.iter().map(|it| (it.number as f64, figure(it))).collect(),
    };
    let over_generations = |title, description, series| Chart {
        title,
        axes: ["generation", description],
        mark: Mark::Line,
        series,
    };
    vec![
        over_generations(
            "Time score",
            "score",
            vec![curve("best", |it| it.best_score), curve("mean", |it| it.mean_score)],
        ),
        over_generations("Inputs at the limit", "inputs", vec![curve("population", |it| it.stopped as f64)]),
        over_generations(
            "Executed so far",
            counted,
            vec![curve("all inputs", |it| it.total_lines as f64), curve("mean input", |it| it.mean_lines)],
        ),
        over_generations("Complexity", "complexity", vec![curve("mean", |it| it.mean_complexity)]),
        Chart {
            title: "Efforts in the last population",
            axes: [if unit == "s" { "seconds" } else { "effort" }, "share of inputs"],
            mark: Mark::Line,
            series: vec![
                distribution("solver under test", state, |member| &member.measured.targets),
                distribution("reference", state, |member| &member.measured.references),
            ],
        },
        Chart {
            title: "Fronts of the last population",
            axes: ["time score", "complexity"],
            mark: Mark::Dots,
            series: fronts(state),
        },
    ]
}

/// The share of inputs that take at most so much: the least of several solvers counts.
fn distribution(
    name: &str,
    state: &State,
    efforts: fn(&sundry_stress::SavedMember) -> &Vec<Effort>,
) -> Series {
    let least = |member| efforts(member).iter().map(|effort| effort.amount).reduce(f64::min);
    let mut amounts: Vec<f64> = state.population.iter().filter_map(least).collect();
    amounts.sort_by(f64::total_cmp);
    let share = |rank: usize| rank as f64 / amounts.len() as f64;
    // Steps: the share is that of all up to an amount.
    let steps = amounts.iter().enumerate();
    let points =
        steps.flat_map(|(rank, &amount)| [(amount, share(rank)), (amount, share(rank + 1))]).collect();
    Series { name: name.to_string(), points }
}

/// Time score and complexity of members, by front; those behind the first fronts together.
fn fronts(state: &State) -> Vec<Series> {
    let name =
        |front: usize| if front < FRONTS { format!("front {}", front + 1) } else { "others".to_string() };
    let mut series: Vec<Series> =
        (0..=FRONTS).map(|front| Series { name: name(front), points: Vec::new() }).collect();
    for member in &state.population {
        // Complexity is the last objective where it is one, and negated.
        if let [time, .., complexity] = member.scores[..] {
            series[member.front.min(FRONTS)].points.push((time, -complexity));
        }
    }
    series.retain(|series| !series.points.is_empty());
    series
}
