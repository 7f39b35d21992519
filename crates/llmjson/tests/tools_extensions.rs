//! Effects of matchers, coercers, normalizers, renderers and reporters on binding.

use llmjson::syntax::ValueRef;
use llmjson::tools::{
    BindError, BindReport, Candidate, Coerced, Coercer, Contextual, Contract, Extensions, Field,
    FieldMatcher, FieldStatus, Fuzzy, IssueReporter, Layer, MatchingMode, SchemaRenderer, Semantic,
    Tool,
};
use llmjson::{Policy, policy::UndeclaredMembers};
use serde_json::{Value, json};

fn contract_of(tool: Tool, extensions: Extensions, schema: &Value) -> Contract {
    let tool = tool.with_extensions(extensions);
    Contract::new(tool, schema).expect("a tool that can be used")
}

fn contract(extensions: Extensions, schema: &Value) -> Contract {
    contract_of(Tool::new("t", "A tool."), extensions, schema)
}

fn object(properties: &Value) -> Value {
    json!({"type": "object", "properties": properties})
}

fn issues(report: &BindReport) -> Vec<String> {
    let issues = report.issues().iter();
    issues
        .map(|issue| format!("{} {}", issue.path, issue.code))
        .collect()
}

/// A matcher for pairs of an undeclared and a declared name, with a score.
struct Pairs(&'static [(&'static str, &'static str, f64)]);

impl FieldMatcher for Pairs {
    fn name(&self) -> &str {
        "pairs"
    }

    fn candidates(&self, name: &str, _: ValueRef<'_>, open: &[Field<'_>]) -> Vec<Candidate> {
        let pairs = self.0.iter().filter(|(from, ..)| *from == name);
        let found = pairs.filter_map(|(_, to, score)| {
            let field = open.iter().position(|field| field.name() == *to)?;
            Some(Candidate {
                field,
                score: *score,
            })
        });
        found.collect()
    }
}

fn fuzzy() -> Extensions {
    Extensions::new().with_matcher(Fuzzy::new())
}

