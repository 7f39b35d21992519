//! Lints of tools that are found when they are registered.

use llmjson::tools::{
    Contract, Extensions, Field, FieldCandidate, FieldMatcher, Lint, MatchingMode, Registry,
    SchemaTarget, Severity, Tool,
};
use llmjson::{Policy, policy::Undeclared, syntax::ValueRef};
use llmjson_testutil::table;
use serde_json::json;

/// The rows of the tests.
const FILE: &str = include_str!("contracts.txt");

/// Lints as lines: `error example /properties/a/examples/0: …`.
fn lines(lints: &[Lint]) -> Vec<String> {
    let line = |lint: &Lint| {
        let severity = lint.severity.name();
        let (code, pointer) = (lint.code.name(), &lint.pointer);
        format!("{severity} {code} {pointer}: {}", lint.message)
    };
    lints.iter().map(line).collect()
}

fn lints_of(tool: Tool, schema: impl Into<llmjson::tools::SchemaSource>) -> Vec<String> {
    match Contract::new(tool, schema) {
        Ok(contract) => lines(contract.warnings()),
        Err(error) => lines(error.lints()),
    }
}

/// Formats each schema with its lints.
fn told(schemas: &[&str]) -> String {
    let told = schemas.iter().map(|schema| {
        let lints = lints_of(Tool::new("t", ""), *schema);
        let lints = lints.iter().map(|line| format!("  {line}\n"));
        format!("{schema}\n{}", lints.collect::<String>())
    });
    told.collect()
}

#[test]
fn examples_and_defaults_are_checked() {
    let told = told(&table::lines(FILE, "examples and defaults are checked"));
    insta::assert_snapshot!(told);
}

#[test]
fn unusable_schemas_are_errors() {
    let told = told(&table::lines(FILE, "unusable schemas are errors"));
    insta::assert_snapshot!(told);
}

#[test]
fn bounds_are_checked() {
    let told = told(&table::lines(FILE, "bounds are checked"));
    insta::assert_snapshot!(told);
}

#[test]
fn required_members_are_checked() {
    let told = told(&table::lines(FILE, "required members are checked"));
    insta::assert_snapshot!(told);
}

#[test]
fn names_and_aliases_are_checked() {
    let told = told(&table::lines(FILE, "names and aliases are checked"));
    insta::assert_snapshot!(told);
    let exact = Tool::new("t", "").with_matching(MatchingMode::Exact);
    let schema = json!({"properties": {"phoneNumber": {}, "phoneNum": {}, "phone_number": {}}});
    assert_eq!(lints_of(exact, &schema), [""; 0]);
}

#[test]
fn metadata_is_checked() {
    let told = told(&[
        r#"{"properties": {"a": {"x-aliases": 1}, "b": {"x-aliases": ["x", 2]}, "c": {"x-alias": "y"}}}"#,
        r#"{"properties": {"a": {"enum": ["x"], "x-aliases": {"x": ["ex", "iks"]}}, "b": {"x-aliases": {"x": 1}}}}"#,
        r#"{"properties": {"a": {"examples": "x"}}}"#,
        r#"{"x-required-any": ["a", "b"], "properties": {"a": {}, "b": {}}}"#,
        r#"{"properties": {"n": {"x-required-any": [["a", "b"]], "description": 3}}}"#,
        r#"{"properties": {"examples": {"type": "string"}, "x-aliases": {}, "required": {}}}"#,
    ]);
    insta::assert_snapshot!(told);
}

#[test]
fn required_groups_are_checked() {
    let schema = json!({
        "properties": {"projectName": {"type": "string"}, "projectId": {"type": "string"}, "a": {}}
    });
    let groups: &[&[&str]] = &[
        &["projectName", "projectId"],
        &["projectName", "projectID"],
        &["projectName", "zzz"],
        &["a", "a"],
        &["a"],
        &[],
    ];
    let told = groups.iter().map(|group| {
        let tool = Tool::new("t", "").with_required_any(group.iter().copied());
        let lines = lints_of(tool, &schema);
        let errors = lines.iter().filter(|line| line.starts_with("error"));
        let errors = errors.map(|line| format!("  {line}\n"));
        format!("{group:?}\n{}", errors.collect::<String>())
    });
    insta::assert_snapshot!(told.collect::<String>());
}

