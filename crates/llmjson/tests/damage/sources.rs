//! Replies in transport encodings: of a page, a terminal, a log, a protocol, a shell.

use std::fmt::Write as _;

use llmjson::syntax::Class;
use llmjson::syntax::laws::sources::{ENCODERS, Encoder, wrapped};

use crate::value::{Value, document};
use llmjson_testutil::{Rng, Tally, tell};

/// A transport: what it makes of a reply.
pub(crate) enum Transport {
    Plain(Encoder),
    /// One that has several forms.
    Varied(fn(&str, &mut Rng) -> String),
}

impl Transport {
    fn encode(&self, text: &str, rng: &mut Rng) -> String {
        match self {
            Self::Plain(encode) => encode(text),
            Self::Varied(encode) => encode(text, rng),
        }
    }
}

type Varied = fn(&str, &mut Rng) -> String;

/// The transports that have several forms, by their names.
const VARIED: &[(&str, Varied)] = &[
    ("events of a chat", chat_events),
    ("lines of a chat", chat_lines),
    ("events of responses", response_events),
    ("events of messages", message_events),
    ("log prefixes", log_prefixes),
    ("service prefixes", service_prefixes),
    ("line numbers", line_numbers),
    ("box", boxed),
    ("wrapped at any column", wrapped_anywhere),
    ("LaTeX", latex),
];

/// All transports by their names.
fn transports() -> impl Iterator<Item = (&'static str, Transport)> {
    let plain = ENCODERS
        .iter()
        .map(|(name, encode)| (*name, Transport::Plain(*encode)));
    let varied = VARIED
        .iter()
        .map(|(name, encode)| (*name, Transport::Varied(*encode)));
    plain.chain(varied)
}

/// A value, the text that a model wrote of it, and whether that has lines.
fn reply(rng: &mut Rng) -> (Value, String) {
    let truth = document(rng);
    let json = json(&truth, rng);
    let text = match rng.below(10) {
        0..=4 => json,
        5..=6 => format!("```json\n{json}\n```"),
        7 => format!("Here is the result:\n\n```json\n{json}\n```\n\nLet me know."),
        8 => format!("Here is the result:\n{json}"),
        _ => format!("{json}\n\nLet me know if it fits."),
    };
    (truth, text)
}

/// Writes a value on one line or, more often, on several.
pub(crate) fn json(value: &Value, rng: &mut Rng) -> String {
    match rng.chance(60) {
        true => value.pretty(),
        false => value.write(),
    }
}

fn before_lines(text: &str, mut prefix: impl FnMut(usize) -> String) -> String {
    let lines = text.lines().enumerate();
    let lines: Vec<String> = lines.map(|(at, line)| prefix(at) + line).collect();
    lines.join("\n")
}

/// The text in pieces of a few characters.
fn pieces(text: &str, rng: &mut Rng) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut left = rng.between(1, 9);
    for sign in text.chars() {
        if left == 0 {
            pieces.push(String::new());
            left = rng.between(1, 9);
        }
        left -= 1;
        pieces.last_mut().expect("one was put in").push(sign);
    }
    pieces
}

fn chunk(piece: &str) -> String {
    let delta = serde_json::json!({"content": piece});
    let choice = serde_json::json!({"index": 0, "delta": delta, "finish_reason": null});
    serde_json::json!({"id": "c-1", "object": "chat.completion.chunk", "choices": [choice]})
        .to_string()
}

fn chat_events(text: &str, rng: &mut Rng) -> String {
    let mut out = String::from(
        "data: {\"id\":\"c-1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n",
    );
    for piece in pieces(text, rng) {
        let _ = write!(out, "data: {}\n\n", chunk(&piece));
    }
    out + "data: {\"id\":\"c-1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
}

fn chat_lines(text: &str, rng: &mut Rng) -> String {
    let lines: Vec<String> = if rng.chance(50) {
        pieces(text, rng).iter().map(|piece| chunk(piece)).collect()
    } else {
        let line = |piece: &String| {
            let message = serde_json::json!({"role": "assistant", "content": piece});
            serde_json::json!({"model": "m", "message": message, "done": false}).to_string()
        };
        pieces(text, rng).iter().map(line).collect()
    };
    lines.join("\n")
}

