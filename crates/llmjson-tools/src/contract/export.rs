//! Tool schemas as shown to models, and tool lists in the formats of providers.

use llmjson_syntax::{JsonOut, JsonText, Raw, ValueRef, json_object};
use serde_json::Value;

use super::Contract;
use crate::registry::Registry;
use llmjson_reply::internal::guarded;
use llmjson_targets::{SchemaTarget, sentences};

const DESCRIPTION: &str = "description";

impl Contract {
    /// Returns the arguments' schema to show to a model. Its description also states the required
    /// groups. A [`SchemaRenderer`](crate::SchemaRenderer) replaces the result, unless it panics.
    ///
    /// A `Value` loses digits beyond the precision of `f64`, and keeps the members' order only with
    /// serde_json's feature `preserve_order`; [`schema`](Self::schema)`().as_json()` keeps both,
    /// without the addition to the description. Calls are always bound by the original schema.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Contract, Tool};
    /// use serde_json::json;
    ///
    /// let schema = json!({"type": "object", "description": "A project.", "properties": {
    ///     "projectName": {"type": "string"}, "projectId": {"type": "string"}
    /// }});
    /// let tool = Tool::new("open", "Opens.").with_required_any(["projectName", "projectId"]);
    /// let shown = Contract::new(tool, &schema)?.schema_value();
    /// assert_eq!(
    ///     shown["description"],
    ///     "A project. At least one of `projectName` and `projectId` is needed."
    /// );
    /// assert_eq!(shown["x-required-any"], json!([["projectName", "projectId"]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn schema_value(&self) -> Value {
        let renderer = self.extensions().renderer.as_ref();
        let rendered = renderer.and_then(|renderer| guarded(|| renderer.render(self)).ok());
        rendered.unwrap_or_else(|| self.usual_schema())
    }

    /// The schema to show as JSON, in the declared order unless a renderer makes it.
    fn shown(&self) -> String {
        if self.extensions().renderer.is_some() {
            return self.schema_value().to_string();
        }
        let declared = self.schema().as_json();
        let Some(description) = self.told_groups() else {
            return declared.to_owned();
        };
        let document = llmjson_syntax::parse(declared);
        let members = document.root().into_iter().flat_map(ValueRef::members);
        JsonText::object_of(|out| {
            for (name, value) in members.filter(|(name, _)| name != DESCRIPTION) {
                out.member(&name, value);
            }
            out.member(DESCRIPTION, &*description);
        })
    }

    fn usual_schema(&self) -> Value {
        let mut schema = self.inner.declared.value().clone();
        if let (Some(root), Some(told)) = (schema.as_object_mut(), self.told_groups()) {
            root.insert(DESCRIPTION.to_owned(), Value::String(told));
        }
        schema
    }

    /// Returns the description of the schema with a sentence for each required group, if there are any.
    fn told_groups(&self) -> Option<String> {
        let written = self.inner.declared.value().get(DESCRIPTION);
        let written = written.and_then(Value::as_str).unwrap_or_default();
        let mut description = written.to_owned();
        for group in self.required_any() {
            let names: Vec<&str> = group.iter().map(|name| &**name).collect();
            sentences::append(&mut description, &sentences::at_least_one(&names));
        }
        (!self.required_any().is_empty()).then_some(description)
    }
}

impl Registry {
    /// Returns the tools in the format of OpenAI's chat completions, which many servers share: an
    /// array. A [`Value`] keeps the declaration order of properties only with the feature
    /// `preserve_order` of serde_json; [`to_openai_json`](Self::to_openai_json) always does.
    ///
    /// For strict mode, see [`SchemaTarget::OpenAiStrict`].
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Registry, Tool};
    ///
    /// let schema = r#"{"type":"object","properties":{"city":{"type":"string"}}}"#;
    /// let registry = Registry::builder()
    ///     .register_schema(Tool::new("weather", "Tells it."), schema)
    ///     .build()?;
    /// assert_eq!(registry.to_openai()[0]["function"]["name"], "weather");
    /// assert_eq!(
    ///     registry.to_openai_json(),
    ///     r#"[{"type":"function","function":{"name":"weather","description":"Tells it.","parameters":SCHEMA}}]"#
    ///         .replace("SCHEMA", schema)
    /// );
    /// assert_eq!(
    ///     registry.to_mcp_json(),
    ///     r#"[{"name":"weather","description":"Tells it.","inputSchema":SCHEMA}]"#.replace("SCHEMA", schema)
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_openai(&self) -> Value {
        value_of(&self.to_openai_json())
    }

    /// Returns the tools in Anthropic's format: an array. See [`to_openai`](Self::to_openai).
    #[must_use]
    pub fn to_anthropic(&self) -> Value {
        value_of(&self.to_anthropic_json())
    }

    /// Returns the tools in Gemini's format: an array. See [`to_openai`](Self::to_openai).
    #[must_use]
    pub fn to_gemini(&self) -> Value {
        value_of(&self.to_gemini_json())
    }

    /// Returns the member `tools` of an MCP server's `tools/list` result. See
    /// [`to_openai`](Self::to_openai).
    #[must_use]
    pub fn to_mcp(&self) -> Value {
        value_of(&self.to_mcp_json())
    }

    /// Returns [`to_openai`](Self::to_openai) as JSON, with properties in declaration order.
    #[must_use]
    pub fn to_openai_json(&self) -> String {
        self.listed(|tool| {
            json_object!("type": "function", "function": Raw(&tool.declaration("parameters")))
        })
    }

    /// Returns the tools in the format of Anthropic's Messages API: a JSON array.
    #[must_use]
    pub fn to_anthropic_json(&self) -> String {
        self.listed(|tool| tool.declaration("input_schema"))
    }

    /// Returns the tools in Gemini's format: a JSON array with the declarations of all functions,
    /// whose schemas are [rendered](SchemaTarget::GeminiJson) in the dialect that it accepts.
    #[must_use]
    pub fn to_gemini_json(&self) -> String {
        let tools = self.listed(|tool| {
            let rendered = SchemaTarget::GeminiJson.render(tool.schema());
            json_object!({
                "name": tool.name(),
                "description": tool.description(),
                "parametersJsonSchema": Raw(rendered.as_json()),
            })
        });
        JsonText::of(&[Raw(&json_object!("functionDeclarations": Raw(&tools)))])
    }

    /// Returns the tools in the format of an MCP server's `tools/list` result: the member `tools`,
    /// as JSON.
    #[must_use]
    pub fn to_mcp_json(&self) -> String {
        self.listed(|tool| tool.declaration("inputSchema"))
    }

    fn listed(&self, write: impl Fn(&Contract) -> String) -> String {
        JsonText::written(|out| out.array(self.contracts(), |tool, out| out.json(&write(tool))))
    }
}

/// Returns JSON that was written here as a value.
fn value_of(json: &str) -> Value {
    let document = llmjson_syntax::parse(json);
    let value = document.root().map(llmjson_schema::to_value);
    value.and_then(Result::ok).unwrap_or_default()
}

impl Contract {
    /// Returns the tool as an object, with its schema under this name.
    fn declaration(&self, schema: &str) -> String {
        json_object!({
            "name": self.name(),
            "description": self.description(),
            schema: Raw(&self.shown()),
        })
    }
}
