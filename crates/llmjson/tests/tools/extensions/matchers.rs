//! What matchers rename, and what they leave.

use llmjson_testutil::Table;
use llmjson_testutil::table::list;

use super::*;

#[test]
fn unambiguous_matches_are_renamed() {
    for section in Table::all(include_str!("matchers.txt")) {
        let schema = section.setting("schema").expect("a schema");
        let schema: Value = serde_json::from_str(schema).expect("JSON");
        for [arguments, bound, wrong] in section.rows() {
            let report = contract(fuzzy(), &schema).report(arguments);
            assert_eq!(report.canonical_arguments(), bound, "{arguments}");
            assert_eq!(issues(&report), list(wrong), "{arguments}");
            let again = contract(fuzzy(), &schema).report(bound);
            assert_eq!(again.canonical_arguments(), bound, "again: {bound}");
        }
    }
}

#[test]
fn a_bind_by_a_matcher_is_uncertain_and_complete() {
    #[derive(Debug, serde::Deserialize)]
    struct Call {
        phone_number: String,
        text: String,
        times: u8,
    }

    let schema = json!({"type": "object", "properties": {
        "phone_number": {"type": "string"}, "phone_owner": {"type": "string"},
        "text": {"type": "string"}, "times": {"type": "integer"}
    }, "required": ["phone_number", "text", "times"]});
    let contract = contract(fuzzy(), &schema);
    let arguments = r#"{"phone_numbr": "1", "TEXT": "hi", "times": "3"}"#;
    let Err(BindError::Uncertain(bound)) = contract.bind::<Call>(arguments) else {
        panic!("a bind that has to be looked at");
    };
    let Call {
        phone_number,
        text,
        times,
    } = &bound.value;
    assert_eq!(
        (phone_number.as_str(), text.as_str(), *times),
        ("1", "hi", 3)
    );
    let report = &bound.report;
    assert!(report.is_ok() && report.is_uncertain() && report.has_repairs());
    assert_eq!(report.certainty(), llmjson::syntax::Class::Guess);

    // Of all repairs, only this one is uncertain.
    assert_eq!(report.repairs().len(), 3);
    let [entry] = &report.uncertain()[..] else {
        panic!("one uncertain member");
    };
    assert_eq!(entry.layer, Some(Layer::Fuzzy));
    assert_eq!(entry.status, FieldStatus::Uncertain);
    let place = |path: &Option<llmjson::report::Path>| path.as_ref().map(ToString::to_string);
    assert_eq!(
        place(&entry.input_path).as_deref(),
        Some("$input.phone_numbr")
    );
    assert_eq!(
        place(&entry.field_path).as_deref(),
        Some("$input.phone_number")
    );
    assert_eq!(entry.score, Some(1.0 - 1.0 / 11.0));
    let (runner_up, score) = entry.runner_up.as_ref().expect("a next best member");
    assert_eq!(runner_up, "phone_owner");
    assert!(*score > 0.4 && *score < 0.8, "{score}");
    let explained = report.explain();
    assert!(
        explained.contains("$input.phone_numbr was taken for $input.phone_number."),
        "{explained}"
    );
    let written = serde_json::to_value(report).expect("a report");
    assert_eq!(written["uncertain"], true);
    assert_eq!(written["fields"][0]["runner_up"][0], "phone_owner");
}

#[test]
fn matchers_are_called_in_order() {
    let schema = object(&json!({
        "mail": {"type": "string", "format": "email"}, "city": {"type": "string"},
        "phone": {"type": "string", "pattern": "^[0-9]+$"}
    }));
    let extensions = Extensions::new()
        .with_matcher(Fuzzy::new().with_threshold(0.7))
        .with_matcher(Semantic::new().with_synonyms(["phone", "mobile"]))
        .with_matcher(Contextual::new().with_threshold(0.9));
    let arguments = r#"{"citty": "Oslo", "mobile": "1", "whom": "a@example.com"}"#;
    let report = contract(extensions, &schema).report(arguments);
    let layers = report.uncertain();
    let layers: Vec<_> = layers.iter().map(|entry| entry.layer).collect();
    let wanted = [Layer::Fuzzy, Layer::Semantic, Layer::Contextual];
    assert_eq!(layers, wanted.map(Some));
    assert_eq!(
        report.canonical_arguments(),
        r#"{"city":"Oslo","phone":"1","mail":"a@example.com"}"#
    );
}

#[test]
fn first_matchers_come_before_the_built_in_comparison() {
    let schema = object(&json!({
        "phone_number": {"type": "string"}, "fax_number": {"type": "string"}, "n": {"type": "integer"}
    }));
    let pairs = || Pairs(&[("phone", "fax_number", 0.9)]);
    let arguments = r#"{"phone": "1", "N": "2"}"#;
    for (extensions, bound, layer) in [
        (
            Extensions::new().with_matcher(pairs()),
            r#"{"phone_number":"1","n":2}"#,
            Layer::DerivedKey,
        ),
        (
            Extensions::new().with_first_matcher(pairs()),
            r#"{"fax_number":"1","n":2}"#,
            Layer::Custom,
        ),
    ] {
        let report = contract(extensions, &schema).report(arguments);
        assert_eq!(report.canonical_arguments(), bound);
        let fields = report.fields();
        assert_eq!(fields[0].layer, Some(layer));
        assert_eq!(fields[1].layer, Some(Layer::Normalized));
    }
}

