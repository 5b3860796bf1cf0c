//! Plots as SVG files: text stays text, nothing is loaded from elsewhere.

use plotters::prelude::*;

use crate::measure::{Summary, Tally};

type Draw<T> = Result<T, Box<dyn std::error::Error>>;

const WIDTH: u32 = 820;
const ROW_HEIGHT: u32 = 44;
const MARGIN_HEIGHT: u32 = 110;
/// Left edge of the bars: the longest type name stands before it.
const LABEL_WIDTH: i32 = 170;

/// Name, colour and count of an outcome.
type Outcome = (&'static str, RGBColor, fn(&Tally) -> u64);

/// The outcomes in the order of a bar, with colours that differ in lightness as well: readable in grey, too.
const OUTCOMES: [Outcome; 7] = [
    ("delivered", RGBColor(38, 112, 80), |t| t.delivered),
    ("transformed", RGBColor(122, 184, 150), |t| t.transformed),
    ("truncated", RGBColor(222, 184, 92), |t| t.truncated),
    ("evicted", RGBColor(236, 214, 160), |t| t.evicted),
    ("by design", RGBColor(176, 176, 190), |t| t.by_design),
    ("unobserved", RGBColor(214, 214, 220), |t| t.unobserved),
    ("lost", RGBColor(178, 52, 48), |t| t.lost),
];

/// One bar a content type: what became of its blocks, by share, with the counts in it.
///
/// # Errors
/// When the drawing fails, which memory alone can cause.
pub fn types(summary: &Summary) -> Draw<String> {
    let rows: Vec<_> = summary.types.iter().filter(|t| t.tally.returned > 0).collect();
    let height = MARGIN_HEIGHT + ROW_HEIGHT * rows.len().max(1) as u32;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        area.fill(&WHITE)?;
        let font = |size: u32| ("sans-serif", size).into_font().color(&BLACK);
        area.draw(&Text::new("What became of the blocks, by type", (20, 14), font(20)))?;
        let mut x = 20;
        for (name, color, _) in OUTCOMES {
            area.draw(&Rectangle::new([(x, 50), (x + 12, 62)], color.filled()))?;
            area.draw(&Text::new(name, (x + 17, 49), font(14)))?;
            x += 40 + 8 * name.len() as i32;
        }
        for (row, t) in rows.iter().enumerate() {
            let top = 84 + row as i32 * ROW_HEIGHT as i32;
            area.draw(&Text::new(t.block_type.clone(), (20, top + 6), font(16)))?;
            let total = t.tally.returned.max(1);
            let full = f64::from(WIDTH as i32 - LABEL_WIDTH - 20);
            let mut done = 0u64;
            for (_, color, count) in OUTCOMES {
                let n = count(&t.tally);
                if n == 0 {
                    continue;
                }
                let at = |blocks: u64| LABEL_WIDTH + (blocks as f64 / total as f64 * full).round() as i32;
                let (left, right) = (at(done), at(done + n));
                area.draw(&Rectangle::new([(left, top), (right, top + 28)], color.filled()))?;
                let label = n.to_string();
                if right - left > 10 + 9 * label.len() as i32 {
                    let is_dark = u32::from(color.0) + u32::from(color.1) + u32::from(color.2) < 330;
                    let ink = if is_dark { WHITE } else { BLACK };
                    let style = ("sans-serif", 15).into_font().color(&ink);
                    area.draw(&Text::new(label, (left + 5, top + 6), style))?;
                }
                done += n;
            }
        }
        area.present()?;
    }
    Ok(svg)
}
