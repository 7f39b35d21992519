//! The settings as users write them: command-line options, and the same names in a TOML file.

use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use llmjson_schema::internal::similar::nearest_names;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor, value};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::config::ConfigError;

/// The settings as they were given, each with the same name as an option and as a key of a TOML file.
///
/// ```
/// use llmjson_gateway::server::{Config, Settings};
///
/// let file = Settings::from_toml("upstream = 'http://127.0.0.1:11434/v1'\nretries = 2")?;
/// let given = Settings::from_toml("retries = 1")?;
/// let config = Config::new(&given.or(&file))?;
/// assert_eq!(config.listen().to_string(), "127.0.0.1:8377");
///
/// let error = Settings::from_toml("\nretrys = 1").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: unknown name `retrys`, did you mean `retries`?");
/// # Ok::<(), llmjson_gateway::server::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Settings {
    /// Base URL of a server with OpenAI's or Anthropic's API, optionally with its models: `qwen*,phi*=URL`. May be
    /// repeated; the first URL without models gets all other models.
    #[cfg_attr(feature = "clap", arg(long, value_name = "URL"))]
    #[serde(deserialize_with = "upstreams")]
    pub upstream: Vec<UpstreamSetting>,
    /// API of the servers: `native` if they offer every API that clients use, `chat` if they only offer chat completions,
    /// into which other APIs are translated [default: native].
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIALECTS"))]
    pub upstream_speaks: Option<String>,
    /// Action if a part of a request has no equivalent in chat completions: `refuse` the request, or `drop` the part
    /// [default: refuse].
    #[cfg_attr(feature = "clap", arg(long, value_name = "ACTION"))]
    pub unknown: Option<String>,
    /// Address and port to listen on [default: 127.0.0.1:8377].
    #[cfg_attr(feature = "clap", arg(long, value_name = "ADDRESS"))]
    pub listen: Option<String>,
    /// Additional host name for requests, and for the pages that send them. May be repeated.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub allow_host: Vec<String>,
    /// Policy for call arguments and for structured content [default: tool].
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub policy: Option<String>,
    /// Policy for calls of one tool, such as `pay=exact`. May be repeated.
    #[cfg_attr(feature = "clap", arg(long, value_name = "TOOL=NAME"))]
    pub tool_policy: Vec<String>,
    /// Minimum certainty of calls and values: `certain` or `likely`. Less certain ones are refused or retried.
    #[cfg_attr(feature = "clap", arg(long, value_name = "CLASS"))]
    pub certainty: Option<String>,
    /// Maximum number of retries when a call or a value does not conform [default: 0].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub retries: Option<u32>,
    /// Place of the tools for models without tool support: `prompt`, or `prompt:FAMILY` for a call format other than
    /// hermes.
    #[cfg_attr(feature = "clap", arg(long, value_name = "PLACE"))]
    pub tools_in: Option<String>,
    /// Folder for the file `replies.jsonl`, which gets a line for each reply.
    #[cfg_attr(feature = "clap", arg(long, value_name = "FOLDER"))]
    pub report_dir: Option<PathBuf>,

    /// Maximum number of open connections; 64 more wait, others get 503 [default: 10000].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_connections: Option<usize>,
    /// Maximum size of a request head, in bytes [default: 65536].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_header_bytes: Option<u32>,
    /// Maximum size of a request that is read, in bytes, decompressed [default: 67108864].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_request_bytes: Option<usize>,
    /// Maximum size of all requests in memory; others get 503 [default: 1073741824].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_open_request_bytes: Option<usize>,
    /// Maximum size of a reply that is read whole, in bytes [default: 67108864].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_reply_bytes: Option<usize>,
    /// Maximum size of a frame of a stream, in bytes [default: 4194304].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_frame_bytes: Option<usize>,
    /// Maximum number of bytes of a stream to hold back [default: 8388608].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_held_bytes: Option<usize>,
    /// Maximum number of tools in a request [default: 512].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_tools: Option<usize>,
    /// Maximum number of compiled tool lists, and of schemas, to keep [default: 256].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_cached: Option<usize>,
    /// Maximum total size of these tool lists, and of these schemas [default: 16777216].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = LIMITS))]
    pub max_cached_bytes: Option<usize>,
    /// Timeout for connecting to the upstream, in seconds [default: 10].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub connect_timeout: Option<f64>,
    /// Timeout for the first byte of the upstream's response, in seconds [default: 600].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub first_byte_timeout: Option<f64>,
    /// Timeout if no byte of a body is sent or received, in seconds [default: 600].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub idle_timeout: Option<f64>,
    /// Timeout for the whole body of a request that is read, in seconds [default: 600].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub body_timeout: Option<f64>,
    /// Timeout for the head of the next request, in seconds [default: 75].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub header_timeout: Option<f64>,
    /// Time for open replies to finish after SIGTERM or ctrl-c, in seconds [default: 30].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub drain_timeout: Option<f64>,
    /// Interval of the comments that keep a waiting stream alive, in seconds [default: 10].
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = LIMITS))]
    pub keep_alive: Option<f64>,
}

