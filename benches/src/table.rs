//! Tables of ratios, with their geometric mean and their worst.

/// One figure, or why there is none.
#[derive(Clone, Copy)]
pub(crate) enum Cell {
    /// How many times as fast as the base, or what the title says.
    Ratio(f64),
    /// The contender made the right value, but there is no base to compare its time with.
    Alone,
    /// The contender refused the text.
    Refused,
    /// The contender made another value of the text than the one it was written from.
    Another,
}

/// A table whose columns are texts and whose rows are contenders.
pub(crate) struct Table {
    title: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<Cell>, &'static str)>,
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(title: impl Into<String>, columns: Vec<String>) -> Self {
        Self {
            title: title.into(),
            columns,
            rows: Vec::new(),
        }
    }

    /// Adds a row; `later` is what its contender leaves for later.
    pub(crate) fn row(&mut self, name: impl Into<String>, cells: Vec<Cell>, later: &'static str) {
        self.rows.push((name.into(), cells, later));
    }

    /// Prints it as Markdown.
    pub(crate) fn print(&self) {
        let wide = self
            .rows
            .iter()
            .map(|(name, ..)| name.len())
            .max()
            .unwrap_or(0);
        let mut head = format!("| {:wide$} |", "");
        let mut rule = format!("|{}|", "-".repeat(wide + 2));
        for column in self
            .columns
            .iter()
            .map(String::as_str)
            .chain(["mean", "worst"])
        {
            head += &format!(" {column:>8} |");
            rule += &format!("{}:|", "-".repeat(column.len().max(8) + 1));
        }
        println!("\n{}\n\n{head} left for later\n{rule}---", self.title);
        for (name, cells, later) in &self.rows {
            let mut line = format!("| {name:wide$} |");
            let mut ratios = Vec::new();
            for (cell, column) in cells.iter().zip(&self.columns) {
                let wide = column.len().max(8);
                let text = match *cell {
                    Cell::Ratio(ratio) => {
                        ratios.push(ratio);
                        number(ratio)
                    }
                    Cell::Alone => "y".into(),
                    Cell::Refused => "x".into(),
                    Cell::Another => "n".into(),
                };
                line += &format!(" {text:>wide$} |");
            }
            let worst = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            let logs: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
            let (mean, worst) = match ratios.len() {
                0 => ("-".into(), "-".into()),
                count => (number((logs / count as f64).exp()), number(worst)),
            };
            println!("{line} {mean:>8} | {worst:>8} | {later}");
        }
    }
}

fn number(ratio: f64) -> String {
    match ratio {
        ..0.1 => format!("{ratio:.4}"),
        0.1..10.0 => format!("{ratio:.2}"),
        10.0..100.0 => format!("{ratio:.1}"),
        _ => format!("{ratio:.0}"),
    }
}
