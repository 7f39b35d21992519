//! Damage around the value: fences, prose, reasoning, special tokens.

use crate::draft::{Draft, Kind};
use llmjson_testutil::Rng;
use llmjson_testutil::table::{Lines, lines};

/// The rows of the tests.
const FILE: &str = include_str!("texts.txt");

static BEFORE: Lines = Lines::new(|| lines(FILE, "text before"));

static AFTER: Lines = Lines::new(|| lines(FILE, "text after"));

/// A code fence of any style; text whose strings hold fences stays unambiguous, because their line
/// breaks are escaped.
pub(crate) fn fence(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let mark = rng.pick(&["```", "```", "```", "````", "~~~", "`````"]);
    let info = rng.pick(&[
        "json",
        "json",
        "",
        "JSON",
        "json5",
        "javascript",
        "jsonc",
        "json title=\"x\"",
    ]);
    let same_line = rng.chance(10) && !info.contains(' ') && !info.is_empty();
    draft.before = format!("{mark}{info}{}", if same_line { " " } else { "\n" });
    if draft.complete == Some(true) && rng.chance(85) {
        draft.after = format!("\n{mark}");
    }
    if rng.chance(30) {
        draft.before = format!(
            "{}{}",
            rng.pick(&["Here you go:\n\n", "It's this {object}:\n", "\n"]),
            draft.before
        );
    }
    Some(())
}

/// Prose before the value, with brackets that hold no JSON.
pub(crate) fn before(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    draft.before = rng.pick(&BEFORE).to_owned();
    Some(())
}

/// Prose after a value that was closed.
pub(crate) fn after(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    draft.after = rng.pick(&AFTER).to_owned();
    (draft.complete == Some(true)).then_some(())
}

/// A block of reasoning, closed, with a small draft in it.
pub(crate) fn reasoning(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let name = rng.pick(&["think", "thinking", "reasoning", "Think", "reflection"]);
    let thought = rng.pick(&[
        "The user wants an object. Maybe {\"draft\": true, \"n\": [1, 2]}? Yes.",
        "I shouldn't use {braces} here.\n```json\n{\"old\": \"value\", \"n\": 1}\n```\nNo, other.",
        "Step 1: it's [1, 2, 3].\nStep 2: {\"a\": {\"b\": \"unfinished",
        "ok",
    ]);
    let open = if rng.chance(85) {
        format!("<{name}>\n")
    } else {
        String::new()
    };
    draft.before = format!(
        "{open}{thought}\n</{name}>\n{}",
        rng.pick(&["", "\n", "Here it is:\n"])
    );
    Some(())
}

/// A draft or an example before the value, which is announced as the answer.
pub(crate) fn draft_before(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let (lead, announced) = rng.pick(&[
        ("Draft:", "Final:"),
        (
            "First attempt:",
            "Wait, that isn't right. Corrected version:",
        ),
        ("The format, for example:", "The answer:"),
        ("Given this input:", "the output is:"),
        (
            "Here you are:",
            "Sorry, I've mixed up two fields. It should have been this instead:",
        ),
    ]);
    let value = rng.pick(&[
        "{\"title\": \"a first try\", \"n\": [1, 2]}",
        "{\"ok\": false}",
        "[{\"id\": 1}, {\"id\": 2}]",
        "{'name': 'x', 'y': None}",
    ]);
    draft.before = if rng.chance(50) {
        format!("{lead}\n```json\n{value}\n```\n\n{announced}\n")
    } else {
        format!("{lead} {value}\n\n{announced}\n")
    };
    Some(())
}

/// More text and code behind the value, which stands in the first fence or right behind its lead.
pub(crate) fn ramble(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let more = rng.pick(&[
        "That covers all fields. In code:\n\n```python\nrun({\"dry\": 1})\n```\n",
        "You could also send less, for example {\"n\": 1}.",
        "Note that I've left out {\"x\": 0}, as it wasn't needed.",
        "Another option:\n```json\n{\"a\": 1}\n```\n",
    ]);
    if draft.text().text.len() < 60 {
        // Of two small values nothing tells which is meant.
        return None;
    }
    let fenced = rng.chance(70);
    if fenced {
        draft.before = "Here it is:\n\n```json\n".to_owned();
        draft.after = format!("\n```\n\n{more}");
    } else {
        draft.before = "Here it is:\n\n".to_owned();
        draft.after = format!("\n\n{more}");
    }
    let is_whole = draft.complete == Some(true) && (fenced || !more.contains("```"));
    is_whole.then_some(())
}

