//! What a model is told: where it stands, which parts it has, and how long it gets.

use super::*;

#[test]
fn feedback_goes_to_the_end_of_what_governs_and_does_not_pile_up() {
    let retry = bare_retry(&schema()).with_feedback_place(FeedbackPlace::System);
    let messages = vec![
        Message::system("First."),
        Message::user("Hi"),
        Message::new(Role::Developer, "Second."),
        Message::assistant("Yes?"),
    ];
    let first = retry.start(messages.clone());
    assert_eq!((first.messages(), first.feedback()), (&messages[..], None));
    let second = turn(first.feed(BAD));
    let third = turn(second.clone().feed("no JSON here"));
    for next in [&second, &third] {
        let (_, feedback) = next.feedback().unwrap();
        let said = next.messages();
        assert_eq!(said.len(), 4);
        assert_eq!(said[0].text, format!("First.\n\n{feedback}"));
        assert_eq!(said[2].text, format!("Second.\n\n{feedback}"));
        assert_eq!((&said[1], &said[3]), (&messages[1], &messages[3]));
    }
    let (kind, text) = third.feedback().unwrap();
    assert_eq!((kind, third.attempts()), (FeedbackKind::Syntax, 2));
    assert!(!text.contains("-4"), "{text}");

    // Nothing governs: a message of its own.
    let alone = turn(retry.start(vec![Message::user("Hi")]).feed(BAD));
    let (_, feedback) = alone.feedback().unwrap();
    let said = [Message::system(feedback), Message::user("Hi")];
    assert_eq!(alone.messages(), said);

    let retry = retry.with_feedback_place(FeedbackPlace::AtEnd(Role::User));
    let chosen = turn(retry.start(ask()).feed(BAD));
    let (_, feedback) = chosen.feedback().unwrap();
    let said = [ask(), vec![Message::user(feedback)]].concat();
    assert_eq!(chosen.messages(), said);
}

