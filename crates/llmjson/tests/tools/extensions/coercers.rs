//! What coercers and normalizers convert.

use super::*;
use llmjson_testutil::table::{list, rows_of};

/// The rows of the tests.
const FILE: &str = include_str!("coercers.txt");

/// Converts `{"$": text}` and strings that begin with `=`; refuses `?`; panics at `!`.
struct Dollars;

impl Coercer for Dollars {
    fn name(&self) -> &str {
        "dollars"
    }

    fn coerce(&self, value: ValueRef<'_>, field: &Field<'_>) -> Coerced {
        if let Some(inner) = value.get("$") {
            return Coerced::Value(json!(inner.as_str().unwrap_or_default()));
        }
        match value.as_str().as_deref() {
            Some("?") => Coerced::Refused(format!("Nobody knows the {}.", field.name())),
            Some("!") => panic!("{} is out of order", field.name()),
            Some("list") => Coerced::Value(json!([{"n": "7"}])),
            Some("10") => Coerced::Value(json!(10.5)),
            Some(text) => match text.strip_prefix('=') {
                Some(rest) => Coerced::Value(json!(rest)),
                None => Coerced::NotMine,
            },
            None => Coerced::NotMine,
        }
    }
}

fn prices() -> Value {
    json!({"type": "object", "properties": {
        "price": {"type": "number"},
        "name": {"type": "string"},
        "lines": {"type": "array", "items": {
            "type": "object", "properties": {"n": {"type": "integer"}}
        }}
    }})
}

#[test]
fn coercers_come_before_the_built_in_coercion() {
    // The changes are path, names, before, after.
    for [arguments, bound, wrong, changes] in
        rows_of(FILE, "coercers come before the built in coercion")
    {
        let wrong = list(wrong);
        let changes = list(changes);
        let contract = contract(Extensions::new().with_coercer(Dollars), &prices());
        let report = contract.report(arguments);
        assert_eq!(report.canonical_arguments(), bound, "{arguments}");
        assert_eq!(issues(&report), wrong, "{arguments}");
        let shown = report.repairs().into_iter().map(|entry| {
            let text = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            let path = entry.field_path.map(|path| path.to_string());
            let (before, after) = (text(entry.before), text(entry.after));
            format!(
                "{} {} {before} {after}",
                text(path),
                entry.changes.join(",")
            )
        });
        assert_eq!(shown.collect::<Vec<_>>(), changes, "{arguments}");
        assert_eq!(report.has_repairs(), !changes.is_empty(), "{arguments}");
        assert!(!report.is_uncertain());
    }
}

/// Converts whole amounts to cents.
struct Cents;

impl Coercer for Cents {
    fn name(&self) -> &str {
        "cents"
    }

    fn coerce(&self, value: ValueRef<'_>, field: &Field<'_>) -> Coerced {
        match (field.schema().get("x-cents"), value.as_i64()) {
            (Some(_), Some(amount)) => Coerced::Value(json!(amount * 100)),
            _ => Coerced::NotMine,
        }
    }
}

#[test]
fn coercers_are_called_once_for_each_member_under_its_final_name() {
    let cents = json!({"type": "integer", "multipleOf": 100, "x-cents": true});
    let schema = object(&json!({
        "price": cents, "fee": cents, "total": cents,
        "lines": {"type": "array", "items": {"type": "object", "properties": {"amount": cents}}},
        "discount": cents
    }));
    let extensions = Extensions::new()
        .with_first_matcher(Pairs(&[("cost", "total", 1.0)]))
        .with_matcher(Fuzzy::new())
        .with_coercer(Cents);
    let report = contract(extensions, &schema).report(
        r#"{"price": 3, "FEE": 4, "cost": 5, "linnes": [{"AMOUNT": 6}, {"amountt": 7}], "diskount": 8}"#,
    );
    assert_eq!(issues(&report), [""; 0]);
    assert_eq!(
        report.canonical_arguments(),
        r#"{"price":300,"fee":400,"total":500,"lines":[{"amount":600},{"amount":700}],"discount":800}"#
    );
    let fields = report.fields();
    let shown = fields.iter().map(|entry| {
        let path = entry.field_path.as_ref().map(ToString::to_string);
        let layer = entry.layer.map_or("-", Layer::name);
        let (path, changes) = (path.unwrap_or_default(), entry.changes.join(","));
        format!("{path} {layer} {changes}")
    });
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            "$input.price exact cents",
            "$input.fee normalized key_spelling,cents",
            "$input.total custom cents",
            "$input.lines fuzzy ",
            "$input.discount fuzzy cents",
            "$input.lines[0].amount normalized key_spelling,cents",
            "$input.lines[1].amount fuzzy cents",
        ]
    );
}