/// Special tokens of chat templates, or tags, around the value.
pub(crate) fn tokens(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let (before, after) = rng.pick(&[
        ("<|im_start|>assistant\n", "<|im_end|>"),
        ("<tool_call>\n", "\n</tool_call>"),
        ("<json>", "</json>"),
        ("<answer>\n", "\n</answer>"),
        ("<|python_tag|>", "<|eom_id|>"),
        ("<s>", "</s>"),
        ("<output format=\"json\">\n", "\n</output>"),
        ("<|channel|>final<|message|>", "<|return|>"),
        ("", "<|endoftext|>"),
        ("", "</s>"),
        ("<function_call> ", " </function_call>"),
    ]);
    draft.before = before.to_owned();
    if draft.complete == Some(true) {
        draft.after = after.to_owned();
    }
    Some(())
}

/// A byte order mark, or spaces that JSON does not know between tokens.
pub(crate) fn odd_space(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    if rng.chance(20) {
        draft.before.insert(0, '\u{feff}');
        return Some(());
    }
    let odd = rng.pick(&["\u{a0}", "\u{3000}", "\u{2003}", "\u{202f}", "\u{a0}\u{a0}"]);
    let at = draft.choose(rng, |_, token| token.kind == Kind::Space)?;
    let all = rng.chance(40);
    for index in 0..draft.tokens.len() {
        let token = &draft.tokens[index];
        if token.kind == Kind::Space && !token.touched && (all || index == at) {
            let raw = if token.raw == " " {
                odd.to_owned()
            } else {
                format!("{}{odd}", token.raw)
            };
            draft.write(index, raw);
        }
    }
    Some(())
}

/// Line breaks between tokens written as a backslash and an `n`.
pub(crate) fn escaped_space(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    if !draft.is_lines() {
        return None;
    }
    let at = draft.choose(rng, |_, token| token.raw.contains('\n'))?;
    let all = rng.chance(70);
    for index in 0..draft.tokens.len() {
        let token = &draft.tokens[index];
        if token.kind == Kind::Space
            && token.raw.contains('\n')
            && !token.touched
            && (all || index == at)
        {
            let raw = token.raw.replace('\n', "\\n");
            draft.write(index, raw);
        }
    }
    Some(())
}

/// The whole value with its quotes escaped, as if it stood in a string.
pub(crate) fn escaped(draft: &mut Draft, _: &mut Rng) -> Option<()> {
    draft.escaped = true;
    Some(())
}

/// The items of a list one after another, without the list. They are objects and differ.
pub(crate) fn several(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let crate::value::Value::Array(items) = draft.truth() else {
        return None;
    };
    let object = |item: &crate::value::Value| matches!(item, crate::value::Value::Object(_));
    let distinct = (1..items.len()).all(|at| !items[..at].contains(&items[at]));
    if items.len() < 2 || !distinct || !items.iter().all(object) {
        return None;
    }
    let parting = rng.pick(&["\n", "\n", "\n\n", " ", "", ",\n", ", "]);
    // What a comment ends with stays.
    let mut comment = false;
    for token in &mut draft.tokens {
        let after = std::mem::replace(&mut comment, token.raw.trim_start().starts_with(['/', '#']));
        match (token.kind, token.depth) {
            (Kind::Space, 0 | 1) if after => token.raw = "\n".to_owned(),
            (Kind::OpenArray | Kind::CloseArray, 0) | (Kind::Space, 0) => token.raw.clear(),
            (Kind::Comma, 1) => token.raw = parting.to_owned(),
            (Kind::Space, 1) => token.raw.clear(),
            _ => continue,
        }
        token.touched = true;
    }
    Some(())
}
