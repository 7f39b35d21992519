//! Questions of the page, and what is answered.

use llmjson_playground::Playground;
use serde_json::{Value, json};

fn ask(question: Value) -> Value {
    let answer = Playground::default().ask(&question.to_string());
    serde_json::from_str(&answer).expect("answers are JSON")
}

#[test]
fn a_reply_is_read_under_a_policy() {
    let schema = r#"{"type": "object", "properties": {"days": {"type": "integer", "maximum": 2}}}"#;
    let reply = "Sure: {days: '3'}";
    let answer = ask(json!({"ask": "read", "reply": reply, "schema": schema}));
    assert_eq!(answer["value"], "{\n  \"days\": 3\n}");
    assert_eq!(answer["counts"]["violations"], 1);
    assert_eq!(
        answer["marks"],
        json!([[7, 11, "certain"], [13, 16, "certain"]])
    );
    assert!(
        answer["feedback"]
            .as_str()
            .is_some_and(|text| text.contains("❌"))
    );
    let answer = ask(json!({"ask": "policies", "reply": reply}));
    let presets = answer["presets"].as_array().expect("a list");
    let ok: Vec<_> = presets
        .iter()
        .map(|one| (&one["name"], &one["ok"]))
        .collect();
    assert_eq!(ok[0], (&json!("lenient"), &json!(true)));
    assert_eq!(ok[1], (&json!("strict"), &json!(false)));
    let answer = ask(json!({"ask": "retry", "reply": reply, "schema": schema}));
    assert_eq!(answer["state"], "again");
    assert_eq!(
        answer["messages"][0],
        json!({"role": "assistant", "content": reply})
    );
}

#[test]
fn what_does_not_fit_has_its_line() {
    let schema = r#"{"properties": {"a": {"type": "array", "items": {"type": "integer"}}, "b": {"type": "integer"},
        "c": {"required": ["d"]}}}"#;
    let reply = "{e: {}, f: [], a: [1, 'plum', [3, 4], {}], g: {h: [[]]}, b: 'x', c: {}}";
    let answer = ask(json!({"ask": "read", "reply": reply, "schema": schema}));
    let value = answer["value"].as_str().expect("there is a value");
    let lines: Vec<_> = value.lines().map(str::trim).collect();
    let misfits = answer["misfits"].as_array().expect("a list").iter();
    let marked: Vec<_> = misfits
        .map(|misfit| lines[misfit[0].as_u64().expect("a number") as usize])
        .collect();
    assert_eq!(
        marked,
        ["\"plum\",", "[", "{}", "\"b\": \"x\",", "\"c\": {}"]
    );
    let answer = ask(json!({"ask": "read", "reply": reply}));
    assert_eq!(answer["misfits"], json!([]));
}

#[test]
fn the_repaired_text_and_the_time_are_told() {
    let answer = ask(json!({"ask": "repaired", "reply": "{\n  city: 'Oslo',\n}"}));
    assert_eq!(answer["text"], "{\n  \"city\": \"Oslo\"\n}");
    let answer = ask(json!({"ask": "repaired", "reply": "no value"}));
    assert_eq!(answer["text"], Value::Null);
    let answer = ask(json!({"ask": "time", "reply": "{city: 'Oslo'}", "rounds": 3}));
    assert!(answer["took"].as_f64().is_some_and(|took| took > 0.0));
}

#[test]
fn what_cannot_be_answered_has_a_problem() {
    let part = |question| ask(question)["problem"]["part"].clone();
    assert_eq!(
        part(json!({"ask": "read", "schema": "{\"type\": 3}"})),
        "schema"
    );
    assert_eq!(part(json!({"ask": "calls", "tools": "{"})), "tools");
    assert_eq!(part(json!({"ask": "read", "policy": "generous"})), "policy");
    assert_eq!(part(json!({"ask": "nothing"})), "question");
    assert_eq!(part(json!([])), "question");
}

