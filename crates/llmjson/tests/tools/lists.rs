//! Lists of tools in all formats, and operations of OpenAPI documents.

use llmjson::tools::{ContractError, Registry, SchemaSource, ToolList};
use llmjson_testutil::table::lines;

/// The rows of the tests.
const FILE: &str = include_str!("lists.txt");

/// Formats a list as lines: each tool with its schema, and all lints.
fn told(list: Result<ToolList, ContractError>) -> String {
    let mut told = String::new();
    let mut tell = |line: String| told.push_str(&format!("  {line}\n"));
    match list {
        Err(error) => error
            .lints()
            .iter()
            .for_each(|one| tell(format!("error {one}"))),
        Ok(list) => {
            for (tool, schema) in list.tools() {
                let SchemaSource::Text(schema) = schema else {
                    panic!("schemas are texts");
                };
                tell(format!("{tool:?} {schema}"));
            }
            list.warnings()
                .iter()
                .for_each(|one| tell(format!("warning {one}")));
        }
    }
    told
}

fn all_told(texts: &[&str], parse: fn(&str) -> Result<ToolList, ContractError>) -> String {
    let told = texts
        .iter()
        .map(|text| format!("{text}\n{}", told(parse(text))));
    told.collect()
}

#[test]
fn lists_of_every_format_are_parsed() {
    let texts = lines(FILE, "lists of every format are parsed");
    insta::assert_snapshot!(all_told(&texts, ToolList::parse));
}

#[test]
fn operations_become_tools() {
    let texts = [
        // Shared parameters, references and a merged body.
        r##"{"openapi": "3.0.3", "paths": {"/users/{id}": {
            "parameters": [{"$ref": "#/components/parameters/id"}, {"in": "query", "name": "full", "schema": {"type": "string"}}],
            "put": {"operationId": "updateUser", "summary": "Updates.", "description": "A user.",
                "parameters": [{"in": "query", "name": "full", "description": "All of it.", "schema": {"type": "boolean", "nullable": true}},
                    {"in": "header", "name": "Authorization", "schema": {"type": "string"}},
                    {"in": "header", "name": "id", "example": "x", "schema": {"$ref": "#/components/schemas/Tag"}}],
                "requestBody": {"$ref": "#/components/requestBodies/User"}},
            "get": {"summary": "no name"}}},
            "components": {
                "parameters": {"id": {"in": "path", "name": "id", "required": true, "schema": {"type": "integer"}}},
                "requestBodies": {"User": {"required": true, "content": {"application/json; charset=utf-8": {"schema": {"$ref": "#/components/schemas/User"}}}}},
                "schemas": {
                    "User": {"type": "object", "required": ["name", "made"], "additionalProperties": false, "properties": {
                        "name": {"type": "string", "example": "Ada"}, "made": {"type": "string", "readOnly": true},
                        "boss": {"$ref": "#/components/schemas/User"}, "pet": {"$ref": "#/components/schemas/Pet"}}},
                    "Pet": {"properties": {"tag": {"$ref": "#/components/schemas/Tag"}, "name": {"$ref": "#/components/schemas/Tag/properties/text"}}},
                    "Tag": {"properties": {"text": {"type": "string"}}},
                    "Unused": {"type": "string"}}}}"##,
        // Bodies that are not merged.
        r##"{"paths": {
            "/a": {"post": {"operationId": "clashes", "parameters": [{"in": "query", "name": "x", "schema": {}}, {"in": "query", "name": "body"}],
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"properties": {"x": {}}}}}}}},
            "/b": {"post": {"operationId": "is_a_list", "requestBody": {"description": "All.", "content": {"application/json": {"schema": {"type": "array", "items": {}}}}}}},
            "/c": {"post": {"operationId": "is_optional", "requestBody": {"content": {"application/json": {"schema": {"properties": {"x": {}}, "required": ["x"]}}}}}},
            "/d": {"post": {"operationId": "is_a_map", "requestBody": {"required": true, "content": {"application/json": {"schema": {"additionalProperties": {"type": "integer"}}}}}}},
            "/e": {"post": {"operationId": "is_a_file", "requestBody": {"content": {"application/octet-stream": {}}}}},
            "/f": {"$ref": "#/nowhere"}}}"##,
        r#"{"operationId": "alone", "parameters": [{"in": "path", "name": "id", "required": true, "schema": {"type": "integer"}}]}"#,
        "{}",
        "openapi: 3.1.0\npaths: {}\n",
    ];
    insta::assert_snapshot!(all_told(&texts, ToolList::parse_openapi));
}

#[test]
fn targets_of_references_are_copied() {
    let api = r##"{"paths": {"/t": {"post": {"operationId": "grow", "requestBody": {"required": true,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}}}}},
        "components": {"schemas": {"Node": {"type": "object", "properties": {
            "value": {"type": "integer"}, "left": {"$ref": "#/components/schemas/Node"}}, "required": ["value"]}}}}"##;
    let registry = Registry::builder()
        .register_openapi(api)
        .build()
        .expect("it can be used");
    let arguments = r#"{"value": "1", "left": {"Value": "2", "left": {"value": 3}}}"#;
    let bound = registry.bind_value("grow", arguments).expect("it fits");
    assert_eq!(
        bound.report.canonical_arguments(),
        r#"{"value":1,"left":{"value":2,"left":{"value":3}}}"#
    );
}

#[test]
fn lints_of_lists_are_lints_of_the_registry() {
    let good = r#"[{"name": "a"}, {"type": "web_search"}]"#;
    let registry = Registry::builder()
        .register_list(good)
        .build()
        .expect("it can be used");
    let warnings: Vec<_> = registry.warnings().map(ToString::to_string).collect();
    let left_out = "/1: the tool is defined by its provider and has no schema; it is skipped";
    assert_eq!(warnings, [left_out]);
    let error = Registry::builder()
        .register_list(r#"[{"name": "b", "parameters": 3}]"#)
        .register_list(r#"{"name": "c", "parameters": {"type": "object", "required": ["x"]}}"#)
        .register_list(good)
        .build();
    let error = error.expect_err("two of them cannot be used");
    assert_eq!(
        error.to_string(),
        "b, /0/parameters: expected a schema (object or boolean), found number\n\
         c, /required: `x` is required but not declared"
    );
}
