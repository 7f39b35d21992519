//! A reply that comes in pieces, looked at after each: what that costs beside reading the whole of
//! it once, and beside reading all that has come anew after each piece, as one does without a
//! stream.
//!
//! Figures are times over that of one pass of serde_json over the whole reply, median over the
//! rounds; so less is better here.

use std::cell::RefCell;
use std::hint::black_box;

use llmjson::{Schema, stream};
use llmjson_syntax::{Parser, Stream, ValueRef};

use crate::contenders::{Contender, SERDE_JSON, jiter_value, ours};
use crate::inputs::Input;
use crate::memory;
use crate::rounds::{Times, measure};
use crate::tree::Damage;

/// Sizes of the replies, and the records that make them.
const SIZES: [(&str, u64); 4] = [("2 KB", 7), ("20 KB", 72), ("200 KB", 715), ("2 MB", 7150)];

/// Longer replies are not read anew after each piece: that would take minutes.
const AGAIN_BYTES_MAX: usize = 30_000;

/// Twice the text may take this many times as long.
const GROWTH_MAX: f64 = 2.3;

/// The ways to follow a reply; those that read all anew come last.
pub(crate) const WAYS: [&Contender; 14] = [
    &way("push, pieces of 4", || Box::new(push::<4>)),
    &way("push, pieces of 20", || Box::new(push::<20>)),
    &way("look at each, 4", || Box::new(look::<4>)),
    &way("look at each, 20", || Box::new(look::<20>)),
    &way("events of each, 4", || Box::new(events::<4>)),
    &way("events of each, 20", || Box::new(events::<20>)),
    &way("schema, look at each, 4", || Box::new(fit::<4>)),
    &way("schema, look at each, 20", || Box::new(fit::<20>)),
    &way("schema, events of each, 4", || Box::new(fit_events::<4>)),
    &way("schema, events of each, 20", || Box::new(fit_events::<20>)),
    &way("jiter anew, 4", || Box::new(jiter::<4>)),
    &way("jiter anew, 20", || Box::new(jiter::<20>)),
    &way("llmjson anew, 4", || Box::new(anew::<4>)),
    &way("llmjson anew, 20", || Box::new(anew::<20>)),
];

/// The first of [`WAYS`] that reads all anew.
const AGAIN: usize = 10;

const fn way(name: &'static str, start: fn() -> crate::contenders::Run) -> Contender {
    Contender {
        name,
        later: "",
        start,
        value: ours,
    }
}

/// The schema of the replies.
const SCHEMA: &str = r#"{"type": "object", "properties": {"total": {"type": "integer"},
    "orders": {"type": "array", "items": {"type": "object", "properties": {
        "id": {"type": "integer"}, "order_number": {"type": "string"},
        "customer_name": {"type": "string"}, "email": {"type": "string"},
        "status": {"enum": ["cancelled", "open", "paid", "returned", "shipped"]},
        "quantity": {"type": "integer"}, "unit_price": {"type": "number"},
        "discount": {"type": ["number", "null"]}, "is_gift": {"type": "boolean"},
        "created_at": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}},
        "latitude": {"type": "number"}, "note": {"type": "string"}}}}}}"#;

thread_local! {
    static FIT: RefCell<Option<Schema>> = const { RefCell::new(None) };
}

/// A text in pieces of that many bytes, cut where a character ends.
pub(crate) fn pieces<const LENGTH: usize>(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let from = at;
        at = text.ceil_char_boundary((from + LENGTH).min(text.len()));
        (from < at).then(|| &text[from..at])
    })
}

/// What a page does that shows the value: asks for it, what it is, and how much is in it.
fn see(value: Option<ValueRef<'_>>) {
    black_box(value.map(|value| (value.kind(), value.len())));
}

fn push<const LENGTH: usize>(text: &str) -> bool {
    let mut stream = Stream::new();
    for piece in pieces::<LENGTH>(text) {
        stream.push(black_box(piece));
    }
    black_box(stream.finish()).document.root().is_some()
}

fn look<const LENGTH: usize>(text: &str) -> bool {
    let mut stream = Stream::new();
    for piece in pieces::<LENGTH>(text) {
        stream.push(black_box(piece));
        see(black_box(&stream).document().root());
    }
    black_box(stream.finish()).document.root().is_some()
}

fn events<const LENGTH: usize>(text: &str) -> bool {
    let mut stream = Stream::new();
    for piece in pieces::<LENGTH>(text) {
        stream.push(black_box(piece));
        black_box(stream.events());
    }
    black_box(stream.finish()).document.root().is_some()
}

fn fit<const LENGTH: usize>(text: &str) -> bool {
    fit_each::<LENGTH>(text, |stream| see(stream.value()))
}

