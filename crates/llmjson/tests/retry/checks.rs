//! What checks of the caller's own and serde reject, and conversations that begin with a reply.

use llmjson::report::{Found, Violation};
use serde::Deserialize;

use super::*;

#[derive(Debug, Deserialize, PartialEq)]
struct Person {
    age: u8,
    name: Name,
    #[serde(default)]
    friends: Vec<Friend>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(try_from = "String")]
struct Name(String);

impl TryFrom<String> for Name {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, &'static str> {
        match name.contains(' ') {
            true => Err("Give the first name alone."),
            false => Ok(Self(name)),
        }
    }
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Friend {
    Cat,
    Dog { age: u8 },
}

fn checked() -> Retry {
    bare_retry(&schema())
        .with_check(|person: &Person, issues| {
            if person.age == 99 {
                issues.reject("/age", "Nobody is that old.");
            }
            for (at, friend) in person.friends.iter().enumerate() {
                if let Friend::Dog { age: 40.. } = friend {
                    issues.reject(&format!("/friends/{at}/dog/age"), "No dog gets that old.");
                }
            }
        })
        .with_check(|value: &Value, issues| {
            if value["name"] == "Bob" && value.get("nickname").is_none() {
                issues.reject("nickname", "Bob needs a nickname.");
            }
        })
}

fn line(violation: &Violation) -> String {
    let found = match violation.found {
        Found::Value(_) => "",
        Found::Missing => ", found nothing",
    };
    let (path, expected, keyword) = (&violation.path, &violation.expected, violation.keyword);
    format!("{path} ({keyword}): {expected}{found}")
}

#[test]
fn what_a_check_or_serde_rejects_is_told_and_asked_again() {
    // Reply, violations, what the error says.
    let table: &[(&str, &[&str], &str)] = &[
        (
            r#"{"age": 99, "name": "Ada"}"#,
            &["$input.age (check_failed): Nobody is that old."],
            "Nobody is that old, found 99 at $input.age, line 1 column 9",
        ),
        (
            r#"{"age": 99, "name": "Bob", "friends": ["cat", {"dog": {"age": 50}}]}"#,
            &[
                "$input.age (check_failed): Nobody is that old.",
                "$input.friends[1].dog.age (check_failed): No dog gets that old.",
                "$input.nickname (check_failed): Bob needs a nickname., found nothing",
            ],
            "Nobody is that old, found 99 at $input.age, line 1 column 9 (and 2 more)",
        ),
        (
            r#"{"age": 300, "name": "Ada"}"#,
            &["$input.age (deserialize): integer & Minimum<0>"],
            "expected u8, found integer `300` at $input.age, line 1 column 9",
        ),
        (
            r#"{"age": 3, "name": "Ada Byron"}"#,
            &["$input.name (deserialize): string"],
            "Give the first name alone, found \"Ada Byron\" at $input.name, line 1 column 21",
        ),
        (
            r#"{"age": 3, "name": "Ada", "friends": ["cow"]}"#,
            &["$input.friends[0] (type): `cat` or `dog`"],
            "expected `cat` or `dog`, found \"cow\" at $input.friends[0], line 1 column 40",
        ),
        (
            r#"{"age": 3, "name": "Ada", "friends": [{"dog": {}}]}"#,
            &["$input.friends[0].dog.age (check_failed): missing member `age`, found nothing"],
            "missing member `age`, found nothing at $input.friends[0].dog.age, line 1 column 47",
        ),
        // The schema comes first: a check sees only what satisfies it.
        (
            r#"{"age": -99, "name": "Bob"}"#,
            &["$input.age (minimum): integer & Minimum<0>"],
            "expected integer & Minimum<0>, found -99 at $input.age, line 1 column 9",
        ),
    ];
    // The same type twice says the same only once.
    let retry = checked().with_type::<Person>();
    for (reply, violations, sentence) in table {
        let next = turn(retry.start(ask()).feed(*reply));
        let (kind, feedback) = next.feedback().unwrap();
        assert_eq!(kind, FeedbackKind::Validation);
        let fits = !violations.iter().all(|one| one.contains("(check_failed)"));
        let begins = ["is rejected.", "does not fit the schema."][usize::from(fits)];
        assert!(feedback.starts_with(&format!("Your previous answer {begins}")));
        let error = failed(retry.clone().with_max_retries(0).start(ask()).feed(*reply));
        let found = error.failure().unwrap().violations();
        assert_eq!(found.iter().map(line).collect::<Vec<_>>(), *violations);
        for violation in found {
            let marked =
                json!({"path": violation.path.to_string(), "expected": &*violation.expected});
            let (path, expected) = (&marked["path"], &marked["expected"]);
            let mark = format!(r#"{{"path":{path},"expected":{expected}"#);
            assert_eq!(feedback.matches(&mark).count(), 1, "{mark}\n{feedback}");
            let is_sentence = violation.keyword == "check_failed";
            let expected = if is_sentence { "" } else { "expected " };
            let reason = match violation.description.as_deref() {
                Some(reason) if violation.keyword == "deserialize" => format!(" ({reason})"),
                _ => String::new(),
            };
            let (path, wanted) = (&violation.path, &violation.expected);
            let listed = format!("\n- {path}: {expected}{wanted}{reason}\n");
            assert!(feedback.contains(&listed), "{listed}\n{feedback}");
        }
        assert_eq!(
            error.to_string(),
            format!("max_retries_reached after 1 reply: {sentence}")
        );
        let unchecked = retry.clone().without_checks().start(ask()).feed(*reply);
        assert_eq!(matches!(unchecked, Next::Done(_)), !reply.contains("-99"));
    }
}

#[test]
fn answers_are_values_of_the_callers_type() {
    let mut replies = Replies::new([
        r#"{"age": 300, "name": "Ada"}"#,
        r#"{"age": 99, "name": "Ada"}"#,
        "{'age': '36', name: 'Ada', friends: ['cat']}",
    ]);
    let answer = run(&checked(), &mut replies).unwrap();
    let person = Person {
        age: 36,
        name: Name("Ada".to_owned()),
        friends: vec![Friend::Cat],
    };
    assert_eq!(
        (answer.deserialize::<Person>().unwrap(), answer.attempts),
        (person, 3)
    );

    // The caller's own value is not checked.
    let fallback = json!({"age": 99, "name": "Bob"});
    let retry = checked().with_max_retries(0).with_fallback(fallback);
    let answer = run(&retry, &mut Replies::new(["no"])).unwrap();
    assert!(answer.is_fallback);
    let retry = retry.without_fallback();
    assert!(run(&retry, &mut Replies::new(["no"])).is_err());
}

#[test]
fn a_conversation_may_begin_with_a_reply() {
    // Reply at hand, how often the model is asked, how many replies there are.
    for (at_hand, asked, attempts) in [(GOOD, 0, 1), (BAD, 1, 2), ("", 1, 2)] {
        let mut replies = Replies::new([GOOD]);
        let next = checked().start(ask()).feed(at_hand);
        let answer = next.run(|turn| Ok::<_, Infallible>(replies.answer(&turn)));
        assert_eq!(
            (replies.asked.len(), answer.unwrap().attempts),
            (asked, attempts)
        );
    }
    let next = checked().with_max_retries(0).start(ask()).feed(BAD);
    let error = next.run(|_| Ok::<_, Infallible>(GOOD)).unwrap_err();
    assert_eq!(error.code(), "max_retries_reached");
}