fn response_events(text: &str, rng: &mut Rng) -> String {
    let kind = "response.output_text.delta";
    let event = |piece: &String| {
        let data = serde_json::json!({"type": kind, "item_id": "m", "delta": piece});
        format!("event: {kind}\ndata: {data}\n\n")
    };
    let begin = "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"r\"}}\n\n";
    let events: String = pieces(text, rng).iter().map(event).collect();
    format!(
        "{begin}{events}event: response.completed\ndata: {{\"type\":\"response.completed\"}}\n\n"
    )
}

fn message_events(text: &str, rng: &mut Rng) -> String {
    let event = |piece: &String| {
        let delta = serde_json::json!({"type": "text_delta", "text": piece});
        let data = serde_json::json!({"type": "content_block_delta", "index": 0, "delta": delta});
        format!("event: content_block_delta\ndata: {data}\n\n")
    };
    let begin =
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\"}}\n\n";
    let events: String = pieces(text, rng).iter().map(event).collect();
    format!("{begin}{events}event: message_stop\ndata: {{\"type\":\"message_stop\"}}\n\n")
}

fn log_prefixes(text: &str, rng: &mut Rng) -> String {
    let form = rng.below(7);
    before_lines(text, |at| {
        let (minute, milli) = (at / 60 % 60, at * 37 % 1000);
        let second = at % 60;
        match form {
            0 => format!("2024-05-01T12:{minute:02}:{second:02}.{milli:03}Z "),
            1 => format!("2024-05-01 12:{minute:02}:{second:02},{milli:03} - root - INFO - "),
            2 => format!("[12:{minute:02}:{second:02}] "),
            3 => "[INFO] ".to_owned(),
            4 => "INFO:root:".to_owned(),
            5 => format!("May  1 12:{minute:02}:{second:02} web-1 app[4711]: "),
            _ => format!("2024/05/01 12:{minute:02}:{second:02} [debug] model: "),
        }
    })
}

fn service_prefixes(text: &str, rng: &mut Rng) -> String {
    let prefix = rng.pick(&[
        "app-1  | ",
        "stdout: ",
        "web_1 | ",
        "[stdout] ",
        "[worker] ",
        "(out) ",
    ]);
    before_lines(text, |_| prefix.to_owned())
}

fn line_numbers(text: &str, rng: &mut Rng) -> String {
    let form = rng.below(5);
    before_lines(text, |at| match form {
        0 => format!("{}: ", at + 1),
        1 => format!("{:>6}\t", at + 1),
        2 => format!("{:>3} | ", at + 1),
        3 => format!("reply.json:{}:", at + 1),
        _ => format!("{:>3}→", at + 1),
    })
}

fn boxed(text: &str, rng: &mut Rng) -> String {
    let width = text
        .lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or_default();
    let (corners, side, line) = match rng.below(2) {
        0 => (["╭", "╮", "╰", "╯"], "│", "─"),
        _ => (["+", "+", "+", "+"], "|", "-"),
    };
    let edge = line.repeat(width + 2);
    let mut out = format!("{}{edge}{}\n", corners[0], corners[1]);
    for line in text.lines() {
        let fill = " ".repeat(width - line.chars().count());
        let _ = writeln!(out, "{side} {line}{fill} {side}");
    }
    out + &format!("{}{edge}{}", corners[2], corners[3])
}

fn wrapped_anywhere(text: &str, rng: &mut Rng) -> String {
    wrapped(text, rng.pick(&[40, 60, 72, 80]))
}

fn latex(text: &str, rng: &mut Rng) -> String {
    let text = "{}_#$%&"
        .chars()
        .fold(text.replace('\\', "\u{1}"), |text, sign| {
            text.replace(sign, &format!("\\{sign}"))
        });
    let text = text.replace('\u{1}', "\\textbackslash{}");
    match rng.chance(50) {
        true => format!("$\\boxed{{{text}}}$"),
        false => text,
    }
}

/// Adds how a reply is read to the results.
pub(crate) fn add(mark: &mut Tally, text: &str, truth: &Value) {
    let parsed = llmjson::parse(text, None);
    let value = parsed.document().root().map(crate::value::read);
    let is_right = value.as_ref() == Some(truth);
    let kinds = || {
        let repairs = parsed.document().repairs().iter();
        repairs.map(|one| one.kind.name())
    };
    let is_around = |kind| matches!(kind, "code_fence" | "surrounding_text");
    // An encoding that changes only the inside of strings leaves JSON, which is read as it is written.
    if !is_right && value.is_some() && kinds().all(is_around) {
        return;
    }
    let is_silent = value.is_some() && parsed.certainty() < Class::Guess;
    mark.add(is_right, is_silent, || {
        let kinds: Vec<_> = kinds().take(12).collect();
        format!("--- {text}\n  truth {truth:?}\n  value {value:?} {kinds:?}\n")
    });
}

