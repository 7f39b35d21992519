//! Tool lists in the formats of providers and MCP servers.
//!
//! `entry` reads a tool in any format, and `openapi` turns an API's operations into tools, with
//! `definitions` for the targets of their references. Schemas are copied as text, which preserves
//! their order and every digit.

mod definitions;
mod entry;
mod openapi;

use llmjson_syntax::{Document, Kind, ValueRef};

use super::contract::{ContractError, SchemaSource};
use super::tool::Tool;
use llmjson_targets::{Lint, LintCode, Severity};

/// A list of tools, each with its arguments' schema.
///
/// ```
/// # mod llmjson { pub use llmjson_reply::*; pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::Policy;
/// use llmjson::tools::{Registry, ToolList};
///
/// let list = ToolList::parse(
///     r#"{"tools": [
///         {"name": "pay", "inputSchema": {"type": "object", "properties": {"cents": {"type": "integer"}}}},
///         {"type": "function", "function": {"name": "stop"}}
///     ]}"#,
/// )?;
/// let list = list.with_each(|tool| match tool.name() {
///     "pay" => tool.with_policy(Policy::exact()),
///     _ => tool,
/// });
/// let registry = Registry::builder().register_tools(list).build()?;
/// assert!(registry.bind_value("stop", "").is_ok());
/// assert!(registry.bind_value("pay", r#"{"Cents": 1}"#).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct ToolList {
    tools: Vec<(Tool, SchemaSource)>,
    warnings: Vec<Lint>,
}

impl ToolList {
    /// Parses a tool list, a single tool, or an object with a tool list in `tools`: the response of
    /// an MCP server or its result, or a request to a model. The tools may have the formats of
    ///
    /// - OpenAI: `{"type": "function", "function": {"name", "description", "parameters"}}`, and
    ///   without the inner object;
    /// - Anthropic: `{"name", "description", "input_schema"}`;
    /// - MCP: `{"name", "title", "description", "inputSchema"}`;
    /// - Gemini: `{"functionDeclarations": [{"name", "description", "parameters"}]}`;
    /// - no provider: `{"name", "description", "parameters"}`.
    ///
    /// A list may mix formats. Other members are ignored. A tool without a schema has no arguments.
    /// Provider-defined tools without a schema are skipped with a [warning](Self::warnings).
    ///
    /// # Errors
    ///
    /// If the text is not strict JSON, or if an entry is not a tool.
    pub fn parse(text: &str) -> Result<Self, ContractError> {
        let document = llmjson_syntax::parse(text);
        let root = strict_root(&document)?;
        let mut reader = ListReader::default();
        entry::read_all(root, String::new(), &mut reader);
        reader.finish()
    }

    /// Parses an OpenAPI document (3.0 or 3.1) or a single operation, and turns every operation
    /// with an `operationId` into a tool. The document must be JSON; convert YAML first.
    ///
    /// The tool's name is the `operationId`, and its description is the `summary` and
    /// `description`. Its arguments are the parameters and the properties of the JSON request body.
    /// The body becomes a single argument `body` if it is optional but has required properties, if
    /// it is not a plain object, or if a property has the name of a parameter. If two parameters
    /// have the same name, the later one is prefixed with its location: `header_id`. References are
    /// kept, and their targets are copied into the schema.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Registry, ToolList};
    ///
    /// let api = r##"{"openapi": "3.1.0", "paths": {"/users/{id}": {"post": {
    ///     "operationId": "rename_user",
    ///     "parameters": [{"in": "path", "name": "id", "required": true, "schema": {"type": "integer"}}],
    ///     "requestBody": {"required": true, "content": {"application/json": {"schema":
    ///         {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}}}}
    /// }}}}"##;
    /// let registry = Registry::builder().register_tools(ToolList::parse_openapi(api)?).build()?;
    /// let bound = registry.bind_value("rename_user", r#"{"id": "7", "name": "Ada"}"#)?;
    /// assert_eq!(bound.report.canonical_arguments(), r#"{"id":7,"name":"Ada"}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not strict JSON, or is neither an OpenAPI document nor an operation.
    pub fn parse_openapi(text: &str) -> Result<Self, ContractError> {
        let document = llmjson_syntax::parse(text);
        let root = strict_root(&document)?;
        let mut reader = ListReader::default();
        openapi::read(root, &mut reader);
        reader.finish()
    }

