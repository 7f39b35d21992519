//! Replies that go on behind their value: with turns that the model made up, with the value begun anew, with
//! corrections of it.

use llmjson::syntax::Class;

use crate::sources::{add, json, show_in};
use crate::value::{Value, document};
use llmjson_testutil::{Rng, Tally, tell};

/// Writes a reply of two values, the second of which a turn asks for.
type Turns = fn(&str, &str) -> String;

/// The turns that models make up.
const TURNS: &[(&str, Turns)] = &[
    ("input and response", |one, two| {
        format!("{one}\n\n### Input:\nThe next one.\n\n### Response:\n{two}")
    }),
    ("human", |one, two| {
        format!("{one}\n\nHuman: And for the other?\n\nAssistant: {two}")
    }),
    ("user in a heading", |one, two| {
        format!(
            "```json\n{one}\n```\n\n### User:\nThanks, next!\n\n### Assistant:\n```json\n{two}\n```"
        )
    }),
    ("tokens of ChatML", |one, two| {
        format!(
            "{one}<|im_end|>\n<|im_start|>user\nAnother one, please.<|im_end|>\n<|im_start|>assistant\n{two}<|im_end|>"
        )
    }),
    ("tokens of Llama", |one, two| {
        format!(
            "{one}<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nNow this.<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n{two}"
        )
    }),
    ("tokens of Mistral", |one, two| {
        format!("{one}</s>[INST] And the second? [/INST] {two}</s>")
    }),
    ("tokens of Gemma", |one, two| {
        format!(
            "{one}<end_of_turn>\n<start_of_turn>user\nOnce more.<end_of_turn>\n<start_of_turn>model\n{two}"
        )
    }),
    ("question and answer", |one, two| {
        format!("Here it is:\n{one}\n\nQ: What of the other?\nA: {two}")
    }),
    ("input and output", |one, two| {
        format!("{one}\n\nInput: the next\nOutput: {two}\n\nInput: a third\nOutput: {two}")
    }),
];

/// Words with which a model begins anew.
const RESTARTS: &[&str] = &[
    "\n\nSorry, let me start over:\n\n",
    " Sorry, let me start over. ",
    "\n```\n\nOops, that got cut off. Here it is again:\n\n```json\n",
    "\nWait, I made a mistake. Starting again:\n",
    "\n\nLet me redo this from the beginning:\n```json\n",
];

/// Tells how replies are read behind whose value, whole or cut, the model goes on with turns, and of counterparts: texts of
/// a value with such words in them, and transcripts that begin with a turn.
pub(crate) fn report_turns(documents: usize, show: usize) -> Tally {
    let mut all = Tally::default();
    for (name, turns) in TURNS {
        let (mut mark, mut within) = (Tally::default(), Tally::default());
        for seed in 0..documents {
            let mut rng = Rng::new(seed as u64 + 121_000);
            let (truth, other) = (document(&mut rng), document(&mut rng));
            let (one, two) = (json(&truth, &mut rng), json(&other, &mut rng));
            add(&mut mark, &turns(&one, &two), &truth);
            let text = Value::Object(vec![("said".to_owned(), Value::Text(turns(&one, &two)))]);
            add(
                &mut within,
                &format!("Here it is:\n{}", json(&text, &mut rng)),
                &text,
            );
        }
        show_in(&mut all, name, mark, show);
        show_in(&mut all, &format!("{name}, in a text"), within, show);
    }
    let mut asked = Tally::default();
    for seed in 0..documents {
        let mut rng = Rng::new(seed as u64 + 122_000);
        let truth = document(&mut rng);
        add(
            &mut asked,
            &format!("User: What is it?\nAssistant: {}", json(&truth, &mut rng)),
            &truth,
        );
    }
    show_in(&mut all, "a transcript", asked, show);
    tell(&all.row("made-up turns"));
    all
}

/// Tells how replies are read in which the value is given up amid it and begun anew, and of texts with such words.
pub(crate) fn report_restarts(documents: usize, show: usize) -> Tally {
    let mut all = Tally::default();
    for words in RESTARTS {
        let (mut mark, mut within) = (Tally::default(), Tally::default());
        for seed in 0..documents {
            let mut rng = Rng::new(seed as u64 + 123_000);
            let truth = document(&mut rng);
            let one = json(&truth, &mut rng);
            let ends: Vec<usize> = one.char_indices().map(|(at, _)| at).collect();
            let cut = ends[rng.between(ends.len() / 4, ends.len() * 4 / 5).max(1)];
            let fence = if words.contains("\n```\n") {
                "```json\n"
            } else {
                ""
            };
            let close = if words.ends_with("```json\n") {
                "\n```"
            } else {
                ""
            };
            add(
                &mut mark,
                &format!("{fence}{}{words}{one}{close}", &one[..cut]),
                &truth,
            );
            let said = Value::Text(format!("{}{words}", &one[..cut]));
            let text = Value::Object(vec![("said".to_owned(), said)]);
            add(
                &mut within,
                &format!("Here:\n{}", json(&text, &mut rng)),
                &text,
            );
        }
        let name = format!("begun anew: {:.24}", words.trim());
        show_in(&mut all, &name, mark, show);
        show_in(&mut all, "the same words in a text", within, show);
    }
    tell(&all.row("begun anew"));
    all
}