fn fit_events<const LENGTH: usize>(text: &str) -> bool {
    fit_each::<LENGTH>(text, |stream| drop(black_box(stream.events())))
}

/// Makes the reply fit its schema; `look` is called after each piece.
fn fit_each<const LENGTH: usize>(text: &str, look: impl Fn(&mut stream::Stream)) -> bool {
    FIT.with_borrow_mut(|schema| {
        let schema = schema
            .get_or_insert_with(|| Schema::from_text(SCHEMA).expect("the schema above is right"));
        let mut stream = stream::Stream::new(Some(schema));
        for piece in pieces::<LENGTH>(text) {
            stream.push(black_box(piece));
            look(&mut stream);
        }
        black_box(stream.finish()).parsed.value().is_some()
    })
}

fn jiter<const LENGTH: usize>(text: &str) -> bool {
    let mut end = 0;
    let mut found = false;
    for piece in pieces::<LENGTH>(text) {
        end += piece.len();
        found = black_box(jiter_value(black_box(&text[..end]))).is_some();
    }
    found
}

fn anew<const LENGTH: usize>(text: &str) -> bool {
    let mut parser = Parser::new();
    let mut end = 0;
    let mut found = false;
    for piece in pieces::<LENGTH>(text) {
        end += piece.len();
        let document = parser.parse(black_box(&text[..end]));
        found = black_box(&document).root().is_some();
        parser.recycle(document);
    }
    found
}

fn reply(records: u64) -> String {
    Input::records(records).text(Damage::Valid)
}

/// The most heap bytes for each byte of the text, at any of the sizes and halfway to the next.
fn most_bytes(way: &Contender) -> [f64; 2] {
    let mut most = [0.0_f64; 2];
    for records in SIZES
        .iter()
        .flat_map(|&(_, records)| [records, records * 3 / 2])
    {
        let text = reply(records);
        if text.len() > AGAIN_BYTES_MAX && !WAYS[..AGAIN].iter().any(|one| one.name == way.name) {
            break;
        }
        let here = memory::peak_per_byte(way, &text);
        most = [most[0].max(here[0]), most[1].max(here[1])];
    }
    most
}

/// Lets the allocator keep what is freed, as in a process that has run for a while: the C library
/// raises its thresholds when a large block is freed. Until then every buffer beyond 128 KB is
/// mapped anew in each call, and a reply just beyond such a limit takes the faults of its pages,
/// while one of half the length takes none.
fn keep_freed_memory() {
    const LARGE: usize = 31 << 20;
    drop(black_box(Vec::<u8>::with_capacity(LARGE)));
}

/// Prints the tables.
pub(crate) fn print(rounds: usize) {
    // Measuring the heap comes later: it frees large blocks, too.
    let fresh = measure_all(rounds);
    let heap = WAYS.map(most_bytes);
    println!("\nA reply in pieces: time over that of one pass of serde_json::from_str::<Value>\n");
    print_table(&fresh, &heap, f64::INFINITY);
    keep_freed_memory();
    println!("\nThe same where the allocator keeps what is freed\n");
    print_table(&measure_all(rounds), &heap, GROWTH_MAX);
    print_damaged(rounds);
    println!(
        "\nbytes/byte: heap at its peak, at the size where it is largest; copied: the same where \
         every block that\ngrows is copied.\nx2: how many times as long twice the text takes that \
         ends at this size; BROKEN beyond {GROWTH_MAX},\nwhich is asked where memory is kept.\nWhat \
         reads all anew is measured up to {AGAIN_BYTES_MAX} bytes; it goes with the square of the \
         length.\n"
    );
    for (index, (name, _)) in SIZES.iter().enumerate() {
        for (jiter, look_at) in [(AGAIN, 2), (AGAIN + 1, 3)] {
            let times = &fresh[index].times;
            if let (Some(jiter), Some(look)) = (times.get(jiter), times.get(look_at)) {
                let faster = look.0.speed_over(&jiter.0);
                println!(
                    "{name}, {}: {faster:.0} times as fast as jiter anew",
                    WAYS[look_at].name
                );
            }
        }
    }
}

/// Damage of the replies of [`print_damaged`].
const DAMAGE: [Damage; 6] = [
    Damage::Valid,
    Damage::TrailingCommas,
    Damage::BareKeys,
    Damage::SingleQuotes,
    Damage::Comments,
    Damage::Mixed,
];

