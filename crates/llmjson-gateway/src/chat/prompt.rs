//! Tools in the prompt, for models without tool support.
//!
//! The tools are in the system message, and earlier calls and their results in the text of their
//! messages.

use llmjson::retry::ChatMessage;
use llmjson::syntax::{Kind, Raw, ValueRef, json_object};
use llmjson::tools::Family;
use llmjson_wire::{Content, Message};

use super::request::{Choice, Plan};
use crate::json::{self, Node};

/// The format of a family's calls and results.
struct Form {
    family: &'static str,
    open: &'static str,
    close: &'static str,
    /// The key of the arguments.
    arguments: &'static str,
}

/// The families in whose format calls are written; any other one uses the first.
const FORMS: &[Form] = &[
    Form {
        family: "hermes",
        open: "<tool_call>\n",
        close: "\n</tool_call>",
        arguments: "arguments",
    },
    Form {
        family: "llama3",
        open: "<|python_tag|>",
        close: "",
        arguments: "parameters",
    },
    Form {
        family: "mistral-json",
        open: "[TOOL_CALLS][",
        close: "]",
        arguments: "arguments",
    },
];

/// Moves a request's tools into its messages.
pub(super) fn write(plan: &Plan, root: ValueRef<'_>, body: &mut Node<'_>, family: Family) {
    let form = FORMS.iter().find(|form| form.family == family.name());
    let form = form.unwrap_or(&FORMS[0]);
    let messages = root
        .get("messages")
        .filter(|list| list.kind() == Kind::Array);
    let Some(messages) = messages.filter(|_| plan.tools.is_some()) else {
        return;
    };
    let told = tell(plan, root, body, form);
    body.remove(&["tools", "tool_choice", "parallel_tool_calls"]);
    let mut written = Vec::new();
    let mut results: Option<String> = None;
    let mut is_told = told.is_empty();
    for message in messages.items() {
        let role = json::text(message, "role").unwrap_or_default();
        if role == "tool" {
            let text = format!("<tool_response>\n{}\n</tool_response>", text_of(message));
            match &mut results {
                Some(all) => all.extend(["\n", &text]),
                None => results = Some(text),
            }
            continue;
        }
        written.extend(results.take().map(Message::user).as_ref().map(wire));
        let text = match matches!(&*role, "system" | "developer") && !is_told {
            true => {
                is_told = true;
                with_text(message, &format!("\n\n{told}"))
            }
            false => without_calls(message, form),
        };
        written.push(text.unwrap_or_else(|| json::written(message).to_owned()));
    }
    written.extend(results.take().map(Message::user).as_ref().map(wire));
    if !is_told {
        written.insert(0, wire(&Message::system(told)));
    }
    body.set("messages", json::list(&written));
}

fn wire(message: &Message) -> String {
    serde_json::to_string(message).unwrap_or_default()
}

/// The text of a message, or its text parts joined with line feeds.
fn text_of(message: ValueRef<'_>) -> String {
    let content = message.get("content");
    if let Some(text) = content.and_then(ValueRef::as_str) {
        return text.into_owned();
    }
    let texts = json::items(message, "content").filter_map(|part| json::text(part, "text"));
    texts.collect::<Vec<_>>().join("\n")
}

fn with_text(message: ValueRef<'_>, text: &str) -> Option<String> {
    let mut message: Message = serde_json::from_str(json::written(message)).ok()?;
    message.append(text);
    Some(wire(&message))
}

/// A message of the model with its calls as text; `None` if it has none.
fn without_calls(message: ValueRef<'_>, form: &Form) -> Option<String> {
    json::member(message, "tool_calls")?;
    let mut message: Message = serde_json::from_str(json::written(message)).ok()?;
    let calls = message.tool_calls.take()?;
    let written: Vec<String> = calls
        .iter()
        .filter_map(|call| call.function.as_ref())
        .map(|function| {
            let arguments = function.arguments.as_ref().map_or("{}", |one| one.as_str());
            let is_json = serde_json::from_str::<serde::de::IgnoredAny>(arguments).is_ok();
            let text = json::string(arguments);
            let json = json_object!({
                "name": function.name.as_deref().unwrap_or_default(),
                (form.arguments): Raw(if is_json { arguments } else { &text }),
            });
            format!("{}{json}{}", form.open, form.close)
        })
        .collect();
    let text = written.join("\n");
    match &message.content {
        Content::Text(said) if said.trim().is_empty() => message.content.set_text(text),
        Content::Absent | Content::Null => message.content.set_text(text),
        _ => message.append(&format!("\n{text}")),
    }
    Some(wire(&message))
}

/// The instructions about the tools; none if no tool may be called.
fn tell(plan: &Plan, root: ValueRef<'_>, body: &mut Node<'_>, form: &Form) -> String {
    if plan.choice == Choice::None {
        return String::new();
    }
    let (Some(tools), Some(sent)) = (root.get("tools"), body.get("tools")) else {
        return String::new();
    };
    let mut list = Vec::new();
    for (tool, sent) in tools.items().zip(sent.items()) {
        let name = tool.get("function").and_then(|one| json::text(one, "name"));
        if name.is_some_and(|name| plan.allows(&name)) {
            list.push(sent.written());
        }
    }
    let example = json_object!({
        "name": "the_function",
        (form.arguments): { "its_parameter": "a value" },
    });
    let mut told = format!(
        "# Tools\n\nThese functions can be called; each is described with the JSON Schema of its arguments:\n<tools>\n{}\n\
         </tools>\n\nTo call a function, write its name and its arguments as JSON in this form, and nothing behind it:\n\
         {}{example}{}\n\nThe result of a call comes in the next message, between <tool_response> and </tool_response>.",
        list.join("\n"),
        form.open,
        form.close
    );
    if !plan.is_parallel {
        told.push_str(" Call at most one function in a reply.");
    }
    let choice = root.get("tool_choice");
    let is_required = choice
        .and_then(ValueRef::as_str)
        .is_some_and(|word| word == "required");
    if is_required || matches!(plan.choice, Choice::Named(_)) {
        told.push_str(" A function has to be called now.");
    }
    told
}
