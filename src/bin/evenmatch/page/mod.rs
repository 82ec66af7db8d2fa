//! A page with charts, whole in one file: it asks the network for nothing, and shows the same everywhere.
//!
//! Written by `run` and `compare`. `observed` collects, `charts` counts, `text` escapes; `page.css` and
//! `page.js` stand beside them and are compiled in, as is uPlot 1.6.32 (MIT, `uplot/LICENSE`), which draws on
//! canvases: 51 kB against 205 kB of Chart.js and more than a megabyte of the larger ones, and unlike a picture
//! drawn beforehand it follows the width of the screen and its light or dark scheme.
//!
//! Invariants: names out of queue files, traces and paths stand in the page as text only, never as markup or
//! script; the page's own policy forbids it to load anything; equal input gives equal bytes.

mod charts;
pub(crate) mod observed;
mod text;

use crate::failure::Failure;
use crate::sink::Sink;
use crate::tables::Grid;
use observed::Observed;
use std::fmt::Write;
use text::{escaped, in_script};

/// The stylesheet and the script of the charts, as their authors publish them, with their licence.
const UPLOT_CSS: &str = include_str!("uplot/uPlot.min.css");
const UPLOT_JS: &str = include_str!("uplot/uPlot.iife.min.js");
const UPLOT_LICENCE: &str = include_str!("uplot/LICENSE");
const PAGE_CSS: &str = include_str!("page.css");
const PAGE_JS: &str = include_str!("page.js");

/// What a page says.
pub(crate) struct Page {
    /// The heading.
    pub(crate) title: String,
    /// What was done, one sentence a line.
    pub(crate) lines: Vec<String>,
    /// The replays, in the order of their colours; one or two.
    pub(crate) series: Vec<Observed>,
    /// The tables below the charts.
    pub(crate) grids: Vec<Grid>,
}

/// The last part of a path, for headings and legends.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

impl Page {
    /// Writes the page to a file, or to the standard output for `-`.
    pub(crate) fn write(&self, path: &str) -> Result<(), Failure> {
        let mut sink = Sink::open(path)?;
        sink.text(&self.html())?;
        sink.finish()
    }

    fn html(&self) -> String {
        let mut out = String::with_capacity(1 << 18);
        // Writing to a string cannot fail.
        let _ = self.write_html(&mut out);
        out
    }

    fn write_html(&self, out: &mut String) -> std::fmt::Result {
        let charts = charts::charts(&self.series);
        let title = escaped(&self.title);
        writeln!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(
            out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">"
        )?;
        writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
        writeln!(out, "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>")?;
        writeln!(out, "<style>\n{UPLOT_CSS}\n{PAGE_CSS}</style>\n</head>\n<body>\n<main>")?;
        writeln!(out, "<h1>{title}</h1>\n<ul class=\"facts\">")?;
        for line in &self.lines {
            writeln!(out, "<li>{}</li>", escaped(line))?;
        }
        writeln!(out, "</ul>")?;
        self.write_charts(out, &charts)?;
        for grid in &self.grids {
            write_grid(out, grid)?;
        }
        writeln!(out, "</main>\n<footer>Made by evenmatch. The charts are drawn by uPlot.")?;
        writeln!(
            out,
            "<details><summary>Licence of uPlot</summary><pre>{}</pre></details>",
            escaped(UPLOT_LICENCE)
        )?;
        writeln!(out, "</footer>")?;
        if !charts.is_empty() {
            let list: Vec<&str> = charts.iter().map(|chart| chart.json.as_str()).collect();
            let labels: Vec<String> = self.series.iter().map(|one| text::quoted(&one.label)).collect();
            let data = format!("{{\"labels\":[{}],\"charts\":[{}]}}", labels.join(","), list.join(","));
            writeln!(out, "<script type=\"application/json\" id=\"data\">{}</script>", in_script(&data))?;
            writeln!(out, "<script>\n{UPLOT_JS}\n</script>\n<script>\n{PAGE_JS}</script>")?;
        }
        writeln!(out, "</body>\n</html>")
    }

    fn write_charts(&self, out: &mut String, charts: &[charts::Chart]) -> std::fmt::Result {
        if charts.is_empty() {
            return writeln!(out, "<p>No match was made, so there is nothing to draw.</p>");
        }
        writeln!(out, "<p class=\"key\">")?;
        for (place, observed) in self.series.iter().enumerate() {
            writeln!(out, "<span class=\"s{place}\"><i></i><bdi>{}</bdi></span>", escaped(&observed.label))?;
        }
        writeln!(
            out,
            "</p>\n<noscript><p>The charts need JavaScript; the tables below do not.</p></noscript>"
        )?;
        writeln!(out, "<div class=\"charts\">")?;
        for chart in charts {
            writeln!(out, "<figure>\n<figcaption><h2>{}</h2>", escaped(chart.title))?;
            writeln!(out, "<p>{}</p></figcaption>", escaped(&chart.note))?;
            writeln!(
                out,
                "<div class=\"chart\" role=\"img\" aria-label=\"{}\"></div>",
                escaped(chart.title)
            )?;
            writeln!(out, "</figure>")?;
        }
        writeln!(out, "</div>")
    }
}

fn write_grid(out: &mut String, grid: &Grid) -> std::fmt::Result {
    let cell = |text: &str| escaped(text).replace('\n', "<br>");
    writeln!(out, "<section>\n<h2>{}</h2>", escaped(&grid.caption))?;
    writeln!(out, "<div class=\"wide\" tabindex=\"0\">\n<table>\n<thead><tr>")?;
    let side = |column: usize| if grid.right.contains(&column) { " class=\"r\"" } else { "" };
    for (column, title) in grid.header.iter().enumerate() {
        write!(out, "<th scope=\"col\"{}>{}</th>", side(column), cell(title))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for row in &grid.rows {
        write!(
            out,
            "{}",
            match (row.is_first, row.is_strong) {
                (true, _) => "<tr class=\"first\">",
                (_, true) => "<tr class=\"strong\">",
                _ => "<tr>",
            }
        )?;
        for (column, text) in row.cells.iter().enumerate() {
            write!(out, "<td{}>{}</td>", side(column), cell(text))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table>\n</div>\n</section>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::GridRow;
    use observed::Point;

    const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&";

    #[test]
    fn names_are_text_and_nothing_else() {
        let mut observed = Observed::new(HOSTILE);
        observed.accepted = 1;
        observed.ping_by_wait.push(Point { wait_s: 1.0, value: 2.0 });
        let page = Page {
            title: HOSTILE.to_owned(),
            lines: vec![HOSTILE.to_owned()],
            series: vec![observed],
            grids: vec![Grid {
                caption: HOSTILE.to_owned(),
                header: vec![HOSTILE.to_owned()],
                rows: vec![GridRow::plain(vec![HOSTILE.to_owned()])],
                right: 1..=1,
            }],
        };
        let html = page.html();
        assert!(html.contains("ping (ms)"), "the chart is there");
        assert!(!html.contains("alert(1)</script>") && !html.contains("<img"), "{HOSTILE}");
        // The data, the library, and the script that draws: no more and no fewer.
        assert_eq!((html.matches("<script").count(), html.matches("</script").count()), (3, 3));
        assert!(
            !html.contains(" src=\"") && !html.contains(" href=\"") && !html.contains("url("),
            "nothing to load"
        );
        assert_eq!(html, page.html());
    }

    #[test]
    fn a_path_is_shown_by_its_last_part() {
        assert_eq!((file_name("a/b.json"), file_name("b.json")), ("b.json", "b.json"));
    }
}
