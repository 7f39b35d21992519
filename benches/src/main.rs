//! llmjson against serde_json and its peers, side by side in one process.
//!
//! `README.md` beside this package says how to run it and how to read what it prints.

#![deny(unsafe_code)]

mod contenders;
mod groups;
mod growth;
mod inputs;
mod memory;
mod nested;
mod notations;
mod orders;
mod pieces;
mod rounds;
mod schemas;
#[path = "../../crates/llmjson/tests/hostile/shapes.rs"]
mod shapes;
mod sse;
mod table;
mod tools;
mod tree;
mod typed;
mod worst;

use std::hint::black_box;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use contenders::Run;
use groups::GROUPS;
use inputs::Input;
use tree::Damage;

const USAGE: &str = "\
usage: llmjson-benches [--rounds N] [--only GROUP]...
       llmjson-benches [--rounds N] --only growth [--shape WORD]
       llmjson-benches --memory
       llmjson-benches --instructions INPUT[:DAMAGE] CONTENDER COUNT
       llmjson-benches --instructions-growth WORD
       llmjson-benches --worst SECONDS SEED
       llmjson-benches --print INPUT[:DAMAGE]

groups: clean, leniency, damaged, typed, reply, schema, misfits, bind, compile,
        nested, growth, sse, streams
inputs: empty, tool46, tool300, extract2k, code8k, list20k, list1m, floats40k, wide40k;
        order700, order8k, order700-bad, order8k-bad, order8k-1-text,
        order8k-10-texts, order8k-100-texts, order8k-200-bad;
        schemas: tool, order, tree, flat100, enum500, defs200;
        lists in other notations: records:yaml, records:elements, records:table,
        records:csv, records:lines, records:json-lines, records:log
damage: valid, commas, keys, quotes, comments, fence, cut, mixed, escaped, log
contenders: serde_json, sonic-rs, simd-json, jiter, llm_json, jsonrepair-rs,
            llmjson, llmjson-fresh, llmjson-read, llmjson-value, llmjson-strict,
            llmjson-reply;
            serde_json-typed, serde_json-roundtrip-typed, serde_json-value-typed,
            sonic-rs-typed, llmjson-typed, llmjson-shape-typed, llmjson-document-typed;
            of schemas: compile-jsonschema, compile-llmjson, compile-llmjson-text;
            serde_json+jsonschema, llm_json+jsonschema,
            llmjson+validate, llmjson+coerce+validate;
            of lists in other notations: llmjson::parse, list";

/// What the command line asks for.
enum Task {
    Tables {
        rounds: usize,
        only: Vec<String>,
        shape: String,
    },
    Memory,
    Instructions {
        text: String,
        run: Run,
        count: usize,
    },
    Growth(String),
    Worst {
        seconds: u64,
        seed: u64,
    },
    CountWorst(PathBuf),
    Print(String),
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match task(&arguments) {
        Some(Task::Tables {
            rounds,
            only,
            shape,
        }) => {
            let wanted = |name| only.is_empty() || only.iter().any(|group| group == name);
            for (name, measure) in GROUPS {
                if wanted(name) {
                    measure(rounds);
                }
            }
            if wanted("growth")
                && let Err(error) = growth::print_table(rounds, &shape)
            {
                eprintln!("growth: {error}");
                return ExitCode::FAILURE;
            }
        }
        Some(Task::Memory) => {
            memory::print(&contenders::ALL, Damage::Valid);
            memory::print(&contenders::ALL, Damage::Mixed);
            notations::print_heap();
        }
        Some(Task::Instructions {
            text,
            mut run,
            count,
        }) => {
            run(&text);
            counted(&mut run, &text, count);
            println!("{} bytes times {count}", text.len());
        }
        Some(Task::Growth(shape)) => growth::count(&shape),
        Some(Task::Worst { seconds, seed }) => return done(worst::print_table(seconds, seed)),
        Some(Task::CountWorst(directory)) => return done(worst::count(&directory)),
        Some(Task::Print(text)) => println!("{text}"),
        None => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn done(result: io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("worst: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The function that callgrind is told to look into; everything else is preparation.
#[inline(never)]
fn counted(run: &mut Run, text: &str, count: usize) {
    for _ in 0..count {
        black_box(run(black_box(text)));
    }
}

fn task(arguments: &[String]) -> Option<Task> {
    let mut rounds = 51;
    let mut only = Vec::new();
    let mut shape = String::new();
    let mut rest = arguments.iter().map(String::as_str);
    while let Some(flag) = rest.next() {
        match flag {
            "--rounds" => rounds = rest.next()?.parse().ok().filter(|&rounds| rounds > 0)?,
            "--only" => {
                let group = rest.next()?;
                let groups = GROUPS.iter().map(|(name, _)| *name);
                groups.chain(["growth"]).find(|name| *name == group)?;
                only.push(group.to_string());
            }
            "--shape" => shape = rest.next()?.to_string(),
            "--memory" => return Some(Task::Memory),
            "--instructions-growth" => return Some(Task::Growth(rest.next()?.to_string())),
            "--worst" => {
                let seconds = rest.next()?.parse().ok()?;
                let seed = rest.next()?.parse().ok()?;
                return Some(Task::Worst { seconds, seed });
            }
            "--count-worst" => return Some(Task::CountWorst(rest.next()?.into())),
            "--print" => return Some(Task::Print(text(rest.next()?)?)),
            "--instructions" => {
                let text = text(rest.next()?)?;
                let name = rest.next()?;
                let mut all = contenders::ALL
                    .into_iter()
                    .chain(orders::JUDGES)
                    .chain(typed::READERS)
                    .chain(pieces::WAYS)
                    .chain(schemas::COMPILERS)
                    .chain([
                        &contenders::LLMJSON_REPLY,
                        &orders::PARSE,
                        &orders::FEEDBACK,
                        &notations::PARSE,
                    ]);
                let contender = all.find(|contender| contender.name == name)?;
                let count = rest.next()?.parse().ok()?;
                return Some(Task::Instructions {
                    text,
                    run: (contender.start)(),
                    count,
                });
            }
            _ => return None,
        }
    }
    Some(Task::Tables {
        rounds,
        only,
        shape,
    })
}

/// The text of `INPUT[:DAMAGE]`, or of a list in another notation.
fn text(name: &str) -> Option<String> {
    let (input, damage) = name.split_once(':').unwrap_or((name, "valid"));
    if input == "records" {
        return notations::text(damage);
    }
    let damage = Damage::ALL
        .into_iter()
        .find(|known| known.name() == damage)?;
    match Input::named(input) {
        Some(input) => Some(input.text(damage)),
        None => (schemas::SCHEMAS.contains(&input)).then(|| schemas::schema(input)),
    }
}
