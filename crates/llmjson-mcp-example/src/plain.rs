//! The same tools without repairs: the SDK deserializes the arguments with serde.

use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

use crate::{Message, Weather};

/// The server that reads strictly.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

#[tool_router(server_handler)]
impl Plain {
    #[tool(description = "Tells the weather of the next days.")]
    fn weather(&self, Parameters(weather): Parameters<Weather>) -> String {
        weather.forecast()
    }

    #[tool(description = "Sends a message.")]
    fn send_message(&self, Parameters(message): Parameters<Message>) -> String {
        message.send()
    }
}