struct Nothing;

impl FieldMatcher for Nothing {
    fn name(&self) -> &str {
        "nothing"
    }

    fn candidates(&self, _: &str, _: ValueRef<'_>, _: &[Field<'_>]) -> Vec<FieldCandidate> {
        Vec::new()
    }
}

#[test]
fn options_are_checked() {
    let schema = json!({"properties": {"city": {"type": "string"}}});
    let matcher = || Extensions::new().with_matcher(Nothing);
    let tool = |name: &str| Tool::new(name, "");
    let table = [
        tool("plain").with_extensions(matcher()),
        tool("exact")
            .with_matching(MatchingMode::Exact)
            .with_extensions(matcher()),
        tool("exact_policy")
            .with_policy(Policy::exact())
            .with_extensions(Extensions::new().with_first_matcher(Nothing)),
        tool("unknown_once")
            .with_undeclared(Undeclared::Drop)
            .with_undeclared(Undeclared::Drop),
        tool("unknown_twice")
            .with_undeclared(Undeclared::Drop)
            .with_undeclared(Undeclared::Reject),
        tool(""),
        tool("a b"),
        tool(&"x".repeat(65)),
        tool("other_names")
            .with_alias("City", "town")
            .with_example("cities", "Oslo"),
        tool("wrong_example").with_example("city", json!({})),
        tool("right_example")
            .with_example("city", "Oslo")
            .with_alias("city", "town"),
    ];
    let told = table.map(|tool| {
        let name = tool.name().to_owned();
        let lines = lints_of(tool, &schema);
        let lines = lines.iter().map(|line| format!("  {line}\n"));
        format!("{name}\n{}", lines.collect::<String>())
    });
    insta::assert_snapshot!(told.concat());
}

#[test]
fn all_problems_are_returned_together() {
    let wrong =
        json!({"properties": {"a": {"type": "integer", "examples": ["x"]}}, "required": ["b"]});
    let error = Registry::builder()
        .register_schema(Tool::new("first", "").with_required_any(["a"]), &wrong)
        .register_schema(
            Tool::new("second", ""),
            r#"{"type": "thing", "required": ["c"], "properties": {}}"#,
        )
        .register_schema(Tool::new("first", ""), json!({"type": "object"}))
        .register_schema(Tool::new("warned about", ""), json!({"type": "object"}))
        .build()
        .unwrap_err();
    insta::assert_snapshot!(error);
    let last = error.lints().last().expect("there are some");
    assert_eq!(
        (last.tool.as_str(), last.severity),
        ("warned about", Severity::Warning)
    );
}

