// Hooks of the AI SDK.
import { parse, parseArguments, Stream } from 'llmjson'

/** Makes the option `repairText`, which returns the text that the schema asks for, or null where there is none. The SDK
 * does not tell the hook why the model stopped: brackets that are missing at the end are put in. */
export function repairText(schema, options) {
  return async ({ text }) => jsonOf(parse(text, schema, { finishReason: 'stop', ...options }))
}

/** Makes the option `repairToolCall`, which returns the call with arguments that its tool takes, or null. */
export function repairToolCall(options) {
  return async ({ toolCall, inputSchema }) => {
    // A call of a tool that is not known cannot be helped.
    const schema = await Promise.resolve(inputSchema(toolCall)).catch(() => undefined)
    if (schema === undefined) return null
    // What is called runs: nothing guessed, and nothing cut off.
    const input = jsonOf(parseArguments(toolCall.input, schema, { policy: 'tool', ...options }))
    return input === null ? null : { ...toolCall, input }
  }
}

/** Makes a middleware for `wrapLanguageModel`: whole replies become the JSON that the schema asks for. */
export function jsonMiddleware(schema, options) {
  return {
    specificationVersion: 'v4',
    async wrapGenerate({ doGenerate }) {
      const result = await doGenerate()
      const { finishReason } = result
      const told = { finishReason: finishReason?.unified ?? finishReason, ...options }
      const content = result.content.map(part => {
        const json = part.type === 'text' ? jsonOf(parse(part.text, schema, told)) : null
        return json === null ? part : { ...part, text: json }
      })
      return { ...result, content }
    }
  }
}

/** Replaces the function of this name of the AI SDK. */
export async function parsePartialJson(text) {
  if (text === undefined) return { value: undefined, state: 'undefined-input' }
  try {
    return { value: JSON.parse(text), state: 'successful-parse' }
  } catch {
    const value = new Stream().push(text).value
    return value === undefined ? { value, state: 'failed-parse' } : { value, state: 'repaired-parse' }
  }
}

// The SDK has no place to say that a text was cut off: then there is none.
function jsonOf(parsed) {
  return parsed.ok && parsed.complete ? JSON.stringify(parsed.value) : null
}
