import type { ParseOptions, SchemaLike } from 'llmjson'

/**
 * Makes the option `repairText` (`experimental_repairText`), which returns the text that the schema asks for; null
 * if it was cut off.
 */
export declare function repairText(
  schema?: SchemaLike, options?: ParseOptions
): (given: { text: string; error: any }) => Promise<string | null>

/**
 * Makes the option `repairToolCall` (`experimental_repairToolCall`), which returns the call with arguments that its
 * tool takes, or null.
 * The policy is `tool` unless another is given: nothing is guessed, and nothing cut off is called.
 */
export declare function repairToolCall(options?: ParseOptions): (given: {
  toolCall: any
  inputSchema: (call: { toolName: string }) => PromiseLike<object> | object
}) => Promise<any>

/**
 * Makes a middleware for `wrapLanguageModel`: whole replies become the JSON that the schema asks for. Streams pass
 * as they are.
 */
export declare function jsonMiddleware(schema?: SchemaLike, options?: ParseOptions): any

/** Replaces the function of this name of the AI SDK; it also reads JSON that is damaged. */
export declare function parsePartialJson(text: string | undefined): Promise<{
  value: any
  state: 'undefined-input' | 'successful-parse' | 'repaired-parse' | 'failed-parse'
}>
