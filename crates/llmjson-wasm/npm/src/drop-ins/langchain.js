// Output parsers of LangChain that read by llmjson.
import * as theirs from '@langchain/core/output_parsers'
import { parse } from 'llmjson'

// The error goes to the model, where the chain does so.
function unwrapped(parsed, text) {
  if (parsed.ok) return parsed.value
  const feedback = parsed.feedback ?? 'there is no value in the text'
  throw new theirs.OutputParserException(`Failed to parse. Text: "${text}". Error: ${feedback}`, text, feedback, true)
}

/** In place of LangChain's class of this name. */
export class JsonOutputParser extends theirs.JsonOutputParser {
  async parse(text) {
    return unwrapped(parse(text), text)
  }

  async parsePartialResult([{ text }]) {
    return parse(text).value
  }
}

/** In place of LangChain's class of this name. */
export class StructuredOutputParser extends theirs.StructuredOutputParser {
  async parse(text) {
    return unwrapped(parse(text, this.schema), text)
  }
}

/** As the function of this name in LangChain: what there is of a JSON text, or null. */
export function parsePartialJson(text) {
  return text === undefined ? null : parse(text).value ?? null
}

/** As the function of this name in LangChain: the value in a text, fenced or not. */
export function parseJsonMarkdown(text, parser = parsePartialJson) {
  return parser === parsePartialJson ? parsePartialJson(text) : theirs.parseJsonMarkdown(text, parser)
}
