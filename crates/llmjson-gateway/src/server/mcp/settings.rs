//! The proxy's settings as users write them, and after validation.

use std::env;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::time::Duration;

use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use llmjson::Policy;
use llmjson_mcp::LIST_TIMEOUT;

use crate::server::config::{self, Bounds, ConfigError, UpstreamConfig};
use crate::server::settings::Settings as Limits;

/// An example address for error messages.
const ADDRESS: &str = "127.0.0.1:8378";
/// An example URL for error messages.
const URL: &str = "https://mcp.example/mcp";

/// The settings as they were given, each with the same name as an option.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[non_exhaustive]
pub struct Settings {
    /// URL of a server that speaks Streamable HTTP, instead of a program.
    #[cfg_attr(feature = "clap", arg(long, value_name = "URL"))]
    pub url: Option<String>,
    /// Address and port to serve Streamable HTTP on, instead of standard input and output.
    #[cfg_attr(feature = "clap", arg(long, value_name = "ADDRESS"))]
    pub listen: Option<String>,
    /// Header of requests to the URL for a client on standard input; `${NAME}` is replaced by an environment variable. May
    /// be repeated.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME: VALUE"))]
    pub header: Vec<String>,
    /// Additional host name for requests, and for the pages that send them. May be repeated.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub allow_host: Vec<String>,

    /// Maximum number of open connections and of requests on standard input [default: 10000].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_connections: Option<usize>,
    /// Maximum size of a request head, in bytes [default: 65536].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_header_bytes: Option<u32>,
    /// Maximum size of a client's message, in bytes [default: 10000000].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_request_bytes: Option<usize>,
    /// Maximum size of a server's message that is read, in bytes [default: 67108864].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_reply_bytes: Option<usize>,
    /// Maximum number of sessions. With a program, each session has its own process; with a URL, these are the sessions
    /// whose tools are kept [default: 1000].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_sessions: Option<usize>,
    /// Maximum total size of the tools of all sessions with a URL, as received, in bytes; the least recently used session
    /// is dropped [default: 268435456].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_cached_bytes: Option<usize>,
    /// Maximum size of the events that a session keeps for replay [default: 1048576].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_replay_bytes: Option<usize>,
    /// Time after which an idle session ends, in seconds [default: 3600].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub session_timeout: Option<f64>,
    /// Timeout for the server's tool list if a call waits for it, in seconds [default: 60].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub list_timeout: Option<f64>,
    /// Timeout for connecting to the server, in seconds [default: 10].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub connect_timeout: Option<f64>,
    /// Timeout for the first byte of the server's response, in seconds [default: 600].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub first_byte_timeout: Option<f64>,
    /// Timeout if no byte of a body is sent or received, in seconds [default: 600].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub idle_timeout: Option<f64>,
    /// Timeout for the head of the next request, in seconds [default: 75].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub header_timeout: Option<f64>,
    /// Time for open replies to finish after SIGTERM, ctrl-c or the end of the input [default: 30].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub drain_timeout: Option<f64>,
    /// Interval of the comments that keep a waiting stream alive, in seconds [default: 10].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub keep_alive: Option<f64>,
}

/// The heading of the limits in the help text.
#[cfg(feature = "clap")]
const LIMITS: &str = "Limits";

/// Validated settings, with which a proxy is started.
#[derive(Clone, Debug)]
pub struct Config {
    pub(super) target: Target,
    pub(super) listen: Option<SocketAddr>,
    pub(super) headers: HeaderMap,
    pub(super) hosts: Vec<String>,
    pub(super) policy: Policy,
    pub(super) limits: SessionLimits,
}

/// The limits of the server and its sessions.
#[derive(Clone, Copy, Debug)]
pub(super) struct SessionLimits {
    pub(super) bounds: Bounds,
    pub(super) sessions: usize,
    pub(super) cached_bytes: usize,
    pub(super) replay_bytes: usize,
    pub(super) session: Duration,
    pub(super) list: Duration,
}

/// The server behind the proxy.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// A program and its arguments; at least one element.
    Program(Vec<OsString>),
    Server(UpstreamConfig),
}

