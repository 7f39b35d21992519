//! Texts for lines of limited width, measured in columns of a terminal.

use unicode_width::UnicodeWidthStr;

/// The widest picture, also on a wider terminal and where there is none.
pub(super) const COLUMNS_MAX: usize = 100;
/// The narrowest picture: on a narrower terminal lines are wrapped.
const COLUMNS_MIN: usize = 40;

/// Returns the width of a picture: as wide as was asked for, or as the terminal, within bounds.
pub(super) fn columns(asked: Option<u16>) -> usize {
    let terminal = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| width.0);
    let columns = asked.or_else(terminal).map_or(COLUMNS_MAX, usize::from);
    match asked {
        Some(_) => columns.max(COLUMNS_MIN),
        None => columns.clamp(COLUMNS_MIN, COLUMNS_MAX),
    }
}

/// Returns the number of columns of a text in which every character shows.
pub(super) fn width_of(text: &str) -> usize {
    text.width()
}

/// Returns the longest beginning of a text that takes at most `columns` columns.
pub(super) fn clip(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut shown = String::new();
    let mut left = columns.saturating_sub(1);
    for character in text.chars() {
        match left.checked_sub(character.to_string().width()) {
            Some(rest) => left = rest,
            None => break,
        }
        shown.push(character);
    }
    shown.push('…');
    shown
}

/// A text on as many lines as it takes, broken between words.
pub(super) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(clip(word, columns)),
        }
    }
    lines
}
