export interface Sizes {
  /** The length of what is written at once; without it, what is known is written at once. */
  chunkSize?: number
  /** The length of what is held back, 0 by default. As long as nothing was written, the end may still mean another value. */
  bufferSize?: number
}

/**
 * Returns a Transform of Node, of text or bytes to text, as the function of this name in jsonrepair/stream. The type is
 * NodeJS.ReadWriteStream where Node's types are known.
 */
export declare function jsonrepairTransform(options?: Sizes): any

/** Returns a web TransformStream of text or bytes to text. */
export declare function jsonrepairTransformStream(options?: Sizes): TransformStream<string | Uint8Array, string>
