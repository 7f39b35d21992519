//! Settings of a client: addresses, headers, limits.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use crate::client::Client;
use crate::client::error::{BuildError, ClientError};
use crate::client::transport::{self, Proxy};

/// The default timeout for connecting.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The default timeout for the next bytes. It is long because a model may think before the first
/// ones.
pub const READ_TIMEOUT: Duration = Duration::from_secs(300);

/// The default maximum length of a body that is not a stream, in bytes.
pub const BODY_BYTES_MAX: usize = 256 * 1024 * 1024;

/// The maximum length of an error body that is read, in bytes.
pub const ERROR_BODY_BYTES_MAX: usize = 1024 * 1024;

/// The minimum length of a secret: redacting shorter strings would leave nothing readable.
const SECRET_BYTES_MIN: usize = 8;

/// Builds a client from the server address, the key and the limits.
///
/// ```
/// use llmjson_wire::client::Client;
///
/// let client = Client::builder()
///     .base_url("https://llm.example/v1/")
///     .api_key("sk-not-to-be-seen")
///     .build()?;
/// let shown = format!("{client:?}");
/// assert!(shown.contains("https://llm.example/v1/chat/completions"));
/// assert!(!shown.contains("sk-not-to-be-seen"));
///
/// let nowhere = Client::builder().build().unwrap_err();
/// assert_eq!(nowhere.to_string(), "neither a base URL nor the URL of an endpoint is set");
/// # Ok::<(), llmjson_wire::client::BuildError>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct ClientBuilder {
    base_url: Option<String>,
    chat_url: Option<String>,
    embeddings_url: Option<String>,
    headers: Vec<(String, String)>,
    frame_bytes_max: usize,
    body_bytes_max: usize,
    connect_timeout: Duration,
    read_timeout: Duration,
    proxy: Proxy,
    transport: Option<reqwest::Client>,
}

impl Default for ClientBuilder {
    fn default() -> Self {
        Self {
            base_url: None,
            chat_url: None,
            embeddings_url: None,
            headers: Vec::new(),
            frame_bytes_max: 0,
            body_bytes_max: BODY_BYTES_MAX,
            connect_timeout: CONNECT_TIMEOUT,
            read_timeout: READ_TIMEOUT,
            proxy: Proxy::OfEnvironment,
            transport: None,
        }
    }
}

/// Omits all headers: any of them may be secret.
impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder").finish_non_exhaustive()
    }
}

impl ClientBuilder {
    /// Sets the base URL to which `/chat/completions` and `/embeddings` are appended:
    /// `https://llm.example/v1`.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Sets the URL for chat completions, which takes precedence over the base URL.
    pub fn chat_url(mut self, url: impl Into<String>) -> Self {
        self.chat_url = Some(url.into());
        self
    }

    /// Sets the URL for embeddings, which takes precedence over the base URL.
    pub fn embeddings_url(mut self, url: impl Into<String>) -> Self {
        self.embeddings_url = Some(url.into());
        self
    }

    /// Sets the key, sent as `Authorization: Bearer …`.
    pub fn api_key(self, key: impl AsRef<str>) -> Self {
        self.authorization(format!("Bearer {}", key.as_ref()))
    }

    /// Sets the whole value of the header `Authorization`.
    pub fn authorization(self, text: impl Into<String>) -> Self {
        self.header(AUTHORIZATION.as_str(), text)
    }

    /// Adds a header. If a name is added twice, the last value is sent.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets the maximum length of a stream frame in bytes; 0 means
    /// [`FRAME_BYTES_MAX`](crate::sse::FRAME_BYTES_MAX).
    pub fn frame_bytes_max(mut self, bytes_max: usize) -> Self {
        self.frame_bytes_max = bytes_max;
        self
    }

    /// Sets the maximum length of a reply that is not a stream, in bytes; the default is 256 MiB.
    pub fn body_bytes_max(mut self, bytes_max: usize) -> Self {
        self.body_bytes_max = bytes_max;
        self
    }

    /// Sets the timeout for connecting; the default is 10 seconds.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// Sets the timeout for the next bytes, including the first ones; the default is 300 seconds.
    pub fn read_timeout(mut self, timeout: Duration) -> Self {
        self.read_timeout = timeout;
        self
    }

    /// Connects directly to the server, even if the environment names a proxy.
    pub fn without_proxy(mut self) -> Self {
        self.proxy = Proxy::None;
        self
    }

    /// Sends requests through this HTTP client instead of a built-in one, with its own timeouts,
    /// proxies, redirects and certificates.
    #[cfg(feature = "reqwest")]
    pub fn transport(mut self, transport: reqwest::Client) -> Self {
        self.transport = Some(transport);
        self
    }

    fn connection(&self) -> Result<reqwest::ClientBuilder, BuildError> {
        transport::builder(self.connect_timeout, self.read_timeout, self.proxy)
    }

