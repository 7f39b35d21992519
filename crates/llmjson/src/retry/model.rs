//! Asking models: the loop around the state machine, for those who wait and for those who await.

use std::future::Future;

use crate::retry::{Answer, ChatMessage, Message, Reply, Retry, RunError, Step, Turn};

/// A model that is called synchronously. Functions that take a [`Turn`] are models.
pub trait Model<M: ChatMessage = Message> {
    /// The error when there is no reply.
    type Error;

    /// Asks the model: with the [messages](Turn::messages) of the turn and, if it has one, with its
    /// [structured output](Turn::structured_output).
    ///
    /// # Errors
    ///
    /// If there is no reply. The model is not asked again then: waiting for a busy server is the
    /// business of whoever knows the server.
    fn complete(&mut self, turn: &Turn<M>) -> Result<Reply, Self::Error>;

    /// Whether the error says that the model takes no requests with a schema in them. It is then
    /// asked once more without.
    fn refuses_structured_output(&self, error: &Self::Error) -> bool {
        let _ = error;
        false
    }
}

impl<M, E, F> Model<M> for F
where
    M: ChatMessage,
    F: FnMut(&Turn<M>) -> Result<Reply, E>,
{
    type Error = E;

    fn complete(&mut self, turn: &Turn<M>) -> Result<Reply, E> {
        self(turn)
    }
}

/// A model that is called asynchronously. It needs no particular runtime.
pub trait AsyncModel<M: ChatMessage = Message> {
    /// The error when there is no reply.
    type Error;

    /// Asks the model, as [`Model::complete`].
    fn complete(&mut self, turn: &Turn<M>) -> impl Future<Output = Result<Reply, Self::Error>>;

    /// As [`Model::refuses_structured_output`].
    fn refuses_structured_output(&self, error: &Self::Error) -> bool {
        let _ = error;
        false
    }
}

impl Retry {
    /// Asks a model until there is a value, or until it was asked often enough.
    ///
    /// ```
    /// use std::convert::Infallible;
    /// use llmjson::Schema;
    /// use llmjson::retry::{Message, Reply, Retry, Turn};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}"#,
    /// )?;
    /// let mut replies = [r#"{"age": "unknown"}"#, r#"{"age": "36"}"#].into_iter();
    /// let mut model = |_: &Turn| Ok::<_, Infallible>(Reply::new(replies.next().unwrap_or_default()));
    /// let answer = Retry::new(&schema).run(&mut model, vec![Message::user("How old is Ada?")])?;
    /// assert_eq!((answer.parsed.to_json().as_deref(), answer.attempts), (Some(r#"{"age":36}"#), 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the model gives no reply, or none that can be used.
    pub fn run<M: ChatMessage, T: Model<M>>(
        &self,
        model: &mut T,
        messages: Vec<M>,
    ) -> Result<Answer, RunError<T::Error>> {
        let mut step = self.start(messages);
        loop {
            step = match step {
                Step::NeedCompletion(turn) => match model.complete(&turn) {
                    Ok(reply) => turn.feed(reply),
                    Err(error) if turn.yields_to(model.refuses_structured_output(&error)) => {
                        turn.without_structured_output()
                    }
                    Err(error) => return Err(RunError::Model(error)),
                },
                Step::Done(answer) => return Ok(*answer),
                Step::Failed(error) => return Err(RunError::Retry(error)),
            };
        }
    }

    /// Does the same for a model that is called asynchronously. The future can be sent to other
    /// threads if those of the model can.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub async fn run_async<M: ChatMessage, T: AsyncModel<M>>(
        &self,
        model: &mut T,
        messages: Vec<M>,
    ) -> Result<Answer, RunError<T::Error>> {
        let mut step = self.start(messages);
        loop {
            step = match step {
                Step::NeedCompletion(turn) => match model.complete(&turn).await {
                    Ok(reply) => turn.feed(reply),
                    Err(error) if turn.yields_to(model.refuses_structured_output(&error)) => {
                        turn.without_structured_output()
                    }
                    Err(error) => return Err(RunError::Model(error)),
                },
                Step::Done(answer) => return Ok(*answer),
                Step::Failed(error) => return Err(RunError::Retry(error)),
            };
        }
    }
}