#[test]
fn each_kind_of_feedback_has_its_parts() {
    let retry = bare_retry(&schema()).with_feedback_place(FeedbackPlace::System);
    let (kind, text) = told_about(&retry, BAD);
    assert_eq!(kind, FeedbackKind::Validation);
    for part in [
        r#""age": -4, // ❌ [{"path":"$input.age","expected":"integer & Minimum<0>"}]"#,
        "- $input.age: expected integer & Minimum<0>",
        "Your previous answer:\n```\n{\"age\": -4, \"name\": \"Ada\"}\n```",
        r#""minimum":0"#,
        "\n5. ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("\n6. "));

    let strict = retry.clone().with_policy(Policy::strict());
    let (kind, text) = told_about(&strict, "{\n  'age': 36, \"name\": \"Ada\"}");
    assert_eq!(kind, FeedbackKind::Syntax);
    for part in [
        "- line 2, column 3: ",
        "(other_quotes)",
        r#""minimum":0"#,
        "\n6. ",
        "Good: {",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(text.matches("\nBad, ").count(), 3);

    let (kind, text) = told_about(&retry, "I cannot say.");
    assert_eq!(kind, FeedbackKind::Syntax);
    assert!(
        text.contains("- the reply holds no JSON value; expected: "),
        "{text}"
    );

    let (kind, text) = told_about(&retry, " \n");
    assert_eq!(kind, FeedbackKind::Other);
    assert!(
        text.contains("the text is empty") && !text.contains("previous answer:"),
        "{text}"
    );

    let small = Policy::lenient().with_limits(Limits::DEFAULT.with_input_bytes(8));
    let (kind, text) = told_about(&retry.with_policy(small), GOOD);
    assert_eq!(kind, FeedbackKind::Other);
    assert!(
        text.contains("Your previous answer:\n```\n{\"age\": 36"),
        "{text}"
    );
}

#[test]
fn a_long_answer_is_quoted_in_part_and_in_a_fence_of_its_own() {
    let retry = bare_retry(&schema()).with_feedback_place(FeedbackPlace::System);
    let reply = format!(
        "```````json\n{{\"age\": -1, \"name\": \"{}\"}}\n```````",
        "ü".repeat(600)
    );
    let (_, text) = told_about(&retry, reply.as_str());
    let (_, quoted) = text
        .split_once("Your previous answer:\n````````\n")
        .unwrap();
    let (quoted, _) = quoted.split_once("\n````````\n").unwrap();
    let begins: String = reply.chars().take(500).collect();
    assert_eq!(quoted, format!("{begins}…"));

    let retry = retry.with_annotated_bytes_max(200);
    let (_, text) = told_about(
        &retry,
        format!(r#"{{"age": -1, "name": "{}"}}"#, "x".repeat(9000)),
    );
    assert!(text.len() < 3000, "{}", text.len());
}

#[test]
fn the_first_request_has_the_schema_unless_it_goes_elsewhere() {
    let retry = Retry::new(&schema()).with_feedback_place(FeedbackPlace::System);
    let first = retry.start(ask());
    let text = &first.messages()[0].text;
    assert!(
        text.starts_with("You are terse.\n\nAnswer with one JSON value"),
        "{text}"
    );
    assert!(text.contains(r#""minimum":0"#));
    let second = turn(first.feed(BAD));
    assert!(
        !second.messages()[0]
            .text
            .contains("Answer with one JSON value that satisfies this")
    );
    // A request that holds the schema needs no words for it.
    let structured = retry.with_schema_in(SchemaIn::Request).start(ask());
    assert_eq!(structured.messages(), ask());
}

#[test]
fn the_reply_stands_before_its_feedback_and_roles_alternate() {
    let retry = bare_retry(&schema());
    let small = Policy::lenient().with_limits(Limits::DEFAULT.with_input_bytes(600));
    let long = "x".repeat(601);
    let cut = format!("{}…", &long[..500]);
    let prefill = [ask(), vec![Message::assistant("{\"age\": ")]].concat();
    let tool = [
        ask(),
        vec![Message::assistant("Calls."), Message::new(Role::Tool, "7")],
    ]
    .concat();
    // Messages, reply, the message of the assistant.
    let table = [
        (ask(), BAD, BAD),
        (ask(), "no\n", "no\n"),
        (ask(), " \n", "(no answer)"),
        (ask(), &*long, &*cut),
        (prefill.clone(), "-4}", "{\"age\": -4}"),
        (prefill, "", "{\"age\": "),
        (tool, BAD, BAD),
    ];
    for (messages, reply, said) in table {
        let retry = retry.clone().with_policy(small.clone());
        let next = turn(retry.start(messages.clone()).feed(reply));
        let (_, feedback) = next.feedback().unwrap();
        let told = [Message::assistant(said), Message::user(feedback)];
        assert_eq!(next.messages()[next.messages().len() - 2..], told);
        let given = messages
            .iter()
            .filter(|one| one.text != "{\"age\": ")
            .count();
        assert_eq!(next.messages()[..given], messages[..given]);
        assert_eq!(next.messages().len(), given + 2);
    }
}

#[test]
fn the_schema_is_told_once_and_nothing_is_quoted() {
    // Where the schema is, replies, in which messages it is told.
    let table: [(SchemaIn, &[&str], &[usize]); 4] = [
        (SchemaIn::Feedback, &[BAD, "no", BAD], &[3]),
        (SchemaIn::Feedback, &["", BAD, BAD], &[5]),
        (SchemaIn::Prompt, &[BAD, "no", ""], &[0]),
        (SchemaIn::Request, &[BAD, BAD], &[3]),
    ];
    for (schema_in, replies, told) in table {
        let retry = Retry::new(&schema())
            .with_schema_in(schema_in)
            .with_max_retries(9);
        let mut next = retry.start(ask());
        for reply in replies {
            next = turn(next.feed(*reply));
        }
        let messages = next.messages().iter().enumerate();
        let found = messages.filter(|(_, one)| one.text.contains(r#""minimum":0"#));
        assert_eq!(found.map(|(at, _)| at).collect::<Vec<_>>(), told);
        let quotes = |one: &Message| one.text.contains("Your previous answer:\n");
        assert!(!next.messages().iter().any(quotes));
    }
    // Told in words once the server refuses it, unless feedback has told it.
    for (reply, system) in [
        (BAD, "You are terse."),
        ("", "You are terse.\n\nAnswer with one JSON"),
    ] {
        let retry = Retry::new(&schema()).with_schema_in(SchemaIn::Request);
        let next = turn(retry.start(ask()).feed(reply));
        let next = turn(next.feed(Reply::structured_output_refused()));
        assert!(next.messages()[0].text.starts_with(system));
        assert_eq!(next.messages()[0].text.len() > 99, reply.is_empty());
    }
}

#[test]
fn a_whole_conversation() {
    let retry = bare_retry(&schema()).with_check(|person: &Value, issues| {
        if person["name"] == "Ada" {
            issues.reject("name", "Write the family name, too.");
        }
    });
    let mut next = retry.start(ask());
    for reply in [BAD, GOOD] {
        next = turn(next.feed(reply));
    }
    let said = next.messages().iter();
    let said = said.map(|one| format!("== {} ==\n{}\n", one.role.name(), one.text));
    insta::assert_snapshot!(said.collect::<String>());
}
