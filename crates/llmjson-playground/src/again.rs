//! The message that a model would get next.

use llmjson::retry::{Message, Next, Retry, Role, SchemaIn};
use llmjson::{Policy, Schema};
use serde_json::{Value, json};

pub(crate) fn answer(reply: &str, schema: Option<&Schema>, policy: Policy) -> Value {
    let Some(schema) = schema else {
        return json!({"state": "no schema"});
    };
    let retry = Retry::new(schema)
        .with_policy(policy)
        .with_max_retries(1)
        .with_schema_in(SchemaIn::Feedback);
    // The prompt is not known here, and stays what it is.
    match retry.start(vec![Message::user("")]).feed(reply) {
        Next::NeedCompletion(turn) => {
            let messages = turn.messages().iter().skip(1);
            let messages = messages.map(|one| json!({"role": role(one.role), "content": one.text}));
            json!({"state": "again", "messages": messages.collect::<Vec<_>>()})
        }
        Next::Done(_) => json!({"state": "done"}),
        Next::Failed(error) => json!({"state": "failed", "why": error.to_string()}),
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Assistant => "assistant",
        Role::User => "user",
        _ => "system",
    }
}
