//! Schemas for providers from the command line.

use crate::support::run;

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
