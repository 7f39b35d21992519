//! Host names of this machine: the names that requests may use, and the origins of pages that may
//! send them.

use hyper::header::HeaderValue;
use hyper::header::{HOST, ORIGIN};
use hyper::{Method, Request};

use super::headers::{asks_for_upgrade, has_passed};
use super::refusal::Refusal;
use super::upstream::is_loopback;

/// The host names that clients may use for this machine.
#[derive(Clone, Debug)]
pub(super) struct Hosts {
    /// `true` if only this machine can reach the address.
    pub(super) is_loopback: bool,
    /// Further names.
    pub(super) allowed: Vec<String>,
}

impl Hosts {
    /// Refuses requests that are not for this machine if only it and named hosts are served, that
    /// have passed it before, or are for upgrades.
    pub(super) fn check<B>(
        &self,
        request: &Request<B>,
        via: Option<&HeaderValue>,
    ) -> Result<(), Refusal> {
        if self.is_loopback || !self.allowed.is_empty() {
            self.check_host(request)?;
            self.check_origin(request)?;
        }
        if via.is_some_and(|via| has_passed(request.headers(), via)) {
            let message =
                "the request has passed this server before: the upstream leads back to it";
            return Err(Refusal::new("loop", message));
        }
        if request.method() == Method::CONNECT || asks_for_upgrade(request.headers()) {
            let message = "upgrades of the protocol, such as to WebSocket, are not passed on";
            return Err(Refusal::new("no_upgrade", message));
        }
        Ok(())
    }

    /// Refuses other host names. Otherwise a page whose host name resolves
    /// to this machine could read everything served here. The upstream cannot detect this, since it
    /// sees its own name.
    fn check_host<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        let mut hosts = request.headers().get_all(HOST).iter();
        let header = match (hosts.next(), hosts.next()) {
            (None, _) => None,
            (Some(host), None) => Some(host.to_str().unwrap_or("?")),
            (Some(_), Some(_)) => Some("?"),
        };
        let authority = request
            .uri()
            .authority()
            .map(|authority| authority.as_str());
        let mut names = header.into_iter().chain(authority);
        match names.all(|host| self.has(host)) {
            true => Ok(()),
            false => Err(Refusal::new(
                "unknown_host",
                "the request is for a host that is not this machine, expected localhost or a name of allow-host",
            )),
        }
    }

    /// Refuses pages from other hosts: a browser sends their requests from here.
    fn check_origin<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        let mut origins = request.headers().get_all(ORIGIN).iter();
        let is_known = origins.all(|origin| {
            let origin = origin
                .to_str()
                .ok()
                .and_then(|origin| origin.split_once("://"));
            origin.is_some_and(|(_, host)| self.has(host))
        });
        match is_known {
            true => Ok(()),
            false => Err(Refusal::new(
                "unknown_origin",
                "the request is from a page of another host, expected one of localhost or of a name of allow-host",
            )),
        }
    }

    /// Returns `true` if a name, possibly with a port, belongs to this machine.
    fn has(&self, host: &str) -> bool {
        let name = host
            .rsplit_once(':')
            .filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
        let name = name.map_or(host, |(name, _)| name);
        is_loopback(name)
            || self
                .allowed
                .iter()
                .any(|one| one.eq_ignore_ascii_case(name))
    }
}