#[test]
fn unambiguous_matches_are_renamed() {
    let phone = object(&json!({"phoneNumber": {"type": "string"}, "n": {"type": "integer"}}));
    let nested = json!({"type": "object", "properties": {
        "guests": {"type": "array", "items": {"$ref": "#/$defs/guest"}},
        "address": {"$ref": "#/$defs/address"}
    }, "$defs": {
        "guest": {"type": "object", "properties": {"surname": {"type": "string"}}},
        "address": {"type": "object", "properties": {"street": {"type": "string"}}, "required": ["street"]}
    }});
    let two = object(&json!({"phone1": {"type": "string"}, "phone2": {"type": "string"}}));
    let kinds = json!({"type": "object", "properties": {
        "quantity": {"type": "integer", "maximum": 9}, "recipient": {"type": "string"}
    }, "required": ["recipient"]});
    // The schema, the arguments, the bound arguments, and the issues.
    let table: &[(&Value, &str, &str, &[&str])] = &[
        // A typing error; the value is coerced like any other.
        (
            &phone,
            r#"{"phoneNumbr": 1}"#,
            r#"{"phoneNumber":"1"}"#,
            &[],
        ),
        // The built-in comparison comes first.
        (
            &phone,
            r#"{"phone": "1", "N": "2"}"#,
            r#"{"phoneNumber":"1","n":2}"#,
            &[],
        ),
        // At every depth, also inside a renamed member.
        (
            &nested,
            r#"{"guests": [{"surnam": "A"}, {"surname": "B"}], "adress": {"stret": "C"}}"#,
            r#"{"guests":[{"surname":"A"},{"surname":"B"}],"address":{"street":"C"}}"#,
            &[],
        ),
        // Two fields with the same score.
        (
            &two,
            r#"{"phone3": "1"}"#,
            r#"{"phone3":"1"}"#,
            &["$input.phone3 ambiguous_field"],
        ),
        // Two names for one field, with different values and with equal values.
        (
            &phone,
            r#"{"phoneNumbr": "1", "fhoneNumber": "2"}"#,
            r#"{"phoneNumbr":"1","fhoneNumber":"2"}"#,
            &[
                "$input.phoneNumbr ambiguous_field",
                "$input.fhoneNumber ambiguous_field",
            ],
        ),
        (
            &phone,
            r#"{"phoneNumbr": "1", "fhoneNumber": "1"}"#,
            r#"{"phoneNumber":"1"}"#,
            &[],
        ),
        // A second name for a field that has a value is not matched with another field.
        (
            &two,
            r#"{"phone1": "1", "Phone-1": "2"}"#,
            r#"{"phone1":"1","Phone-1":"2"}"#,
            &["$input[\"Phone-1\"] conflict"],
        ),
        // Below the threshold.
        (
            &phone,
            r#"{"fax": "1"}"#,
            r#"{"fax":"1"}"#,
            &["$input.fax unknown_field"],
        ),
        // A member whose value is invalid is not renamed; the others are.
        (
            &kinds,
            r#"{"quantitty": "many", "recipientt": "A"}"#,
            r#"{"quantitty":"many","recipient":"A"}"#,
            &["$input.quantitty unknown_field"],
        ),
        (
            &kinds,
            r#"{"quantitty": 10, "recipient": "A"}"#,
            r#"{"quantitty":10,"recipient":"A"}"#,
            &["$input.quantitty unknown_field"],
        ),
    ];
    for (schema, arguments, bound, wrong) in table {
        let report = contract(fuzzy(), schema).report(*arguments);
        assert_eq!(report.canonical_arguments(), *bound, "{arguments}");
        assert_eq!(issues(&report), *wrong, "{arguments}");
        let again = contract(fuzzy(), schema).report(bound as &str);
        assert_eq!(again.canonical_arguments(), *bound, "again: {bound}");
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
    assert_eq!(report.certainty(), llmjson::report::Class::Guess);

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
            UndeclaredMembers::Reject,
            &schema,
            r#"{"country":"NO","mood":"x"}"#,
            false,
        ),
        (
            UndeclaredMembers::Keep,
            &schema,
            r#"{"country":"NO","mood":"x"}"#,
            true,
        ),
        (
            UndeclaredMembers::Keep,
            &closed,
            r#"{"country":"NO","mood":"x"}"#,
            false,
        ),
        (
            UndeclaredMembers::KeepForbidden,
            &closed,
            r#"{"country":"NO","mood":"x"}"#,
            true,
        ),
        (
            UndeclaredMembers::Drop,
            &schema,
            r#"{"country":"NO"}"#,
            true,
        ),
        (
            UndeclaredMembers::Drop,
            &closed,
            r#"{"country":"NO"}"#,
            true,
        ),
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
        (UndeclaredMembers::Drop, "{}", &[][..]),
        (UndeclaredMembers::Keep, arguments, &[]),
        (
            UndeclaredMembers::Reject,
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
    // The arguments, the bound arguments, the issues, and the changes: path, names, before, after.
    type Row = (
        &'static str,
        &'static str,
        &'static [&'static str],
        &'static [&'static str],
    );
    let table: &[Row] = &[
        // The value that the coercer returns is coerced and validated like any other.
        (
            r#"{"price": {"$": "12"}}"#,
            r#"{"price":12}"#,
            &[],
            &[r#"$input.price dollars,text_to_number {"$":"12"} 12"#],
        ),
        // It gets the string that the built-in coercion would have read as a number.
        (
            r#"{"price": "10"}"#,
            r#"{"price":10.5}"#,
            &[],
            &[r#"$input.price dollars "10" 10.5"#],
        ),
        (
            r#"{"price": "11"}"#,
            r#"{"price":11}"#,
            &[],
            &[r#"$input.price text_to_number "11" 11"#],
        ),
        (r#"{"price": 11}"#, r#"{"price":11}"#, &[], &[]),
        // At every depth, in renamed members.
        (
            r#"{"Lines": [{"n": "=3"}, {"n": "4"}]}"#,
            r#"{"lines":[{"n":3},{"n":4}]}"#,
            &[],
            &[
                "$input.lines key_spelling - -",
                r#"$input.lines[1].n text_to_number "4" 4"#,
                r#"$input.lines[0].n dollars,text_to_number "=3" 3"#,
            ],
        ),
        // A container instead of a string.
        (
            r#"{"lines": "list"}"#,
            r#"{"lines":[{"n":7}]}"#,
            &[],
            &[
                r#"$input.lines dollars "list" [{"n":"7"}]"#,
                r#"$input.lines[0].n text_to_number "7" 7"#,
            ],
        ),
        (
            r#"{"price": "?", "name": "=x", "Name2": 1}"#,
            r#"{"price":"?","name":"x","Name2":1}"#,
            &[
                "$input.price type_mismatch",
                "$input.Name2 unknown_field",
                "$input.price type_mismatch",
            ],
            &[r#"$input.name dollars "=x" "x""#],
        ),
        (
            r#"{"price": "!", "name": "=x"}"#,
            r#"{"price":"!","name":"x"}"#,
            &[
                "$input.price type_mismatch",
                "$input.price extension_failed",
            ],
            &[r#"$input.name dollars "=x" "x""#],
        ),
    ];
    for (arguments, bound, wrong, changes) in table {
        let contract = contract(Extensions::new().with_coercer(Dollars), &prices());
        let report = contract.report(*arguments);
        assert_eq!(report.canonical_arguments(), *bound, "{arguments}");
        assert_eq!(issues(&report), *wrong, "{arguments}");
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
        assert_eq!(shown.collect::<Vec<_>>(), *changes, "{arguments}");
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
        for unknown in [
            UndeclaredMembers::Reject,
            UndeclaredMembers::Keep,
            UndeclaredMembers::Drop,
        ] {
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
    let table: &[(&str, &str, &[&str], &[&str])] = &[
        (
            r#"{"phone": "131-2005-7004"}"#,
            r#"{"phone":"13120057004"}"#,
            &[],
            &[r#"$input.phone "131-2005-7004" "13120057004""#],
        ),
        // Unchanged: no repair.
        (
            r#"{"phone": "1312", "text": "1-2"}"#,
            r#"{"phone":"1312","text":"1-2"}"#,
            &[],
            &[],
        ),
        (
            r#"{"others": ["1", "2 3"], "maybe": "4-5"}"#,
            r#"{"others":["1","23"],"maybe":"45"}"#,
            &[],
            &[
                r#"$input.maybe "4-5" "45""#,
                r#"$input.others[1] "2 3" "23""#,
            ],
        ),
        (
            r#"{"phone": "panic", "maybe": "4-5"}"#,
            r#"{"phone":"panic","maybe":"45"}"#,
            &[
                "$input.phone invalid_format",
                "$input.phone extension_failed",
            ],
            &[r#"$input.maybe "4-5" "45""#],
        ),
    ];
    for (arguments, bound, wrong, changes) in table {
        let extensions = Extensions::new().with_normalizer("phone", digits);
        let report = contract(extensions, &schema).report(*arguments);
        assert_eq!(report.canonical_arguments(), *bound, "{arguments}");
        assert_eq!(issues(&report), *wrong, "{arguments}");
        let shown = report.repairs().into_iter().map(|entry| {
            assert_eq!(entry.changes, ["format_normalized"]);
            let path = entry.field_path.map(|path| path.to_string());
            let texts = [path, entry.before, entry.after].map(Option::unwrap_or_default);
            texts.join(" ")
        });
        assert_eq!(shown.collect::<Vec<_>>(), *changes, "{arguments}");
    }
}

struct Broken;

impl FieldMatcher for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn candidates(&self, name: &str, _: ValueRef<'_>, _: &[Field<'_>]) -> Vec<Candidate> {
        panic!("never heard of {name}")
    }
}

impl SchemaRenderer for Broken {
    fn render(&self, _: &Contract) -> Value {
        panic!("no schema")
    }
}

impl IssueReporter for Broken {
    fn explain(&self, _: &BindReport) -> String {
        panic!("no words")
    }
}

#[test]
fn a_panic_in_an_extension_does_not_affect_anything_else() {
    let schema = object(&json!({"city": {"type": "string"}, "country": {"type": "string"}}));
    let extensions = Extensions::new()
        .with_matcher(Broken)
        .with_matcher(Fuzzy::new())
        .with_reporter(Broken)
        .with_renderer(Broken);
    let contract = contract(extensions, &schema);
    let report = contract.report(r#"{"countri": "NO", "City": "Oslo"}"#);
    assert_eq!(
        report.canonical_arguments(),
        r#"{"country":"NO","city":"Oslo"}"#
    );
    assert_eq!(issues(&report), ["$input.countri extension_failed"]);
    assert!(
        report.issues()[0]
            .message
            .contains("never heard of countri")
    );
    assert!(report.explain().contains("never heard of countri"));
    assert_eq!(contract.schema_value(), schema);

    // If the predicate panics, the value is redacted.
    let secret = |_: &llmjson::report::Path| -> bool { panic!("no secrets") };
    let contract = self::contract(Extensions::new().with_redaction(secret), &schema);
    let written = serde_json::to_string(&contract.report(r#"{"City": "Oslo", "country": 4711}"#));
    let written = written.expect("a report");
    assert!(
        !written.contains("4711") && written.contains("number_to_text"),
        "{written}"
    );
}

#[test]
fn the_number_of_reported_panics_is_bounded() {
    let schema = object(&json!({"city": {"type": "string"}}));
    let contract = contract(Extensions::new().with_matcher(Broken), &schema);
    let arguments: serde_json::Map<_, _> = (0..100).map(|n| (format!("x{n}"), json!(n))).collect();
    let report = contract.report(&Value::Object(arguments));
    let failed = issues(&report);
    let failed = failed
        .iter()
        .filter(|issue| issue.ends_with("extension_failed"));
    assert_eq!(failed.count(), 16);
}

#[test]
fn the_work_on_hostile_names_is_bounded() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Counts the pairs for which it is called.
    struct Counting(Arc<AtomicUsize>, Fuzzy);

    impl FieldMatcher for Counting {
        fn name(&self) -> &str {
            "counting"
        }

        fn candidates(
            &self,
            name: &str,
            value: ValueRef<'_>,
            open: &[Field<'_>],
        ) -> Vec<Candidate> {
            self.0.fetch_add(open.len(), Ordering::Relaxed);
            self.1.candidates(name, value, open)
        }
    }

    let properties: serde_json::Map<_, _> = (0..1_000)
        .map(|n| {
            (
                format!("property_{n:04}_of_many"),
                json!({"type": "string"}),
            )
        })
        .collect();
    let schema = object(&Value::Object(properties));
    let arguments: serde_json::Map<_, _> = (0..10_000)
        .map(|n| (format!("name_{n:05}_of_many"), json!("x")))
        .collect();
    let count = Arc::new(AtomicUsize::new(0));
    let matcher = Counting(Arc::clone(&count), Fuzzy::new());
    let contract = contract(Extensions::new().with_matcher(matcher), &schema);
    let report = contract.report(&Value::Object(arguments));
    assert!(!report.is_ok());
    let count = count.load(Ordering::Relaxed);
    assert!(count > 0 && count <= 65_536, "{count}");
}

/// Never applies.
struct Silent;

impl FieldMatcher for Silent {
    fn name(&self) -> &str {
        "silent"
    }

    fn candidates(&self, _: &str, _: ValueRef<'_>, _: &[Field<'_>]) -> Vec<Candidate> {
        Vec::new()
    }
}

impl Coercer for Silent {
    fn name(&self) -> &str {
        "silent"
    }

    fn coerce(&self, _: ValueRef<'_>, _: &Field<'_>) -> Coerced {
        Coerced::NotMine
    }
}

#[test]
fn extensions_that_do_not_apply_change_nothing() {
    let schema = json!({"type": "object", "properties": {
        "phoneNumber": {"type": "string", "format": "phone", "x-aliases": ["tel"]},
        "phoneType": {"enum": ["home", "work"]},
        "count": {"type": "integer", "minimum": 1, "default": 2},
        "when": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
        "to": {"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "name": {"type": "string"}},
             "required": ["kind"]},
            {"type": "object", "properties": {"kind": {"const": "b"}, "sizes": {
                "type": "array", "items": {"type": "number"}
            }}, "required": ["kind"], "additionalProperties": false}
        ]},
        "extra": {"type": "object", "additionalProperties": {"type": "integer"}}
    }, "required": ["phoneNumber"]});
    let arguments = [
        r#"{"phoneNumber": "1", "count": 3}"#,
        r#"{"phone_number": 1, "PhoneType": "HOME", "Count": "3"}"#,
        r#"{"phone": "1"}"#,
        r#"{"phone_number": "1", "mood": 1}"#,
        r#"{"phoneNumber": null, "phone_number": {"a": 1}}"#,
        r#"{"phoneNumber": "1", "To": {"name": "x"}}"#,
        r#"{"number": "1", "type": "work"}"#,
        r#"{"tel": "1", "phoneNumber": "2"}"#,
        r#"{"tel": "1", "phone_number": "1"}"#,
        r#"{"arguments": {"Phone-Number": "1", "to": {"Kind": "b", "sizes": "1"}}}"#,
        r#"{"t": {"phoneNumber": "1", "nope": null}}"#,
        r#"{"phoneNumber": "1", "to": {"kind": "a", "NAME": 3, "sizes": 4}}"#,
        r#"{"phoneNumber": "1", "to": "{\"kind\": \"b\", \"Sizes\": [\"1.5\"]}"}"#,
        r#"{"phoneNumber": "1", "to": {"kind": "c", "x": 1}}"#,
        r#"{"phoneNumber": null, "when": "soon", "count": "0", "mood": {"a": [1]}}"#,
        r#"{"phoneNumber": "1", "when": null, "extra": {"a": "1", "b": "x"}}"#,
        "{phoneNumber: '1', count: 3,",
        "```json\n{\"phoneNumber\": \"1\"}\n``` or {\"phoneNumber\": \"2\", \"count\": \"1\"}",
        "\"{\\\"phoneNumber\\\": \\\"1\\\"}\"",
        "[1, 2]",
        "no arguments",
        "",
    ];
    let tools = || {
        let tool = || Tool::new("t", "A tool.");
        let unknowns = [
            UndeclaredMembers::Drop,
            UndeclaredMembers::Keep,
            UndeclaredMembers::KeepForbidden,
        ];
        let unknowns = unknowns.map(|unknown| tool().with_undeclared(unknown));
        let others = [
            tool(),
            tool().with_defaults(),
            tool().with_matching(MatchingMode::Exact),
            tool().with_policy(Policy::lenient()),
            tool().with_policy(Policy::conservative()),
            tool()
                .with_policy(Policy::conservative().with_undeclared(UndeclaredMembers::Drop))
                .with_defaults(),
            tool()
                .with_policy(Policy::lenient())
                .with_undeclared(UndeclaredMembers::Drop)
                .with_defaults(),
            tool().with_policy(
                Policy::tool().with_partial_coercion(llmjson::policy::Handling::Refuse),
            ),
        ];
        unknowns.into_iter().chain(others)
    };
    let silent = [
        Extensions::new().with_coercer(Silent),
        Extensions::new().with_normalizer("phone", |_: &str| None),
        Extensions::new().with_matcher(Silent),
        Extensions::new().with_first_matcher(Silent),
    ];
    for (at, plain) in tools().enumerate() {
        let plain = Contract::new(plain, &schema).expect("a tool that can be used");
        for (which, extensions) in silent.iter().enumerate() {
            let tool = tools().nth(at).expect("the same tool");
            let Ok(contract) = Contract::new(tool.with_extensions(extensions.clone()), &schema)
            else {
                assert_eq!(plain.policy().names(), llmjson::policy::Names::Exact);
                continue;
            };
            for arguments in arguments {
                let place = format!("{arguments}, tool {at}, extensions {which}");
                let (wanted, report) = (plain.report(arguments), contract.report(arguments));
                assert_eq!(
                    report.canonical_arguments(),
                    wanted.canonical_arguments(),
                    "{place}"
                );
                assert_eq!(issues(&report), issues(&wanted), "{place}");
                assert_eq!(report.explain(), wanted.explain(), "{place}");
                assert_eq!(report.has_repairs(), wanted.has_repairs(), "{place}");
                let fields = |report: &BindReport| {
                    let mut fields = report.fields();
                    for entry in &mut fields {
                        entry.changes.sort();
                        // The order of changes in a container is not specified.
                        entry.after.take_if(|after| after.starts_with(['{', '[']));
                    }
                    fields.sort_by_key(|entry| entry.input_path.clone());
                    fields
                };
                assert_eq!(fields(&report), fields(&wanted), "{place}");
            }
        }
    }
}
