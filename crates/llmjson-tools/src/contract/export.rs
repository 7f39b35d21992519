//! The schema of a tool, as models are shown it.

use serde_json::Value;

use super::Contract;
use llmjson_reply::internal::guarded;
use llmjson_targets::sentences;

impl Contract {
    /// Returns the schema of the arguments to show to a model. Its description also states the required
    /// groups. A [`SchemaRenderer`](crate::SchemaRenderer) replaces the result, unless it
    /// panics.
    ///
    /// A `Value` preserves neither the order of members nor every digit of a number;
    /// [`schema`](Self::schema)`().as_json()` does, without the addition to the description. Calls are
    /// always bound by the original schema.
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

    fn usual_schema(&self) -> Value {
        let mut schema = self.inner.declared.value().clone();
        let Some(root) = schema.as_object_mut() else {
            return schema;
        };
        let written = root.get("description").and_then(Value::as_str);
        let mut description = written.unwrap_or_default().to_owned();
        for group in self.required_any() {
            let names: Vec<&str> = group.iter().map(|name| &**name).collect();
            sentences::append(&mut description, &sentences::at_least_one(&names));
        }
        if !self.required_any().is_empty() {
            root.insert("description".to_owned(), Value::String(description));
        }
        schema
    }
}
