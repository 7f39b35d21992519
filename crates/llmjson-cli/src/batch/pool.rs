//! Distribution of chunks of lines to threads, with answers in the order of the input.
//!
//! A chunk is in flight from when it is read until its answer is written. The number and the bytes of chunks in
//! flight are bounded, which also bounds the channels, the answers that wait for an earlier answer, and memory.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use crate::input::CommandError;
use crate::terminal::OutputReader;

use super::cache::locked;
use super::reader::{Chunk, Inputs};
use super::record::{self, Answers};
use super::settings::{Settings, Tally};

/// Chunks in flight per thread: one in progress, one in its queue, and two with waiting answers.
const CHUNKS_PER_JOB: usize = 4;
/// Maximum number of bytes in hand, except for a single chunk.
const BYTES_IN_HAND_MAX: usize = 256_000_000;
/// The size of a stack that a main thread usually has, though nothing recurses far.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// The answers to a chunk.
pub(super) struct Done {
    pub(super) answers: Answers,
    pub(super) tally: Tally,
    /// Number of bytes of the input that were answered.
    pub(super) bytes: usize,
}

type Numbered<T> = (u64, T);

/// Answers all lines; `write` gets the answers in the order of the lines.
///
/// If the answers are not read any more, this ends without an error. The thread that reads may
/// then still wait for input; it ends with the process.
pub(super) fn run(
    inputs: Inputs,
    jobs: usize,
    settings: &Arc<Settings>,
    mut write: impl FnMut(Done) -> Result<OutputReader, CommandError>,
) -> Result<(), CommandError> {
    let in_hand_max = jobs.saturating_mul(CHUNKS_PER_JOB);
    let gate = Arc::new(Gate::new(in_hand_max));
    let (to_workers, chunks) = sync_channel::<Numbered<Chunk>>(in_hand_max);
    let (to_writer, answers) = sync_channel::<Numbered<Result<Done, CommandError>>>(in_hand_max);
    let chunks = Arc::new(Mutex::new(chunks));
    for _ in 0..jobs {
        let (chunks, to_writer) = (Arc::clone(&chunks), to_writer.clone());
        let settings = Arc::clone(settings);
        start(move || work(&chunks, &to_writer, &settings))?;
    }
    let reader_gate = Arc::clone(&gate);
    start(move || read(inputs, &reader_gate, &to_workers, &to_writer))?;

    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (number, answer) in answers {
        waiting.insert(number, answer);
        while let Some(answer) = waiting.remove(&next) {
            let done = answer?;
            gate.leave(done.bytes);
            if write(done)? == OutputReader::Left {
                return Ok(());
            }
            next += 1;
        }
    }
    Ok(())
}

fn start(work: impl FnOnce() + Send + 'static) -> Result<(), CommandError> {
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    let started = thread.map_err(|error| CommandError::new("a thread", error));
    started.map(drop)
}

/// Reads chunks until the input ends, cannot be read, or is no longer wanted. An error is delivered after the
/// answers to the chunks before it.
fn read(
    mut inputs: Inputs,
    gate: &Gate,
    to_workers: &SyncSender<Numbered<Chunk>>,
    to_writer: &SyncSender<Numbered<Result<Done, CommandError>>>,
) {
    for number in 0.. {
        let chunk = match inputs.next_chunk() {
            Ok(None) => return,
            Ok(Some(chunk)) => chunk,
            Err(error) => {
                // If this fails, the receiver is gone.
                let _ = to_writer.send((number, Err(error)));
                return;
            }
        };
        gate.enter(chunk.bytes);
        if to_workers.send((number, chunk)).is_err() {
            return;
        }
    }
}

fn work(
    chunks: &Mutex<Receiver<Numbered<Chunk>>>,
    to_writer: &SyncSender<Numbered<Result<Done, CommandError>>>,
    settings: &Settings,
) {
    loop {
        let received = locked(chunks).recv();
        let Ok((number, chunk)) = received else {
            return;
        };
        let (mut answers, mut tally) = (Answers::default(), Tally::default());
        let file = chunk.file.as_deref();
        for line in chunk.lines() {
            tally.add(record::answer(line, file, settings, &mut answers));
        }
        let done = Done {
            answers,
            tally,
            bytes: chunk.bytes,
        };
        if to_writer.send((number, Ok(done))).is_err() {
            return;
        }
    }
}

/// Keeps what is in hand within bounds.
struct Gate {
    in_hand: Mutex<InHand>,
    left: Condvar,
    chunks_max: usize,
}

#[derive(Default)]
struct InHand {
    chunks: usize,
    bytes: usize,
}

impl Gate {
    fn new(chunks_max: usize) -> Self {
        Self {
            in_hand: Mutex::default(),
            left: Condvar::new(),
            chunks_max,
        }
    }

    /// Waits until there is room for a chunk.
    fn enter(&self, bytes: usize) {
        let full = |in_hand: &mut InHand| {
            let heavy = in_hand.bytes.saturating_add(bytes) > BYTES_IN_HAND_MAX;
            in_hand.chunks >= self.chunks_max || (heavy && in_hand.chunks > 0)
        };
        let waited = self.left.wait_while(locked(&self.in_hand), full);
        let mut in_hand = waited.unwrap_or_else(PoisonError::into_inner);
        in_hand.chunks += 1;
        in_hand.bytes += bytes;
    }

    fn leave(&self, bytes: usize) {
        let mut in_hand = locked(&self.in_hand);
        in_hand.chunks -= 1;
        in_hand.bytes -= bytes;
        self.left.notify_one();
    }
}
