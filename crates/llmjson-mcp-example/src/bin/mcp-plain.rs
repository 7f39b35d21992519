//! The same tools without repairs: the SDK deserializes the arguments with serde.

use llmjson_mcp_example::{Message, Weather};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{ServiceExt as _, tool, tool_router, transport::stdio};

struct Server;

#[tool_router(server_handler)]
impl Server {
    #[tool(description = "Tells the weather of the next days.")]
    fn weather(&self, Parameters(weather): Parameters<Weather>) -> String {
        weather.forecast()
    }

    #[tool(description = "Sends a message.")]
    fn send_message(&self, Parameters(message): Parameters<Message>) -> String {
        message.send()
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Server.serve(stdio()).await?.waiting().await?;
    Ok(())
}
