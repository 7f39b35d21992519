//! The worst replies of a batch, and the page about it.
//!
//! Only the lines of a bounded number of rows are kept, so that memory stays constant. At the end these
//! rows are read once more.

use std::cmp::Reverse;

use llmjson::syntax::Class;
use llmjson_page::{Batch, Reply, Row};

use crate::findings::Findings;
use crate::input::InputText;

use super::line::{self, Task};
use super::record;
use super::settings::Settings;

/// Maximum number of rows that are shown.
const ROWS_MAX: usize = 30;
/// A longer line is named, not shown.
const LINE_BYTES_MAX: usize = 64_000;

/// A row that something is wrong with.
#[derive(Clone, Debug)]
pub(super) struct Bad {
    /// The badness: by the kind of problem, then by the number of times.
    score: (u8, usize),
    number: u64,
    id: String,
    error: Option<String>,
    line: Option<Vec<u8>>,
}

/// The worst rows so far, the worst first.
#[derive(Clone, Debug, Default)]
pub(super) struct Worst(Vec<Bad>);

impl Worst {
    /// Adds a row.
    pub(super) fn put(&mut self, bad: Bad) {
        self.add(Self(vec![bad]));
    }

    pub(super) fn add(&mut self, other: Self) {
        if other.0.is_empty() {
            return;
        }
        self.0.extend(other.0);
        self.0.sort_by_key(|bad| (Reverse(bad.score), bad.number));
        self.0.truncate(ROWS_MAX);
    }

    /// Returns the page about a batch.
    pub(super) fn page(&self, title: &str, counts: &Batch, settings: &Settings) -> String {
        let tasks: Vec<_> = self.0.iter().map(|bad| task(bad, settings)).collect();
        let mut results = Vec::with_capacity(tasks.len());
        for (bad, task) in self.0.iter().zip(&tasks) {
            let result = match task {
                Ok(task) => record::work(task).map(|(findings, _)| findings),
                Err(error) => Err(error.clone()),
            };
            let feedback = match (&result, task) {
                (Ok(findings), Ok(task)) => findings.feedback(task.schema.as_ref()),
                _ => None,
            };
            results.push((bad, result, feedback, task));
        }
        let rows: Vec<Row<'_>> = results
            .iter()
            .map(|(bad, result, feedback, task)| Row {
                title: bad.title(),
                outcome: match result {
                    Ok(findings) => {
                        let mut reply = findings.shown(feedback.clone());
                        reply.has_schema = task.as_ref().is_ok_and(|task| task.schema.is_some());
                        Ok(reply)
                    }
                    Err(error) => Err(error.clone()),
                },
            })
            .collect();
        counts.page(title, &rows)
    }
}

impl Bad {
    /// A row whose reply could not be used, or that was judged by other means.
    pub(super) fn of_error(number: u64, id: &str, error: &str) -> Self {
        Self {
            score: (5, 0),
            number,
            id: id.to_owned(),
            error: Some(error.to_owned()),
            line: None,
        }
    }

    /// A reply that something is wrong with.
    pub(super) fn of(number: u64, id: &str, line: &[u8], findings: &Findings<'_>) -> Option<Self> {
        let reply = findings.shown(None);
        let score = score(&reply)?;
        let line = (line.len() <= LINE_BYTES_MAX).then(|| line.to_vec());
        let error = line
            .is_none()
            .then(|| "the line is too long to be shown".to_owned());
        let (id, number) = (id.to_owned(), number);
        Some(Self {
            score,
            number,
            id,
            error,
            line,
        })
    }

    fn title(&self) -> String {
        match &*self.id {
            "" | "null" => format!("line {}", self.number),
            id => format!("line {}, id {id}", self.number),
        }
    }
}

/// Returns the badness of a reply; `None` if nothing is wrong with it.
fn score(reply: &Reply<'_>) -> Option<(u8, usize)> {
    let guesses = reply.document.repairs().iter();
    let guesses = guesses.filter(|one| one.class == Class::Guess).count();
    let wrong = reply.violations.len() + reply.refused.len();
    if reply.document.root().is_none() {
        Some((4, 0))
    } else if wrong > 0 {
        Some((3, wrong))
    } else if !reply.is_complete {
        Some((2, guesses))
    } else if reply.certainty() == Class::Guess {
        Some((1, guesses))
    } else {
        None
    }
}

/// Reads a row once more.
fn task(bad: &Bad, settings: &Settings) -> Result<Task, String> {
    if let Some(error) = &bad.error {
        return Err(error.clone());
    }
    let line = bad.line.clone().unwrap_or_default();
    let InputText { text, .. } = InputText::decode(line)?;
    let row = line::read(&text, settings)?;
    Task::read(&row, settings)
}