/// A correction of a member in words.
const WORDS: &[&str] = &[
    "Correction: \"NAME\" should be VALUE.",
    "Correction: `NAME` should be VALUE",
    "Oops, the NAME field should be VALUE.",
    "NAME -> VALUE",
    "Fix: NAME is VALUE, not OLD",
    "- \"NAME\" should read VALUE",
    "Sorry, I made a mistake: NAME should be VALUE instead of OLD.",
    "Edit: NAME → VALUE",
];

/// Words behind a value that mention a member and are no correction.
const PROSE: &[&str] = &[
    "The NAME is OLD here.",
    "NAME is a member like any other.",
    "I took NAME from the text, and the rest as well.",
    "Note: NAME has been checked.",
];

/// Adds a reply, its value as it is written, and whether a correction follows. It is right if the value is left as
/// written, and a guess exactly if a correction follows.
fn add_corrected(mark: &mut Tally, text: &str, written: &Value, is_corrected: bool) {
    let parsed = llmjson::parse(text, None);
    let (value, class) = (
        parsed.document().root().map(crate::value::read),
        parsed.certainty(),
    );
    let is_written = value.as_ref() == Some(written);
    let is_right = is_written && (class == Class::Guess) == is_corrected;
    let is_silent = class < Class::Guess && !is_written;
    mark.add(is_right, is_silent, || {
        format!("--- {text}\n  {value:?} {class:?}\n")
    });
}

/// An object of scalars, of which one is to be corrected, the number of that, and its other value.
fn scalars(rng: &mut Rng) -> (Vec<(String, Value)>, usize, Value) {
    let names = [
        "age",
        "city",
        "total",
        "active",
        "first_name",
        "note",
        "zip",
        "level",
    ];
    let mut members: Vec<(String, Value)> = Vec::new();
    for name in names.iter().skip(rng.below(3)).take(rng.between(2, 5)) {
        let value = match rng.below(3) {
            0 => Value::Number(rng.between(1, 900).to_string()),
            1 => Value::Bool(rng.chance(50)),
            _ => Value::Text(rng.pick(&["Oslo", "Bergen", "two words", "x-1"]).to_owned()),
        };
        members.push(((*name).to_owned(), value));
    }
    let at = rng.below(members.len());
    let other = match &members[at].1 {
        Value::Number(_) => Value::Number(format!("{}.5", rng.between(1000, 2000))),
        Value::Bool(value) => Value::Bool(!value),
        _ => Value::Text("Tromsø, now".to_owned()),
    };
    (members, at, other)
}

/// Reports how corrections after a value are read, and their counterparts: prose
/// that mentions members, and patches that are the value.
pub(crate) fn report_corrections(documents: usize, show: usize) -> Tally {
    let mut all = Tally::default();
    let mut rows: Vec<(String, Tally)> = Vec::new();
    for seed in 0..documents {
        let mut rng = Rng::new(seed as u64 + 124_000);
        let (members, at, other) = scalars(&mut rng);
        let written = Value::Object(members.clone());
        let (name, old) = (&members[at].0, members[at].1.write());
        let json = json(&written, &mut rng);
        let json = match rng.chance(50) {
            true => format!("```json\n{json}\n```"),
            false => json,
        };
        let new = other.write();
        let mut row = 0;
        let mut add = |what: &str, text: String, written: &Value, is_corrected: bool| {
            if rows.len() <= row {
                rows.push((what.to_owned(), Tally::default()));
            }
            add_corrected(&mut rows[row].1, &text, written, is_corrected);
            row += 1;
        };
        for words in WORDS {
            let words = words
                .replace("NAME", name)
                .replace("VALUE", &new)
                .replace("OLD", &old);
            add(
                words_of(&words),
                format!("{json}\n\n{words}"),
                &written,
                true,
            );
        }
        let step = format!("{{\"op\": \"replace\", \"path\": \"/{name}\", \"value\": {new}}}");
        let patch = format!("{json}\n\nThen apply this patch:\n[{step}]");
        add("JSON Patch", patch, &written, true);
        let patch = format!(
            "{json}\n\n```json\n[{{\"op\": \"test\", \"path\": \"/{name}\", \"value\": {old}}}, {step}]\n```"
        );
        add("JSON Patch that tests", patch, &written, true);
        let patch = format!("{json}\n\nMerge patch:\n{{\"{name}\": {new}}}");
        add("merge patch", patch, &written, true);
        let list = format!("[{{\"op\":\"replace\",\"path\":\"/{name}\",\"value\":{new}}}]");
        let steps = crate::value::read(llmjson::syntax::parse(&list).root().expect("a list"));
        add(
            "a patch that is the value",
            format!("Here:\n{list}"),
            &steps,
            false,
        );
        for words in PROSE {
            let words = words.replace("NAME", name).replace("OLD", &old);
            add("prose", format!("{json}\n\n{words}"), &written, false);
        }
    }
    for (name, row) in rows {
        show_in(&mut all, &name, row, show);
    }
    tell(&all.row("corrections"));
    all
}

/// Returns the first words of a text.
fn words_of(text: &str) -> &str {
    let end = text.char_indices().nth(36).map_or(text.len(), |(at, _)| at);
    &text[..end]
}
