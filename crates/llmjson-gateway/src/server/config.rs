//! The settings after validation.

use std::collections::HashMap;
use std::env;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use llmjson::Policy;
use llmjson::syntax::Class;
use llmjson::tools::Family;
use llmjson_wire::client::reqwest::Url;

use super::settings::{Settings, UpstreamSetting};
use super::upstream::Key;
use crate::{Limits, Treatment, Unknown};

/// The value for servers that support the same dialects as clients.
const NATIVE: &str = "native";
/// Returns `true` if an upstream supports only chat completions, by its declared dialect.
const SPEAKS_CHAT: [(&str, bool); 2] = [("chat", true), (NATIVE, false)];
const LISTEN: &str = "127.0.0.1:8377";
/// An example upstream for error messages.
const UPSTREAM: &str = "http://127.0.0.1:11434/v1";
/// The smallest buffer with which hyper reads a request head.
const HEADER_BYTES_MIN: u32 = 8192;
/// The call format that most models without tools were trained on.
const PROMPT_FAMILY: &str = "hermes";

/// Validated settings, with which a gateway is started.
#[derive(Clone, Debug)]
pub struct Config {
    pub(super) listen: SocketAddr,
    pub(super) upstreams: Vec<UpstreamConfig>,
    pub(super) hosts: Vec<String>,
    pub(super) treatment: Treatment,
    pub(super) report_dir: Option<PathBuf>,
    pub(super) cached: usize,
    pub(super) cached_bytes: usize,
    pub(super) bounds: Bounds,
}

/// A validated upstream.
#[derive(Clone, Debug)]
pub(super) struct UpstreamConfig {
    pub(super) url: Url,
    /// The name in messages and metrics.
    pub(super) name: String,
    pub(super) models: Vec<String>,
    /// `true` if it supports only chat completions.
    pub(super) speaks_chat: bool,
    /// The key that is sent to it instead of the client's.
    pub(super) key: Option<Key>,
}

/// The limits of the server; the limits of treatment are in [`Limits`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) connections: usize,
    pub(super) header_bytes: u32,
    pub(super) request_bytes: usize,
    /// The maximum total size of all requests held at the same time, in bytes.
    pub(super) open_request_bytes: usize,
    pub(super) reply_bytes: usize,
    pub(super) connect: Duration,
    pub(super) first_byte: Duration,
    pub(super) idle: Duration,
    pub(super) body: Duration,
    pub(super) header: Duration,
    pub(super) drain: Duration,
    pub(super) keep_alive: Duration,
}

/// The reason why settings are invalid: where, what is wrong, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    place: String,
    what: String,
}

impl ConfigError {
    pub(super) fn at(place: &str, what: impl fmt::Display) -> Self {
        Self {
            place: place.to_owned(),
            what: what.to_string(),
        }
    }

    /// Returns the line in the file, or the name of the setting.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Checks settings. Nothing is opened, and no server is contacted.
    ///
    /// # Errors
    ///
    /// If a setting is invalid, with its name and what was expected.
    pub fn new(settings: &Settings) -> Result<Self, ConfigError> {
        let listen = settings.listen.as_deref().unwrap_or(LISTEN);
        let listen = address(listen, LISTEN)?;
        if settings.upstream.is_empty() {
            let expected = "expected the base URL of a server, such as http://127.0.0.1:11434/v1";
            return Err(ConfigError::at("upstream", expected));
        }
        let speaks = settings.upstream_speaks.as_deref();
        let speaks_chat = choice("upstream-speaks", speaks.unwrap_or(NATIVE), SPEAKS_CHAT)?;
        let upstreams = settings.upstream.iter();
        let upstreams = upstreams.map(|one| upstream(one, listen, speaks_chat));
        Ok(Self {
            listen,
            upstreams: upstreams.collect::<Result<_, _>>()?,
            hosts: settings.allow_host.clone(),
            treatment: treatment(settings)?,
            report_dir: settings.report_dir.clone(),
            cached: count("max-cached", settings.max_cached, 256)?,
            cached_bytes: count("max-cached-bytes", settings.max_cached_bytes, 16 << 20)?,
            bounds: Bounds::new(settings)?,
        })
    }

