/**
 * As the function of this name in jsonrepair/stream: a Transform of Node, of text or bytes to text. Sizes are taken
 * for compatibility and not needed. Returns NodeJS.ReadWriteStream where Node's types are known.
 */
export declare function jsonrepairTransform(options?: { chunkSize?: number; bufferSize?: number }): any

/** A web TransformStream of text or bytes to text. */
export declare function jsonrepairTransformStream(): TransformStream<string | Uint8Array, string>
