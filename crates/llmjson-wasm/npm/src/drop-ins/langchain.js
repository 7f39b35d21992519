// Output parsers of LangChain that read by llmjson.
import * as theirs from '@langchain/core/output_parsers'
import { parse } from 'llmjson'

// The error goes to the model, where the chain does so.
function unwrapped(parsed, text) {
  if (parsed.ok) return parsed.value
  const feedback = parsed.feedback ?? 'there is no value in the text'
  throw new theirs.OutputParserException(`Failed to parse. Text: "${text}". Error: ${feedback}`, text, feedback, true)
}

/** Replaces LangChain's class of this name. */
export class JsonOutputParser extends theirs.JsonOutputParser {
  async parse(text) {
    return unwrapped(parse(text), text)
  }

  async parsePartialResult([{ text }]) {
    return parse(text).value
  }
}

/** Replaces LangChain's class of this name. */
export class StructuredOutputParser extends theirs.StructuredOutputParser {
  async parse(text) {
    return unwrapped(parse(text, this.schema), text)
  }
}

/** Replaces LangChain's function of this name: returns the value of a JSON text as far as it goes, or null. */
export function parsePartialJson(text) {
  return text === undefined ? null : parse(text).value ?? null
}

/** Replaces LangChain's function of this name: returns the value in a text, fenced or not. */
export function parseJsonMarkdown(text, parser = parsePartialJson) {
  return parser === parsePartialJson ? parsePartialJson(text) : theirs.parseJsonMarkdown(text, parser)
}
