//! Charts as SVG: points with their spread, and lines, over linear or logarithmic axes.
//!
//! Drawn by hand, because the chart libraries there are write fixed colours and fonts into their pictures: these take theirs from the page, in the light and
//! in the dark, and look the same by themselves.

use std::fmt::{self, Write};
use std::ops::RangeInclusive;

use minijinja::HtmlEscape;

/// Several series over the same axes.
pub(crate) struct Chart {
    /// What is to be seen, for those who cannot see it.
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
}

pub(crate) struct Axis {
    pub(crate) title: String,
    pub(crate) logarithmic: bool,
    pub(crate) unit: Unit,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    None,
    Seconds,
}

/// Points of one colour.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) marks: Vec<Mark>,
    /// Whether points are joined.
    pub(crate) joined: bool,
    /// The ends of a dashed line.
    pub(crate) line: Option<[(f64, f64); 2]>,
}

/// A point, with where the middle half of what it stands for lies.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = WIDTH - 14.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = HEIGHT - 52.0;

/// Colours that the colour-blind tell apart, for light and dark.
const STYLE: &str = "\
.chart{--ink:#1b1f24;--faint:#d4d8de;--s0:#0072b2;--s1:#c04a00;--s2:#007a5a;font:13px system-ui,sans-serif}\
@media(prefers-color-scheme:dark){.chart{--ink:#e6e9ee;--faint:#3b424c;--s0:#5ab4e8;--s1:#f0944d;--s2:#3fbf94}}\
@media print{.chart{--ink:#000;--faint:#ccc;--s0:#0072b2;--s1:#c04a00;--s2:#007a5a}}\
.chart text{fill:var(--ink);stroke:none}.chart .grid{stroke:var(--faint);stroke-width:1}\
.chart .axis{stroke:var(--ink);stroke-width:1;fill:none}.chart .joined{fill:none;stroke-width:2}\
.chart .line{fill:none;stroke-width:2;stroke-dasharray:7 5}.chart .spread{stroke-width:1.5;opacity:.45}\
.chart .s0{stroke:var(--s0)}.chart .s1{stroke:var(--s1)}.chart .s2{stroke:var(--s2)}\
.chart .m0{fill:var(--s0)}.chart .m1{fill:var(--s1)}.chart .m2{fill:var(--s2)}";

/// An axis with the places it shows.
struct Scale<'a> {
    axis: &'a Axis,
    shown: RangeInclusive<f64>,
    at: [f64; 2],
}

impl Scale<'_> {
    /// Where a value is drawn.
    fn place(&self, value: f64) -> f64 {
        let of = |value: f64| if self.axis.logarithmic { value.ln() } else { value };
        let (low, high) = (of(*self.shown.start()), of(*self.shown.end()));
        let share = ((of(value) - low) / (high - low)).clamp(-0.02, 1.02);
        self.at[0] + share * (self.at[1] - self.at[0])
    }

    /// The values with a line and a number.
    fn ticks(&self) -> Vec<f64> {
        let (low, high) = (*self.shown.start(), *self.shown.end());
        let inside = |tick: &f64| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(tick);
        if self.axis.logarithmic {
            #[allow(clippy::cast_possible_truncation)] // decades are few
            let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
            let few = high / low < 50.0;
            let of_decade = |decade: i32| {
                let parts: &[f64] = if few { &[1.0, 2.0, 5.0] } else { &[1.0] };
                parts.iter().map(move |part| part * 10f64.powi(decade))
            };
            return decades.flat_map(of_decade).filter(inside).collect();
        }
        let step = nice((high - low) / 6.0);
        #[allow(clippy::cast_sign_loss)] // there are a dozen at most
        let steps = ((high - low) / step).floor() as usize + 2;
        let first = (low / step).ceil() * step;
        (0..steps).map(|i| first + step * i as f64).filter(|tick| (low..=high).contains(tick)).collect()
    }

    fn label(&self, value: f64) -> String {
        match self.axis.unit {
            Unit::None => number(value),
            Unit::Seconds => seconds(value),
        }
    }
}

