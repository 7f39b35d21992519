//! The connection: timeouts, certificates, no redirects and no retries.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect;
use rustls::{ClientConfig, RootCertStore, crypto};
use rustls_platform_verifier::Verifier;

use crate::client::error::BuildError;

const USER_AGENT: &str = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));

/// The source of the proxy setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proxy {
    OfEnvironment,
    None,
}

/// Returns the settings of a connection in which every wait has a limit.
pub(crate) fn builder(
    connect_timeout: Duration,
    read_timeout: Duration,
    proxy: Proxy,
) -> Result<reqwest::ClientBuilder, BuildError> {
    let builder = reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .connect_timeout(connect_timeout)
        .read_timeout(read_timeout)
        // A redirect would turn a POST into another request, and send headers elsewhere.
        .redirect(redirect::Policy::none())
        .retry(reqwest::retry::never())
        .tls_backend_preconfigured(tls()?);
    Ok(match proxy {
        Proxy::OfEnvironment => builder,
        Proxy::None => builder.no_proxy(),
    })
}

/// Creates a connection with these settings.
pub(crate) fn build(builder: reqwest::ClientBuilder) -> Result<reqwest::Client, BuildError> {
    builder
        .build()
        .map_err(|error| BuildError::Transport(error.into()))
}

/// Returns the TLS settings that trust the certificate authorities that the platform trusts.
pub(crate) fn tls() -> Result<ClientConfig, BuildError> {
    let provider = Arc::new(crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| BuildError::Transport(error.into()))?;
    Ok(match Verifier::new(provider) {
        Ok(verifier) => config
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth(),
        // Even without certificates, a server on this machine is reachable over plain HTTP.
        Err(_) => config
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth(),
    })
}
