//! A process while it serves a single request.

use std::sync::Arc;

use futures_util::stream::unfold;
use http_body_util::{BodyExt as _, StreamBody};

use super::{Local, Session};
use crate::server::Body;
use crate::server::mcp::events::Reader;
use crate::server::mcp::message::Head;

/// A process that is returned when its request is answered. If the client disconnects first, the
/// request is cancelled and the process ends: its further output would reach the next client.
pub(super) struct Lent {
    local: Arc<Local>,
    session: Option<Arc<Session>>,
    request: Option<String>,
}

impl Lent {
    pub(super) fn new(local: &Arc<Local>, session: Arc<Session>, head: &Head) -> Self {
        Self {
            local: Arc::clone(local),
            session: Some(session),
            request: head.id.clone(),
        }
    }

    pub(super) fn session(&self) -> &Arc<Session> {
        self.session.as_ref().expect("it is given back at the end")
    }

    pub(super) fn give_back(mut self) {
        if let Some(session) = self.session.take() {
            self.local.take_back(session);
        }
    }

    /// The events of the request, at whose end the process is returned.
    pub(super) fn into_body(self, reader: Reader) -> Body {
        let keep_alive = self.local.limits.bounds.keep_alive;
        let events = reader.into_body(keep_alive, false);
        let next = |(mut events, lent): (Body, Self)| async move {
            match events.frame().await {
                Some(frame) => Some((frame, (events, lent))),
                None => {
                    lent.give_back();
                    None
                }
            }
        };
        StreamBody::new(unfold((events, self), next)).boxed_unsync()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            session.cancel(self.request.as_deref());
        }
    }
}
