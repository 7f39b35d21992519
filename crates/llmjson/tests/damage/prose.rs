//! Undamaged values amid prose: whether a value that its sentence says is no answer is called a guess,
//! whether an answer stays sure, and which of several is taken.

use llmjson::syntax::Class;

use crate::draft::Draft;
use crate::measure::Classes;
use crate::report;
use crate::value::{Value, document};
use llmjson_testutil::table::{Lines, lines, section};
use llmjson_testutil::{Rng, Tally, setting};

/// Sentences around values.
const FILE: &str = include_str!("sentences.txt");

static NOUNS: Lines = Lines::new(|| lines(FILE, "nouns"));
static SERVICES: Lines = Lines::new(|| lines(FILE, "services"));

/// How many of a thousand texts have to come out as they should.
const RIGHT: usize = 970;

/// A sentence with values put into it, and these values.
fn filled(template: &str, rng: &mut Rng) -> (String, Vec<Value>) {
    let mut text = (template.replace("$N", rng.pick(&NOUNS))).replace("$S", rng.pick(&SERVICES));
    let mut values: Vec<Value> = Vec::new();
    while text.contains("$V") {
        let value = document(rng);
        let draft = Draft::new(&value, rng);
        let written = draft.text().text;
        // A quotation mark ends the quotation that a command stands in.
        let (quoted, inline) = (template.contains("'$V"), template.contains("`$V"));
        let small = written.len() < 400 && !(quoted && written.contains('\''));
        if !small
            || written.contains("$V")
            || inline && written.contains(['`', '\n'])
            || values.contains(&value)
        {
            continue;
        }
        text = text.replacen("$V", &written, 1);
        values.push(draft.truth());
    }
    (text, values)
}

/// A list of templates and what has to hold for each text that is made of one.
#[derive(Default)]
struct Table {
    classes: Classes,
    tally: Tally,
}

impl Table {
    fn add(&mut self, text: &str, truth: Option<&Value>, sure: bool) {
        let parsed = llmjson::parse(text, None);
        let value = parsed.document().root().map(crate::value::read);
        let class = parsed.certainty();
        let right = truth.is_none_or(|truth| value.as_ref() == Some(truth));
        let doubted = class == Class::Guess || value.is_none();
        if value.is_some() {
            self.classes.add(class, truth.is_some() && right);
        }
        let is_right = right && doubted != sure;
        self.tally
            .add(is_right, false, || format!("{class} {text}\n  {value:?}\n"));
    }

    /// Asserts that nearly all came out as they should.
    fn check(self, what: &str) {
        report(what, &self.classes);
        check(self.tally, what);
    }
}

/// Asserts that nearly all results are right.
fn check(mut tally: Tally, what: &str) {
    let fails = tally.shortest(setting("LLMJSON_DAMAGE_SHOW", 1) * 20);
    assert!(tally.is_right_in(RIGHT), "{}{fails}", tally.row(what));
}

/// Adds whether a text has this value.
fn add(tally: &mut Tally, text: &str, schema: Option<&llmjson::Schema>, truth: Option<&Value>) {
    let parsed = llmjson::parse(text, schema);
    let value = parsed.document().root().map(crate::value::read);
    tally.add(value.as_ref() == truth, false, || {
        format!("{text}\n  {value:?}\n")
    });
}

fn texts(templates: &[&str], offset: u64, mut each: impl FnMut(&str, &[Value])) {
    let count = setting("LLMJSON_DAMAGE_DOCS", 200) / 20;
    for (index, template) in templates.iter().enumerate() {
        for seed in 0..count {
            let mut rng = Rng::new(offset + (index * 1000 + seed) as u64);
            let (text, values) = filled(template, &mut rng);
            each(&text, &values);
        }
    }
}

#[test]
fn what_is_no_answer_is_a_guess() {
    for what in [
        "examples in prose",
        "values in commands",
        "values that are taken back",
        "mathematics, styles and forms",
    ] {
        let mut table = Table::default();
        texts(&lines(FILE, what), 900_000_000, |text, _| {
            table.add(text, None, false)
        });
        table.check(what);
    }
}

#[test]
fn answers_in_prose_stay_sure() {
    let mut table = Table::default();
    texts(&lines(FILE, "answers"), 910_000_000, |text, values| {
        table.add(text, values.first(), true)
    });
    for [text, truth] in section(FILE, "texts with their values").rows() {
        let truth = llmjson::parse(truth, None)
            .document()
            .root()
            .map(crate::value::read);
        table.add(text, truth.as_ref(), true);
    }
    let certain = table.classes.right_within(Class::Certain);
    table.check("answers in prose");
    assert!(certain >= 900, "{certain} of 1000 are certain");
}

#[test]
fn words_tell_which_of_two_is_meant() {
    let mut tally = Tally::default();
    for [template, meant] in section(FILE, "pairs").rows() {
        let meant: usize = meant.parse().expect("a number");
        texts(&[template], 920_000_000, |text, values| {
            add(&mut tally, text, None, values.get(meant - 1));
        });
    }
    check(tally, "pairs");
}

#[test]
fn labelled_values_are_the_items_of_a_list() {
    let schema = r#"{"type": "array", "items": {"type": "object"}}"#;
    let schema = llmjson::Schema::from_text(schema).expect("the schema compiles");
    let mut tally = Tally::default();
    let templates = lines(FILE, "lists of labelled values");
    texts(&templates, 930_000_000, |text, values| {
        if values.iter().any(|value| matches!(value, Value::Array(_))) {
            return;
        }
        let truth = Value::Array(values.to_vec());
        add(&mut tally, text, Some(&schema), Some(&truth));
    });
    check(tally, "lists");
}
