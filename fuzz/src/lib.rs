//! Schemas and tools for texts that have none: the first character of an input chooses one.

#![forbid(unsafe_code)]

use std::sync::LazyLock;

use llmjson::tools::{Contract, MatchingMode, Registry, Tool, ToolList};
use llmjson::{Policy, Schema, policy::UndeclaredMembers};

/// Small schemas that together reach every kind of coercion and most keywords.
const SCHEMAS: &[&str] = &[
    r#"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":0},"tags":{"type":"array","items":{"type":"string"}},"ok":{"type":"boolean"}},"required":["name","age"]}"#,
    r##"{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"v":{"type":["number","null"]},"next":{"$ref":"#/$defs/n"},"all":{"type":"array","items":{"$ref":"#/$defs/n"}}}}}}"##,
    r#"{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"integer"}},"required":["kind","x"]},{"type":"object","properties":{"kind":{"const":"b"},"y":{"type":"string"}},"required":["kind","y"]}]}"#,
    r#"{"type":"array","items":{"type":"integer"},"minItems":1,"uniqueItems":true}"#,
    r#"{"type":"string","maxLength":5}"#,
    r#"{"enum":["red","dark-blue",1,null]}"#,
    r#"{"type":"object","properties":{"phoneNumber":{"type":"string"},"user_id":{"type":"integer","format":"int32"},"path":{"type":"string","x-aliases":["file"]}},"additionalProperties":false}"#,
    r#"{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"object","additionalProperties":{"type":"number"}},{"type":"boolean"}]}"#,
    r#"{"type":"object","patternProperties":{"^x":{"type":"integer"}},"properties":{"data":{"type":"string","contentMediaType":"application/json"},"d":{"type":"string","format":"date"}},"minProperties":1}"#,
    r#"{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":{"type":"number","multipleOf":0.5}}"#,
    r#"{"allOf":[{"type":"object","properties":{"a":{"type":"integer"}}},{"properties":{"b":{"type":"array","items":{"type":"boolean"}}},"required":["b"]}],"not":{"required":["c"]}}"#,
    "{}",
];

static COMPILED: LazyLock<Vec<Schema>> = LazyLock::new(|| {
    let compiled = SCHEMAS.iter().map(|text| Schema::from_text(text));
    compiled
        .collect::<Result<_, _>>()
        .expect("the schemas above are right")
});

/// Small tools that together reach every kind of issue and most ways to bind a member.
static CONTRACTS: LazyLock<Vec<Contract>> = LazyLock::new(|| {
    let parcel = r#"{"type":"object","properties":{"recipientName":{"type":"string"},"labelPath":{"type":"string","format":"uri"},"weightGrams":{"type":"integer","minimum":1},"labelCode":{"type":"string","pattern":"^[A-Z]+$"}},"required":["recipientName"]}"#;
    let tour = r#"{"type":"object","properties":{"stops":{"type":"array","items":{"type":"object","properties":{"placeName":{"type":"string"},"nightCount":{"type":"integer","default":1}},"required":["placeName"]},"maxItems":3},"guide":{"type":["object","null"],"properties":{"fullName":{"type":"string"}}}},"required":["stops"]}"#;
    let any = r#"{"type":"object","properties":{"title":{"type":"string"},"key":{"type":"string"},"open":{"type":"boolean"}},"x-required-any":[["title","key"]]}"#;
    let union = r#"{"type":"object","properties":{"to":{"anyOf":[{"type":"string"},{"type":"object","properties":{"mail":{"type":"string"}},"required":["mail"]}]},"at":{"enum":["now","later"]},"data":{}}}"#;
    let mut contracts = Vec::new();
    for schema in [parcel, tour, any, union] {
        let tool = || Tool::new("call_it", "Calls it.");
        let tools = [
            tool(),
            tool().with_policy(Policy::exact()),
            tool().with_policy(Policy::lenient()).with_defaults(),
            tool().with_undeclared(UndeclaredMembers::Drop),
            tool()
                .with_matching(MatchingMode::Exact)
                .with_undeclared(UndeclaredMembers::KeepForbidden),
        ];
        contracts.extend(tools.map(|tool| Contract::new(tool, schema)));
    }
    let contracts: Result<_, _> = contracts.into_iter().collect();
    contracts.expect("the tools above are right")
});

/// Tools whose calls are looked for in texts: those of the corpus.
const TOOLS: &str = include_str!("../../corpus/calls/tools.json");

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let registry = Registry::builder().register_list(TOOLS).build();
    registry.expect("the tools of the corpus are right")
});

static REGISTRIES: LazyLock<Vec<Registry>> = LazyLock::new(|| {
    let under = |preset: &&str| {
        let policy = Policy::named(preset).expect("it is a preset");
        let list = ToolList::parse(TOOLS).expect("the list is right");
        let list = list.with_each(|tool| tool.with_policy(policy.clone()));
        let registry = Registry::builder().register_tools(list).build();
        registry.expect("the tools of the corpus are right")
    };
    Policy::PRESETS.iter().map(under).collect()
});

/// The tools of the cases of calls in texts.
#[must_use]
pub fn registry() -> &'static Registry {
    &REGISTRY
}

/// The same tools under one of the presets, which take turns.
#[must_use]
pub fn registry_under_preset(number: usize) -> &'static Registry {
    &REGISTRIES[number % REGISTRIES.len()]
}

/// The contract that an input chooses, and the text that is left of it.
#[must_use]
pub fn contract_and_text(input: &str) -> Option<(&'static Contract, &str)> {
    let first = input.chars().next()?;
    let contract = &CONTRACTS[first as usize % CONTRACTS.len()];
    Some((contract, &input[first.len_utf8()..]))
}

/// The schema that an input chooses, and the text that is left of it.
#[must_use]
pub fn schema_and_text(input: &str) -> Option<(&'static Schema, &str)> {
    let first = input.chars().next()?;
    Some((schema(first as usize), &input[first.len_utf8()..]))
}

/// The schema of a number.
#[must_use]
pub fn schema(number: usize) -> &'static Schema {
    &COMPILED[number % COMPILED.len()]
}
