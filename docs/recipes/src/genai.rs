//! Retries over genai: the model is asked again, with feedback, until its reply fits the type.

use std::error::Error;

use genai::Client;
use genai::chat::{ChatMessage, ChatRequest};
use llmjson::retry::{Message, Retry, Role, Turn};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// Asks a model for a value of a type.
pub async fn ask<T: DeserializeOwned + JsonSchema + 'static>(
    client: &Client,
    model: &str,
    question: &str,
) -> Result<T, Box<dyn Error + Send + Sync>> {
    let complete = |turn: Turn<Message>| async move {
        let messages = turn.messages().iter().map(|message| match message.role {
            Role::Assistant => ChatMessage::assistant(&message.text),
            Role::System | Role::Developer => ChatMessage::system(&message.text),
            _ => ChatMessage::user(&message.text),
        });
        let request = ChatRequest::from_messages(messages.collect());
        let reply = client.exec_chat(model, request, None).await?;
        Ok::<_, genai::Error>(reply.into_first_text().unwrap_or_default())
    };
    let messages = vec![Message::user(question)];
    let answer = Retry::of::<T>()?.run_async(complete, messages).await?;
    Ok(answer.deserialize()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::{Script, completion};
    use genai::adapter::AdapterKind;
    use genai::resolver::{AuthData, Endpoint, ServiceTargetResolver};
    use genai::{ModelIden, ServiceTarget};
    use serde_json::json;

    #[derive(Debug, serde::Deserialize, JsonSchema)]
    struct Person {
        name: String,
        age: u8,
    }

    #[tokio::test]
    async fn the_model_is_asked_until_it_fits() {
        let reply = |text: &str| completion(json!({"role": "assistant", "content": text}));
        let answers = [
            reply("{\"name\": \"Ada\", \"age\": \"unknown\"}"),
            reply("Sorry! {name: 'Ada', age: \"36\"}"),
        ];
        let (script, address) = Script::serve(answers).await;
        let resolver = ServiceTargetResolver::from_resolver_fn(move |target: ServiceTarget| {
            Ok::<_, genai::resolver::Error>(ServiceTarget {
                endpoint: Endpoint::from_owned(format!("{address}/v1/")),
                auth: AuthData::from_single("none"),
                model: ModelIden::new(AdapterKind::OpenAI, target.model.model_name),
            })
        });
        let client = Client::builder().with_service_target_resolver(resolver);
        let client = client.build().unwrap();
        let ada: Person = ask(&client, "any", "Who was Ada?").await.unwrap();
        assert_eq!((ada.name.as_str(), ada.age), ("Ada", 36));
        let feedback = script.asked()[1]["messages"].to_string();
        assert!(feedback.contains("$input.age"), "{feedback}");
    }
}
