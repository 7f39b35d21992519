//! Tables of cases in text files.
//!
//! A file has sections, each after a line `== title`; the lines before the first one describe the file. A section begins
//! with its settings, lines `-- name value`; the name of a comment is `note`. Each other line is a row, and tabs separate its fields. The pictures of control characters (U+2400 to U+241F) stand for these characters, `␠`
//! for a space at the beginning or end of a field, and `␡` for an empty field.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A section of a table.
#[derive(Clone, Debug)]
pub struct Table {
    /// The title.
    pub title: &'static str,
    /// The names and values of the settings.
    pub settings: Vec<(&'static str, &'static str)>,
    /// The rows, each with its fields.
    pub rows: Vec<Vec<&'static str>>,
}

impl Table {
    /// Reads all sections of a file.
    #[must_use]
    pub fn all(text: &'static str) -> Vec<Self> {
        let mut sections: Vec<Self> = Vec::new();
        for line in text.lines() {
            if let Some(title) = line.strip_prefix("== ") {
                let (settings, rows) = (Vec::new(), Vec::new());
                sections.push(Self {
                    title,
                    settings,
                    rows,
                });
            } else if let Some(section) = sections.last_mut()
                && !line.is_empty()
            {
                match line.strip_prefix("-- ") {
                    Some(line) => section.settings.extend(line.split_once(' ')),
                    None => section.rows.push(line.split('\t').map(field).collect()),
                }
            }
        }
        sections
    }

    /// Returns the value of a setting.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<&'static str> {
        let found = self.settings.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value)
    }

    /// Returns the first fields of the rows.
    #[must_use]
    pub fn column(&self) -> Vec<&'static str> {
        self.rows.iter().map(|row| row[0]).collect()
    }

    /// Returns the rows, each of which has `N` fields.
    ///
    /// # Panics
    ///
    /// If a row has another number of fields.
    pub fn rows<const N: usize>(&self) -> impl Iterator<Item = [&'static str; N]> + use<'_, N> {
        self.rows.iter().map(|row| {
            let fields = <[&str; N]>::try_from(&row[..]);
            fields.unwrap_or_else(|_| panic!("{}: {row:?} has not {N} fields", self.title))
        })
    }
}

/// Returns the rows of the section of this title.
#[must_use]
pub fn rows_of<const N: usize>(text: &'static str, title: &str) -> Vec<[&'static str; N]> {
    section(text, title).rows().collect()
}

/// Returns the text of an optional field: none if it is `∅`.
#[must_use]
pub fn some(field: &str) -> Option<&str> {
    (field != "∅").then_some(field)
}

/// Returns the number that a field holds.
///
/// # Panics
///
/// If it holds none.
#[must_use]
pub fn number<T: std::str::FromStr>(field: &str) -> T {
    let number = field.parse().ok();
    number.unwrap_or_else(|| panic!("{field} is not a number"))
}

/// Returns the items of a field, which ` ¦ ` separates.
#[must_use]
pub fn list(field: &str) -> Vec<&str> {
    let items = field.split(" ¦ ");
    items.filter(|item| !item.is_empty()).collect()
}

/// Returns the rows of all sections of a file.
///
/// # Panics
///
/// If a row has another number of fields.
#[must_use]
pub fn rows<const N: usize>(text: &'static str) -> Vec<[&'static str; N]> {
    let sections = Table::all(text);
    sections
        .iter()
        .flat_map(|section| section.rows::<N>())
        .collect()
}

/// Returns the section of this title.
///
/// # Panics
///
/// If there is none.
#[must_use]
pub fn section(text: &'static str, title: &str) -> Table {
    let found = Table::all(text).into_iter().find(|one| one.title == title);
    found.unwrap_or_else(|| panic!("there is no section {title}"))
}

/// The first fields of a section, read once.
pub type Lines = std::sync::LazyLock<Vec<&'static str>>;

/// The rows of a section, read once.
pub type Rows<const N: usize> = std::sync::LazyLock<Vec<[&'static str; N]>>;

/// Returns the first fields of the section of this title.
#[must_use]
pub fn lines(text: &'static str, title: &str) -> Vec<&'static str> {
    section(text, title).column()
}

/// Checks the results in a file: the fields of each row after its first `inputs` fields. With `UPDATE_SNAPSHOTS` in the
/// environment, writes today's results instead.
///
/// # Panics
///
/// If a result differs.
pub fn check_results(
    path: &Path,
    inputs: usize,
    mut results: impl FnMut(&Table, &[&'static str]) -> Vec<String>,
) {
    let text = fs::read_to_string(path).expect("the table can be read");
    let head = text.find("== ").unwrap_or(text.len());
    let mut after = text[..head].to_owned();
    for (at, section) in Table::all(text.clone().leak()).iter().enumerate() {
        let between = if at > 0 { "\n" } else { "" };
        _ = writeln!(after, "{between}== {}", section.title);
        for (name, value) in &section.settings {
            _ = writeln!(after, "-- {name} {value}");
        }
        for row in &section.rows {
            let given = &row[..inputs.min(row.len())];
            let mut fields: Vec<String> = given.iter().map(|field| written(field)).collect();
            fields.extend(results(section, given).iter().map(|field| written(field)));
            _ = writeln!(after, "{}", fields.join("\t"));
        }
    }
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        return fs::write(path, after).expect("the table can be written");
    }
    let rows = text.lines().zip(after.lines());
    let other: Vec<_> = rows
        .filter(|(before, after)| before != after)
        .map(|(before, after)| format!("- {before}\n+ {after}"))
        .collect();
    assert!(text == after, "{}:\n{}", path.display(), other.join("\n"));
}

/// Returns the text of a field.
#[must_use]
pub fn field(written: &'static str) -> &'static str {
    let is_picture = |c: char| matches!(c, '\u{2400}'..='\u{2421}');
    if !written.contains(is_picture) {
        return written;
    }
    let mut text = String::new();
    for c in written.chars() {
        match c {
            '\u{2421}' => {}
            c if is_picture(c) => text.extend(char::from_u32(c as u32 - 0x2400)),
            c => text.push(c),
        }
    }
    text.leak()
}

/// Returns a field as a file has it.
#[must_use]
pub fn written(text: &str) -> String {
    if text.is_empty() {
        return '\u{2421}'.to_string();
    }
    let mut out = String::new();
    let last = text.chars().count().saturating_sub(1);
    for (at, c) in text.chars().enumerate() {
        let is_outer = at == 0 || at == last;
        match c {
            ' ' if is_outer => out.push('\u{2420}'),
            '\0'..'\x20' => out.extend(char::from_u32(c as u32 + 0x2400)),
            c => _ = out.write_char(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_as_they_are_written() {
        for text in ["", " a ", "a b", "\u{1b}[0m\n\t\r", "\0", "\\n"] {
            assert_eq!(field(written(text).leak()), text);
        }
        let sections = Table::all("About.\n== a\n1\t2\n\n== b\n␡\n␊\n");
        assert_eq!(sections[0].rows, [["1", "2"]]);
        assert_eq!(sections[1].column(), ["", "\n"]);
    }
}
