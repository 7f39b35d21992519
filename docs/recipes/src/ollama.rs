//! A structured reply of a small model over ollama-rs, which keeps to its schema more or less.

use std::error::Error;

use llmjson::typed;
use ollama_rs::Ollama;
use ollama_rs::generation::chat::ChatMessage;
use ollama_rs::generation::chat::request::ChatMessageRequest;
use ollama_rs::generation::parameters::{FormatType, JsonStructure};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// Asks a model for a value of a type.
pub async fn ask<T: DeserializeOwned + JsonSchema + 'static>(
    ollama: &Ollama,
    model: &str,
    question: &str,
) -> Result<T, Box<dyn Error + Send + Sync>> {
    let messages = vec![ChatMessage::user(question.to_owned())];
    let format = FormatType::StructuredJson(Box::new(JsonStructure::new::<T>()));
    let request = ChatMessageRequest::new(model.to_owned(), messages).format(format);
    let reply = ollama.send_chat_messages(request).await?;
    Ok(typed::from_str(&reply.message.content)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::Script;
    use serde_json::json;

    #[derive(serde::Deserialize, JsonSchema)]
    struct Recipe {
        title: String,
        minutes: u16,
    }

    #[tokio::test]
    async fn replies_are_read_leniently() {
        let content = "<think>Soup?</think>\n```json\n{\"title\": \"Soup\", \"minutes\": \"20\",}";
        let answer = json!({
            "model": "any", "created_at": "2026-01-01T00:00:00Z", "done": true,
            "message": {"role": "assistant", "content": content},
            "total_duration": 1, "load_duration": 1, "prompt_eval_count": 1,
            "prompt_eval_duration": 1, "eval_count": 1, "eval_duration": 1
        });
        let (script, address) = Script::serve([answer]).await;
        let ollama = Ollama::try_new(address).unwrap();
        let recipe: Recipe = ask(&ollama, "any", "A recipe?").await.unwrap();
        assert_eq!((recipe.title.as_str(), recipe.minutes), ("Soup", 20));
        assert_eq!(
            script.asked()[0]["format"]["required"],
            json!(["title", "minutes"])
        );
    }
}