    /// Describes a gateway on an address in one line: the client's base URL, and where its requests
    /// go.
    #[must_use]
    pub fn describe(&self, address: SocketAddr) -> String {
        let servers = self.upstreams.iter().map(|one| {
            let mut url = one.url.clone();
            // The query may be secret.
            url.set_query(None);
            let chat = if one.speaks_chat { " (chat)" } else { "" };
            let url = format!("{}{chat}", url.as_str().trim_end_matches('/'));
            match &*one.models {
                [] => url,
                models => format!("{url} for {}", models.join(", ")),
            }
        });
        let servers: Vec<String> = servers.collect();
        format!(
            "http://{address}/v1 is the base URL, before {}",
            servers.join(" and ")
        )
    }

    /// Returns the address to listen on.
    #[must_use]
    pub const fn listen(&self) -> SocketAddr {
        self.listen
    }
}

impl Bounds {
    pub(super) fn new(given: &Settings) -> Result<Self, ConfigError> {
        let header_bytes = given.max_header_bytes.unwrap_or(65_536);
        if header_bytes < HEADER_BYTES_MIN {
            let what = format!("{header_bytes} is too few, expected {HEADER_BYTES_MIN} or more");
            return Err(ConfigError::at("max-header-bytes", what));
        }
        Ok(Self {
            connections: count("max-connections", given.max_connections, 10_000)?,
            header_bytes,
            request_bytes: count("max-request-bytes", given.max_request_bytes, 64 << 20)?,
            open_request_bytes: count(
                "max-open-request-bytes",
                given.max_open_request_bytes,
                1 << 30,
            )?,
            reply_bytes: count("max-reply-bytes", given.max_reply_bytes, 64 << 20)?,
            connect: seconds("connect-timeout", given.connect_timeout, 10)?,
            first_byte: seconds("first-byte-timeout", given.first_byte_timeout, 600)?,
            idle: seconds("idle-timeout", given.idle_timeout, 600)?,
            body: seconds("body-timeout", given.body_timeout, 600)?,
            header: seconds("header-timeout", given.header_timeout, 75)?,
            drain: seconds("drain-timeout", given.drain_timeout, 30)?,
            keep_alive: seconds("keep-alive", given.keep_alive, 10)?,
        })
    }
}

/// Parses the address to listen on.
pub(super) fn address(given: &str, example: &str) -> Result<SocketAddr, ConfigError> {
    given.parse().map_err(|_| {
        let expected = format!("expected an IP address and a port, such as {example}");
        ConfigError::at("listen", format!("{given:?} is no address, {expected}"))
    })
}

/// A count that must be at least one.
pub(super) fn count(
    name: &str,
    given: Option<usize>,
    default: usize,
) -> Result<usize, ConfigError> {
    match given {
        Some(0) => Err(ConfigError::at(name, "0 is too few, expected 1 or more")),
        given => Ok(given.unwrap_or(default)),
    }
}

pub(super) fn seconds(
    name: &str,
    given: Option<f64>,
    default: u64,
) -> Result<Duration, ConfigError> {
    let Some(given) = given else {
        return Ok(Duration::from_secs(default));
    };
    // Timers overflow long before the type does.
    let usable = Duration::try_from_secs_f64(given).ok();
    let usable = usable.filter(|time| !time.is_zero() && time.as_secs() < 1 << 32);
    usable.ok_or_else(|| {
        let what = format!("{given} is no time, expected a number of seconds greater than 0");
        ConfigError::at(name, what)
    })
}

/// Returns the value with a name.
fn choice<T: Copy>(place: &str, name: &str, values: [(&str, T); 2]) -> Result<T, ConfigError> {
    let named = values.iter().find(|(one, _)| *one == name);
    named.map(|(_, value)| *value).ok_or_else(|| {
        let names = values.map(|(one, _)| one).join(" or ");
        ConfigError::at(place, format!("unknown name {name:?}, expected {names}"))
    })
}

fn upstream(
    given: &UpstreamSetting,
    listen: SocketAddr,
    all_speak_chat: bool,
) -> Result<UpstreamConfig, ConfigError> {
    let url = server_url("upstream", &given.url, UPSTREAM, Some(listen))?;
    if given.models.iter().any(String::is_empty) {
        let what = "empty model name; expected a name or pattern such as qwen*";
        return Err(ConfigError::at("upstream: models", what));
    }
    let models = given.models.clone();
    let key = given.key_env.as_deref().map(key_of).transpose()?;
    let own = given.speaks.as_deref();
    let own = own.map(|name| choice("upstream: speaks", name, SPEAKS_CHAT));
    Ok(UpstreamConfig {
        // The path and the query may be secret.
        name: url.origin().ascii_serialization(),
        url,
        models,
        speaks_chat: own.transpose()?.unwrap_or(all_speak_chat),
        key,
    })
}

