//! Tools in the lists in which they are sent to models and told by servers.
//!
//! `entry` reads one tool in whichever shape, `openapi` makes tools of the operations of an API.
//! What is read is the text itself: schemas keep their order and every digit.

mod carried;
mod entry;
mod openapi;

use llmjson_syntax::{Document, Kind, ValueRef};

use super::checks::{Problem, ProblemCode};
use super::contract::{ContractError, SchemaSource};
use super::tool::Tool;

/// Tools that were read from a text, each with the schema of its arguments.
///
/// ```
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
    warnings: Vec<Problem>,
}

impl ToolList {
    /// Reads a list of tools, a tool alone, or an object that holds such a list under `tools`: the
    /// answer of an MCP server, whole or its result alone, or a request to a model. The tools are in
    /// the shapes of
    ///
    /// - OpenAI: `{"type": "function", "function": {"name", "description", "parameters"}}`, and
    ///   without the inner object;
    /// - Anthropic: `{"name", "description", "input_schema"}`;
    /// - MCP: `{"name", "title", "description", "inputSchema"}`;
    /// - Gemini: `{"functionDeclarations": [{"name", "description", "parameters"}]}`;
    /// - nobody: `{"name", "description", "parameters"}`,
    ///
    /// also several shapes in one list. Other members are passed over. A tool without a schema has
    /// no arguments. Tools that a provider brings along, whose arguments it does not tell, are left
    /// out with a [warning](Self::warnings).
    ///
    /// # Errors
    ///
    /// If the text is not strict JSON, and everything in it that is no tool.
    pub fn parse(text: &str) -> Result<Self, ContractError> {
        let document = llmjson_syntax::parse(text);
        let root = strict_root(&document)?;
        let mut reader = Reader::default();
        entry::read_all(root, String::new(), &mut reader);
        reader.finish()
    }

    /// Makes tools of an API: of an OpenAPI document (3.0 or 3.1) every operation with an
    /// `operationId`, or of a single operation that one. The document has to be JSON: YAML has to be
    /// converted before.
    ///
    /// The `operationId` is the name of the tool; `summary` and `description` describe it. Its
    /// arguments are the parameters and the members of the JSON body, as far as the body is required
    /// or asks for nothing, is an object of members alone, and has no name in common with the
    /// parameters; else the body is the argument `body`. Of parameters of the same name the later
    /// one's name begins with where it stands: `header_id`. References are kept, with what they lead
    /// to.
    ///
    /// ```
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
    /// If the text is not strict JSON, or neither a document nor an operation.
    pub fn parse_openapi(text: &str) -> Result<Self, ContractError> {
        let document = llmjson_syntax::parse(text);
        let root = strict_root(&document)?;
        let mut reader = Reader::default();
        openapi::read(root, &mut reader);
        reader.finish()
    }

    /// The tools, with the schemas of their arguments.
    pub fn tools(&self) -> &[(Tool, SchemaSource)] {
        &self.tools
    }

    /// The tools, with the schemas of their arguments.
    pub fn into_tools(self) -> Vec<(Tool, SchemaSource)> {
        self.tools
    }

    /// What was left out. Pointers lead into the text.
    #[must_use]
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// Says more about each tool.
    pub fn with_each(mut self, mut say: impl FnMut(Tool) -> Tool) -> Self {
        let tools = self.tools.into_iter();
        self.tools = tools.map(|(tool, schema)| (say(tool), schema)).collect();
        self
    }

    pub(super) fn into_parts(self) -> (Vec<(Tool, SchemaSource)>, Vec<Problem>) {
        (self.tools, self.warnings)
    }
}

/// What was read so far.
#[derive(Default)]
struct Reader {
    list: ToolList,
    has_failed: bool,
}

impl Reader {
    fn push(&mut self, tool: Tool, schema: String) {
        self.list.tools.push((tool, SchemaSource::Text(schema)));
    }

    fn error(&mut self, tool: &str, pointer: String, message: impl Into<String>) {
        let problem = Problem::error(tool, ProblemCode::Schema, message);
        self.list.warnings.push(problem.at(pointer));
        self.has_failed = true;
    }

    fn warning(&mut self, tool: &str, pointer: String, message: impl Into<String>) {
        let problem = Problem::warning(tool, ProblemCode::Schema, message);
        self.list.warnings.push(problem.at(pointer));
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
        let problem = Problem::error("", ProblemCode::Schema, message);
        ContractError::of(vec![problem])
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

/// A value as it is written.
fn written(value: ValueRef<'_>) -> String {
    let span = match value.kind() {
        // Its span leaves out the quotes.
        Kind::String => None,
        _ => value.span(),
    };
    let text = span.and_then(|span| {
        let text = value.document_text();
        text.get(span.start as usize..span.end as usize)
    });
    text.map_or_else(|| value.to_json(), str::to_owned)
}

/// The member of a name, unless it is null.
fn member<'d>(value: ValueRef<'d>, name: &str) -> Option<ValueRef<'d>> {
    value.get(name).filter(|member| !member.is_null())
}

fn text(value: ValueRef<'_>, name: &str) -> Option<String> {
    Some(value.get(name)?.as_str()?.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::Severity;

    #[test]
    fn problems_of_a_list_say_where_they_are() {
        let error = ToolList::parse(r#"[{"name": "a"}, 3, {"description": "x"}]"#).unwrap_err();
        let problems = error.problems().iter();
        let pointers: Vec<_> = problems.map(|one| (&*one.pointer, one.severity)).collect();
        assert_eq!(pointers, [("/1", Severity::Error), ("/2", Severity::Error)]);
        assert_eq!(
            error.to_string(),
            "/1: a tool is an object, this is a number\n/2: the tool has no name"
        );
    }
}
