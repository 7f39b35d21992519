//! Calls as rig reads them out of a reply. Arguments that it cannot read are kept in `invalid_arguments`: there they are
//! read after all.

use llmjson::tools::{Arguments, Registry};
use rig_core::message::ToolFunction;

/// Runs a call, and returns what the model is told, as an error where it has to call again.
pub async fn run(tools: &Registry, call: &ToolFunction) -> Result<String, String> {
    let value = call.arguments_value();
    let arguments = match &call.invalid_arguments {
        Some(text) => Arguments::from(text),
        None => Arguments::from(&value),
    };
    let answer = tools.dispatch(&call.name, arguments).await;
    answer
        .map(|answer| answer.value)
        .map_err(|error| error.explain())
}

#[cfg(test)]
mod tests {
    use super::*;
    use llmjson::tools::Tool;
    use rig_core::message::ToolName;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Sum {
        of: Vec<i64>,
    }

    #[tokio::test]
    async fn malformed_arguments_are_read() {
        let tool = Tool::new("sum", "Adds numbers up.")
            .with_handler(|sum: Sum| Ok::<_, std::io::Error>(sum.of.iter().sum::<i64>()));
        let tools = Registry::builder().register::<Sum>(tool).build().unwrap();
        let call = |text| ToolFunction::parse(ToolName::new("sum").unwrap(), text);

        for (text, is_valid) in [
            (r#"{"of": [1, 2]}"#, true),
            ("{'of': [1, 2,]}", false),
            ("```json\n{\"of\": [\"1\", 2]}\n```", false),
        ] {
            let call = call(text);
            assert_eq!(call.invalid_arguments.is_none(), is_valid, "{text}");
            assert_eq!(run(&tools, &call).await.as_deref(), Ok("3"), "{text}");
        }
        // A truncated call does not run.
        let told = run(&tools, &call(r#"{"of": [1, 2"#)).await.unwrap_err();
        assert!(told.contains("truncated"), "{told}");
    }
}
