//! An MCP server of the official SDK whose tools are those of a registry.

use llmjson::tools::{Arguments, Registry};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

/// The server.
#[derive(Clone)]
pub struct Server(pub Registry);

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.0.to_mcp();
        serde_json::from_value(json!({"tools": tools})).map_err(internal)
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = call.arguments.map(Value::Object);
        let arguments = Arguments::from(arguments.as_ref());
        // What cannot be bound is a result as well: the model reads it.
        let result = match self.0.dispatch(&call.name, arguments).await {
            Ok(answer) => answer.to_mcp_result(),
            Err(error) => error.to_mcp_result(),
        };
        let result = serde_json::from_value::<CallToolResult>(result).map_err(internal)?;
        Ok(CallToolResponse::Complete(result))
    }
}

fn internal(error: serde_json::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use llmjson::tools::Tool;
    use rmcp::ServiceExt;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Weather {
        city_name: String,
        days: u8,
    }

    #[tokio::test]
    async fn the_tools_are_those_of_the_registry() {
        let tool = Tool::new("get_weather", "Tells the weather.").with_handler(|asked: Weather| {
            Ok::<_, std::io::Error>(format!("{}: snow, {} days", asked.city_name, asked.days))
        });
        let tools = Registry::builder()
            .register::<Weather>(tool)
            .build()
            .unwrap();
        let (ours, theirs) = tokio::io::duplex(4_096);
        tokio::spawn(async move {
            let running = Server(tools).serve(ours).await.unwrap();
            running.waiting().await
        });
        let client = ().serve(theirs).await.unwrap();
        let listed = client.list_all_tools().await.unwrap();
        assert_eq!(listed[0].name, "get_weather");

        let call = async |arguments: Value| {
            let arguments = arguments.as_object().unwrap().clone();
            let call = CallToolRequestParams::new("get_weather").with_arguments(arguments);
            let result = client.call_tool(call).await.unwrap();
            let json = serde_json::to_value(result).unwrap();
            (
                json["isError"] == true,
                json["content"][0]["text"].to_string(),
            )
        };
        let (failed, text) = call(json!({"cityName": "Oslo", "days": "3"})).await;
        assert!(!failed && text.contains("Oslo: snow, 3 days"), "{text}");
        let (failed, text) = call(json!({"city_name": "Oslo"})).await;
        assert!(failed && text.contains("`days` is missing"), "{text}");
    }
}
