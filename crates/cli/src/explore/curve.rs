//! The counters of an exploration over time: a curve with a bounded number of points, and charts of it.

use std::time::Duration;

use serde::Serialize;
use sundry_explore::ExploreStatistics;
use sundry_report::page;

use crate::charts::{self, Chart, Mark, Series, side_by_side};

/// The greatest number of points. With one more, every second point is left out, and the time between two of them doubles.
const MOST_POINTS: usize = 200;

/// The time between two points at first.
const FIRST_INTERVAL: Duration = Duration::from_millis(20);

/// The counters at a time.
#[derive(Serialize, Copy, Clone, PartialEq, Debug)]
pub struct Point {
    /// Seconds since the beginning.
    pub seconds: f64,
    /// Symbolic runs.
    pub tests: u64,
    /// Different paths.
    pub paths: u64,
    /// Directions that tests took.
    pub directions: usize,
    /// Branches that nobody has taken or tried.
    pub open_branches: usize,
    /// Questions put to the solver.
    pub questions: u64,
    /// Partial solutions that the solver passed.
    pub partial_solutions: u64,
    /// Different errors.
    pub errors: usize,
}

impl Point {
    /// The point of these counters.
    pub fn new(elapsed: Duration, statistics: &ExploreStatistics) -> Point {
        Point {
            seconds: elapsed.as_secs_f64(),
            tests: statistics.tests,
            paths: statistics.paths,
            directions: statistics.edges,
            open_branches: statistics.open,
            questions: statistics.solve.questions,
            partial_solutions: statistics.solve.partials,
            errors: statistics.findings,
        }
    }
}

/// Points in the order of time.
pub struct Curve {
    points: Vec<Point>,
    interval: Duration,
    /// The time from which on the next point is wanted.
    next: Duration,
}

impl Curve {
    /// A curve without points.
    pub fn new() -> Curve {
        Curve { points: Vec::new(), interval: FIRST_INTERVAL, next: Duration::ZERO }
    }

    /// Whether enough time has passed since the last point.
    pub fn wants_point(&self, elapsed: Duration) -> bool {
        elapsed >= self.next
    }

    /// Adds a point.
    pub fn add(&mut self, elapsed: Duration, statistics: &ExploreStatistics) {
        self.points.push(Point::new(elapsed, statistics));
        if self.points.len() > MOST_POINTS {
            let mut is_kept = false;
            self.points.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
            self.interval *= 2;
        }
        self.next = elapsed + self.interval;
    }

    /// The points, with the counters of the end as the last.
    pub fn finish(mut self, elapsed: Duration, statistics: &ExploreStatistics) -> Vec<Point> {
        self.points.push(Point::new(elapsed, statistics));
        self.points
    }
}

/// A page with charts of a curve.
pub fn page(name: &str, points: &[Point]) -> String {
    let series = |name: &str, figure: fn(&Point) -> f64| Series {
        name: name.to_string(),
        points: points.iter().map(|point| (point.seconds, figure(point))).collect(),
    };
    let charts = [
        (
            "Tests and paths",
            vec![series("tests", |it| it.tests as f64), series("paths", |it| it.paths as f64)],
        ),
        ("Coverage", vec![series("directions", |it| it.directions as f64)]),
        (
            "Questions to the solver",
            vec![
                series("questions", |it| it.questions as f64),
                series("partial solutions", |it| it.partial_solutions as f64),
            ],
        ),
        ("Open branches", vec![series("open branches", |it| it.open_branches as f64)]),
        ("Errors", vec![series("errors", |it| it.errors as f64)]),
    ];
    let chart =
        |(title, series)| Chart { title, axes: ["seconds", "number"], mark: Mark::Line, series }.svg();
    page::page(&format!("Exploration of {name}"), charts::STYLE, &side_by_side(charts.map(chart)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_thinned_out_and_stay_in_order() {
        let mut curve = Curve::new();
        let mut statistics = ExploreStatistics::default();
        for milliseconds in 0..200_000 {
            let elapsed = Duration::from_millis(milliseconds);
            statistics.tests += 1;
            if curve.wants_point(elapsed) {
                curve.add(elapsed, &statistics);
            }
        }
        let points = curve.finish(Duration::from_secs(200), &statistics);
        assert!((MOST_POINTS / 2..=MOST_POINTS + 1).contains(&points.len()), "{}", points.len());
        assert!(
            points.is_sorted_by(|left, right| left.seconds < right.seconds && left.tests < right.tests + 1)
        );
        assert_eq!((points[0].tests, points[points.len() - 1].tests), (1, 200_000));
        let page = page("<module>", &points);
        assert_eq!(page.matches("<svg").count(), 5);
        assert!(page.contains("Exploration of &lt;module&gt;"), "{page}");
    }
}
