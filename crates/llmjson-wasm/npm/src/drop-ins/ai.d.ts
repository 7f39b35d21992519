import type { ParseOptions, SchemaLike } from 'llmjson'

/** For `repairText` (`experimental_repairText`): the text that the schema asks for; null if it was cut off. */
export declare function repairText(
  schema?: SchemaLike, options?: ParseOptions
): (given: { text: string; error: any }) => Promise<string | null>

/**
 * For `repairToolCall` (`experimental_repairToolCall`): the call with arguments that its tool takes, or null.
 * The policy is `tool` unless another is given: nothing is guessed, and nothing cut off is called.
 */
export declare function repairToolCall(options?: ParseOptions): (given: {
  toolCall: any
  inputSchema: (call: { toolName: string }) => PromiseLike<object> | object
}) => Promise<any>

/** For `wrapLanguageModel`: whole replies become the JSON that the schema asks for. Streams pass as they are. */
export declare function jsonMiddleware(schema?: SchemaLike, options?: ParseOptions): any

/** As the function of this name in the AI SDK; it also reads JSON that is damaged. */
export declare function parsePartialJson(text: string | undefined): Promise<{
  value: any
  state: 'undefined-input' | 'successful-parse' | 'repaired-parse' | 'failed-parse'
}>
