import type { ParseOptions, SchemaLike } from 'llmjson'

/**
 * Makes the option `repairText` (`experimental_repairText`), which returns the text that the schema asks for; null
 * if it is truncated.
 */
export declare function repairText(
  schema?: SchemaLike, options?: ParseOptions
): (given: { text: string; error: any }) => Promise<string | null>

/**
 * Makes the option `repairToolCall` (`experimental_repairToolCall`), which returns the call with arguments that its
 * tool takes, or null.
 * The policy is `tool` unless another is given: nothing is guessed, and nothing truncated is called.
 */
export declare function repairToolCall(options?: ParseOptions): (given: {
  toolCall: any
  inputSchema: (call: { toolName: string }) => PromiseLike<object> | object
}) => Promise<any>

/**
 * Makes a middleware for `wrapLanguageModel`. Replies become the JSON that the schema asks for, or without one what the
 * call asks for, as by `Output.object`. A stream gives that JSON as it becomes known; a truncated value stays open, and
 * an end that means another value than was streamed is an error. Where the call has tools, calls that stand in the text
 * become calls; those that are quoted, truncated or guessed, that do not fit, or that the policy `tool` refuses stay text.
 */
export declare function jsonMiddleware(schema?: SchemaLike | null, options?: ParseOptions): any

/** Replaces the function of this name of the AI SDK; it also reads JSON that is damaged. */
export declare function parsePartialJson(text: string | undefined): Promise<{
  value: any
  state: 'undefined-input' | 'successful-parse' | 'repaired-parse' | 'failed-parse'
}>
