//! A conversation with tools over async-openai: the calls are bound, run and answered by a registry.

use std::error::Error;

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::types::chat::{
    ChatCompletionMessageToolCalls, ChatCompletionRequestAssistantMessage,
    ChatCompletionRequestToolMessage, ChatCompletionRequestUserMessage,
    CreateChatCompletionRequest,
};
use llmjson::tools::Registry;

/// Asks a model until it no longer calls tools, and returns its answer.
pub async fn ask(
    client: &Client<OpenAIConfig>,
    tools: &Registry,
    question: &str,
) -> Result<String, Box<dyn Error + Send + Sync>> {
    let mut request = CreateChatCompletionRequest {
        model: "any".to_owned(),
        messages: vec![ChatCompletionRequestUserMessage::from(question).into()],
        tools: Some(serde_json::from_value(tools.to_openai())?),
        ..Default::default()
    };
    loop {
        let reply = client.chat().create(request.clone()).await?;
        let message = reply.choices.into_iter().next().ok_or("no choice")?.message;
        let Some(mut calls) = message.tool_calls else {
            return Ok(message.content.unwrap_or_default());
        };
        let mut answers = Vec::new();
        for call in &mut calls {
            let ChatCompletionMessageToolCalls::Function(call) = call else {
                return Err("only functions were offered".into());
            };
            let content = match tools
                .dispatch(&call.function.name, &call.function.arguments)
                .await
            {
                Ok(answer) => {
                    // A model that sees a malformed call repeats it.
                    call.function.arguments = answer.report.canonical_arguments();
                    answer.value
                }
                Err(error) => error.explain(),
            };
            answers.push(ChatCompletionRequestToolMessage {
                content: content.into(),
                tool_call_id: call.id.clone(),
            });
        }
        let calls = ChatCompletionRequestAssistantMessage {
            tool_calls: Some(calls),
            ..Default::default()
        };
        request.messages.push(calls.into());
        request.messages.extend(answers.into_iter().map(Into::into));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::{Script, completion};
    use llmjson::tools::Tool;
    use serde_json::json;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Weather {
        city: String,
        days: u8,
    }

    async fn forecast(asked: Weather) -> Result<String, std::io::Error> {
        Ok(format!("{} days of snow in {}", asked.days, asked.city))
    }

    #[tokio::test]
    async fn calls_are_run_and_answered() {
        let tool = Tool::new("get_weather", "Tells the weather.").with_async_handler(forecast);
        let tools = Registry::builder()
            .register::<Weather>(tool)
            .build()
            .unwrap();
        let call = |arguments: &str| {
            let function = json!({"name": "getWeather", "arguments": arguments});
            let calls = json!([{"id": "call_1", "type": "function", "function": function}]);
            completion(json!({"role": "assistant", "content": null, "tool_calls": calls}))
        };
        let answers = [
            call("{'city': 'Oslo'}"),
            call("{city: 'Oslo', \"days\": \"3\",}"),
            completion(json!({"role": "assistant", "content": "Take a coat."})),
        ];
        let (script, address) = Script::serve(answers).await;
        let config = OpenAIConfig::new()
            .with_api_base(address)
            .with_api_key("none");
        let answer = ask(&Client::with_config(config), &tools, "Weather?")
            .await
            .unwrap();
        assert_eq!(answer, "Take a coat.");

        let asked = script.asked();
        let told = |request: usize, message: usize| &asked[request]["messages"][message];
        let feedback = told(1, 2)["content"].as_str().unwrap();
        assert!(feedback.contains("`days` is missing"), "{feedback}");
        let bound = &told(2, 3)["tool_calls"][0]["function"]["arguments"];
        assert_eq!(bound, r#"{"city":"Oslo","days":3}"#);
        assert_eq!(told(2, 4)["content"], "3 days of snow in Oslo");
    }
}