/// Prints what the streams take for damaged replies of 20 KB.
fn print_damaged(rounds: usize) {
    let input = Input::records(SIZES[1].1);
    let valid = input.text(Damage::Valid);
    let ways = &WAYS[..AGAIN];
    let mut table = vec![Vec::new(); ways.len()];
    for damage in DAMAGE {
        let text = input.text(damage);
        let mut pairs = vec![(&SERDE_JSON, valid.as_str())];
        pairs.extend(ways.iter().map(|way| (*way, text.as_str())));
        let times = measure(&pairs, rounds);
        for (index, cells) in table.iter_mut().enumerate() {
            cells.push(format!("{:>8.2}", times[0].speed_over(&times[index + 1])));
        }
    }
    println!(
        "\nA damaged reply of 20 KB in pieces: time over that of one pass of \
         serde_json::from_str::<Value> over the valid one\n"
    );
    let names = DAMAGE.map(|damage| format!("{:>8}", damage.name()));
    println!("| {:26} | {} | bytes/byte, mixed |", "", names.join(" | "));
    println!("|---|{}---:|", "---:|".repeat(names.len()));
    let mixed = input.text(Damage::Mixed);
    for (way, cells) in ways.iter().zip(table) {
        let [peak, _] = memory::peak_per_byte(way, &mixed);
        println!("| {:26} | {} | {peak:>17.2} |", way.name, cells.join(" | "));
    }
}

fn measure_all(rounds: usize) -> Vec<Measured> {
    SIZES
        .iter()
        .map(|&(_, records)| Measured::of(records, rounds))
        .collect()
}

fn print_table(measured: &[Measured], heap: &[[f64; 2]; WAYS.len()], growth_max: f64) {
    let mut line = format!("| {:26} |", "");
    for (name, _) in SIZES {
        line += &format!(" {name:>8} | x2 |");
    }
    println!(
        "{line} bytes/byte | copied |\n|---{}---:|---:|",
        "|---:|---:".repeat(SIZES.len())
    );
    for (index, way) in WAYS.iter().enumerate() {
        let mut line = format!("| {:26} |", way.name);
        for measured in measured {
            line += &measured.cells(index, growth_max);
        }
        let [peak, copied] = heap[index];
        match index < AGAIN {
            true => println!("{line} {peak:>10.2} | {copied:>6.2} |"),
            false => println!("{line} {:>10} | {:>6} |", "-", "-"),
        }
    }
}

/// The times for one size.
struct Measured {
    serde_json: Times,
    /// For each way the time of the reply and of one half as long.
    times: Vec<(Times, Times)>,
}

impl Measured {
    fn of(records: u64, rounds: usize) -> Self {
        let (whole, half) = (reply(records), reply(records.div_ceil(2)));
        let again = whole.len() <= AGAIN_BYTES_MAX;
        let ways = if again { &WAYS[..] } else { &WAYS[..AGAIN] };
        let mut pairs = vec![(&SERDE_JSON, whole.as_str())];
        for way in ways {
            pairs.extend([(*way, whole.as_str()), (*way, half.as_str())]);
        }
        let mut times = measure(&pairs, rounds).into_iter();
        let serde_json = times.next().expect("it is measured");
        let mut pairs = Vec::new();
        while let (Some(whole), Some(half)) = (times.next(), times.next()) {
            pairs.push((whole, half));
        }
        let times = pairs;
        Self { serde_json, times }
    }

    fn cells(&self, way: usize, growth_max: f64) -> String {
        let Some((whole, half)) = self.times.get(way) else {
            return format!(" {:>8} | -  |", "-");
        };
        let over = self.serde_json.speed_over(whole);
        let growth = half.speed_over(whole);
        let broken = way < AGAIN && growth > growth_max;
        let mark = if broken { " BROKEN" } else { "" };
        format!(" {over:>8.2} | {growth:.2}{mark} |")
    }
}

#[cfg(test)]
mod tests {
    use serde_json_plain::Value;

    use super::*;
    use crate::contenders::plain;

    #[test]
    fn every_way_reads_the_reply() {
        let text = reply(3);
        let whole: Option<Value> = plain(&text);
        assert!(whole.is_some() && ours(&text) == whole);
        for way in WAYS {
            assert!((way.start)()(&text), "{}", way.name);
        }
        let schema = Schema::from_text(SCHEMA).expect("the schema above is right");
        let mut stream = stream::Stream::new(Some(&schema));
        stream.push(&text[..text.len() / 2]);
        let shown = stream.value().and_then(|value| value.get("orders"));
        assert!(shown.is_some_and(|orders| !orders.is_empty()));
        let mut stream = Stream::new();
        pieces::<4>(&text).for_each(|piece| stream.push(piece));
        let finished = stream.finish();
        assert_eq!(
            plain(&finished.document.to_json().unwrap_or_default()),
            whole
        );
    }
}
