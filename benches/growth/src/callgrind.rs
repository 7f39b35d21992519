//! Counts instructions, in processes of this program under callgrind.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::hint::black_box;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitCode};

use llmjson::laws::Way;
use llmjson_syntax::laws::work::Cost;

use crate::Measured;

/// Number of processes that count at the same time.
const PROCESSES: usize = 2;

/// Returns the instructions that each text takes beyond those of an empty text.
pub(crate) fn instructions<'m>(
    ways: &[Way],
    measured: &'m [Measured],
) -> io::Result<Vec<(&'m Measured, [f64; 2])>> {
    let directory = env::temp_dir().join(format!("llmjson-growth-{}", std::process::id()));
    let halves: Vec<Vec<&Measured>> = (0..PROCESSES)
        .map(|half| measured.iter().skip(half).step_by(PROCESSES).collect())
        .collect();
    let mut started = Vec::new();
    for (number, half) in halves.iter().enumerate() {
        let directory = directory.join(number.to_string());
        fs::create_dir_all(&directory)?;
        started.push((start(half, &directory)?, directory, half));
    }
    let mut counts = Vec::new();
    for (mut process, directory, half) in started {
        let status = process.wait()?;
        if !status.success() {
            return Err(io::Error::other(format!("valgrind: {status}")));
        }
        let mut sums = (1..).map(|number| sum(&directory.join(format!("out.{number}"))));
        let mut next = || sums.next().expect("there is no last number");
        let mut empty: BTreeMap<usize, f64> = BTreeMap::new();
        for one in half {
            if !empty.contains_key(&one.way) {
                empty.insert(one.way, next()?);
            }
            let beyond = |count: f64| count - empty[&one.way];
            counts.push((*one, [beyond(next()?), beyond(next()?)]));
        }
    }
    debug_assert!(counts.iter().all(|(one, _)| one.way < ways.len()));
    fs::remove_dir_all(&directory)?;
    Ok(counts)
}

/// Starts to count, into files of this directory.
fn start(measured: &[&Measured], directory: &Path) -> io::Result<Child> {
    let lines = measured.iter().map(|one| format!("{}\n", one.way));
    fs::write(directory.join("ways"), lines.collect::<String>())?;
    for (number, one) in measured.iter().enumerate() {
        for (at, text) in one.texts.iter().enumerate() {
            fs::write(directory.join(format!("text.{number}.{at}")), text)?;
        }
    }
    let function = "llmjson_growth::callgrind::counted";
    Command::new("valgrind")
        .args(["--quiet", "--tool=callgrind", "--collect-atstart=no"])
        .arg(format!("--toggle-collect={function}"))
        .arg(format!("--dump-after={function}"))
        .arg(format!(
            "--callgrind-out-file={}",
            directory.join("out").display()
        ))
        .arg(env::current_exe()?)
        .args(["count".as_ref(), directory.as_os_str()])
        .spawn()
}

/// Returns the sum in a file that callgrind has written.
fn sum(file: &Path) -> io::Result<f64> {
    let text = fs::read_to_string(file)?;
    let sums = ["summary: ", "totals: "];
    let mut lines = text.lines();
    let sum = lines.find_map(|line| sums.iter().find_map(|sum| line.strip_prefix(sum)));
    sum.and_then(|sum| sum.trim().parse().ok())
        .ok_or_else(|| io::Error::other(format!("{} has no sum", file.display())))
}

/// Reads each text of a directory once, in the way that `ways` names there.
pub(crate) fn count(ways: &[Way], directory: &Path) -> ExitCode {
    let read = || -> io::Result<()> {
        let mut empty = [false; 64];
        for (number, way) in fs::read_to_string(directory.join("ways"))?
            .lines()
            .enumerate()
        {
            let way: usize = way.parse().map_err(io::Error::other)?;
            if !std::mem::replace(&mut empty[way], true) {
                // The first text of all also pays for tables that are made once.
                black_box(ways[way].cost("{\"b\": 1"));
                black_box(counted(&ways[way], ""));
            }
            for at in 0..2 {
                let text = fs::read_to_string(directory.join(format!("text.{number}.{at}")))?;
                black_box(counted(&ways[way], &text));
            }
        }
        Ok(())
    };
    match read() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The function whose instructions callgrind counts.
#[inline(never)]
fn counted(way: &Way, text: &str) -> Cost {
    way.cost(black_box(text))
}
