//! How the time to read a text grows with its length, for texts that are made to cost time.
//!
//! A figure is nanoseconds of processor time per byte, the least of several calls: what the
//! machine does besides only ever adds. Other groups print no times, since a machine is not a
//! property of the code; here a limit has to be held, and the growth is a ratio again.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use llmjson::Schema;

use crate::shapes::{Against, SHAPES, Shape};

/// The lengths that are measured; each is four times the one before.
const SIZES: [usize; 3] = [64 << 10, 256 << 10, 1 << 20];

/// Four times the text may take this many times as long.
const GROWTH_MAX: f64 = 5.0;

/// Nanoseconds per byte that the longest text may take.
const PER_BYTE_MAX: f64 = 1000.0;

/// So long a measurement goes on at least, and with it the search for the least time.
const PATIENCE: Duration = Duration::from_millis(60);

/// What is done with a text.
#[derive(Clone, Copy)]
enum Way {
    /// Without a schema.
    Read,
    /// With a schema.
    Fit,
    /// With a schema; what is wrong is written down for the model.
    Feedback,
    /// With a schema, all values of the reply.
    Each,
}

/// One line of the table.
struct Line {
    shape: &'static Shape,
    way: Way,
    /// Nanoseconds per byte at each size.
    per_byte: [f64; SIZES.len()],
}

impl Line {
    /// How many times as long the text takes that is four times as long, at worst.
    fn growth(&self) -> f64 {
        let steps = self.per_byte.windows(2).map(|pair| 4.0 * pair[1] / pair[0]);
        steps.fold(0.0, f64::max)
    }

    fn breaks_a_limit(&self) -> bool {
        self.growth() > GROWTH_MAX || self.per_byte[SIZES.len() - 1] > PER_BYTE_MAX
    }
}

/// Prints how every shape grows whose name contains `part`: without a schema, with one, with the
/// feedback written, and with each value of the reply taken on its own.
pub(crate) fn print_table(rounds: usize, part: &str) {
    let mut schemas: HashMap<Against, Schema> = HashMap::new();
    println!(
        "\nTexts made to cost time: nanoseconds per byte, and how many times as long four times \
         the text takes\n"
    );
    let wide = SHAPES
        .iter()
        .map(|shape| shape.name.len())
        .max()
        .unwrap_or(0);
    println!(
        "| {:wide$} | schema   | way      |    64 KB |   256 KB |     1 MB | growth |",
        "shape"
    );
    println!(
        "|{}|----------|----------|---------:|---------:|---------:|-------:|",
        "-".repeat(wide + 2)
    );
    let (mut lines, mut broken) = (0, 0);
    for shape in SHAPES.iter().filter(|shape| shape.name.contains(part)) {
        let schema = &*schemas.entry(shape.against).or_insert_with(|| {
            Schema::from_text(&shape.against.json()).expect("the table's schemas are valid")
        });
        for way in [Way::Read, Way::Fit, Way::Feedback, Way::Each] {
            let line = Line {
                shape,
                way,
                per_byte: SIZES.map(|size| per_byte(&shape.text(size), schema, way, rounds)),
            };
            lines += 1;
            broken += usize::from(line.breaks_a_limit());
            print(&line, wide);
        }
    }
    println!("\n{broken} of {lines} break a limit");
}

fn print(line: &Line, wide: usize) {
    let (schema, way) = match line.way {
        Way::Read => ("", "read"),
        Way::Fit => (line.shape.against.name(), "fit"),
        Way::Feedback => (line.shape.against.name(), "feedback"),
        Way::Each => (line.shape.against.name(), "each"),
    };
    let [first, second, third] = line.per_byte;
    let mark = if line.breaks_a_limit() { " BROKEN" } else { "" };
    println!(
        "| {:wide$} | {schema:8} | {way:8} | {first:>8.1} | {second:>8.1} | {third:>8.1} | {:>6.2} |{mark}",
        line.shape.name,
        line.growth(),
    );
}

/// The least time of several calls, in nanoseconds per byte.
fn per_byte(text: &str, schema: &Schema, way: Way, rounds: usize) -> f64 {
    let mut least = f64::INFINITY;
    let (mut calls, mut spent) = (0, Duration::ZERO);
    while calls < 3 || spent < PATIENCE && calls < rounds {
        let start = ThreadTime::now();
        go(black_box(text), schema, way);
        let time = start.elapsed();
        spent += time;
        calls += 1;
        least = least.min(time.as_secs_f64());
    }
    least * 1e9 / text.len() as f64
}

fn go(text: &str, schema: &Schema, way: Way) {
    match way {
        Way::Read => drop(black_box(llmjson::parse(text, None))),
        Way::Fit => drop(black_box(llmjson::parse(text, Some(schema)))),
        Way::Feedback => {
            if let Err(failure) = llmjson::parse(text, Some(schema)).into_result() {
                black_box(failure.feedback(None));
            }
        }
        Way::Each => drop(black_box(llmjson::parse_all(text, Some(schema)))),
    }
}