/// Prints the row of a mark and its shortest failures, and adds it to another.
pub(crate) fn show_in(all: &mut Tally, name: &str, mut mark: Tally, show: usize) {
    tell(&(mark.row(name) + &mark.shortest(show)));
    all.merge(mark);
}

/// Replies through one transport, or through both where there are two.
fn through(transports: &[&Transport], documents: usize) -> Tally {
    let mut mark = Tally::default();
    for seed in 0..documents {
        let mut rng = Rng::new(seed as u64 + 77_000);
        let (truth, mut text) = reply(&mut rng);
        for transport in transports {
            text = transport.encode(&text, &mut rng);
        }
        add(&mut mark, &text, &truth);
    }
    mark
}

/// Writes a value in two parts.
type Parts = fn(&str, &str) -> String;

/// The parts into which a model may write a value, by their names.
const PARTS: &[(&str, Parts)] = &[
    ("next fence", |one, two| {
        format!("```json\n{one}\n```\n\nThe rest:\n\n```json\n{two}\n```")
    }),
    ("notice", |one, two| {
        format!("{one}\n\n(continued)\n\n{two}")
    }),
    ("next turn", |one, two| {
        format!("{one}\nUser: continue\nAssistant:\n{two}")
    }),
    ("token of a turn", |one, two| {
        format!(
            "{one}\n<|im_end|>\n<|im_start|>user\nContinue.\n<|im_end|>\n<|im_start|>assistant\n{two}"
        )
    }),
];

/// Tells how values in two parts are read, with and without what the second one repeats of the first.
pub(crate) fn report_parts(documents: usize, show: usize) -> Tally {
    let mut all = Tally::default();
    for (name, parts) in PARTS {
        for repeats in [false, true] {
            let mut mark = Tally::default();
            for seed in 0..documents {
                let mut rng = Rng::new(seed as u64 + 99_000);
                let truth = document(&mut rng);
                let json = json(&truth, &mut rng);
                let ends: Vec<usize> = json.char_indices().map(|(at, _)| at).collect();
                let cut = rng.between(ends.len() / 5, ends.len() * 4 / 5);
                let repeated = if repeats {
                    rng.between(16, 60).min(cut)
                } else {
                    0
                };
                let (one, two) = (&json[..ends[cut]], &json[ends[cut - repeated]..]);
                add(&mut mark, &parts(one, two), &truth);
            }
            let how = if repeats { ", with an overlap" } else { "" };
            show_in(&mut all, &format!("{name}{how}"), mark, show);
        }
    }
    tell(&all.row("in parts"));
    all
}

/// Tells how replies through each transport whose name has these words are read, and returns the same of all of them.
pub(crate) fn report(documents: usize, only: &str, show: usize) -> Tally {
    let mut all = Tally::default();
    for (name, transport) in transports().filter(|(name, _)| name.contains(only)) {
        show_in(&mut all, name, through(&[&transport], documents), show);
    }
    tell(&all.row("all"));
    all
}

/// The same of replies through two transports: one that changes signs within one that changes lines.
pub(crate) fn report_pairs(documents: usize, show: usize) -> Tally {
    let named = |wanted: &[&str]| -> Vec<(&'static str, Transport)> {
        transports().filter(|one| wanted.contains(&one.0)).collect()
    };
    let inner = named(&[
        "entities",
        "quotes as \\u0022",
        "escapes of Markdown",
        "full-width signs",
        "PowerShell",
    ]);
    let outer = named(&[
        "events of a chat",
        "log prefixes",
        "service prefixes",
        "line numbers",
        "box",
        "percent-encoded",
        "lines of data:",
    ]);
    let mut all = Tally::default();
    for (first, one) in &inner {
        for (second, two) in &outer {
            let name = format!("{first}, {second}");
            show_in(&mut all, &name, through(&[one, two], documents), show);
        }
    }
    tell(&all.row("two together"));
    all
}