/// The heading of the limits in the help text.
#[cfg(feature = "clap")]
const LIMITS: &str = "Limits";

/// One upstream as it was given: `{ url = "…", models = ["qwen*"], speaks = "chat" }`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub struct UpstreamSetting {
    /// The base URL.
    pub url: String,
    /// The names of the models that go there, in which `*` stands for any characters.
    #[serde(default)]
    pub models: Vec<String>,
    /// The dialects of this server, if they are others than [`Settings::upstream_speaks`] says.
    #[serde(default)]
    pub speaks: Option<String>,
    /// The environment variable with the key for this server, which replaces the client's keys.
    #[serde(default)]
    pub key_env: Option<String>,
}

/// Parses `URL` or `MODEL,MODEL=URL`.
impl FromStr for UpstreamSetting {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let (models, url) = match text.split_once('=') {
            // An equals sign may also appear in the URL.
            Some((models, url)) if !models.contains("://") => (models, url),
            _ => ("", text),
        };
        let names = models.split(',').filter(|name| !name.is_empty());
        Ok(Self {
            url: url.to_owned(),
            models: names.map(str::to_owned).collect(),
            speaks: None,
            key_env: None,
        })
    }
}

impl Settings {
    /// Parses a TOML file.
    ///
    /// # Errors
    ///
    /// If the text is not TOML, or has unknown names or values, with the line.
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        toml::from_str(text).map_err(|error| {
            let before = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = 1 + text.as_bytes()[..before]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count();
            ConfigError::at(&format!("line {line}"), shorter(error.message()))
        })
    }

    /// Returns these settings, completed by others where nothing was given.
    #[must_use]
    pub fn or(&self, others: &Self) -> Self {
        let mut all = others.table();
        all.extend(self.table());
        Value::Table(all)
            .try_into()
            .expect("both tables were settings")
    }

    /// The given settings by name.
    fn table(&self) -> Table {
        let mut table = Table::try_from(self).expect("each setting is a value of TOML");
        table.retain(|_, value| !value.as_array().is_some_and(Vec::is_empty));
        table
    }
}

/// Suggests the nearest name in a message about an unknown one, instead of listing all.
fn shorter(message: &str) -> String {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match (message.starts_with("unknown field"), names.split_first()) {
        (true, Some((name, known))) => match nearest_names(name, known.iter().copied(), 1)[..] {
            [near] => format!("unknown name `{name}`, did you mean `{near}`?"),
            _ => format!(
                "unknown name `{name}`, expected one of {}",
                known.join(", ")
            ),
        },
        _ => message.replace('\n', ", "),
    }
}

/// Reads one URL, or an array of URLs and tables.
fn upstreams<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<UpstreamSetting>, D::Error> {
    const EXPECTED: &str =
        "a URL, or `[[upstream]]` tables with `url`, `models`, `speaks` and `key-env`";
    struct One(UpstreamSetting);
    impl<'de> Deserialize<'de> for One {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            let all = from.deserialize_any(Given)?;
            let [one] = <[_; 1]>::try_from(all).map_err(|_| D::Error::custom(EXPECTED))?;
            Ok(Self(one))
        }
    }
    struct Given;
    impl<'de> Visitor<'de> for Given {
        type Value = Vec<UpstreamSetting>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(EXPECTED)
        }

        fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
            Ok(text.parse().into_iter().collect())
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            UpstreamSetting::deserialize(value::MapAccessDeserializer::new(map))
                .map(|one| vec![one])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(One(one)) = seq.next_element()? {
                all.push(one);
            }
            Ok(all)
        }
    }
    from.deserialize_any(Given)
}