    /// Builds the client. Nothing is sent.
    ///
    /// # Errors
    ///
    /// If no URL is set, if one is not an HTTP URL, or if a header is invalid.
    pub fn build(self) -> Result<Client, BuildError> {
        let join = |explicit: &Option<String>, path: &str| match (explicit, &self.base_url) {
            (Some(url), _) => parse(url).map(Some),
            (None, Some(base)) => parse(&joined(base, path)).map(Some),
            (None, None) => Ok(None),
        };
        let chat_url = join(&self.chat_url, "chat/completions")?;
        let embeddings_url = join(&self.embeddings_url, "embeddings")?;
        if chat_url.is_none() && embeddings_url.is_none() {
            return Err(BuildError::NoUrl);
        }
        let mut headers = HeaderMap::new();
        let mut secrets = Vec::new();
        for (name, value) in &self.headers {
            let bad = || BuildError::Header(name.clone());
            let key = HeaderName::try_from(name.as_str()).map_err(|_| bad())?;
            let mut value_sent = HeaderValue::try_from(value.as_str()).map_err(|_| bad())?;
            value_sent.set_sensitive(true);
            headers.insert(key, value_sent);
            secrets.push(value.clone());
            // A server that repeats a key does not repeat the word before it.
            secrets.extend(value.split_once(' ').map(|(_, key)| key.trim().to_owned()));
        }
        secrets.retain(|secret| secret.len() >= SECRET_BYTES_MIN);
        // The longer one first, or only the shorter one inside it would be redacted.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        let http = match self.transport {
            Some(transport) => transport,
            None => transport::build(self.connection()?)?,
        };
        let config = Config {
            chat_url,
            embeddings_url,
            headers,
            secrets,
            frame_bytes_max: self.frame_bytes_max,
            body_bytes_max: self.body_bytes_max,
        };
        Ok(Client {
            http,
            config: Arc::new(config),
        })
    }
}

/// The settings of a client.
pub(crate) struct Config {
    chat_url: Option<Url>,
    embeddings_url: Option<Url>,
    pub(crate) headers: HeaderMap,
    secrets: Vec<String>,
    pub(crate) frame_bytes_max: usize,
    pub(crate) body_bytes_max: usize,
}

impl Config {
    pub(crate) fn chat_url(&self) -> Result<&str, ClientError> {
        let missing = ClientError::NoUrl("chat completions");
        self.chat_url.as_ref().map(Url::as_str).ok_or(missing)
    }

    pub(crate) fn embeddings_url(&self) -> Result<&str, ClientError> {
        let missing = ClientError::NoUrl("embeddings");
        self.embeddings_url.as_ref().map(Url::as_str).ok_or(missing)
    }

    /// Redacts secrets in a body that becomes part of an error.
    pub(crate) fn strike_out(&self, body: Vec<u8>) -> Vec<u8> {
        let mut body = body;
        for secret in &self.secrets {
            let finder = memchr::memmem::Finder::new(secret);
            let places: Vec<usize> = finder.find_iter(&body).collect();
            if places.is_empty() {
                continue;
            }
            let mut struck = Vec::with_capacity(body.len());
            let mut from = 0;
            for place in places {
                struck.extend_from_slice(&body[from..place]);
                struck.extend_from_slice(b"[secret]");
                from = place + secret.len();
            }
            struck.extend_from_slice(&body[from..]);
            body = struck;
        }
        body
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("chat_url", &self.chat_url.as_ref().map(shown))
            .field("embeddings_url", &self.embeddings_url.as_ref().map(shown))
            .finish_non_exhaustive()
    }
}

/// Returns an address without its possibly secret parts: user, password and query.
fn shown(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    format!("{}://{host}{port}{}", url.scheme(), url.path())
}

fn parse(url: &str) -> Result<Url, BuildError> {
    let parsed = Url::parse(url).map_err(|error| BuildError::Url(error.to_string()))?;
    match parsed.scheme() {
        "http" | "https" => Ok(parsed),
        other => Err(BuildError::Url(format!(
            "its scheme is {other}, expected http or https"
        ))),
    }
}

/// Joins a path to a base, with one slash between them, followed by the base's query.
fn joined(base: &str, path: &str) -> String {
    let (base, query) = match base.split_once('?') {
        Some((base, query)) => (base, format!("?{query}")),
        None => (base, String::new()),
    };
    let base = base.trim_end_matches('/');
    format!("{base}/{path}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_joined_with_one_slash() {
        let table = [
            ("http://h/v1", "http://h/v1/chat/completions"),
            ("http://h/v1//", "http://h/v1/chat/completions"),
            ("http://h", "http://h/chat/completions"),
            ("http://h/v1/?a=b/", "http://h/v1/chat/completions?a=b/"),
        ];
        for (base, url) in table {
            assert_eq!(joined(base, "chat/completions"), url);
        }
    }

    #[test]
    fn an_address_of_an_endpoint_counts_for_more() {
        let client = Client::builder()
            .base_url("http://h/v1")
            .chat_url("http://other/chat")
            .build()
            .unwrap();
        assert_eq!(client.config.chat_url().unwrap(), "http://other/chat");
        assert_eq!(
            client.config.embeddings_url().unwrap(),
            "http://h/v1/embeddings"
        );
        let client = Client::builder()
            .embeddings_url("http://h/e")
            .build()
            .unwrap();
        let error = client.config.chat_url().unwrap_err();
        assert_eq!(
            error.to_string(),
            "the client has no URL for chat completions"
        );
    }

    #[test]
    fn what_cannot_be_used_is_said_without_secrets() {
        let bad = |builder: ClientBuilder| builder.build().unwrap_err().to_string();
        let error = bad(Client::builder().base_url("ftp://u:password@h"));
        assert_eq!(
            error,
            "the address is not an HTTP URL: its scheme is ftp, expected http or https"
        );
        assert!(
            bad(Client::builder().base_url("http//h"))
                .starts_with("the address is not an HTTP URL")
        );
        let error = bad(Client::builder().base_url("http://h").api_key("sk\nsecret"));
        assert_eq!(error, "the header \"authorization\" cannot be sent");
        let client = Client::builder()
            .base_url("http://u:password@h:1/?key=k")
            .build()
            .unwrap();
        let shown = format!("{client:?}");
        assert!(shown.contains("\"http://h:1/chat/completions\""), "{shown}");
        assert!(
            !shown.contains("password") && !shown.contains("key"),
            "{shown}"
        );
    }
}
