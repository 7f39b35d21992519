//! Batches of replies: rows in, rows out, on all cores.
//!
//! [`rows`] converts tables to lines, [`reader`] splits the input into chunks of lines, [`pool`] distributes them to
//! threads and restores the order of the answers, [`mod@line`] parses one line, [`record`] answers it, [`schemas`] keeps
//! compiled schemas in a [`cache`], and [`output`] writes the answers. This file connects them and shows the progress.

mod aliases;
mod cache;
mod line;
mod output;
mod pool;
mod reader;
mod record;
mod rows;
mod schemas;
mod settings;
mod told;
mod worst;

use std::fs;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use llmjson_page::Batch;

use crate::Verdict;
use crate::args::BatchArgs;
use crate::input::{CommandError, Source, apart};
use crate::terminal::tell;
use crate::tools::{Rules, Tools};

use output::{Answered, Output};
use reader::Inputs;
use rows::RowFormat;
use schemas::Schemas;
use settings::{Place, Settings, Tally};

pub(crate) fn run(args: &BatchArgs) -> Result<Verdict, CommandError> {
    let sources = args.input.sources(|name| RowFormat::of(name).is_some())?;
    let mut settings = settings(args, &sources)?;
    let mut output = Output::Standard;
    if let Some(path) = &args.output {
        output::is_no_input(path, &sources)?;
        let schema = settings.schema.as_deref();
        let schema = schema.map(|text| settings.schemas.get(text)).transpose();
        let schema = schema.map_err(|error| CommandError::new("--schema", error))?;
        (output, settings.answered) = Output::open(path, args, schema.as_ref())?;
    }
    let rejects = args.rejects.as_deref().map(|path| {
        output::is_no_input(path, &sources)?;
        output::rejects(path, args.append)
    });
    let mut rejects = rejects.transpose()?;
    let bar = progress(&sources, matches!(output, Output::Standard))?;
    let title = match &sources[..] {
        [source] => source.name(),
        all => format!("{} files", all.len()),
    };
    let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let settings = Arc::new(settings);
    let mut tally = Tally::default();
    let inputs = Inputs::new(sources, args.from.as_deref().and_then(RowFormat::named));
    let read = inputs.counter();
    let ended = pool::run(inputs, jobs, &settings, |done| {
        tally.add(done.tally);
        if !bar.is_hidden() {
            let Batch { rows, ok, .. } = tally.counts;
            bar.set_position(read.load(Ordering::Relaxed));
            bar.set_message(format!("{rows} rows, {} not ok", rows - ok));
        }
        if let Some(rejects) = &mut rejects {
            rejects.write(&done.answers.rejects)?;
        }
        output.write(&done.answers.text)
    });
    let hidden = bar.is_hidden();
    bar.finish_and_clear();
    ended?;
    output.finish()?;
    let Batch { rows, ok, cut, .. } = tally.counts;
    let verdict = Verdict::of(ok == rows && tally.failed == 0);
    let is_told = verdict == Verdict::Differs || tally.skipped + tally.mended + cut > 0;
    tell_tally(&tally, !hidden || args.counts || is_told, args.counts);
    if let Some(path) = &args.summary {
        let page = tally.worst.page(&title, &tally.counts, &settings);
        let written = fs::write(path, page);
        written.map_err(|error| CommandError::new(&path.display().to_string(), error))?;
    }
    Ok(verdict)
}

/// Returns the settings of all lines: the options, with the schema and the tools read and compiled.
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
    let place = |given: Option<&str>, of_openai: &str, usual: &str| {
        let usual = if args.openai_batch { of_openai } else { usual };
        Place(given.unwrap_or(usual).to_owned())
    };
    let finish_at = args.policy.finish_reason_at();
    Ok(Settings {
        text: place(args.text.as_deref(), OPENAI_TEXT, "input"),
        id: place(args.id.as_deref(), "custom_id", "id"),
        finish_from: place(finish_at, OPENAI_FINISH, "finish_reason"),
        schema_from: Place(args.schema_from.clone()),
        openai: args.openai_batch,
        schema,
        tools,
        schemas,
        policy: args.policy.policy(),
        policy_name: args.policy.name().map(str::to_owned),
        asked: args.policy.asked().clone(),
        fail_on: args.policy.fail_on(),
        keep: args.keep,
        only_values: args.only.is_some(),
        feedback: args.feedback,
        rejects: args.rejects.is_some(),
        time: args.time,
        answered: Answered::new(),
        worst: args.summary.is_some(),
        finish: args.policy.finish_reason(),
    })
}

/// Places in a row of OpenAI's batches.
const OPENAI_TEXT: &str = "/response/body/choices/0/message/content";
const OPENAI_FINISH: &str = "/response/body/choices/0/finish_reason";

/// Prints the numbers of rows by their outcome, on request with the counts of each kind.
fn tell_tally(tally: &Tally, lines: bool, counts: bool) {
    let Batch {
        rows, ok, bad, cut, ..
    } = &tally.counts;
    if lines {
        let differing = tally.differing();
        tell(&format!(
            "{}: {ok} ok, {differing} failed, {bad} unreadable",
            rows_of(*rows)
        ));
    }
    if let Some((line, why)) = &tally.first_bad {
        tell(&format!("line {line} (first unreadable row): {why}"));
    }
    if counts {
        tell_counts(&tally.counts);
    }
    let others = [
        (tally.failed, "failed --fail-on"),
        (*cut, "truncated (complete: false)"),
        (tally.skipped, "skipped, because the output has their ids"),
        (tally.mended, "malformed but repaired (line_repairs)"),
    ];
    for (count, what) in others.iter().filter(|(count, _)| *count > 0) {
        tell(&format!("{} {what}", rows_of(*count)));
    }
}

/// Prints the counts of each kind.
fn tell_counts(counts: &Batch) {
    for (class, rows) in &counts.certainty {
        tell(&format!("{class}: {}", rows_of(*rows)));
    }
    for (title, table) in counts.tables() {
        for (name, count) in table {
            let (rows, times) = (count.rows, count.times);
            tell(&format!(
                "{}: {name}: {}, {times} times",
                title.to_lowercase(),
                rows_of(rows)
            ));
        }
    }
}

fn rows_of(count: u64) -> String {
    format!("{count} row{}", if count == 1 { "" } else { "s" })
}

/// Reads the tools for lines without their own.
fn read_tools(path: &Path, inputs: &[Source]) -> Result<String, CommandError> {
    let list = Source::new(Some(path));
    apart(inputs, Some(&list), "the tools")?;
    let text = list.read_whole()?;
    Tools::of_file(&text, &list, &Rules::default(), Tools::read, None)?;
    Ok(text)
}

/// Returns a progress bar for a terminal, shown while the output goes elsewhere.
fn progress(sources: &[Source], to_stdout: bool) -> Result<ProgressBar, CommandError> {
    if !io::stderr().is_terminal() || (to_stdout && io::stdout().is_terminal()) {
        return Ok(ProgressBar::hidden());
    }
    let mut size = Some(0);
    for source in sources {
        size = source.size()?.zip(size).map(|(one, all)| one + all);
    }
    let template = match size {
        Some(_) => "{bar:20} {percent:>3}% {bytes}/{total_bytes}, {eta} left, {wide_msg}",
        None => "{spinner} {bytes} {binary_bytes_per_sec} {wide_msg}",
    };
    let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template(template);
    Ok(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())))
}