impl Config {
    /// Checks settings, with the program and its arguments if there is one instead of a URL.
    /// Nothing is opened or started.
    ///
    /// # Errors
    ///
    /// If a setting is invalid, with its name and what was expected.
    pub fn new(
        settings: &Settings,
        policy: Policy,
        program: &[OsString],
    ) -> Result<Self, ConfigError> {
        let listen = settings.listen.as_deref();
        let listen = listen
            .map(|given| config::address(given, ADDRESS))
            .transpose()?;
        if !settings.header.is_empty() && (listen.is_some() || settings.url.is_none()) {
            let what = "clients over HTTP send their own, and programs get none, expected --url without --listen";
            return Err(ConfigError::at("header", what));
        }
        let target = match (&settings.url, program) {
            (Some(url), []) => Target::Server(UpstreamConfig {
                name: "MCP server".to_owned(),
                url: config::server_url("url", url, URL, listen)?,
                models: Vec::new(),
                speaks_chat: false,
                key: None,
            }),
            (Some(_), _) => {
                let what = "a program is given, too, expected one of both";
                return Err(ConfigError::at("url", what));
            }
            (None, []) => {
                let what = format!("expected the URL of a server, such as {URL}, or a program");
                return Err(ConfigError::at("url", what));
            }
            (None, _) if listen.is_none() => {
                let what = format!("expected an address and a port, such as {ADDRESS}");
                return Err(ConfigError::at("listen", what));
            }
            (None, program) => Target::Program(program.to_vec()),
        };
        Ok(Self {
            target,
            listen,
            headers: headers(&settings.header)?,
            hosts: settings.allow_host.clone(),
            policy,
            limits: limits(settings)?,
        })
    }

    /// Returns the address to listen on, or `None` for a client on standard input.
    #[must_use]
    pub const fn listen(&self) -> Option<SocketAddr> {
        self.listen
    }

    /// Returns the path at which the server is served.
    #[must_use]
    pub fn path(&self) -> &str {
        match &self.target {
            Target::Program(_) => super::PATH,
            Target::Server(server) => server.url.path(),
        }
    }
}

fn limits(given: &Settings) -> Result<SessionLimits, ConfigError> {
    let bounds = Limits {
        max_connections: given.max_connections,
        max_header_bytes: given.max_header_bytes,
        max_request_bytes: given.max_request_bytes.or(Some(10_000_000)),
        max_reply_bytes: given.max_reply_bytes,
        connect_timeout: given.connect_timeout,
        first_byte_timeout: given.first_byte_timeout,
        idle_timeout: given.idle_timeout,
        header_timeout: given.header_timeout,
        drain_timeout: given.drain_timeout,
        keep_alive: given.keep_alive,
        ..Limits::default()
    };
    Ok(SessionLimits {
        bounds: Bounds::new(&bounds)?,
        sessions: config::count("max-sessions", given.max_sessions, 1000)?,
        cached_bytes: config::count("max-cached-bytes", given.max_cached_bytes, 256 << 20)?,
        replay_bytes: config::count("max-replay-bytes", given.max_replay_bytes, 1 << 20)?,
        session: config::seconds("session-timeout", given.session_timeout, 3600)?,
        list: config::seconds("list-timeout", given.list_timeout, LIST_TIMEOUT.as_secs())?,
    })
}

/// Parses headers, replacing environment variables in their values. No message repeats a value,
/// which may be a key.
fn headers(given: &[String]) -> Result<HeaderMap, ConfigError> {
    let mut headers = HeaderMap::new();
    for one in given {
        let expected = "expected NAME: VALUE such as 'Authorization: Bearer ${TOKEN}'";
        let wrong = |what: &str| ConfigError::at("header", format!("{what}, {expected}"));
        let Some((name, value)) = one.split_once(':') else {
            return Err(wrong("there is no colon"));
        };
        let name = HeaderName::try_from(name.trim())
            .map_err(|_| wrong(&format!("{:?} is no name", name.trim())))?;
        let mut value = HeaderValue::try_from(filled(value.trim())?)
            .map_err(|_| wrong(&format!("the value of {name} cannot be sent")))?;
        value.set_sensitive(true);
        headers.append(name, value);
    }
    Ok(headers)
}

/// Replaces `${NAME}` by the environment variable with that name.
fn filled(value: &str) -> Result<String, ConfigError> {
    let (mut filled, mut rest) = (String::new(), value);
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, after)) = after.split_once('}') else {
            break;
        };
        let found = env::var(name).map_err(|_| {
            let what =
                format!("the environment has no text {name:?}, expected the name of a variable");
            ConfigError::at("header", what)
        })?;
        filled.push_str(before);
        filled.push_str(&found);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}
