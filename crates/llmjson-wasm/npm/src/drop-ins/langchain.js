// LangChain output parsers that parse with llmjson.
import * as theirs from '@langchain/core/output_parsers'
import { parse, Stream } from 'llmjson'
import { parse as read } from 'llmjson/syntax'

// LangChain also refuses a truncated reply.
const WHOLE = { allowTruncated: false }

// The error goes to the model, if the chain does that.
function unwrapped(parsed, text) {
  if (parsed.ok) return parsed.value
  const feedback = parsed.feedback ?? 'there is no value in the text'
  throw new theirs.OutputParserException(`Failed to parse. Text: "${text}". Error: ${feedback}`, text, feedback, true)
}

/** Replaces LangChain's class of the same name. */
export class JsonOutputParser extends theirs.JsonOutputParser {
  async parse(text) {
    return unwrapped(parse(text, undefined, WHOLE), text)
  }

  async parsePartialResult([{ text }]) {
    return parsePartialJson(text)
  }

  // Each piece is parsed as it arrives, and the values only grow.
  async *_transform(coming) {
    const stream = new Stream()
    let before
    const next = () => {
      if (!stream.events().some(({ change }) => SHOWING.includes(change))) return []
      const [last, value] = [before, before = stream.value]
      return [this.diff ? this._diff(last, value) : value]
    }
    try {
      for await (const chunk of coming) {
        stream.push(typeof chunk === 'string' ? chunk : this._baseMessageToString(chunk))
        yield* next()
      }
      stream.finish()
      yield* next()
    } finally {
      stream.free()
    }
  }
}

// The stream events that change a value.
const SHOWING = ['opened', 'appended', 'value', 'superseded']

/** Replaces LangChain's class of the same name. */
export class StructuredOutputParser extends theirs.StructuredOutputParser {
  async parse(text) {
    return unwrapped(parse(text, this.schema, WHOLE), text)
  }
}

/** Replaces LangChain's function of the same name: returns the value of a partial JSON text, or null. */
export function parsePartialJson(text) {
  return text === undefined ? null : read(text).value ?? null
}

/** Replaces LangChain's function of the same name: returns the value in a text, fenced or not. */
export function parseJsonMarkdown(text, parser = parsePartialJson) {
  const value = parser === parsePartialJson ? parser(text) : null
  // A scalar in a fence is read by itself.
  return value ?? theirs.parseJsonMarkdown(text, parser)
}
