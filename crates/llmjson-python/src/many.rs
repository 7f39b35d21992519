//! Batches of replies, parsed on all cores.

use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use llmjson::Policy;
use llmjson::policy::FinishReason;
use llmjson_python_settings::thread_count;
use pyo3::exceptions::{PyTypeError, PyUnicodeError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::input::Input;
use crate::origin::Origin;
use crate::parsed::Parsed;
use crate::policy::policy_of;
use crate::schema::{Schema, schema_of};

/// The number of texts that a thread takes at a time.
const TAKEN: usize = 32;
/// The minimum number of results that are created at a time: another Python thread may hold the GIL
/// for a while.
const MADE: usize = 2_048;
/// The time between two checks whether Python wants the call to stop, which also report the
/// progress.
const PAUSE: Duration = Duration::from_millis(100);

/// The number of texts from which each thread compiles its own schema.
const OWN_SCHEMA: usize = 2_000;

type Read = Box<llmjson::Parsed<'static>>;

/// Parses texts on all cores: returns the result of `parse` for each, in the same order. `threads`
/// is their number, by default one per core. `tick` is called with the number of texts parsed since
/// the last call. `first` is the index of the first text among all of the caller's. An item that is
/// not text has a result without a value.
#[pyfunction]
#[pyo3(signature = (texts, schema=None, *, policy=None, threads=None, parse_float=None, tick=None, first=0))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword")]
pub(crate) fn parse_many(
    texts: &Bound<'_, PyList>,
    schema: Option<&Bound<'_, PyAny>>,
    policy: Option<&Bound<'_, PyAny>>,
    threads: Option<i64>,
    parse_float: Option<Py<PyAny>>,
    tick: Option<Py<PyAny>>,
    first: usize,
    py: Python<'_>,
) -> PyResult<Vec<Py<Parsed>>> {
    let compiled = schema_of(schema)?;
    let judge = policy_of(policy, "lenient", None)?;
    let threads = match thread_count(threads)? {
        Some(threads) => threads.get(),
        None => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
    };
    let texts: Vec<_> = texts.iter().collect();
    let inputs: Vec<_> = texts.iter().map(|_| OnceLock::new()).collect();
    let job = Job {
        inputs: &inputs,
        filled: AtomicUsize::new(0),
        schema: compiled.as_ref().map(|schema| &schema.get().inner),
        cut: judge.clone().with_finish_reason(FinishReason::Length),
        policy: judge,
        next: AtomicUsize::new(0),
        stopped: AtomicBool::new(false),
    };
    let results = Results {
        texts: texts.iter().map(|text| text.clone().unbind()).collect(),
        inputs: &inputs,
        schema: compiled.as_ref().map(|schema| schema.clone().unbind()),
        policy: policy.map(|policy| policy.clone().unbind()),
        parse_float,
        tick,
        first,
        done: Vec::new(),
    };
    job.run(py, &texts, threads, results)
}

/// Texts that a thread parsed, starting at `index * TAKEN`.
struct ReadPart {
    index: usize,
    read: Vec<Read>,
}

/// Returns `true` if an error says that an item is not text or cannot be decoded.
fn is_about_text(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyUnicodeError>(py)
}

/// State shared by the threads.
struct Job<'a> {
    /// The texts, of which those before `filled` are available.
    inputs: &'a [OnceLock<Input<'a>>],
    filled: AtomicUsize,
    schema: Option<&'a llmjson::Schema>,
    policy: Policy,
    /// The policy for texts whose end is missing.
    cut: Policy,
    next: AtomicUsize,
    stopped: AtomicBool,
}