    /// Returns the tools with their arguments' schemas.
    pub fn tools(&self) -> &[(Tool, SchemaSource)] {
        &self.tools
    }

    /// Consumes the list and returns the tools with their arguments' schemas.
    pub fn into_tools(self) -> Vec<(Tool, SchemaSource)> {
        self.tools
    }

    /// Returns a warning for each tool, operation and argument that was skipped. Pointers refer to
    /// the parsed text.
    #[must_use]
    pub fn warnings(&self) -> &[Lint] {
        &self.warnings
    }

    /// Applies a function to each tool.
    pub fn with_each(mut self, mut apply: impl FnMut(Tool) -> Tool) -> Self {
        let tools = self.tools.into_iter();
        self.tools = tools.map(|(tool, schema)| (apply(tool), schema)).collect();
        self
    }

    pub(super) fn into_parts(self) -> (Vec<(Tool, SchemaSource)>, Vec<Lint>) {
        (self.tools, self.warnings)
    }
}

/// Collects tools and lints.
#[derive(Default)]
struct ListReader {
    list: ToolList,
    has_failed: bool,
}

impl ListReader {
    fn push(&mut self, tool: Tool, schema: String) {
        self.list.tools.push((tool, SchemaSource::Text(schema)));
    }

    fn error(&mut self, tool: &str, pointer: String, message: impl Into<String>) {
        let lint = Lint::new(Severity::Error, LintCode::Schema, message).with_tool(tool);
        self.list.warnings.push(lint.with_pointer(pointer));
        self.has_failed = true;
    }

    fn warning(&mut self, tool: &str, pointer: String, message: impl Into<String>) {
        let lint = Lint::new(Severity::Warning, LintCode::Schema, message).with_tool(tool);
        self.list.warnings.push(lint.with_pointer(pointer));
    }

    fn finish(self) -> Result<ToolList, ContractError> {
        match self.has_failed {
            true => Err(ContractError::of(self.list.warnings)),
            false => Ok(self.list),
        }
    }
}

fn strict_root<'d>(document: &'d Document<'_>) -> Result<ValueRef<'d>, ContractError> {
    let refuse = |message: String| {
        let lint = Lint::new(Severity::Error, LintCode::Schema, message);
        ContractError::of(vec![lint])
    };
    if let Some(limit) = document.limit() {
        return Err(refuse(limit.to_string()));
    }
    if let Some(repair) = document.repairs().first() {
        let (kind, place) = (repair.kind, repair.span.start);
        let message = format!("the text is not strict JSON ({kind} at byte {place})");
        return Err(refuse(message));
    }
    let root = document.root();
    root.ok_or_else(|| refuse("the text is not strict JSON".to_owned()))
}

/// Returns a value as written in the text.
fn written(value: ValueRef<'_>) -> String {
    let span = match value.kind() {
        // The span of a string excludes its quotes.
        Kind::String => None,
        _ => value.span(),
    };
    let text = span.and_then(|span| {
        let text = value.document_text();
        text.get(span.start as usize..span.end as usize)
    });
    text.map_or_else(|| value.to_json(), str::to_owned)
}

/// Returns the member with a name, unless it is null.
fn member<'d>(value: ValueRef<'d>, name: &str) -> Option<ValueRef<'d>> {
    value.get(name).filter(|member| !member.is_null())
}

fn text(value: ValueRef<'_>, name: &str) -> Option<String> {
    Some(value.get(name)?.as_str()?.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Severity;

    #[test]
    fn problems_of_a_list_have_pointers() {
        let error = ToolList::parse(r#"[{"name": "a"}, 3, {"description": "x"}]"#).unwrap_err();
        let lints = error.lints().iter();
        let pointers: Vec<_> = lints.map(|one| (&*one.pointer, one.severity)).collect();
        assert_eq!(pointers, [("/1", Severity::Error), ("/2", Severity::Error)]);
        assert_eq!(
            error.to_string(),
            "/1: expected a tool object, found number\n/2: the tool has no name"
        );
    }
}
