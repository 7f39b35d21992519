use std::io::BufRead;
fn main() {
    let registry = llmjson::tools::Registry::builder().build().unwrap();
    for line in std::io::stdin().lock().lines() {
        let row: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let found = llmjson::tools::calls_in(row["input"].as_str().unwrap(), &registry);
        let calls: Vec<_> = found.calls().iter().map(|c| serde_json::json!({"name": c.name(), "arguments": serde_json::from_str::<serde_json::Value>(c.arguments()).unwrap_or(serde_json::Value::String(c.arguments().to_owned())), "complete": c.is_complete(), "certainty": c.certainty().name(), "family": c.family().name()})).collect();
        println!(
            "{}",
            serde_json::json!({"calls": calls, "content": found.content(), "reasoning": found.reasoning()})
        );
    }
}
