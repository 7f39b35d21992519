//! A proxy between a client and a server of the Model Context Protocol, as a state machine.
//!
//! The proxy does no input or output: the caller moves the bytes. Messages are lines, as in the
//! stdio transport. All of them are forwarded byte for byte, except tool calls whose arguments do
//! not satisfy the schema that the server listed for the tool:
//!
//! - If the arguments can be repaired under the [`Policy`], only their bytes are replaced.
//! - Otherwise the call is not forwarded. The response is a tool result with `isError` that tells the model
//!   what to write instead.
//! - A call that is not strict JSON, which a server would not answer, is parsed leniently and
//!   forwarded as strict JSON. If it was truncated or cannot be read, the response is a tool result
//!   with `isError`.
//!
//! If the client calls a tool before it has requested the tool list, the proxy requests the list
//! first; the call waits, and the list is not forwarded to the client. If the complete list does
//! not contain the tool, the call is forwarded unchanged: the server answers it. If the list is
//! incomplete (an error, a line that is too long, endless pages, no answer in [`LIST_TIMEOUT`]), or
//! if a tool's schema is unusable, calls cannot be checked. A name that differs from a single
//! tool's name only in case and in the characters between letters and digits is replaced by it
//! (`get-sum` by `getSum`), unless the policy requires exact names. A call that names two tools is
//! not forwarded. Neither is a call with two `arguments`, if the policy refuses duplicate keys.
//!
//! ```
//! # mod llmjson { pub use llmjson_reply::*; pub mod tools { pub mod mcp { pub use llmjson_mcp::*; } } }
//! use llmjson::Policy;
//! use llmjson::tools::mcp::{Output, Proxy};
//!
//! let Proxy { mut client, mut server, .. } = Proxy::new(Policy::tool());
//! let mut out = Output::default();
//! // The client requests the tool list, and the server responds.
//! client.push(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n", &mut out);
//! let weather = r#"{"name":"weather","inputSchema":{"properties":{"days":{"type":"integer"}}}}"#;
//! let listed = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{weather}]}}}}"#);
//! server.push(format!("{listed}\n").as_bytes(), &mut Output::default());
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
//! The messages of a batch are handled one by one. Messages that the proxy answers are left out of
//! the forwarded batch; the proxy's responses form a separate batch, before the server's. JSON-RPC
//! requires the responses in one array, so a client that relies on that, rather than on the `id` of
//! each response, must not send tool calls in batches. A truncated batch is not forwarded; all of
//! its requests get responses from the proxy.
//!
//! # Other transports
//!
//! Over Streamable HTTP, messages are sent one by one, each with its own answer: [`Session`]
//! handles them this way, and keeps the tool list of one session. If each side is still a stream of
//! lines, you can also use a [`Proxy`] there; [`FromClient::mirrored`] returns the headers that
//! repeat parts of a message.
//!
//! # Limits
//!
//! Lines may have any length; most are forwarded piece by piece. Tool calls are buffered as a
//! whole. Calls of more than 10,000,000 bytes, nested too deep, or not UTF-8 cannot be checked, and
//! longer tool lists are not parsed. A policy that refuses truncated calls, such as
//! [`Policy::tool`], answers calls that cannot be checked with an error; other policies forward
//! them unchanged. [`Output::notices`] reports this.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod answer;
mod arguments;
mod call;
mod client;
#[cfg(feature = "laws")]
#[doc(hidden)]
pub mod laws;
mod lines;
mod list;
mod mirror;
mod server;
mod session;
mod shared;
mod skim;
mod unchecked;

pub use client::{AwaitedList, FromClient, LIST_TIMEOUT, Output};
pub use lines::Lines;
pub use server::FromServer;
pub use session::{Listed, Session, Treated};

use llmjson_reply::Policy;
use shared::Shared;

/// The two directions of one connection. They share state and can be moved to different threads.
#[derive(Debug)]
#[non_exhaustive]
pub struct Proxy {
    /// The direction from the client to the server.
    pub client: FromClient,
    /// The direction from the server to the client.
    pub server: FromServer,
}

impl Proxy {
    /// Creates a proxy that repairs arguments as far as the policy allows.
    ///
    /// Use [`Policy::tool`] usually, and [`Policy::exact`] for tools that pay or delete. Both
    /// reject undeclared members. To forward undeclared members whose names are not similar to a
    /// declared field's, set [`with_undeclared`](Policy::with_undeclared).
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        let shared = Shared::default();
        Self {
            client: FromClient::new(shared.clone(), policy.clone()),
            server: FromServer::new(shared, policy),
        }
    }
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
