//! Undamaged values amid prose: whether a value that its sentence says is no answer is called a guess,
//! whether an answer stays sure, and which of several is taken.

use llmjson::syntax::Class;

use crate::answers::{ANSWERS, LISTS, OWN, PAIRS};
use crate::draft::Draft;
use crate::measure::Classes;
use crate::rng::Rng;
use crate::sentences::{COMMANDS, EXAMPLES, FOREIGN, NOUNS, RETRACTIONS, SERVICES};
use crate::value::{Value, document};
use crate::{setting, tell};

/// How many of a thousand texts have to come out as they should.
const RIGHT: usize = 970;

/// A sentence with values put into it, and these values.
fn filled(template: &str, rng: &mut Rng) -> (String, Vec<Value>) {
    let mut text = (template.replace("$N", rng.pick(NOUNS))).replace("$S", rng.pick(SERVICES));
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
struct Table {
    classes: Classes,
    fails: Vec<String>,
    texts: usize,
}

impl Table {
    fn new() -> Self {
        Self {
            classes: Classes::default(),
            fails: Vec::new(),
            texts: 0,
        }
    }

    fn add(&mut self, text: &str, truth: Option<&Value>, sure: bool) {
        let parsed = llmjson::parse(text, None);
        let value = parsed.document().root().map(Value::of);
        let class = parsed.certainty();
        let right = truth.is_none_or(|truth| value.as_ref() == Some(truth));
        let doubted = class == Class::Guess || value.is_none();
        self.texts += 1;
        if value.is_some() {
            self.classes.add(class, truth.is_some() && right);
        }
        if !right || doubted == sure {
            self.fails.push(format!("{class} {text}\n  {value:?}\n"));
        }
    }

    /// Asserts that nearly all came out as they should.
    fn check(mut self, what: &str) {
        tell(what, &self.classes);
        let right = (self.texts - self.fails.len()) * 1000 / self.texts.max(1);
        self.fails.sort_by_key(String::len);
        self.fails.truncate(setting("LLMJSON_DAMAGE_SHOW", 1) * 20);
        assert!(
            right >= RIGHT,
            "{what}: {right} of 1000\n{}",
            self.fails.join("\n")
        );
    }
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
    for (what, templates) in [
        ("examples in prose", EXAMPLES),
        ("values in commands", COMMANDS),
        ("values that are taken back", RETRACTIONS),
        ("mathematics, styles and forms", FOREIGN),
    ] {
        let mut table = Table::new();
        texts(templates, 900_000_000, |text, _| {
            table.add(text, None, false)
        });
        table.check(what);
    }
}

#[test]
fn answers_in_prose_stay_sure() {
    let mut table = Table::new();
    texts(ANSWERS, 910_000_000, |text, values| {
        table.add(text, values.first(), true)
    });
    for (text, truth) in OWN {
        let truth = llmjson::parse(truth, None).document().root().map(Value::of);
        table.add(text, truth.as_ref(), true);
    }
    let certain = table.classes.right_within(Class::Certain);
    table.check("answers in prose");
    assert!(certain >= 900, "{certain} of 1000 are certain");
}

/// How many texts came out as they should, and those that did not.
#[derive(Default)]
struct Score {
    right: usize,
    all: usize,
    fails: Vec<String>,
}

impl Score {
    fn add(&mut self, text: &str, value: Option<Value>, truth: Option<&Value>) {
        self.all += 1;
        if value.as_ref() == truth {
            self.right += 1;
        } else {
            self.fails.push(format!("{text}\n  {value:?}\n"));
        }
    }

    fn check(mut self) {
        self.fails.sort_by_key(String::len);
        self.fails.truncate(setting("LLMJSON_DAMAGE_SHOW", 1) * 20);
        let Self { right, all, fails } = self;
        let fails = fails.join("\n");
        assert!(right * 1000 >= all * RIGHT, "{right} of {all}\n{fails}");
    }
}

#[test]
fn words_tell_which_of_two_is_meant() {
    let mut score = Score::default();
    for (template, meant) in PAIRS {
        texts(&[template], 920_000_000, |text, values| {
            let parsed = llmjson::parse(text, None);
            let value = parsed.document().root().map(Value::of);
            score.add(text, value, values.get(meant - 1));
        });
    }
    score.check();
}

#[test]
fn labelled_values_are_the_items_of_a_list() {
    let schema = r#"{"type": "array", "items": {"type": "object"}}"#;
    let schema = llmjson::Schema::from_text(schema).expect("the schema compiles");
    let mut score = Score::default();
    texts(LISTS, 930_000_000, |text, values| {
        if values.iter().any(|value| matches!(value, Value::Array(_))) {
            return;
        }
        let parsed = llmjson::parse(text, Some(&schema));
        let value = parsed.document().root().map(Value::of);
        score.add(text, value, Some(&Value::Array(values.to_vec())));
    });
    score.check();
}
