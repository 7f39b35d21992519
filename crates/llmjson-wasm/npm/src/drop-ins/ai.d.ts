import type { ParseOptions, SchemaLike } from 'llmjson'

/**
 * Makes the option `repairText` (`experimental_repairText`), which returns text that conforms to the schema, or null if
 * it is truncated.
 */
export declare function repairText(
  schema?: SchemaLike, options?: ParseOptions
): (given: { text: string; error: any }) => Promise<string | null>

/**
 * Makes the option `repairToolCall` (`experimental_repairToolCall`), which returns the call with arguments that its
 * tool accepts, or null. The default policy is `tool`: a call with guessed or truncated arguments is not made.
 */
export declare function repairToolCall(options?: ParseOptions): (given: {
  toolCall: any
  inputSchema: (call: { toolName: string }) => PromiseLike<object> | object
}) => Promise<any>

/**
 * Makes a middleware for `wrapLanguageModel`. Replies become JSON that conforms to the schema, or without one to the
 * schema of the call, as with `Output.object`. A stream yields this JSON as it becomes known; a truncated value stays
 * open, and a result that differs from the streamed value is an error. If the call has tools, tool calls in the text
 * become calls; quoted, truncated, guessed and nonconforming calls, and calls that the policy `tool` refuses, stay
 * text.
 */
export declare function jsonMiddleware(schema?: SchemaLike | null, options?: ParseOptions): any

/** Replaces the AI SDK's function of the same name; it also reads damaged JSON. */
export declare function parsePartialJson(text: string | undefined): Promise<{
  value: any
  state: 'undefined-input' | 'successful-parse' | 'repaired-parse' | 'failed-parse'
}>
