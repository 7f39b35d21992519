//! The tools of a request: functions, custom tools and namespaced tools, which are all functions in
//! chat.

use llmjson::syntax::{ValueRef, json_object};

use super::kind_of;
use crate::chat::POLICY;
use crate::dialect::Element;
use crate::{Rejection, json};

/// The parameter of the function that represents a custom tool.
const INPUT: &str = "input";

/// A tool, by its chat name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tool {
    pub(super) in_chat: String,
    pub(super) name: String,
    pub(super) namespace: Option<String>,
    pub(super) is_custom: bool,
}

/// The tools of a request.
#[derive(Clone, Debug, Default)]
pub(super) struct Tools {
    list: Vec<Tool>,
    /// The tools in chat format.
    pub(super) written: Vec<String>,
}

impl Tools {
    /// Returns the tool with a chat name.
    pub(super) fn in_chat(&self, name: &str) -> Option<&Tool> {
        self.list.iter().find(|tool| tool.in_chat == name)
    }

    /// Reads a tool list.
    pub(super) fn read(&mut self, list: &Element<'_, '_>) -> Result<(), Rejection> {
        for tool in list.items() {
            if tool.kind() != "namespace" {
                self.add(&tool, None)?;
                continue;
            }
            tool.only(&["type", "name", "description", "tools"])?;
            let namespace = json::text(tool.value, "name");
            for inner in tool.items_of("tools") {
                self.add(&inner, namespace.as_deref())?;
            }
        }
        Ok(())
    }

    fn add(&mut self, tool: &Element<'_, '_>, namespace: Option<&str>) -> Result<(), Rejection> {
        let (is_custom, own) = match &*tool.kind() {
            "function" => (false, &["parameters", "strict"][..]),
            "custom" => (true, &["format"][..]),
            _ => {
                let expected = "expected function, custom or namespace, tools that the client runs";
                return tool.refuse_type(expected);
            }
        };
        tool.only(&[&["type", "name", "description", POLICY], own].concat())?;
        let name = tool.text("name");
        let in_chat = name_in_chat(namespace, &name);
        if self.in_chat(&in_chat).is_some() {
            let expected = format!("another tool is {in_chat} there, expected another name");
            return tool.place_of("name").refuse(&expected);
        }
        self.written.push(match is_custom {
            true => custom(tool.value, &in_chat),
            false => function(tool.value, &in_chat),
        });
        self.list.push(Tool {
            in_chat,
            name,
            namespace: namespace.map(str::to_owned),
            is_custom,
        });
        Ok(())
    }

    /// Converts a tool choice to chat, or returns `None` if it has no effect there.
    pub(super) fn choice(&self, choice: &Element<'_, '_>) -> Result<Option<String>, Rejection> {
        if choice.is_string() {
            return Ok(Some(choice.written()));
        }
        if choice.kind() != "allowed_tools" {
            return named(choice);
        }
        let mut allowed = Vec::new();
        for tool in choice.items_of("tools") {
            allowed.extend(named(&tool)?);
        }
        let mode = json::text(choice.value, "mode");
        Ok(Some(json_object!({
            "type": "allowed_tools",
            "allowed_tools": {
                "mode": mode.as_deref().unwrap_or("auto"),
                "tools": json::Texts(&allowed),
            },
        })))
    }

    /// Returns the members of a call with its tool's name and input.
    pub(super) fn call_members(
        &self,
        in_chat: &str,
        arguments: &str,
    ) -> impl Iterator<Item = (&'static str, String)> {
        let tool = self.in_chat(in_chat);
        let namespace = tool.and_then(|tool| tool.namespace.clone());
        let name = tool.map_or(in_chat, |tool| &tool.name).to_owned();
        let input = match tool.is_some_and(|tool| tool.is_custom) {
            true if arguments.is_empty() => ("input", String::new()),
            true => ("input", input_of(arguments)),
            false => ("arguments", arguments.to_owned()),
        };
        let namespace = namespace.map(|namespace| ("namespace", namespace));
        namespace.into_iter().chain([("name", name), input])
    }

