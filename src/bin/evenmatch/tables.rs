//! How tables look in the terminal.
//!
//! Used by `report` and `check`. No colours and no dependence on the terminal's width, so that what a person
//! sees is what a file gets.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use std::ops::RangeInclusive;

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
