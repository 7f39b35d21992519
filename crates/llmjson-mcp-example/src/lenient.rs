//! An extractor for the SDK that binds arguments to the contract of their tool.

use llmjson::tools::Registry;
use rmcp::ErrorData;
use rmcp::handler::server::common::FromContextPart;
use rmcp::handler::server::tool::ToolCallContext;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Prefix of errors that the SDK turns into a tool result with `isError`, which the model reads, instead of
/// a protocol error.
const RESULT_PREFIX: &str = "failed to deserialize parameters:";

/// A server that has contracts for its tools.
pub trait Registered {
    /// Returns the contracts, by the names of the tools.
    fn registry(&self) -> &Registry;
}

/// The arguments of a call, bound to the contract of the tool. Replaces `Parameters` of the SDK.
///
/// The macro `tool` infers the input schema from `Parameters` only, so it must be given here:
///
/// ```
/// # use llmjson::tools::Registry;
/// # use llmjson_mcp_example::{Lenient, Registered, Weather};
/// # use rmcp::{handler::server::tool::schema_for_type, tool, tool_router};
/// # struct Server(Registry);
/// # impl Registered for Server {
/// #     fn registry(&self) -> &Registry {
/// #         &self.0
/// #     }
/// # }
/// #[tool_router(server_handler)]
/// impl Server {
///     #[tool(description = "Tells the weather.", input_schema = schema_for_type::<Weather>())]
///     fn weather(&self, Lenient(weather): Lenient<Weather>) -> String {
///         weather.forecast()
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Lenient<T>(
    /// The arguments.
    pub T,
);

impl<S, T> FromContextPart<ToolCallContext<'_, S>> for Lenient<T>
where
    S: Registered,
    T: DeserializeOwned,
{
    fn from_context_part(context: &mut ToolCallContext<'_, S>) -> Result<Self, ErrorData> {
        let arguments = context.arguments.take().map(Value::Object);
        let registry = context.service.registry();
        match registry.bind(&context.name, arguments.as_ref()) {
            Ok(bound) => Ok(Self(bound.value)),
            Err(error) => {
                let feedback = format!("{RESULT_PREFIX}\n\n{}", error.explain());
                Err(ErrorData::invalid_params(feedback, None))
            }
        }
    }
}
