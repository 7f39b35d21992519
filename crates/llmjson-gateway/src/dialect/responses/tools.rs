//! The tools of a request: functions, custom tools and namespaced tools, which are all functions in
//! chat.

use llmjson::syntax::{JsonOut, JsonText, Kind, Raw, ValueRef};

use super::kind_of;
use crate::chat::POLICY;
use crate::dialect::Wording;
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
    pub(super) fn read(
        &mut self,
        list: ValueRef<'_>,
        path: &str,
        wording: &mut Wording,
    ) -> Result<(), Rejection> {
        for (at, tool) in list.items().enumerate() {
            let path = format!("{path}[{at}]");
            if kind_of(tool) != "namespace" {
                self.add(tool, None, &path, wording)?;
                continue;
            }
            wording.only(tool, &path, &["type", "name", "description", "tools"])?;
            let namespace = json::text(tool, "name");
            for (at, tool) in json::items(tool, "tools").enumerate() {
                let path = format!("{path}.tools[{at}]");
                self.add(tool, namespace.as_deref(), &path, wording)?;
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        tool: ValueRef<'_>,
        namespace: Option<&str>,
        path: &str,
        wording: &mut Wording,
    ) -> Result<(), Rejection> {
        let is_custom = match &*kind_of(tool) {
            "function" => false,
            "custom" => true,
            _ => {
                let expected = "expected function, custom or namespace, tools that the client runs";
                return wording.refuse_type(tool, path, expected);
            }
        };
        let own = if is_custom {
            &["format"][..]
        } else {
            &["parameters", "strict"]
        };
        let said = [&["type", "name", "description", POLICY], own].concat();
        wording.only(tool, path, &said)?;
        let name = json::text(tool, "name").unwrap_or_default();
        let in_chat = name_in_chat(namespace, &name);
        if self.in_chat(&in_chat).is_some() {
            let expected = format!("another tool is {in_chat} there, expected another name");
            return wording.refuse(&format!("{path}.name"), &expected);
        }
        self.written.push(match is_custom {
            true => custom(tool, &in_chat),
            false => function(tool, &in_chat),
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
    pub(super) fn choice(
        &self,
        choice: ValueRef<'_>,
        wording: &mut Wording,
    ) -> Result<Option<String>, Rejection> {
        if choice.kind() == Kind::String {
            return Ok(Some(json::written(choice).to_owned()));
        }
        if kind_of(choice) != "allowed_tools" {
            return named(choice, "tool_choice", wording);
        }
        let mut allowed = Vec::new();
        for (at, tool) in json::items(choice, "tools").enumerate() {
            allowed.extend(named(tool, &format!("tool_choice.tools[{at}]"), wording)?);
        }
        Ok(Some(JsonText::object_of(|out| {
            out.member("type", "allowed_tools");
            out.object_in("allowed_tools", |out| {
                let mode = json::text(choice, "mode");
                out.member("mode", mode.as_deref().unwrap_or("auto"));
                out.list("tools", &allowed, |tool, out| out.json(tool));
            });
        })))
    }

    /// Writes the members of a call with its tool's name and input.
    pub(super) fn put_call(&self, in_chat: &str, arguments: &str, out: &mut JsonText<'_>) {
        let tool = self.in_chat(in_chat);
        if let Some(namespace) = tool.and_then(|tool| tool.namespace.as_deref()) {
            out.member("namespace", namespace);
        }
        out.member("name", tool.map_or(in_chat, |tool| &tool.name));
        match tool.is_some_and(|tool| tool.is_custom) {
            true if arguments.is_empty() => out.member("input", ""),
            true => out.member("input", input_of(arguments)),
            false => out.member("arguments", arguments),
        }
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
        JsonText::object_of(|out| {
            out.member("type", self.kind_of_call(&in_chat));
            out.member("call_id", json::text(call, "id").unwrap_or_default());
            self.put_call(&in_chat, &arguments, out);
        })
    }

    /// Converts a tool's output to an item; the messages contain its call.
    pub(super) fn output(&self, id: &str, output: &str, messages: &[ValueRef<'_>]) -> String {
        let mut calls = messages.iter().flat_map(|message| json::calls(*message));
        let call = calls.find(|call| json::text(*call, "id").as_deref() == Some(id));
        let function = call.and_then(|call| call.get("function"));
        let in_chat = function.and_then(|function| json::text(function, "name"));
        JsonText::object_of(|out| {
            let kind = self.kind_of_call(in_chat.as_deref().unwrap_or_default());
            out.member("type", format!("{kind}_output"));
            out.member("call_id", id);
            out.member("output", output);
        })
    }
}

/// Converts the named tool of a choice to chat.
fn named(
    tool: ValueRef<'_>,
    path: &str,
    wording: &mut Wording,
) -> Result<Option<String>, Rejection> {
    let name = json::text(tool, "name");
    let Some(name) = name.filter(|_| matches!(&*kind_of(tool), "function" | "custom")) else {
        wording.refuse_type(tool, path, "expected function or custom, with a name")?;
        return Ok(None);
    };
    let namespace = json::text(tool, "namespace");
    let in_chat = name_in_chat(namespace.as_deref(), &name);
    Ok(Some(JsonText::object_of(|out| {
        out.member("type", "function");
        out.object_in("function", |out| out.member("name", in_chat));
    })))
}

/// Returns the chat name of a tool; chat names have neither dots nor slashes.
pub(super) fn name_in_chat(namespace: Option<&str>, name: &str) -> String {
    match namespace.filter(|namespace| !namespace.is_empty()) {
        Some(namespace) => format!("{namespace}__{name}"),
        None => name.to_owned(),
    }
}

fn function(tool: ValueRef<'_>, in_chat: &str) -> String {
    JsonText::object_of(|out| {
        out.member("type", "function");
        policy(tool, out);
        out.object_in("function", |out| {
            out.member("name", in_chat);
            for name in ["description", "parameters", "strict"] {
                if let Some(value) = json::member(tool, name) {
                    out.member(name, Raw(json::written(value)));
                }
            }
        });
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
    JsonText::object_of(|out| {
        out.member("type", "function");
        policy(tool, out);
        out.object_in("function", |out| {
            out.member("name", in_chat);
            out.member("description", description.trim());
            out.object_in("parameters", |out| {
                out.member("type", "object");
                out.object_in("properties", |out| {
                    out.object_in(INPUT, |out| out.member("type", "string"));
                });
                out.member("required", [INPUT]);
                out.member("additionalProperties", false);
            });
        });
    })
}

fn policy(tool: ValueRef<'_>, out: &mut JsonText<'_>) {
    if let Some(policy) = json::member(tool, POLICY) {
        out.member(POLICY, Raw(json::written(policy)));
    }
}

/// Returns the chat name of the tool that an item calls.
pub(super) fn called(item: ValueRef<'_>) -> String {
    let namespace = json::text(item, "namespace");
    let name = json::text(item, "name").unwrap_or_default();
    name_in_chat(namespace.as_deref(), &name)
}

/// Converts a custom tool call's input to the arguments of its function.
pub(super) fn arguments_of(input: &str) -> String {
    JsonText::object_of(|out| out.member(INPUT, input))
}

/// Returns the input of a custom tool call: the raw arguments if they are not JSON arguments.
pub(super) fn input_of(arguments: &str) -> String {
    let document = json::read(arguments.as_bytes());
    let root = document.as_ref().and_then(llmjson::syntax::Document::root);
    let input = root.and_then(|root| json::text(root, INPUT));
    input.unwrap_or_else(|| arguments.to_owned())
}
