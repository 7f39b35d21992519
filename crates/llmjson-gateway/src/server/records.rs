//! The report file: one line of JSON for each reply.

use std::fs::{File, OpenOptions, create_dir_all};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::value::RawValue;

use crate::Report;

const NAME: &str = "replies.jsonl";

/// The file, or `None` if reports are off.
#[derive(Debug, Default)]
pub(super) struct Records(Option<Mutex<File>>);

/// The part of a line about the request.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) id: String,
    pub(super) model: Option<String>,
}

#[derive(Serialize)]
struct Line<'a> {
    time: f64,
    request_id: &'a str,
    model: Option<&'a str>,
    reply: &'a str,
    report: Option<Box<RawValue>>,
}

impl Records {
    pub(super) fn open(folder: Option<&Path>) -> io::Result<Self> {
        let Some(folder) = folder else {
            return Ok(Self::default());
        };
        let open = || {
            create_dir_all(folder)?;
            let mut options = OpenOptions::new();
            options.create(true).append(true);
            // Reports contain member names and tool names, so only the owner may read them.
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            options.open(folder.join(NAME))
        };
        let file = open().map_err(|error| {
            let place = folder.join(NAME);
            io::Error::new(
                error.kind(),
                format!("report-dir: {}: {error}", place.display()),
            )
        })?;
        Ok(Self(Some(Mutex::new(file))))
    }

    /// Adds a line. `reply` names how the reply was treated.
    pub(super) fn add(&self, record: &Record, reply: &str, report: Option<&Report>) {
        let Some(file) = &self.0 else {
            return;
        };
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let line = Line {
            time: now.as_secs_f64(),
            request_id: &record.id,
            model: record.model.as_deref(),
            reply,
            report: report
                .map(|report| RawValue::from_string(report.to_json()).expect("it is JSON")),
        };
        let mut line = serde_json::to_string(&line).expect("a line is texts and numbers");
        line.push('\n');
        // A single write, so that lines of several processes don't mix.
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = file.write_all(line.as_bytes()) {
            tracing::error!(%error, "the report cannot be written");
        }
    }
}