#[test]
fn undeclared_members_are_handled_after_the_matchers() {
    let schema = object(&json!({"city": {"type": "string"}, "country": {"type": "string"}}));
    let closed = json!({"type": "object", "properties": {"country": {"type": "string"}},
        "additionalProperties": false});
    let arguments = r#"{"countri": "NO", "mood": "x"}"#;
    let table = [
        (
            Undeclared::Reject,
            &schema,
            r#"{"country":"NO","mood":"x"}"#,
            false,
        ),
        (
            Undeclared::Keep,
            &schema,
            r#"{"country":"NO","mood":"x"}"#,
            true,
        ),
        (
            Undeclared::Keep,
            &closed,
            r#"{"country":"NO","mood":"x"}"#,
            false,
        ),
        (
            Undeclared::KeepForbidden,
            &closed,
            r#"{"country":"NO","mood":"x"}"#,
            true,
        ),
        (Undeclared::Drop, &schema, r#"{"country":"NO"}"#, true),
        (Undeclared::Drop, &closed, r#"{"country":"NO"}"#, true),
    ];
    for (unknown, schema, bound, is_ok) in table {
        let tool = Tool::new("t", "A tool.").with_undeclared(unknown);
        let report = contract_of(tool, fuzzy(), schema).report(arguments);
        assert_eq!(report.canonical_arguments(), bound, "{unknown:?}");
        assert_eq!(report.is_ok(), is_ok, "{unknown:?}");
        assert!(report.is_uncertain(), "{unknown:?}");
    }
}

#[test]
fn no_name_is_guessed_for_a_member_that_is_accepted_as_it_is() {
    let schema = object(&json!({"address": {
        "type": "object", "properties": {"zip": {"type": "string"}}, "required": ["zip"]
    }}));
    let arguments = r#"{"adress": {"street": "x"}}"#;
    for (unknown, bound, wrong) in [
        (Undeclared::Drop, "{}", &[][..]),
        (Undeclared::Keep, arguments, &[]),
        (
            Undeclared::Reject,
            r#"{"address":{"street":"x"}}"#,
            &[
                "$input.address.street unknown_field",
                "$input.address.zip missing_required",
            ],
        ),
    ] {
        let tool = Tool::new("t", "A tool.").with_undeclared(unknown);
        let report = contract_of(tool, fuzzy(), &schema).report(arguments);
        let bound = bound.replace(' ', "");
        assert_eq!(report.canonical_arguments(), bound, "{unknown:?}");
        assert_eq!(issues(&report), wrong, "{unknown:?}");
    }
}

#[test]
fn a_default_does_not_prevent_renaming() {
    let country = json!({"type": "string", "default": "SE"});
    let schema = object(&json!({"country": country, "unit": {"type": "string", "default": "C"}}));
    let matchers = [fuzzy(), Extensions::new().with_first_matcher(Fuzzy::new())];
    for extensions in matchers {
        let tool = Tool::new("t", "A tool.").with_defaults();
        let report = contract_of(tool, extensions, &schema).report(r#"{"countri": "NO"}"#);
        assert_eq!(
            report.canonical_arguments(),
            r#"{"country":"NO","unit":"C"}"#
        );
    }
}

#[test]
fn exact_names_stay_exact() {
    let schema = object(&json!({"country": {"type": "string"}}));
    for tool in [
        Tool::new("t", "A tool.").with_matching(MatchingMode::Exact),
        Tool::new("t", "A tool.").with_policy(Policy::exact()),
    ] {
        // A contract may reject such a tool.
        let extensions = fuzzy().with_first_matcher(Fuzzy::new());
        let Ok(contract) = Contract::new(tool.with_extensions(extensions), &schema) else {
            continue;
        };
        let report = contract.report(r#"{"countri": "NO"}"#);
        assert_eq!(report.canonical_arguments(), r#"{"countri":"NO"}"#);
        assert!(!report.is_ok() && !report.is_uncertain());
    }
}

#[test]
fn contextual_matches_values_by_their_shape() {
    let schema = json!({"type": "object", "properties": {
        "email": {"type": "string", "format": "email"},
        "site": {"type": "string", "format": "uri"},
        "unit": {"enum": ["C", "F"]},
        "count": {"type": "integer", "minimum": 1},
        "share": {"type": "number", "maximum": 0.5},
        "note": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}}
    }, "required": ["count"]});
    // The value, and the field that it is bound to, if any.
    let table = [
        (r#""a@example.com""#, Some("email")),
        (r#""https://example.com""#, Some("site")),
        (r#""F""#, Some("unit")),
        ("3", Some("count")),
        ("0", None),
        ("0.25", None),
        (r#""some words""#, None),
        (r#"["a"]"#, None),
        ("null", None),
        ("true", None),
    ];
    for (value, member) in table {
        let extensions = Extensions::new().with_matcher(Contextual::new());
        let report = contract(extensions, &schema).report(&*format!(r#"{{"x": {value}}}"#));
        let bound: Value = serde_json::from_str(&report.canonical_arguments()).expect("JSON");
        let names: Vec<_> = bound.as_object().into_iter().flatten().collect();
        assert_eq!(names[0].0, member.unwrap_or("x"), "{value}");
    }
}
