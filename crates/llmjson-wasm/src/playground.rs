//! The playground's engine, exported to its page.

use std::cell::RefCell;

use llmjson_playground::Playground;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static PLAYGROUND: RefCell<Playground> = RefCell::default();
}

/// Answers a question of the page.
#[wasm_bindgen]
#[must_use]
pub fn playground_ask(question: &str) -> String {
    PLAYGROUND.with_borrow_mut(|playground| playground.ask(question))
}
