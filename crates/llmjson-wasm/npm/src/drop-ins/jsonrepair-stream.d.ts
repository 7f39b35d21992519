/**
 * Returns a Transform of Node, of text or bytes to text, as the function of this name in jsonrepair/stream. Sizes
 * are taken for compatibility and not used. The type is NodeJS.ReadWriteStream where Node's types are known.
 */
export declare function jsonrepairTransform(options?: { chunkSize?: number; bufferSize?: number }): any

/** Returns a web TransformStream of text or bytes to text. */
export declare function jsonrepairTransformStream(): TransformStream<string | Uint8Array, string>