#[test]
fn a_coercer_is_called_once_beside_a_member_that_a_later_round_renamed() {
    let cents = json!({"type": "integer", "x-cents": true});
    let cart = object(&json!({"note": {"type": "string"}, "price": cents}));
    let extensions = Extensions::new()
        .with_first_matcher(Pairs(&[("basket", "cart", 1.0), ("remark", "note", 1.0)]))
        .with_coercer(Cents);
    let report = contract(extensions, &object(&json!({"cart": cart})))
        .report(r#"{"basket": {"remark": "x", "price": 3}}"#);
    assert_eq!(
        report.canonical_arguments(),
        r#"{"cart":{"note":"x","price":300}}"#
    );
}

#[test]
fn members_are_renamed_if_only_an_extension_can_convert_the_value() {
    let digits = |text: &str| Some(text.chars().filter(char::is_ascii_digit).collect());
    let phone = json!({"type": "string", "format": "phone", "pattern": "^[0-9]+$"});
    let schema = object(&json!({"phoneNumber": phone, "faxNumber": phone}));
    let bound = Some(r#"{"phoneNumber":"12"}"#);
    let table = [
        ("phoneNumber", bound, Layer::Exact),
        ("phone_number", bound, Layer::Normalized),
        ("phone", bound, Layer::DerivedKey),
        ("phoneNumbr", bound, Layer::Fuzzy),
        ("number", None, Layer::Exact),
    ];
    for (name, bound, layer) in table {
        for unknown in [Undeclared::Reject, Undeclared::Keep, Undeclared::Drop] {
            let extensions = fuzzy().with_normalizer("phone", digits);
            let tool = Tool::new("t", "A tool.").with_undeclared(unknown);
            let report = contract_of(tool, extensions, &schema).report(&json!({name: "1-2"}));
            let arguments = report.canonical_arguments();
            let Some(bound) = bound else {
                assert!(
                    !arguments.contains("12"),
                    "{name}, {unknown:?}: {arguments}"
                );
                continue;
            };
            assert_eq!(arguments, bound, "{name}, {unknown:?}");
            assert!(report.is_ok(), "{name}, {unknown:?}");
            let fields = report.fields();
            assert_eq!(fields[0].layer, Some(layer), "{name}, {unknown:?}");
            assert_eq!(
                fields[0].before.as_deref(),
                Some("\"1-2\""),
                "{name}, {unknown:?}"
            );
            assert_eq!(report.is_uncertain(), layer == Layer::Fuzzy);
        }
    }
}

#[test]
fn a_member_is_not_renamed_if_a_coercer_refuses_its_value() {
    let schema = object(&json!({"street": {"type": "string"}, "lines": {"type": "array"}}));
    let table = [
        (r#"{"streeet": "?"}"#, "$input.streeet unknown_field", false),
        (r#"{"street": "?"}"#, "$input.street type_mismatch", false),
        (r#"{"streeet": "=x"}"#, "", true),
    ];
    for (arguments, wrong, is_uncertain) in table {
        let report = contract(fuzzy().with_coercer(Dollars), &schema).report(arguments);
        assert_eq!(issues(&report).join(", "), wrong, "{arguments}");
        assert_eq!(report.is_uncertain(), is_uncertain, "{arguments}");
    }
}

#[test]
fn refusals_and_panics_are_reported_with_their_reason() {
    let contract = contract(Extensions::new().with_coercer(Dollars), &prices());
    let report = contract.report(r#"{"price": "?", "name": "!"}"#);
    let messages: Vec<_> = report
        .issues()
        .iter()
        .map(|issue| &*issue.message)
        .collect();
    assert!(
        messages.contains(&"Nobody knows the price."),
        "{messages:?}"
    );
    assert!(
        messages.contains(
            &"The tool failed here: the coercer `dollars` panicked: name is out of order."
        ),
        "{messages:?}"
    );
    let explained = report.explain();
    assert!(explained.contains("Nobody knows the price."), "{explained}");
    let error = contract
        .bind_value(r#"{"name": "!"}"#)
        .expect_err("a failure");
    assert!(!error.is_retryable());
}

#[test]
fn texts_of_a_format_are_normalized_at_every_depth() {
    let digits = |text: &str| {
        assert!(text != "panic", "no such number");
        Some(text.chars().filter(char::is_ascii_digit).collect())
    };
    let phone = json!({"type": "string", "format": "phone", "pattern": "^[0-9]+$"});
    let schema = object(&json!({
        "phone": phone, "others": {"type": "array", "items": phone},
        "maybe": {"anyOf": [phone, {"type": "null"}]}, "text": {"type": "string"}
    }));

    for [arguments, bound, wrong, changes] in
        rows_of(FILE, "texts of a format are normalized at every depth")
    {
        let wrong = list(wrong);
        let changes = list(changes);
        let extensions = Extensions::new().with_normalizer("phone", digits);
        let report = contract(extensions, &schema).report(arguments);
        assert_eq!(report.canonical_arguments(), bound, "{arguments}");
        assert_eq!(issues(&report), wrong, "{arguments}");
        let shown = report.repairs().into_iter().map(|entry| {
            assert_eq!(entry.changes, ["format_normalized"]);
            let path = entry.field_path.map(|path| path.to_string());
            let texts = [path, entry.before, entry.after].map(Option::unwrap_or_default);
            texts.join(" ")
        });
        assert_eq!(shown.collect::<Vec<_>>(), changes, "{arguments}");
    }
}
