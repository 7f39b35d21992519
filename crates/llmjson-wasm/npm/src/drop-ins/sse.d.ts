/**
 * Returns a TransformStream of server-sent events whose data are JSON, bytes or text, to their bytes. Whole events pass as
 * they are. Events that ran together are taken apart, damaged ones are mended, and of one that was cut what it says is kept; it
 * is left out if it was cut before its first object or list, where events of chat completions say nothing yet.
 */
export declare function repairEvents(): TransformStream<string | Uint8Array, Uint8Array>

/** Returns a `fetch` whose event streams are mended so, for a client that takes one. */
export declare function repairingFetch(fetch?: typeof globalThis.fetch): typeof globalThis.fetch