    /// Returns the type of the items of a tool's calls.
    pub(super) fn kind_of_call(&self, in_chat: &str) -> &'static str {
        match self.in_chat(in_chat).is_some_and(|tool| tool.is_custom) {
            true => "custom_tool_call",
            false => "function_call",
        }
    }

    /// Converts a chat call to an item.
    pub(super) fn item(&self, call: ValueRef<'_>) -> String {
        let function = call.get("function").unwrap_or(call);
        let in_chat = json::text(function, "name").unwrap_or_default();
        let arguments = json::text(function, "arguments").unwrap_or_default();
        json_object!({
            "type": self.kind_of_call(&in_chat),
            "call_id": json::text(call, "id").unwrap_or_default(),
            ..self.call_members(&in_chat, &arguments),
        })
    }

    /// Converts a tool's output to an item; the messages contain its call.
    pub(super) fn output(&self, id: &str, output: &str, messages: &[ValueRef<'_>]) -> String {
        let mut calls = messages.iter().flat_map(|message| json::calls(*message));
        let call = calls.find(|call| json::text(*call, "id").as_deref() == Some(id));
        let function = call.and_then(|call| call.get("function"));
        let in_chat = function.and_then(|function| json::text(function, "name"));
        let kind = self.kind_of_call(in_chat.as_deref().unwrap_or_default());
        json_object!("type": format!("{kind}_output"), "call_id": id, "output": output)
    }
}

/// Converts the named tool of a choice to chat.
fn named(tool: &Element<'_, '_>) -> Result<Option<String>, Rejection> {
    let name = json::text(tool.value, "name");
    let Some(name) = name.filter(|_| matches!(&*tool.kind(), "function" | "custom")) else {
        tool.refuse_type("expected function or custom, with a name")?;
        return Ok(None);
    };
    let namespace = json::text(tool.value, "namespace");
    let in_chat = name_in_chat(namespace.as_deref(), &name);
    Ok(Some(
        json_object!({ "type": "function", "function": { "name": in_chat } }),
    ))
}

/// Returns the chat name of a tool; chat names have neither dots nor slashes.
pub(super) fn name_in_chat(namespace: Option<&str>, name: &str) -> String {
    match namespace.filter(|namespace| !namespace.is_empty()) {
        Some(namespace) => format!("{namespace}__{name}"),
        None => name.to_owned(),
    }
}

fn function(tool: ValueRef<'_>, in_chat: &str) -> String {
    json_object!({
        "type": "function",
        POLICY?: json::raw(tool, POLICY),
        "function": {
            "name": in_chat,
            ..json::raws(tool, &["description", "parameters", "strict"]),
        },
    })
}

/// A function with a single string parameter.
fn custom(tool: ValueRef<'_>, in_chat: &str) -> String {
    let mut description = json::text(tool, "description").unwrap_or_default();
    let format = json::member(tool, "format").filter(|format| kind_of(*format) == "grammar");
    if let Some(format) = format {
        let syntax = json::text(format, "syntax").unwrap_or_default();
        let grammar = json::text(format, "definition").unwrap_or_default();
        description.push_str(&format!(
            "\n\n`{INPUT}` has to follow this grammar ({syntax}):\n{grammar}"
        ));
    }
    json_object!({
        "type": "function",
        POLICY?: json::raw(tool, POLICY),
        "function": {
            "name": in_chat,
            "description": description.trim(),
            "parameters": {
                "type": "object",
                "properties": { INPUT: { "type": "string" } },
                "required": [INPUT],
                "additionalProperties": false,
            },
        },
    })
}

/// Returns the chat name of the tool that an item calls.
pub(super) fn called(item: ValueRef<'_>) -> String {
    let namespace = json::text(item, "namespace");
    let name = json::text(item, "name").unwrap_or_default();
    name_in_chat(namespace.as_deref(), &name)
}

/// Converts a custom tool call's input to the arguments of its function.
pub(super) fn arguments_of(input: &str) -> String {
    json_object!(INPUT: input)
}

/// Returns the input of a custom tool call: the raw arguments if they are not JSON arguments.
pub(super) fn input_of(arguments: &str) -> String {
    let document = json::read(arguments.as_bytes());
    let root = document.as_ref().and_then(llmjson::syntax::Document::root);
    let input = root.and_then(|root| json::text(root, INPUT));
    input.unwrap_or_else(|| arguments.to_owned())
}
