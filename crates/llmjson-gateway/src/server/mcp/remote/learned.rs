//! Event streams that pass through, whose tool lists are learned first.

use futures_util::stream::unfold;
use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::{Bytes, Frame};
use llmjson_mcp::Session;
use llmjson_wire::sse::{FrameDecoder, FrameTooLarge};
use tokio::sync::watch;

use super::tell;
use crate::server::config::Bounds;
use crate::server::{Body, BoxError};

/// An event stream for a client.
pub(super) struct Learning {
    /// `None` at the end.
    body: Option<Body>,
    tools: Session,
    decoder: FrameDecoder,
    ended: watch::Receiver<bool>,
}

impl Learning {
    pub(super) fn new(
        body: Body,
        tools: Session,
        bounds: &Bounds,
        ended: watch::Receiver<bool>,
    ) -> Self {
        Self {
            body: Some(body),
            tools,
            decoder: FrameDecoder::new().with_frame_bytes_max(bounds.reply_bytes),
            ended,
        }
    }

    pub(super) fn into_body(self) -> Body {
        StreamBody::new(unfold(self, Self::next)).boxed_unsync()
    }

    async fn next(mut self) -> Option<(Result<Frame<Bytes>, BoxError>, Self)> {
        loop {
            let body = self.body.as_mut()?;
            let frame = tokio::select! {
                _ = self.ended.wait_for(|ended| *ended) => return None,
                frame = body.frame() => frame,
            };
            match frame {
                Some(Ok(frame)) => self.decoder.push(&frame.into_data().unwrap_or_default()),
                Some(Err(error)) => {
                    self.body = None;
                    return Some((Err(error), self));
                }
                None => {
                    self.body = None;
                    self.decoder.finish();
                }
            }
            let mut out = Vec::new();
            let read = self.read(&mut out);
            if let Err(error) = read {
                tracing::warn!(%error, "a stream ends, since a message is too long (max-reply-bytes)");
                self.body = None;
                return Some((Err(error.into()), self));
            }
            if !out.is_empty() {
                return Some((Ok(Frame::data(out.into())), self));
            }
        }
    }

    /// Reads the complete events, and appends them to `out` unchanged.
    fn read(&mut self, out: &mut Vec<u8>) -> Result<(), FrameTooLarge> {
        let mut notices = Vec::new();
        while let Some(block) = self.decoder.next_block() {
            let block = block?;
            if let Some(frame) = &block.frame {
                self.tools.receive(frame.data, &mut notices);
            }
            out.extend_from_slice(block.bytes);
        }
        tell(notices);
        Ok(())
    }
}
