//! The server that reads strictly, on standard input and output.

use llmjson_mcp_example::Plain;
use rmcp::{ServiceExt as _, transport::stdio};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Plain.serve(stdio()).await?.waiting().await?;
    Ok(())
}