/// Reads a key from a variable of the environment. No message repeats it.
fn key_of(variable: &str) -> Result<Key, ConfigError> {
    let wrong = |what: &str| {
        let what = format!("the variable {variable:?} {what}, expected one that holds a key");
        ConfigError::at("upstream: key-env", what)
    };
    let key = env::var(variable).map_err(|_| wrong("is not set"))?;
    let key = key.trim();
    if key.is_empty() {
        return Err(wrong("is empty"));
    }
    Key::new(key).ok_or_else(|| wrong("holds characters that no header may have"))
}

/// Validates a server URL, which must not be the address to listen on. Errors describe what is
/// expected with an example.
pub(super) fn server_url(
    place: &str,
    given: &str,
    example: &str,
    listen: Option<SocketAddr>,
) -> Result<Url, ConfigError> {
    // The URL itself may contain a key, so no message repeats it.
    let wrong = |what: &str| {
        ConfigError::at(
            place,
            format!("the URL {what}, expected one such as {example}"),
        )
    };
    let url = Url::parse(given).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong(&format!("begins with {}:", url.scheme())));
    }
    if !url.username().is_empty() || url.password().is_some() {
        let what = "holds a user or a password, which clients have to send themselves";
        return Err(wrong(what));
    }
    if url.fragment().is_some() {
        return Err(wrong("has a fragment"));
    }
    let host = url.host_str().unwrap_or_default();
    let is_own = |listen: SocketAddr| {
        host.parse() == Ok(listen.ip()) && url.port_or_known_default() == Some(listen.port())
    };
    if listen.is_some_and(is_own) {
        return Err(wrong("is the address that the gateway listens on"));
    }
    Ok(url)
}

fn treatment(given: &Settings) -> Result<Treatment, ConfigError> {
    let mut limits = Limits::DEFAULT;
    limits.held_bytes = count("max-held-bytes", given.max_held_bytes, limits.held_bytes)?;
    limits.frame_bytes = count("max-frame-bytes", given.max_frame_bytes, limits.frame_bytes)?;
    limits.tools = count("max-tools", given.max_tools, limits.tools)?;
    let unknown = given.unknown.as_deref().unwrap_or("refuse");
    let unknowns = [("refuse", Unknown::Refuse), ("drop", Unknown::Drop)];
    let mut treatment = Treatment::default()
        .with_limits(limits)
        .with_unknown(choice("unknown", unknown, unknowns)?)
        .with_retries(given.retries.unwrap_or_default());
    if let Some(name) = &given.policy {
        treatment = treatment.with_policy(named("policy", name)?);
    }
    if let Some(name) = &given.certainty {
        let classes = [("certain", Class::Certain), ("likely", Class::Likely)];
        treatment = treatment.with_certainty(Some(choice("certainty", name, classes)?));
    }
    if let Some(place) = &given.tools_in {
        let family = match place.split_once(':') {
            None if place == "prompt" => PROMPT_FAMILY,
            Some(("prompt", family)) => family,
            _ => {
                let what = format!("unknown place {place:?}, expected prompt or prompt:FAMILY");
                return Err(ConfigError::at("tools-in", what));
            }
        };
        let family: Family = named("tools-in", family)?;
        treatment = treatment.with_tools_in_prompt(Some(family));
    }
    let mut policies = HashMap::new();
    for one in &given.tool_policy {
        let Some((tool, name)) = one.rsplit_once('=').filter(|(tool, _)| !tool.is_empty()) else {
            let what = format!("{one:?} names no policy, expected TOOL=POLICY such as pay=exact");
            return Err(ConfigError::at("tool-policy", what));
        };
        let policy: Policy = named("tool-policy", name)?;
        if policies.insert(tool.to_owned(), policy).is_some() {
            return Err(ConfigError::at(
                "tool-policy",
                format!("{tool:?} is given twice"),
            ));
        }
    }
    Ok(treatment.with_tool_policies(policies))
}

fn named<T: FromStr<Err: fmt::Display>>(place: &str, name: &str) -> Result<T, ConfigError> {
    name.parse().map_err(|error| ConfigError::at(place, error))
}