#[test]
fn a_schema_is_compiled_anew_when_it_changes() {
    let mut playground = Playground::default();
    let mut value = |kind: &str| {
        let schema = json!({"properties": {"n": {"type": kind}}}).to_string();
        let question = json!({"ask": "read", "reply": "{\"n\": \"1\"}", "schema": schema});
        playground
            .ask(&question.to_string())
            .contains(r#"\"n\": 1\n"#)
    };
    assert_eq!(
        [value("integer"), value("string"), value("integer")],
        [true, false, true]
    );
}

#[test]
fn the_first_example_streams() {
    let gallery: Value = serde_json::from_str(include_str!("../page/gallery.json")).expect("JSON");
    let example = &gallery[0];
    let step = |at: u64| {
        let question = json!({"ask": "stream", "reply": example["reply"], "schema": example["schema"], "at": at});
        ask(question)
    };
    let pieces = step(0)["pieces"].as_u64().expect("a number");
    let mut shown: Vec<_> = (0..pieces)
        .map(|at| step(at)["shown"].to_string())
        .collect();
    shown.dedup();
    assert!(shown.len() > 20, "only {} values", shown.len());
}

#[test]
fn a_reply_comes_piece_by_piece() {
    let reply = "Sure: {city: 'Oslo', \"days\": 12}";
    let step = |at: usize| ask(json!({"ask": "stream", "reply": reply, "at": at}));
    let pieces = step(0)["pieces"].as_u64().expect("a number") as usize;
    for at in 0..=pieces + 1 {
        let answer = step(at);
        let parts = ["read", "held", "toCome"]
            .map(|part| answer[part].as_str().expect("a text").to_owned());
        assert_eq!(parts.concat(), reply, "{at}");
        if at > pieces {
            assert_eq!(
                answer["shown"],
                json!([["{\n  \"city\": \"Oslo\",\n  \"days\": 12\n}", true]])
            );
        }
    }
    // The number may go on: it is held back, while the name of the city is settled.
    let last = reply.find('}').expect("it is there");
    let before = (0..=pieces)
        .find(|at| step(*at)["toCome"] == reply[last..])
        .expect("a step");
    let answer = step(before);
    assert_eq!(answer["held"], "\"days\": 12");
    let shown = answer["shown"].as_array().expect("a list");
    assert!(
        shown
            .iter()
            .any(|run| run[1] == true && run[0].as_str().is_some_and(|text| text.contains("Oslo")))
    );
}

#[test]
fn calls_are_found_and_bound() {
    let tools = r#"[{"name": "go", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}}]"#;
    let reply = "<tool_call>\n{'name': 'go', 'arguments': {'to': 'Oslo'}}\n</tool_call>";
    let answer = ask(json!({"ask": "calls", "reply": reply, "tools": tools}));
    assert_eq!(answer["calls"][0]["name"], "go");
    assert_eq!(
        answer["calls"][0]["bound"]["arguments"],
        "{\n  \"to\": \"Oslo\"\n}"
    );
    assert_eq!(answer["calls"][0]["ok"], true);
    assert_eq!(answer["notRun"], json!([]));
    let quoted = format!("> {}\n\nSo he wrote.", reply.replace('\n', " "));
    let answer = ask(json!({"ask": "calls", "reply": quoted, "tools": tools}));
    assert_eq!(answer["calls"], json!([]));
    assert_eq!(answer["notRun"][0]["reason"], "quotation");
    assert_eq!(answer["unsearched"], json!(null));
}

#[test]
fn a_report_has_the_shortest_reply_with_the_same_outcome() {
    let lines = "  {\"name\": \"Ada\", \"born\": 1815},\n".repeat(40);
    let reply = format!("[\n{lines}  {{\"name\": \"Bo\", \"born\": 1900,}}\n]");
    let answer = ask(json!({"ask": "minimal", "reply": reply}));
    let minimal = answer["reply"].as_str().expect("a text");
    assert!(minimal.len() < 10, "{minimal}");
    assert_eq!(
        answer["outcome"],
        json!(["a value", "repair extra_comma (certain)"])
    );
    let again = ask(json!({"ask": "minimal", "reply": minimal}));
    assert_eq!(again, answer);
}
