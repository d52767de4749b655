//! Charts as SVG, for pages that need no other file.

use plotters::prelude::*;

/// The style of charts that stand side by side.
pub const STYLE: &str = ".charts { display: flex; flex-wrap: wrap; gap: 1em }";
/// The size of a chart, in pixels.
const SIZE: (u32, u32) = (560, 320);
/// The number of groups for which a chart of bars has room at least.
const LEAST_GROUPS: usize = 4;
/// The colours of series, in their order.
const COLOURS: [RGBColor; 6] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
    RGBColor(255, 127, 14),
    RGBColor(110, 110, 110),
];

/// The drawing of a series.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A line from point to point.
    Line,
    /// A dot for each point.
    Dots,
}

/// Points that belong together.
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points, in ascending order for lines.
    pub points: Vec<(f64, f64)>,
}

/// A chart.
pub struct Chart<'a> {
    /// The title above it.
    pub title: &'a str,
    /// The descriptions of the axes.
    pub axes: [&'a str; 2],
    /// The drawing of all series.
    pub mark: Mark,
    /// The series.
    pub series: Vec<Series>,
}

impl Chart<'_> {
    /// The chart as an element of SVG; `None` if there is nothing to draw, or it cannot be drawn.
    pub fn svg(&self) -> Option<String> {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let finite = points().filter(|(x, y)| x.is_finite() && y.is_finite());
        let bounds = finite.fold(None, |bounds: Option<[f64; 4]>, &(x, y)| {
            let [left, right, low, high] = bounds.unwrap_or([x, x, y, y]);
            Some([left.min(x), right.max(x), low.min(y), high.max(y)])
        });
        let mut text = String::new();
        self.draw(&mut text, bounds?).ok()?;
        Some(text)
    }

    fn draw(
        &self,
        text: &mut String,
        [left, right, low, high]: [f64; 4],
    ) -> Result<(), Box<dyn std::error::Error>> {
        // An axis without length could not be divided.
        let padded = |from: f64, to: f64| {
            let margin = if to > from { 0.04 * (to - from) } else { 0.5 };
            from - margin..to + margin
        };
        let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .caption(self.title, ("sans-serif", 16))
            .x_label_area_size(38)
            .y_label_area_size(62)
            .build_cartesian_2d(padded(left, right), padded(low, high))?;
        chart.configure_mesh().light_line_style(WHITE).x_desc(self.axes[0]).y_desc(self.axes[1]).draw()?;
        for (number, series) in self.series.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let points = series.points.iter().copied();
            let drawn = match self.mark {
                Mark::Line => chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?,
                Mark::Dots => {
                    chart.draw_series(points.map(|point| Circle::new(point, 3, colour.filled())))?
                }
            };
            drawn.label(&series.name).legend(move |(x, y)| Circle::new((x + 8, y), 4, colour.filled()));
        }
        // Curves mostly rise, and dots crowd at the sides.
        let labels = match self.mark {
            Mark::Line => SeriesLabelPosition::LowerRight,
            Mark::Dots => SeriesLabelPosition::UpperMiddle,
        };
        chart.configure_series_labels().position(labels).background_style(WHITE.mix(0.8)).draw()?;
        area.present()?;
        drop(chart);
        Ok(())
    }
}

/// A chart with a bar for each of some groups, which is made of stacked parts.
pub struct Bars<'a> {
    /// The title above it.
    pub title: &'a str,
    /// The description of the vertical axis.
    pub axis: &'a str,
    /// The names of the parts, from the lowest.
    pub parts: &'a [&'a str],
    /// The name of each group, and the heights of its parts.
    pub groups: Vec<(String, Vec<f64>)>,
}

impl Bars<'_> {
    /// The chart as an element of SVG; `None` if there is nothing to draw, or it cannot be drawn.
    pub fn svg(&self) -> Option<String> {
        let highest = self.groups.iter().map(|(_, heights)| heights.iter().sum()).fold(0.0, f64::max);
        let mut text = String::new();
        (highest > 0.0).then(|| self.draw(&mut text, highest).ok()).flatten()?;
        Some(text)
    }

    fn draw(&self, text: &mut String, highest: f64) -> Result<(), Box<dyn std::error::Error>> {
        let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let width = self.groups.len().max(LEAST_GROUPS) as f64;
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .caption(self.title, ("sans-serif", 16))
            .x_label_area_size(20)
            .y_label_area_size(62)
            .build_cartesian_2d(0.0..width, 0.0..1.3 * highest)?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .disable_x_mesh()
            .x_labels(0)
            .y_desc(self.axis)
            .draw()?;
        for (part, label) in self.parts.iter().enumerate() {
            let colour = COLOURS[part % COLOURS.len()];
            let bars = self.groups.iter().enumerate().map(|(group, (_, heights))| {
                let below: f64 = heights[..part].iter().sum();
                let (left, right) = (group as f64 + 0.15, group as f64 + 0.85);
                Rectangle::new([(left, below), (right, below + heights[part])], colour.filled())
            });
            chart
                .draw_series(bars)?
                .label(*label)
                .legend(move |(x, y)| Circle::new((x + 8, y), 4, colour.filled()));
        }
        let names = self.groups.iter().enumerate().map(|(group, (name, heights))| {
            let above = heights.iter().sum::<f64>() + 0.07 * highest;
            Text::new(name.clone(), (group as f64 + 0.15, above), ("sans-serif", 13))
        });
        chart.draw_series(names)?;
        let labels = SeriesLabelPosition::UpperRight;
        chart.configure_series_labels().position(labels).background_style(WHITE.mix(0.8)).draw()?;
        area.present()?;
        drop(chart);
        Ok(())
    }
}

/// Charts side by side, as an element of HTML. Those with nothing to draw are left out.
pub fn side_by_side(charts: impl IntoIterator<Item = Option<String>>) -> String {
    let drawn: String = charts.into_iter().flatten().map(|svg| svg + "\n").collect();
    format!("<div class=\"charts\">\n{drawn}</div>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: &[(f64, f64)]) -> Option<String> {
        let series = vec![Series { name: "a < b".to_string(), points: points.to_vec() }];
        Chart { title: "title", axes: ["x", "y"], mark: Mark::Line, series }.svg()
    }

    #[test]
    fn charts_are_drawn_where_there_is_something() {
        let svg = chart(&[(0.0, 1.0), (1.0, 3.0)]).expect("two points");
        assert!(svg.starts_with("<svg") && svg.contains("title") && svg.contains("a &lt; b"), "{svg}");
        assert!(chart(&[(2.0, 2.0)]).is_some());
        let bars = |heights: Vec<f64>| {
            let groups = vec![("one & two".to_string(), heights)];
            Bars { title: "title", axis: "y", parts: &["low", "high"], groups }.svg()
        };
        let svg = bars(vec![1.0, 2.0]).expect("a bar");
        assert!(svg.contains("one &amp; two") && svg.contains("low") && svg.contains("high"), "{svg}");
        assert!(bars(vec![0.0, 0.0]).is_none());
        assert!(chart(&[]).is_none() && chart(&[(f64::NAN, 1.0)]).is_none());
    }
}