/// The next of 1, 2 and 5 times a power of ten.
fn nice(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let part = [1.0, 2.0, 5.0, 10.0].into_iter().find(|part| part * power >= step * (1.0 - 1e-9));
    part.unwrap_or(10.0) * power
}

/// A number with three digits that matter, at most.
fn number(value: f64) -> String {
    if value == 0.0 || value.abs() >= 100.0 {
        return format!("{value:.0}");
    }
    let rounded = format!("{value:.2}");
    rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A time in the unit that suits it.
pub(crate) fn seconds(value: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")];
    let (unit, name) =
        units.into_iter().find(|(unit, _)| value >= unit * (1.0 - 1e-9)).unwrap_or((1e-9, "ns"));
    format!("{} {name}", number(value / unit))
}

impl Chart {
    fn range(&self, of: impl Fn(&Mark) -> [f64; 2], axis: &Axis) -> RangeInclusive<f64> {
        let all = self.series.iter().flat_map(|series| &series.marks).flat_map(of);
        let values: Vec<f64> =
            all.filter(|value| value.is_finite() && (!axis.logarithmic || *value > 0.0)).collect();
        let low = values.iter().copied().reduce(f64::min).unwrap_or(1.0);
        let high = values.iter().copied().reduce(f64::max).unwrap_or(2.0);
        match axis.logarithmic {
            true => low / 1.25..=(high * 1.25).max(low * 10.0),
            false => 0f64.min(low)..=if high > low { high * 1.04 } else { low + 1.0 },
        }
    }

    fn draw(&self, out: &mut String) -> fmt::Result {
        let x =
            Scale { axis: &self.x, shown: self.range(|mark| [mark.x, mark.x], &self.x), at: [LEFT, RIGHT] };
        let shown = self.range(|mark| [mark.low, mark.high], &self.y);
        let y = Scale { axis: &self.y, shown, at: [BOTTOM, TOP] };
        let title = HtmlEscape(&self.title);
        writeln!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}">"#
        )?;
        writeln!(out, "<title>{title}</title><style>{STYLE}</style>")?;
        for tick in x.ticks() {
            let at = x.place(tick);
            write!(out, r#"<line class="grid" x1="{at:.1}" x2="{at:.1}" y1="{TOP}" y2="{BOTTOM}"/>"#)?;
            let label = x.label(tick);
            writeln!(
                out,
                r#"<text x="{at:.1}" y="{:.1}" text-anchor="middle">{label}</text>"#,
                BOTTOM + 18.0
            )?;
        }
        for tick in y.ticks() {
            let at = y.place(tick);
            write!(out, r#"<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{at:.1}" y2="{at:.1}"/>"#)?;
            let label = y.label(tick);
            writeln!(
                out,
                r#"<text x="{:.1}" y="{:.1}" text-anchor="end">{label}</text>"#,
                LEFT - 8.0,
                at + 4.5
            )?;
        }
        writeln!(out, r#"<path class="axis" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/>"#)?;
        let middle = f64::midpoint(LEFT, RIGHT);
        let (across, up) = (HtmlEscape(&self.x.title), HtmlEscape(&self.y.title));
        writeln!(out, r#"<text x="{middle}" y="{:.1}" text-anchor="middle">{across}</text>"#, HEIGHT - 12.0)?;
        let center = f64::midpoint(TOP, BOTTOM);
        writeln!(
            out,
            r#"<text transform="translate(15 {center}) rotate(-90)" text-anchor="middle">{up}</text>"#
        )?;
        let mut legend = LEFT;
        for (number, series) in self.series.iter().enumerate() {
            series.draw(out, number, &x, &y)?;
            write!(out, r#"<circle class="m{number}" cx="{:.1}" cy="16" r="5"/>"#, legend + 6.0)?;
            writeln!(out, r#"<text x="{:.1}" y="20.5">{}</text>"#, legend + 17.0, HtmlEscape(&series.name))?;
            legend += 36.0 + 7.2 * series.name.chars().count() as f64;
        }
        writeln!(out, "</svg>")
    }
}

impl Series {
    fn draw(&self, out: &mut String, number: usize, x: &Scale<'_>, y: &Scale<'_>) -> fmt::Result {
        let path = |points: &[(f64, f64)]| {
            let place = |&(one, other): &(f64, f64)| format!("{:.1} {:.1}", x.place(one), y.place(other));
            format!("M{}", points.iter().map(place).collect::<Vec<_>>().join("L"))
        };
        for mark in &self.marks {
            let (at, low, high) = (x.place(mark.x), y.place(mark.low), y.place(mark.high));
            write!(
                out,
                r#"<line class="spread s{number}" x1="{at:.1}" x2="{at:.1}" y1="{low:.1}" y2="{high:.1}"/>"#
            )?;
        }
        if self.joined && !self.marks.is_empty() {
            let points: Vec<_> = self.marks.iter().map(|mark| (mark.x, mark.y)).collect();
            write!(out, r#"<path class="joined s{number}" d="{}"/>"#, path(&points))?;
        }
        if let Some(ends) = self.line {
            // A straight line is a curve on a logarithmic axis: drawn in pieces.
            let piece = |i: i32| {
                let share = f64::from(i) / 50.0;
                (ends[0].0 + share * (ends[1].0 - ends[0].0), ends[0].1 + share * (ends[1].1 - ends[0].1))
            };
            let floor = *y.shown.start();
            let points: Vec<_> = (0..=50).map(piece).filter(|point| point.1 >= floor).collect();
            if !points.is_empty() {
                write!(out, r#"<path class="line s{number}" d="{}"/>"#, path(&points))?;
            }
        }
        for mark in &self.marks {
            let (at, up) = (x.place(mark.x), y.place(mark.y));
            write!(out, r#"<circle class="m{number}" cx="{at:.1}" cy="{up:.1}" r="3.2"/>"#)?;
        }
        writeln!(out)
    }
}

/// The picture.
impl fmt::Display for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.draw(&mut out)?;
        f.write_str(&out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: &[(f64, f64)]) -> Chart {
        let mark = |&(x, y): &(f64, f64)| Mark { x, y, low: y / 2.0, high: y * 2.0 };
        let series = Series {
            name: "a < b & \"c\"".to_owned(),
            marks: points.iter().map(mark).collect(),
            joined: true,
            line: None,
        };
        let axis = |title: &str, logarithmic, unit| Axis { title: title.to_owned(), logarithmic, unit };
        Chart {
            title: "<script>".to_owned(),
            x: axis("length", false, Unit::None),
            y: axis("time", true, Unit::Seconds),
            series: vec![series],
        }
    }

    #[test]
    fn text_is_escaped_and_points_are_where_they_belong() {
        let svg = chart(&[(1.0, 1e-6), (2.0, 1e-3)]).to_string();
        assert!(svg.contains("&lt;script&gt;") && !svg.contains("<script>"), "{svg}");
        assert!(svg.contains("a &lt; b &amp; &quot;c&quot;"), "{svg}");
        assert_eq!(svg.matches("r=\"3.2\"").count(), 2, "a circle for each point");
        for label in ["1 µs", "10 µs", "100 µs", "1 ms"] {
            assert!(svg.contains(&format!(">{label}<")), "{label}: {svg}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn nothing_to_see_is_no_error() {
        for points in [&[][..], &[(3.0, 5.0)], &[(0.0, 0.0)]] {
            let svg = chart(points).to_string();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{points:?}: {svg}");
        }
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, 1.0, 2.5, 0.05, 1500.0].map(number), ["0", "1", "2.5", "0.05", "1500"]);
        assert_eq!([2.0, 0.25, 3e-6, 5e-9].map(seconds), ["2 s", "250 ms", "3 µs", "5 ns"]);
        assert_eq!([0.7, 1.0, 1.1, 23.0].map(|step| number(nice(step))), ["1", "1", "2", "50"]);
    }
}
