//! A proxy between a client and a server of the Model Context Protocol, as a state machine.
//!
//! It does no input and output: bytes go in and come out, and whoever has the pipes moves them. Messages are
//! lines, as on standard input and output, and all of them pass byte for byte, but for calls of tools whose
//! arguments do not fit the schema that the server listed for the tool:
//!
//! - Arguments that can be put right under the [`Policy`] are: only their bytes are replaced.
//! - Otherwise the call goes no further. Its answer is a tool result with the flag `isError` that tells
//!   the model what to write instead.
//! - A call that is not strict JSON, which a server would not answer at all, is read leniently, and written
//!   anew if it can be read. One that was cut off is answered as above.
//!
//! Tools that were not listed, or whose schema cannot be used, are called as if there were no proxy.
//!
//! ```
//! use llmjson::Policy;
//! use llmjson::tools::mcp::{Output, Proxy};
//!
//! let Proxy { mut client, mut server, .. } = Proxy::new(Policy::tool());
//! let (mut out, mut notices) = (Output::default(), Vec::new());
//! // The client asks for the tools, and the server tells.
//! client.push(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n", &mut out);
//! let weather = r#"{"name":"weather","inputSchema":{"properties":{"days":{"type":"integer"}}}}"#;
//! let listed = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{weather}]}}}}"#);
//! server.push(format!("{listed}\n").as_bytes(), &mut notices);
//!
//! let call = |days: &str| {
//!     let params = format!(r#"{{"name":"weather","arguments":{{"days":{days}}}}}"#);
//!     format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{params}}}"#) + "\n"
//! };
//! let mut out = Output::default();
//! client.push(call("\"3\"").as_bytes(), &mut out);
//! assert_eq!(out.to_server, call("3").as_bytes());
//!
//! let mut out = Output::default();
//! client.push(call("\"many\"").as_bytes(), &mut out);
//! assert!(out.to_server.is_empty());
//! assert!(out.to_client.ends_with(b"\"isError\":true}}\n"));
//! ```
//!
//! # Batches
//!
//! The members of a batch are judged one by one. Those that the proxy answers are left out of the batch
//! that goes on; their answers are a batch, too, which their sender understands, and it comes before
//! the server's. JSON-RPC asks for the answers in one array, so a client that counts on that, rather than on
//! the `id` of each answer, has to send such calls by themselves. Of a batch that was cut off nothing is
//! carried out; all of its requests are answered.
//!
//! # Limits
//!
//! Lines may be of any length, and of most no more is held than the pieces in which they come. Calls of tools
//! are held whole. Those of more than 10,000,000 bytes pass as they are, and lists of tools that are longer
//! are not read.

mod answer;
mod arguments;
mod call;
mod client;
pub(crate) mod laws;
mod lines;
mod list;
mod server;
mod shared;
mod skim;

pub use client::FromClient;
pub use lines::Lines;
pub use server::FromServer;

use crate::policy::Policy;
use shared::Shared;

/// The longest line that is looked into, in bytes.
const LINE_BYTES_MAX: usize = 10_000_000;

/// The two directions of one connection. They share what they know and may each be moved to a thread of
/// its own.
#[derive(Debug)]
#[non_exhaustive]
pub struct Proxy {
    /// What comes from the client.
    pub client: FromClient,
    /// What comes from the server.
    pub server: FromServer,
}

impl Proxy {
    /// A proxy that puts arguments right as far as a policy allows: [`Policy::tool`], or
    /// [`Policy::exact`] where tools pay or delete. Both refuse members that the schema does not declare;
    /// [`with_undeclared`](Policy::with_undeclared) leaves those to the server whose names are not like
    /// that of any declared member.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        let shared = Shared::default();
        Self {
            client: FromClient::new(shared.clone(), policy.clone()),
            server: FromServer::new(shared, policy),
        }
    }
}

/// What bytes of the client came to. What is appended here is to be written and taken out by the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The next bytes for the server.
    pub to_server: Vec<u8>,
    /// Whole lines for the client: see [`Lines`] for how to bring them between those of the server.
    pub to_client: Vec<u8>,
}

impl Output {
    fn answer(&mut self, json: &str) {
        self.to_client.extend_from_slice(json.as_bytes());
        self.to_client.push(b'\n');
    }
}
