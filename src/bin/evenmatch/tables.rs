//! How tables look in the terminal, and what stands in those that pages show too.
//!
//! Used by `report`, `check`, `compare` and `page`. No colours and no dependence on the terminal's width, so that what a person
//! sees is what a file gets.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use std::ops::RangeInclusive;

/// What stands in a table, for the terminal and for a page.
pub(crate) struct Grid {
    /// What the table is about.
    pub(crate) caption: String,
    /// Column titles; a line feed breaks one.
    pub(crate) header: Vec<String>,
    /// The rows.
    pub(crate) rows: Vec<GridRow>,
    /// The columns that are flush right.
    pub(crate) right: RangeInclusive<usize>,
}

/// One row of a grid.
pub(crate) struct GridRow {
    /// As many as the header has.
    pub(crate) cells: Vec<String>,
    /// Whether a page sets it off from the others.
    pub(crate) is_strong: bool,
    /// Whether it begins a group of rows.
    pub(crate) is_first: bool,
}

impl GridRow {
    /// A row like any other.
    pub(crate) fn plain(cells: Vec<String>) -> GridRow {
        GridRow { cells, is_strong: false, is_first: false }
    }
}

impl Grid {
    /// The table's lines, each with a line feed, without the caption.
    pub(crate) fn text(&self) -> String {
        let mut drawn = table();
        drawn.set_header(&self.header);
        for (place, row) in self.rows.iter().enumerate() {
            if row.is_first && place > 0 {
                drawn.add_row(vec![""; row.cells.len()]);
            }
            drawn.add_row(&row.cells);
        }
        align_right(&mut drawn, self.right.clone());
        text(&drawn)
    }
}

/// Lines above, below and under the header, none between rows.
const STYLE: TableStyle =
    TableStyle::new().top_border(line('─')).header_separator(line('─')).bottom_border(line('─'));

const fn line(stroke: char) -> LineStyle {
    LineStyle::none().fill(stroke).junction(stroke)
}

/// An empty table in the common style.
pub(crate) fn table() -> Table {
    let mut table = Table::new();
    table.load_style(STYLE).force_no_tty();
    table.set_content_arrangement(ContentArrangement::Disabled);
    table
}

/// Sets the numbers of some columns flush right.
pub(crate) fn align_right(table: &mut Table, columns: RangeInclusive<usize>) {
    for column in columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// The table's lines, without blanks at their ends, each with a line feed.
pub(crate) fn text(table: &Table) -> String {
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}
