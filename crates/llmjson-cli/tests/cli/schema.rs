//! Schemas for providers from the command line.

use crate::support::{Scratch, run};

const TRIP: &str = r#"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "city": {"type": "string"},
    "days": {"type": "integer", "minimum": 1, "maximum": 1.50e1}
  },
  "required": ["city"]
}"#;

#[test]
fn each_target_gets_its_schema() {
    let file = Scratch::new(TRIP);
    // Target, schema.
    let table = [
        (
            "openai_strict",
            r#"{"type":"object","properties":{"city":{"type":"string"},"days":{"type":["integer","null"],"minimum":1,"maximum":1.50e1}},"required":["city","days"],"additionalProperties":false}"#,
        ),
        (
            "anthropic",
            r#"{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","description":"At least 1, at most 1.50e1."}},"required":["city"],"additionalProperties":false}"#,
        ),
        (
            "gemini_openapi",
            r#"{"type":"OBJECT","properties":{"city":{"type":"STRING"},"days":{"type":"INTEGER","minimum":1,"maximum":1.50e1}},"required":["city"],"propertyOrdering":["city","days"]}"#,
        ),
        (
            "gemini_json",
            r#"{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","minimum":1,"maximum":1.50e1}},"required":["city"]}"#,
        ),
        (
            "mcp",
            r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","minimum":1,"maximum":1.50e1}},"required":["city"]}"#,
        ),
    ];
    for (target, schema) in table {
        let ran = run(&["schema", "--target", target, file.path()], "");
        let printed = (ran.code, ran.out, ran.err);
        assert_eq!(
            printed,
            (Some(0), format!("{schema}\n"), String::new()),
            "{target}"
        );
        for args in [
            &["schema", "--target", target][..],
            &["schema", "--target", target, "-"],
        ] {
            assert_eq!(run(args, TRIP).out, format!("{schema}\n"), "{target}");
        }
    }
    let pretty = run(&["schema", "--target", "mcp", "--pretty"], "{}");
    assert_eq!(pretty.out, "{\n  \"type\": \"object\"\n}\n");
}

#[test]
fn lints_are_written_one_per_line() {
    let ran = run(&["schema", "--lint", "--target", "openai_strict"], TRIP);
    let lines: Vec<_> = ran.out.lines().collect();
    assert_eq!((ran.code, lines.len()), (Some(1), 3), "{}", ran.out);
    let wanted = r#"{"severity":"warning","code":"ignored","pointer":"/$schema","keyword":"$schema","message":"#;
    assert!(lines[0].starts_with(wanted), "{}", lines[0]);
    let wanted = r#"{"severity":"error","code":"refused","pointer":"","keyword":"additionalProperties","message":"OpenAI strict mode requires `\"additionalProperties\": false` in every object; it is set"}"#;
    assert_eq!(lines[1], wanted);
    let wanted = r#"{"severity":"error","code":"refused","pointer":"/properties/days","keyword":"required","message":"#;
    assert!(lines[2].starts_with(wanted), "{}", lines[2]);

    // Without a provider, what is no keyword, and the wrapper around the schema.
    let tool = r#"{"name": "f", "parameters": {"properties": {"a": {}}, "requird": ["a"]}}"#;
    let ran = run(&["schema", "--lint"], tool);
    let lines: Vec<_> = ran.out.lines().collect();
    assert_eq!((ran.code, lines.len()), (Some(0), 2), "{}", ran.out);
    let wanted = r#"{"severity":"warning","code":"schema_wrapper","pointer":"/parameters","keyword":"parameters","message":"#;
    assert!(lines[0].starts_with(wanted), "{}", lines[0]);
    let wanted = r#"{"severity":"warning","code":"unknown_keyword","pointer":"/parameters/requird","keyword":"requird","message":"`requird` is no keyword, so it says nothing: did you mean `required`?"}"#;
    assert_eq!(lines[1], wanted);
    assert_eq!(run(&["schema"], tool).code, Some(2));

    // Warnings are no failure.
    let ran = run(&["schema", "--lint", "--target", "gemini_json"], TRIP);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 1));
    let ran = run(&["schema", "--lint", "--target", "mcp"], TRIP);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
}

#[test]
fn what_cannot_be_expressed_is_reported() {
    let list = r#"{"type": "array", "items": {}}"#;
    let ran = run(&["schema", "--target", "openai_strict"], list);
    assert_eq!(ran.code, Some(0));
    let wanted = "llmjson: standard input: lost at /items: objects and arrays of any kind cannot be expressed; any \
                  scalar is allowed instead\n\
                  llmjson: standard input: the root is wrapped in an object with the member `data`\n";
    assert_eq!(ran.err, wanted);

    // So is what the provider still rejects.
    let members: Vec<_> = (0..5_001)
        .map(|number| format!(r#""m{number}": {{"type": "string"}}"#))
        .collect();
    let large = format!(
        r#"{{"type": "object", "properties": {{{}}}}}"#,
        members.join(", ")
    );
    let ran = run(&["schema", "--target", "openai_strict"], large);
    assert_eq!(ran.code, Some(1));
    let wanted = "llmjson: standard input: refused at the root: OpenAI strict mode supports at most 5000 properties \
                  in a schema; there are 5001\n";
    assert_eq!(ran.err, wanted);
}

#[test]
fn mistakes_are_told() {
    let table = [
        (&["schema"][..], "{}", "--target"),
        (
            &["schema", "--target", "grok"],
            "{}",
            "[possible values: openai_strict, anthropic, gemini_openapi, gemini_json, mcp]",
        ),
        (
            &["schema", "--target", "mcp"],
            r#"{"type": "int"}"#,
            "there is no type \"int\" at /type of the schema",
        ),
        (
            &["schema", "--target", "mcp", "no/such/file"],
            "",
            "no/such/file: No such file",
        ),
        (&["schema", "--target", "mcp"], "", "expected a JSON Schema"),
    ];
    for (args, input, message) in table {
        let ran = run(args, input);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err.contains(message), "{args:?}: {}", ran.err);
    }
}
