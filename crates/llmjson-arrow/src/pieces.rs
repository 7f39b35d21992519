//! A column cut into pieces, which several threads read.

use std::ops::Range;

use crate::texts::Texts;

/// Pieces take this part of what is left for a thread, so that they get shorter: the first, to which
/// the rows of the others are added, is long, and the threads end at about the same time.
const SHARE: f64 = 0.9;
/// The minimum number of bytes of a piece. A shorter column does not pay for a thread.
const BYTES_MIN: usize = 32_000;
/// Number of bytes that a row counts for beside its own.
const BYTES_OF_ROW: usize = 64;

/// Cuts a column into pieces for `threads` threads. There is at least one piece.
pub(crate) fn split(texts: &Texts<'_>, threads: usize) -> Vec<Range<usize>> {
    let rows = texts.len();
    let least = match threads {
        0 | 1 => usize::MAX,
        _ => BYTES_MIN,
    };
    let weight = |row| texts.bytes(row) + BYTES_OF_ROW;
    let mut left: usize = (0..rows).map(weight).sum();
    let length = |left: usize| ((left as f64 * SHARE / threads as f64) as usize).max(least);
    let mut pieces = Vec::new();
    let (mut start, mut bytes, mut wanted) = (0, 0, length(left));
    for row in 0..rows {
        bytes += weight(row);
        if bytes >= wanted {
            pieces.push(start..row + 1);
            left -= bytes;
            (start, bytes, wanted) = (row + 1, 0, length(left));
        }
    }
    if start < rows || pieces.is_empty() {
        pieces.push(start..rows);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use arrow_array::StringArray;

    use super::*;

    #[test]
    fn pieces_are_all_rows_in_order() {
        for rows in [0, 1, 10, 1_000, 10_000] {
            let column = StringArray::from(vec!["{\"a\": 1, \"b\": [1, 2, 3]}"; rows]);
            let texts = Texts::of(&column).expect("a column of texts");
            for threads in [1, 2, 3, 64] {
                let pieces = split(&texts, threads);
                let all: Vec<_> = pieces.iter().cloned().flatten().collect();
                assert!(all.into_iter().eq(0..rows), "{rows} for {threads}");
                assert_eq!(pieces.len() == 1, threads == 1 || rows < 1_000, "{rows}");
            }
        }
    }
}
