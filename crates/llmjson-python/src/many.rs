//! Many replies, on all cores.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use llmjson::Policy;
use llmjson::policy::FinishReason;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::input::Input;
use crate::parsed::{Origin, Parsed};
use crate::policy::policy_of;
use crate::schema::schema_of;

/// A thread takes so many texts at a time.
const TAKEN: usize = 32;
/// How often Python is asked whether to stop, and told how far it is.
const PAUSE: Duration = Duration::from_millis(100);

type Read = Box<llmjson::Parsed<'static>>;

/// Reads texts with all cores: what `parse` gives for each, in the same order. `threads` is their
/// number; all cores without it. `tick` is called with the number of texts that were read since the
/// last call.
#[pyfunction]
#[pyo3(signature = (texts, schema=None, *, policy=None, threads=None, parse_float=None, tick=None))]
pub(crate) fn parse_many(
    texts: Vec<Bound<'_, PyAny>>,
    schema: Option<&Bound<'_, PyAny>>,
    policy: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
    parse_float: Option<Py<PyAny>>,
    tick: Option<Py<PyAny>>,
    py: Python<'_>,
) -> PyResult<Vec<Parsed>> {
    let compiled = schema_of(schema)?;
    let judge = policy_of(policy, "lenient", None)?;
    let inputs = texts.iter().map(Input::of).collect::<PyResult<Vec<_>>>()?;
    let threads = match threads {
        Some(0) => return Err(PyValueError::new_err("threads must be at least 1")),
        Some(threads) => threads,
        None => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
    };
    let job = Job {
        inputs: &inputs,
        schema: compiled.as_ref().map(|schema| &schema.get().inner),
        cut: judge.clone().with_finish_reason(FinishReason::Length),
        policy: judge,
        next: AtomicUsize::new(0),
        stopped: AtomicBool::new(false),
    };
    let read = py.detach(|| job.run(threads, tick.as_ref()))?;
    let policy = policy.map(|policy| policy.clone().unbind());
    let schema = compiled.map(Bound::unbind);
    let each = read.into_iter().zip(texts.iter().zip(&inputs));
    let each = each.map(|(inner, (text, input))| {
        let origin = Origin {
            call: "parse",
            given: text.clone().unbind(),
            index: None,
            schema: schema.as_ref().map(|one| one.clone_ref(py)),
            policy: policy.as_ref().map(|one| one.clone_ref(py)),
            finish_reason: None,
            parse_float: parse_float.as_ref().map(|one| one.clone_ref(py)),
        };
        Parsed::new(inner, origin, input.places.clone())
    });
    Ok(each.collect())
}

/// What the threads share.
struct Job<'a> {
    inputs: &'a [Input<'a>],
    schema: Option<&'a llmjson::Schema>,
    policy: Policy,
    /// The policy for texts whose end is missing.
    cut: Policy,
    next: AtomicUsize,
    stopped: AtomicBool,
}

impl Job<'_> {
    /// Reads all texts, in threads that end with the call: none is left for a fork to lose.
    fn run(&self, threads: usize, tick: Option<&Py<PyAny>>) -> PyResult<Vec<Read>> {
        let parts = self.inputs.len().div_ceil(TAKEN);
        let mut done: Vec<Vec<Read>> = std::iter::repeat_with(Vec::new).take(parts).collect();
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            for _ in 0..threads.min(parts) {
                let sender = sender.clone();
                scope.spawn(move || {
                    while let Some((part, read)) = self.step() {
                        if sender.send((part, read)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut asked = Instant::now();
            let mut fresh = 0;
            loop {
                match receiver.recv_timeout(PAUSE) {
                    Ok((part, read)) => {
                        fresh += read.len();
                        if let Some(place) = done.get_mut(part) {
                            *place = read;
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if asked.elapsed() >= PAUSE {
                    self.ask(tick, fresh)?;
                    (asked, fresh) = (Instant::now(), 0);
                }
            }
            self.ask(tick, fresh)
        })?;
        Ok(done.into_iter().flatten().collect())
    }

    /// Reads the next texts; nothing when there are none, or the call was interrupted.
    fn step(&self) -> Option<(usize, Vec<Read>)> {
        if self.stopped.load(Ordering::Relaxed) {
            return None;
        }
        let part = self.next.fetch_add(1, Ordering::Relaxed);
        let first = part * TAKEN;
        let last = (first + TAKEN).min(self.inputs.len());
        let inputs = self
            .inputs
            .get(first..last)
            .filter(|some| !some.is_empty())?;
        let read = inputs.iter().map(|input| {
            let policy = if input.is_cut {
                &self.cut
            } else {
                &self.policy
            };
            let parsed = llmjson::parse_with(&input.text, self.schema, policy);
            Box::new(parsed.into_owned())
        });
        Some((part, read.collect()))
    }

    /// Tells Python how far it is, and asks whether to go on.
    fn ask(&self, tick: Option<&Py<PyAny>>, fresh: usize) -> PyResult<()> {
        let asked = Python::attach(|py| {
            if let Some(tick) = tick.filter(|_| fresh > 0) {
                tick.call1(py, (fresh,))?;
            }
            py.check_signals()
        });
        if asked.is_err() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        asked
    }
}