#[test]
fn tolerant_contracts_turn_errors_into_warnings() {
    let wrong =
        r#"{"properties": {"a": {"type": "integer", "examples": ["x"]}}, "required": ["b"]}"#;
    let contract = Contract::tolerant(Tool::new("t", ""), wrong).expect("it compiles");
    assert!(
        contract
            .warnings()
            .iter()
            .all(|one| one.severity == Severity::Warning)
    );
    assert_eq!(contract.warnings().len(), 2);
    assert!(Contract::tolerant(Tool::new("t", ""), r#"{"type": "string"}"#).is_err());
}

/// Each check is linear in the size of the schema.
#[test]
fn large_schemas_are_checked() {
    let name = |at: usize| format!("\"word{at}x\": {{\"$ref\": \"#/$defs/d{at}\"}}");
    let part = |at: usize| format!("\"d{at}\": {{\"minLength\": 2, \"maxLength\": 1}}");
    let names: Vec<_> = (0..20_000).map(name).collect();
    let parts: Vec<_> = (0..20_000).map(part).collect();
    let schema = format!(
        r#"{{"properties": {{{}}}, "$defs": {{{}}}}}"#,
        names.join(","),
        parts.join(",")
    );
    let lines = lints_of(Tool::new("t", ""), schema);
    assert_eq!(lines.len(), 101);
    assert_eq!(
        lines[100],
        "error schema : 19900 more problems are not listed"
    );
}

/// The messages are those of the lints.
#[test]
fn targets_are_checked() {
    let schema = r#"{"properties": {"a": {"type": "string", "minLength": 1}, "b": {"not": {"type": "null"}}}}"#;
    let builder = || Registry::builder().register_schema(Tool::new("t", ""), schema);
    let silent = builder().build().expect("it can be used");
    assert_eq!(silent.warnings().count(), 0);
    let told = builder().with_target(SchemaTarget::OpenAiStrict).build();
    let told = told.expect("it can be used");
    let bounds = |lint: &&Lint| lint.pointer == "/properties/a/minLength";
    let bounds = told
        .warnings()
        .find(bounds)
        .expect("strict mode takes none");
    assert_eq!(bounds.code.name(), "refused");
    assert!(bounds.message.starts_with("openai_strict: "), "{bounds}");
    let refused = builder()
        .with_required_target(SchemaTarget::OpenAiStrict)
        .build();
    let refused = refused.expect_err("it cannot be written for this one");
    let errors = refused.lints().iter();
    let errors: Vec<_> = errors
        .filter(|one| one.severity == Severity::Error)
        .collect();
    assert!(!errors.is_empty());
    let is_of_b = |one: &&Lint| one.pointer.starts_with("/properties/b");
    assert!(errors.iter().all(is_of_b), "{errors:?}");
}

/// The attributes of schemars and serde are in the contract.
#[cfg(feature = "schemars")]
mod types {
    use llmjson::report::Path;
    use schemars::JsonSchema;
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, JsonSchema)]
    struct Sms {
        /// The number to write to.
        #[schemars(extend("x-aliases" = ["tel"]), example = "13120057004", regex(pattern = "^[0-9]+$"))]
        phone_number: String,
        #[schemars(range(min = 1, max = 5), extend("x-aliases" = ["prio"]))]
        priority: Option<u8>,
        #[serde(default)]
        parts: Vec<Part>,
    }

    #[derive(Deserialize, JsonSchema)]
    struct Part {
        #[schemars(extend("x-aliases" = ["body"]))]
        text: String,
    }

    #[test]
    fn schemas_of_types_hold_their_attributes() {
        let contract = Contract::of::<Sms>(Tool::new("send", "Sends.")).expect("it can be used");
        assert_eq!(lines(contract.warnings()), [""; 0]);
        let field = |name: &str| {
            let field = contract.field(&Path::root().member(name));
            field.expect("it is declared")
        };
        let phone = field("phone_number");
        assert_eq!(phone.description(), Some("The number to write to."));
        assert_eq!(phone.examples(), [&json!("13120057004")]);
        assert_eq!(phone.schema()["pattern"], "^[0-9]+$");
        assert_eq!(
            (phone.is_required(), field("priority").is_required()),
            (true, false)
        );
        assert_eq!(field("priority").schema()["maximum"], 5);
    }

    #[test]
    fn aliases_of_types_are_bound() {
        let registry = Registry::builder().register::<Sms>(Tool::new("send", "Sends."));
        let registry = registry.build().expect("it can be used");
        let arguments = r#"{"Tel": 1312, "prio": "3", "parts": [{"body": "a"}, {"text": "b"}]}"#;
        let bound = registry.bind::<Sms>("send", arguments).expect("it fits");
        assert_eq!(
            (bound.value.phone_number.as_str(), bound.value.priority),
            ("1312", Some(3))
        );
        let texts: Vec<_> = bound.value.parts.iter().map(|part| &*part.text).collect();
        assert_eq!(texts, ["a", "b"]);
    }

    #[derive(Deserialize, JsonSchema)]
    struct Wrong {
        #[schemars(example = &"high")]
        #[expect(dead_code, reason = "only the schema is looked at")]
        priority: u8,
    }

    #[test]
    fn types_are_checked() {
        let error = Contract::of::<Wrong>(Tool::new("t", "")).expect_err("the example is none");
        assert_eq!(
            error.to_string(),
            "t, /properties/priority/examples/0: the example \"high\" does not match the \
             schema: expected integer & Type<\"uint8\"> & Minimum<0> & Maximum<255>"
        );
    }
}