impl<'a> Job<'a> {
    /// Parses all texts, in this thread and others that end with the call, so a fork loses none.
    /// This thread first passes the texts to the others, which begin meanwhile, and then creates
    /// the results.
    fn run(
        &self,
        py: Python<'_>,
        texts: &'a [Bound<'_, PyAny>],
        threads: usize,
        mut results: Results<'_>,
    ) -> PyResult<Vec<Py<Parsed>>> {
        let parts = self.inputs.len().div_ceil(TAKEN);
        results.done.resize_with(parts, Vec::new);
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            for _ in 1..threads.min(parts) {
                let sender = sender.clone();
                scope.spawn(move || {
                    let own = self.own_schema();
                    while let Some(part) = self.step(own.as_ref().or(self.schema)) {
                        if sender.send(part).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let made = self.fill(texts, results.first).and_then(|()| {
                // The receiver is moved in: it is for one thread only.
                let receiver = receiver;
                py.detach(|| self.read_and_make(&mut results, receiver))
            });
            // Also on an interrupt.
            self.stopped.store(true, Ordering::Relaxed);
            made
        })?;
        Ok(results.done.into_iter().flatten().collect())
    }

    /// Passes the texts on, or for an item that is not text, the reason.
    fn fill(&self, texts: &'a [Bound<'_, PyAny>], first: usize) -> PyResult<()> {
        for (index, (place, text)) in self.inputs.iter().zip(texts).enumerate() {
            let input = match Input::of(text) {
                Ok(input) => input,
                Err(error) if is_about_text(text.py(), &error) => Input::unread(format!(
                    "item {}: {}",
                    first + index,
                    error.value(text.py())
                )),
                Err(error) => return Err(error),
            };
            place.get_or_init(|| input);
            self.filled.store(index + 1, Ordering::Release);
        }
        Ok(())
    }

    /// Parses texts as the other threads do, and creates all results, until no thread is left.
    fn read_and_make(&self, results: &mut Results<'_>, others: Receiver<ReadPart>) -> PyResult<()> {
        let mut waiting = Vec::new();
        let mut asked = Instant::now();
        let mut is_over = false;
        while !is_over {
            waiting.extend(others.try_iter());
            match self.step(self.schema) {
                Some(part) => waiting.push(part),
                None => match others.recv_timeout(PAUSE) {
                    Ok(part) => waiting.push(part),
                    Err(error) => is_over = error == RecvTimeoutError::Disconnected,
                },
            }
            if is_over || waiting.len() >= MADE / TAKEN || asked.elapsed() >= PAUSE {
                Python::attach(|py| results.make(py, &mut waiting))?;
                asked = Instant::now();
            }
        }
        Ok(())
    }

    /// A schema for one thread, if there are enough texts to make up for compiling it again: a
    /// shared one updates its reference counts with every text, for which threads wait for each
    /// other.
    fn own_schema(&self) -> Option<llmjson::Schema> {
        let schema = self.schema.filter(|_| self.inputs.len() >= OWN_SCHEMA);
        schema.map(llmjson::Schema::unshared)
    }

    /// Parses the next texts; `None` if there are none, or the call was interrupted.
    fn step(&self, schema: Option<&llmjson::Schema>) -> Option<ReadPart> {
        if self.stopped.load(Ordering::Relaxed) {
            return None;
        }
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let first = index * TAKEN;
        let last = (first + TAKEN).min(self.inputs.len());
        let inputs = self.inputs.get(first..last)?;
        while self.filled.load(Ordering::Acquire) < last {
            if self.stopped.load(Ordering::Relaxed) {
                return None;
            }
            std::thread::yield_now();
        }
        if inputs.is_empty() {
            return None;
        }
        let read = inputs.iter().filter_map(OnceLock::get).map(|input| {
            let policy = if input.is_cut {
                &self.cut
            } else {
                &self.policy
            };
            let parsed = policy.parse(&input.text, schema);
            Box::new(parsed.into_owned())
        });
        let read = read.collect();
        Some(ReadPart { index, read })
    }
}

/// The results so far, and the data of the call that each of them keeps.
struct Results<'a> {
    texts: Vec<Py<PyAny>>,
    inputs: &'a [OnceLock<Input<'a>>],
    schema: Option<Py<Schema>>,
    policy: Option<Py<PyAny>>,
    parse_float: Option<Py<PyAny>>,
    tick: Option<Py<PyAny>>,
    /// The index of the first text among all of the caller's.
    first: usize,
    /// The results by part, in text order.
    done: Vec<Vec<Py<Parsed>>>,
}

impl Results<'_> {
    /// Creates the pending results, reports their number to Python, and checks whether to continue.
    fn make(&mut self, py: Python<'_>, waiting: &mut Vec<ReadPart>) -> PyResult<()> {
        let mut fresh = 0;
        for ReadPart { index, read } in waiting.drain(..) {
            fresh += read.len();
            let first = index * TAKEN;
            let texts = self.texts.iter().zip(self.inputs).skip(first);
            let made = read.into_iter().zip(texts).enumerate();
            let made = made.map(|(place, (inner, (text, input)))| {
                let origin = Origin {
                    index: Some(self.first + first + place),
                    unread: input.get().and_then(|input| input.unread.clone()),
                    ..self.origin(py, Input::kept(text.bind(py))?)
                };
                let places = input.get().map(|input| input.places.clone());
                Py::new(py, Parsed::new(inner, origin, places.unwrap_or_default()))
            });
            let made = made.collect::<PyResult<Vec<_>>>()?;
            if let Some(place) = self.done.get_mut(index) {
                *place = made;
            }
        }
        if let Some(tick) = self.tick.as_ref().filter(|_| fresh > 0) {
            tick.call1(py, (fresh,))?;
        }
        py.check_signals()
    }

    fn origin(&self, py: Python<'_>, given: Py<PyAny>) -> Origin {
        Origin {
            call: "parse_many",
            given,
            index: None,
            unread: None,
            schema: self.schema.as_ref().map(|one| one.clone_ref(py)),
            policy: self.policy.as_ref().map(|one| one.clone_ref(py)),
            finish_reason: None,
            parse_float: self.parse_float.as_ref().map(|one| one.clone_ref(py)),
        }
    }
}
