// The openai package's helpers, with zod schemas. Replies and arguments are parsed by llmjson.
import * as theirs from 'openai/helpers/zod'
import { parse, parseArguments } from 'llmjson'

/** Returns a copy of an object made by the openai package's helper, with another parser. */
function reading(made, read) {
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(made), $parseRaw: { value: read } })
}

// A call is executed: nothing guessed, and nothing truncated.
function argumentsOf(text, parameters, options) {
  return parseArguments(text, parameters, { policy: 'tool', ...options }).unwrap()
}

export function zodResponseFormat(schema, name, props, options) {
  const made = theirs.zodResponseFormat(schema, name, props)
  return reading(made, text => parse(text, schema, options).unwrap())
}

export function zodTextFormat(schema, name, props, options) {
  const made = theirs.zodTextFormat(schema, name, props)
  return reading(made, text => parse(text, schema, options).unwrap())
}

export function zodFunction(tool, options) {
  return reading(theirs.zodFunction(tool), text => argumentsOf(text, tool.parameters, options))
}

export function zodResponsesFunction(tool, options) {
  return reading(theirs.zodResponsesFunction(tool), text => argumentsOf(text, tool.parameters, options))
}
