//! Checks that the instructions to read a text grow with its length, and not faster.
//!
//! The law of work counts steps, and code that charges no steps keeps that law. So this program counts
//! instructions, with callgrind: those of a text of repeated snippets, and of one four times as long.
//!
//! `table` checks the snippets of `table.rs`, `search` looks for others.

mod callgrind;
mod search;
mod table;

use std::process::ExitCode;

use llmjson::laws::Way;

/// Bytes of the shorter text. The longer one has four times as many.
const SHORT: usize = 8 << 10;

/// Instructions may grow this many times where the text grows four times.
const TIMES_MAX: f64 = 5.0;

const USAGE: &str = "\
usage: llmjson-growth table [WORD]
       llmjson-growth search SECONDS SEED

table checks the rows whose name contains WORD, or all rows
search looks for snippets whose texts take more than linear time";

/// A text of repeated snippets, and the way to read it.
struct Measured {
    name: String,
    way: usize,
    texts: [String; 2],
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ways = table::ways();
    let measured = match arguments[..] {
        ["count", directory] => return callgrind::count(&ways, directory.as_ref()),
        ["table"] => table::measured(&ways, ""),
        ["table", word] => table::measured(&ways, word),
        ["search", seconds, seed] => {
            let (Ok(seconds), Ok(seed)) = (seconds.parse(), seed.parse()) else {
                return usage();
            };
            search::search(&ways, seconds, seed)
        }
        _ => return usage(),
    };
    match check(&ways, &measured) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::FAILURE
}

/// Prints the texts whose instructions grow too fast, the fastest first, and returns their number.
fn check(ways: &[Way], measured: &[Measured]) -> std::io::Result<usize> {
    let mut counts = callgrind::instructions(ways, measured)?;
    counts.sort_by(|(_, one), (_, other)| times(other).total_cmp(&times(one)));
    let mut growing = 0;
    for (one, count) in &counts {
        let grows = times(count) > TIMES_MAX;
        growing += usize::from(grows);
        if grows || std::env::var_os("LLMJSON_GROWTH_ALL").is_some() {
            let each = |at: usize| count[at] / one.texts[at].len() as f64;
            println!(
                "{:.2} times, {:.0} and {:.0} instructions a byte: {}, {}",
                times(count),
                each(0),
                each(1),
                one.name,
                ways[one.way].name,
            );
        }
    }
    println!(
        "{growing} of {} texts take more than {TIMES_MAX} times the instructions where they are four times as long",
        counts.len()
    );
    Ok(growing)
}

fn times([short, long]: &[f64; 2]) -> f64 {
    long / short
}
