export interface Sizes {
  /** The length of each written chunk; by default, everything known is written at once. */
  chunkSize?: number
  /** The length of held-back text, 0 by default. Until something is written, the end may still change the value. */
  bufferSize?: number
}

/**
 * Returns a Node Transform, of text or bytes to text, like the function of the same name in jsonrepair/stream. The type
 * is NodeJS.ReadWriteStream if Node's types are available.
 */
export declare function jsonrepairTransform(options?: Sizes): any

/** Returns a web TransformStream of text or bytes to text. */
export declare function jsonrepairTransformStream(options?: Sizes): TransformStream<string | Uint8Array, string>
