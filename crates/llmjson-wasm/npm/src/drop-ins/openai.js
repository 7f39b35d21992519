// The helpers of the package openai, with schemas of zod. Replies and arguments are read by llmjson.
import * as theirs from 'openai/helpers/zod'
import { parse, parseArguments } from 'llmjson'

/** What a helper of theirs made, with another reader. */
function reading(made, read) {
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(made), $parseRaw: { value: read } })
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
  return reading(theirs.zodFunction(tool), text => parseArguments(text, tool.parameters, options).unwrap())
}

export function zodResponsesFunction(tool, options) {
  return reading(theirs.zodResponsesFunction(tool), text => parseArguments(text, tool.parameters, options).unwrap())
}
