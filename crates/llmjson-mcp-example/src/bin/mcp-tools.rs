//! The server that accepts imperfect arguments.

use llmjson::tools::{ContractError, Registry, Tool};
use llmjson_mcp_example::{Lenient, Message, Registered, Weather};
use rmcp::handler::server::tool::schema_for_type;
use rmcp::{ServiceExt as _, tool, tool_router, transport::stdio};

struct Server {
    registry: Registry,
}

impl Registered for Server {
    fn registry(&self) -> &Registry {
        &self.registry
    }
}

impl Server {
    fn new() -> Result<Self, ContractError> {
        let registry = Registry::builder()
            .register::<Weather>(Tool::new("weather", "Tells the weather of the next days."))
            .register::<Message>(Tool::new("send_message", "Sends a message."))
            .build()?;
        Ok(Self { registry })
    }
}

#[tool_router(server_handler)]
impl Server {
    #[tool(
        description = "Tells the weather of the next days.",
        input_schema = schema_for_type::<Weather>()
    )]
    fn weather(&self, Lenient(weather): Lenient<Weather>) -> String {
        weather.forecast()
    }

    #[tool(description = "Sends a message.", input_schema = schema_for_type::<Message>())]
    fn send_message(&self, Lenient(message): Lenient<Message>) -> String {
        message.send()
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Server::new()?.serve(stdio()).await?.waiting().await?;
    Ok(())
}
