//! Tools as cases describe them.

use llmjson::tools::{ContractError, MatchingMode, Registry, SchemaTarget, Tool};
use llmjson::{Policy, policy::Undeclared};
use serde_json::Value;

use super::extensions;

/// Registers the tool that a case describes; gives its name, too.
pub(crate) fn register(text: &str) -> (String, Result<Registry, ContractError>) {
    let document = llmjson::syntax::parse(text);
    let root = document.root().expect("a tool is an object");
    assert_eq!(document.repairs(), [], "a tool is strict JSON");
    let schema = root.get("parameters").expect("a tool has parameters");
    // As it is written, with whatever stands there twice.
    let schema = &text[schema.span().expect("it stands in the text").range()];
    let options: Value = serde_json::from_str(text).unwrap();
    let mut builder = Registry::builder();
    for _ in 0..options["times"].as_u64().unwrap_or(1) {
        builder = builder.register_schema(tool(&options), schema);
    }
    let target = |option: &str| {
        let name = options[option].as_str()?;
        Some(SchemaTarget::named(name).expect("there is such a target"))
    };
    if let Some(target) = target("target") {
        builder = builder.with_target(target);
    }
    if let Some(target) = target("required_target") {
        builder = builder.with_required_target(target);
    }
    let name = options["name"].as_str().unwrap().to_owned();
    (name, builder.build())
}

/// A tool as its case describes it.
fn tool(options: &Value) -> Tool {
    let text = |name: &str| options[name].as_str();
    let known = [
        "name",
        "description",
        "parameters",
        "policy",
        "matching",
        "unknown",
        "defaults",
        "aliases",
        "examples",
        "required_any",
        "extensions",
        "synonyms",
        "times",
        "target",
        "required_target",
    ];
    for name in options.as_object().unwrap().keys() {
        assert!(known.contains(&name.as_str()), "there is no option {name}");
    }
    let mut tool = Tool::new(text("name").unwrap(), text("description").unwrap());
    if let Some(name) = text("policy") {
        tool = tool.with_policy(Policy::named(name).expect("there is such a preset"));
    }
    if let Some(mode) = text("matching") {
        let modes = [MatchingMode::Layered, MatchingMode::Exact];
        let mode = modes.into_iter().find(|one| one.name() == mode);
        tool = tool.with_matching(mode.expect("there is such a mode"));
    }
    // Said twice in a list, to say different things.
    let unknown = match &options["unknown"] {
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        one => Vec::from_iter(one.as_str()),
    };
    for unknown in unknown {
        tool = tool.with_undeclared(match unknown {
            "reject" => Undeclared::Reject,
            "ignore" => Undeclared::Drop,
            "keep" => Undeclared::KeepForbidden,
            other => panic!("there is no {other}"),
        });
    }
    if options["defaults"] == true {
        tool = tool.with_defaults();
    }
    for group in options["required_any"].as_array().into_iter().flatten() {
        let names = group.as_array().unwrap().iter();
        tool = tool.with_required_any(names.map(|name| name.as_str().unwrap()));
    }
    let table = |name: &str| options[name].as_object().cloned().unwrap_or_default();
    for (member, others) in table("aliases") {
        for other in others.as_array().unwrap() {
            tool = tool.with_alias(&*member, other.as_str().unwrap());
        }
    }
    for (member, example) in table("examples") {
        tool = tool.with_example(&*member, example);
    }
    tool.with_extensions(extensions::named(options))
}
