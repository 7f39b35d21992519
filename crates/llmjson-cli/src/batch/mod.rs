//! Batches of replies: JSONL in, JSONL out, on all cores.
//!
//! [`reader`] cuts the input into chunks of lines, [`pool`] spreads them over threads and puts
//! the answers back in order, [`mod@line`] reads one line, [`record`] answers it, [`schemas`] keeps
//! what was compiled in a [`cache`]. This file puts them together and shows how far it is.

mod aliases;
mod cache;
mod line;
mod pool;
mod reader;
mod record;
mod schemas;
mod settings;
mod worst;

use std::fs;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use llmjson_page::Batch;

use crate::Verdict;
use crate::args::BatchArgs;
use crate::bind::refuse;
use crate::input::{CommandError, Source, apart};
use crate::terminal::{tell, write_text};
use crate::tools::{Rules, Tools};

use pool::Done;
use reader::Inputs;
use schemas::Schemas;
use settings::{Settings, Tally};

/// Endings of the names of files that hold rows, which are those of a folder that are read.
const ENDINGS: &[&str] = &[".jsonl", ".ndjson"];

pub(crate) fn run(args: &BatchArgs) -> Result<Verdict, CommandError> {
    let sources = args.input.sources(ENDINGS)?;
    let settings = Arc::new(settings(args, &sources)?);
    let mut size = Some(0);
    for source in &sources {
        size = source.size()?.zip(size).map(|(one, all)| one + all);
    }
    let title = match &sources[..] {
        [source] => source.name(),
        all => format!("{} files", all.len()),
    };
    let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let bar = progress(size);
    let mut tally = Tally::default();
    let ended = pool::run(Inputs::new(sources), jobs, &settings, |done| {
        let Done {
            text,
            tally: of_chunk,
            bytes,
        } = done;
        tally.add(of_chunk);
        bar.inc(bytes as u64);
        if !bar.is_hidden() {
            bar.set_message(format!(
                "{} lines, {} not ok",
                tally.counts.rows,
                tally.counts.rows - tally.counts.ok
            ));
        }
        write_text(&text)
    });
    let hidden = bar.is_hidden();
    bar.finish_and_clear();
    ended.map_err(|failed| match failed {
        pool::Failed::Starting(error) => CommandError::new("a thread", error),
        pool::Failed::Reading(error) => error,
        pool::Failed::Writing(error) => CommandError::new("standard output", error),
    })?;
    tell_tally(&tally, !hidden || args.counts, args.counts);
    if let Some(path) = &args.summary {
        let page = tally.worst.page(&title, &tally.counts, &settings);
        let written = fs::write(path, page);
        written.map_err(|error| CommandError::new(&path.display().to_string(), error))?;
    }
    let Batch { rows, ok, .. } = tally.counts;
    Ok(Verdict::of(ok == rows && tally.failed == 0))
}

/// Returns what is the same for all lines: the options, with the schema and the tools read and compiled.
fn settings(args: &BatchArgs, sources: &[Source]) -> Result<Settings, CommandError> {
    let schemas = Schemas::default();
    let schema = args.schema.as_deref();
    let schema = schema.map(|path| Source::new(Some(path)));
    apart(sources, schema.as_ref(), "the schema")?;
    let schema = match schema {
        Some(schema) => {
            let (text, compiled) = schema.read_schema()?;
            schemas.keep(&text, compiled);
            Some(text)
        }
        None => None,
    };
    let tools = match args.tools.as_deref() {
        Some(path) => Some(read_tools(path, sources)?),
        None => None,
    };
    let (input_key, schema_key) = (args.input_key.clone(), args.schema_key.clone());
    Ok(Settings {
        input_key,
        schema_key,
        schema,
        tools,
        schemas,
        policy: args.policy.policy(),
        policy_name: args.policy.name().map(str::to_owned),
        asked: args.policy.asked().clone(),
        fail_on: args.policy.fail_on(),
        keep: args.keep,
        worst: args.summary.is_some(),
        finish: args.policy.finish_reason(),
    })
}

/// Prints how many lines there were and how many are ok, on request with the counts of each kind.
fn tell_tally(tally: &Tally, lines: bool, counts: bool) {
    let Batch { rows, ok, bad, .. } = &tally.counts;
    if lines {
        let differing = tally.differing();
        tell(&format!(
            "{rows} lines: {ok} ok, {differing} not, {bad} not usable"
        ));
    }
    if counts {
        tell_counts(&tally.counts);
    }
    if tally.failed > 0 {
        tell(&format!(
            "{} values are not as sure as --fail-on wants",
            tally.failed
        ));
    }
}

/// Prints how many there were of each kind.
fn tell_counts(counts: &Batch) {
    for (class, rows) in &counts.certainty {
        tell(&format!("{class}: {rows} lines"));
    }
    for (title, table) in counts.tables() {
        for (name, count) in table {
            let (rows, times) = (count.rows, count.times);
            tell(&format!(
                "{}: {name}: {rows} lines, {times} times",
                title.to_lowercase()
            ));
        }
    }
}

/// Reads the list of tools for lines without one.
fn read_tools(path: &Path, inputs: &[Source]) -> Result<String, CommandError> {
    let list = Source::new(Some(path));
    apart(inputs, Some(&list), "the tools")?;
    let text = list.read_whole()?;
    let tools = Tools::read(&text, &Rules::default());
    let tools = tools.map_err(|reasons| refuse(&list, &reasons))?;
    for lint in tools.lints() {
        tell(&format!("{}: warning: {lint}", list.name()));
    }
    Ok(text)
}

/// Returns a progress bar for a terminal, shown while the output goes elsewhere.
fn progress(size: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() || io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = match size {
        Some(_) => "{bar:30} {percent:>3}% {bytes}/{total_bytes} {binary_bytes_per_sec} {msg}",
        None => "{spinner} {bytes} {binary_bytes_per_sec} {msg}",
    };
    let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
