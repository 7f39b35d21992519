//! The shape that the rows of a value share: arrays in an array, with the same number of items.

use smallvec::SmallVec;

use crate::base::work::steps_of_search;
use crate::scan::peek;

/// One more than the largest number of items of a row that are counted.
const ITEMS_MAX: usize = 16;

/// Number of bytes that arrive before rows are counted again.
const GROWTH: usize = 1 << 8;

/// Maximum length of a row, in bytes.
const ROW_MAX: usize = 1 << 12;

/// The rows without damage, counted by their number of items.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rows {
    counts: [u16; ITEMS_MAX],
    /// The number of items that nearly all of them have.
    items: Option<usize>,
    /// The number of items that the schema asks for.
    known: Option<usize>,
    /// Offset up to which they have been counted.
    counted: usize,
    /// Length of the text from which on they are counted again.
    due: usize,
}

impl Rows {
    /// Creates an empty count of the rows from `start` on, which have `items` items for all that
    /// is known.
    pub(crate) fn from(start: usize, items: Option<usize>) -> Self {
        Self {
            counted: start,
            known: items,
            ..Self::default()
        }
    }

    /// Counts the rows in the text that has arrived. Returns the number of steps that it took.
    pub(crate) fn count(&mut self, bytes: &[u8]) -> usize {
        if bytes.len() < self.due {
            return 0;
        }
        self.due = bytes.len() + GROWTH;
        let steps = self.count_new(bytes);
        self.items = self.shape();
        steps
    }

    fn count_new(&mut self, bytes: &[u8]) -> usize {
        let mut steps = steps_of_search(bytes.len().saturating_sub(self.counted));
        while let Some(found) =
            memchr::memchr2(b'[', b'(', bytes.get(self.counted..).unwrap_or_default())
        {
            let at = self.counted + found;
            let row = match within_array(bytes, at) {
                true => row(bytes, at),
                false => Err(at),
            };
            let (Ok((_, end)) | Err(end)) = row;
            steps += (end - at) / 2 + 1;
            self.counted = match row {
                Ok((items, end)) => {
                    if let Some(count) = self.counts.get_mut(items) {
                        *count = count.saturating_add(1);
                    }
                    end
                }
                // More text may complete this row.
                Err(end) if end >= bytes.len() => return steps,
                Err(_) => at + 1,
            };
        }
        self.counted = bytes.len();
        steps
    }

    /// Returns the number of items that nearly all rows have.
    pub(crate) fn items(&self) -> Option<usize> {
        self.items.or(self.known)
    }

    fn shape(&self) -> Option<usize> {
        let counts = self.counts.map(usize::from);
        let (items, most) = counts.into_iter().enumerate().max_by_key(|one| one.1)?;
        let others = counts.iter().sum::<usize>() - most;
        // A single item has no shape.
        (items > 1 && most > 0 && 4 * others <= most).then_some(items)
    }
}

/// Returns `true` if the bracket at `at` follows another one or a comma.
fn within_array(bytes: &[u8], at: usize) -> bool {
    let before = bytes[at.saturating_sub(ITEMS_MAX * 4)..at].trim_ascii_end();
    matches!(before.last(), Some(b'[' | b',' | b'(' | b'{'))
}

/// Returns the number of items and the end of the row whose bracket is at `at`: an array of scalars
/// without damage. Otherwise returns the offset of the first token that it cannot contain.
pub(crate) fn row(bytes: &[u8], at: usize) -> Result<(usize, usize), usize> {
    let closer = if peek(bytes, at) == b'(' { b')' } else { b']' };
    let most = bytes.len().min(at + ROW_MAX);
    let space = |mut at: usize| {
        while at < most && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        at
    };
    let (mut items, mut at) = (0, space(at + 1));
    loop {
        let end = scalar_end(&bytes[..most], at);
        if end == at {
            return Err(at);
        }
        items += 1;
        at = space(end);
        match peek(bytes, at) {
            b',' => at = space(at + 1),
            byte if byte == closer => return Ok((items, at + 1)),
            _ => return Err(at),
        }
    }
}

/// Returns the end of the array in parentheses at `at` if it has several items and no damage.
/// Only members may have parentheses within it. Otherwise returns the offset of the first
/// unexpected token.
pub(crate) fn tuple(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let bytes = &bytes[..bytes.len().min(at + ROW_MAX)];
    // The closers of the open containers, each with the number of commas in it.
    let mut open: SmallVec<[(u8, u32); 8]> = smallvec::smallvec![(b')', 0)];
    let (mut at, mut last) = (at + 1, b'(');
    while let Some((closer, commas)) = open.last_mut() {
        at += bytes[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let byte = peek(bytes, at);
        let is_object = *closer == b'}';
        let after_value = matches!(last, b'"' | b'}' | b']' | b')');
        // A key is followed by a colon only.
        let is_key = is_object && matches!(last, b'{' | b',');
        let fits = match byte {
            b',' => after_value,
            b':' => last == b'k',
            b'}' | b']' | b')' => {
                let is_empty = matches!(last, b'{' | b'[');
                byte == *closer && (after_value || is_empty) && (byte != b')' || *commas > 0)
            }
            b'(' => last == b':',
            b'{' | b'[' => !after_value && !is_key && last != b'k',
            _ => !after_value && last != b'k' && scalar_end(bytes, at) > at,
        };
        if !fits {
            return Err(at);
        }
        last = byte;
        match byte {
            b',' => *commas += 1,
            b':' => {}
            b'{' => open.push((b'}', 0)),
            b'[' => open.push((b']', 0)),
            b'(' => open.push((b')', 0)),
            b'}' | b']' | b')' => {
                open.pop();
            }
            _ => {
                last = if is_key { b'k' } else { b'"' };
                at = scalar_end(bytes, at) - 1;
            }
        }
        at += 1;
    }
    Ok(at)
}

/// Returns the end of the string, number or word at `at`, or `at` if there is none.
fn scalar_end(bytes: &[u8], at: usize) -> usize {
    let quote = peek(bytes, at);
    if !matches!(quote, b'"' | b'\'') {
        let word = |b: &&u8| b.is_ascii_alphanumeric() || b"+-._".contains(b);
        return at + bytes[at.min(bytes.len())..].iter().take_while(word).count();
    }
    let mut from = at + 1;
    while let Some(found) = memchr::memchr3(quote, b'\\', b'\n', &bytes[from..]) {
        match bytes[from + found] {
            b'\\' => from = bytes.len().min(from + found + 2),
            b'\n' => return at,
            _ => return from + found + 1,
        }
    }
    bytes.len()
}
