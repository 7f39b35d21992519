//! Reading a column in pieces, on several threads.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::error::Error;
use crate::options::Options;
use crate::rows::{Reader, Rows};
use crate::texts::Texts;

/// The number of pieces for each thread: some take longer than others of the same length.
const PIECES: usize = 8;
/// The minimum number of bytes of a piece. A shorter column does not pay for a thread.
const BYTES_MIN: usize = 32_000;
/// What a row takes beside its bytes.
const BYTES_OF_ROW: usize = 64;

/// Reads all texts.
pub(crate) fn read(
    texts: &Texts<'_>,
    reader: &Reader<'_>,
    options: &Options,
) -> Result<Rows, Error> {
    let threads = options.thread_count();
    let pieces = match threads {
        1 => Vec::new(),
        _ => split(texts, threads),
    };
    if pieces.len() < 2 {
        return reader.read(texts, 0..texts.len());
    }
    let work = Work {
        texts,
        reader,
        pieces: &pieces,
        next: AtomicUsize::new(0),
        failed: AtomicBool::new(false),
    };
    let mut done = Vec::with_capacity(pieces.len());
    for result in work.on_threads(threads.min(pieces.len())) {
        done.extend(result?);
    }
    done.sort_unstable_by_key(|(place, _)| *place);
    let mut rows = done.into_iter().map(|(_, rows)| rows);
    let Some(mut first) = rows.next() else {
        return reader.read(texts, 0..texts.len());
    };
    rows.try_for_each(|rows| first.extend(rows))?;
    Ok(first)
}

/// Some rows of pieces, each with the place of its piece.
type Done = Vec<(usize, Rows)>;

/// The pieces that are left for all threads.
struct Work<'w> {
    texts: &'w Texts<'w>,
    reader: &'w Reader<'w>,
    pieces: &'w [Range<usize>],
    next: AtomicUsize,
    failed: AtomicBool,
}

impl Work<'_> {
    /// Reads all pieces, on this thread and others that end before this returns: there is no pool,
    /// which would not survive a fork of the process.
    fn on_threads(&self, threads: usize) -> Vec<Result<Done, Error>> {
        thread::scope(|scope| {
            let others = (1..threads).map(|_| {
                let builder = thread::Builder::new().name("llmjson-arrow".to_owned());
                builder.spawn_scoped(scope, || self.run())
            });
            // Without another thread this one does all the work.
            let others: Vec<_> = others.filter_map(Result::ok).collect();
            let mut results = vec![self.run()];
            for other in others {
                results.push(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            results
        })
    }

    /// Reads pieces until none is left.
    fn run(&self) -> Result<Done, Error> {
        let mut done = Vec::new();
        while !self.failed.load(Ordering::Relaxed) {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = self.pieces.get(place) else {
                break;
            };
            match self.reader.read(self.texts, piece.clone()) {
                Ok(rows) => done.push((place, rows)),
                Err(error) => {
                    self.failed.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(done)
    }
}

/// Cuts a column into pieces of about the same number of bytes.
fn split(texts: &Texts<'_>, threads: usize) -> Vec<Range<usize>> {
    let weight = |row| texts.bytes(row) + BYTES_OF_ROW;
    let total: usize = (0..texts.len()).map(weight).sum();
    let least = (total / (threads * PIECES)).max(BYTES_MIN);
    let mut pieces = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for row in 0..texts.len() {
        bytes += weight(row);
        if bytes >= least {
            pieces.push(start..row + 1);
            (start, bytes) = (row + 1, 0);
        }
    }
    if start < texts.len() {
        pieces.push(start..texts.len());
    }
    pieces
}
