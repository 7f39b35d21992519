/**
 * Returns a TransformStream of server-sent events whose data are JSON, from bytes or text to bytes. Intact events pass
 * unchanged. Events that ran together are separated, damaged ones are repaired, and the readable part of a truncated
 * one is kept; it is dropped if it was truncated before its first object or array, where chat completion events have no
 * content yet. In streams of Anthropic, the input of each call becomes JSON; a truncated or guessed one stays open.
 */
export declare function repairEvents(): TransformStream<string | Uint8Array, Uint8Array>

/**
 * Returns a `fetch` that repairs event streams in this way, and the arguments of calls in chat completions, for a client
 * that accepts one.
 */
export declare function repairingFetch(fetch?: typeof globalThis.fetch): typeof globalThis.fetch
