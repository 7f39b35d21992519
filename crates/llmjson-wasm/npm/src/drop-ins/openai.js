// The helpers of the package openai, with schemas of zod. Replies and arguments are read by llmjson.
import * as theirs from 'openai/helpers/zod'
import { parse, parseArguments } from 'llmjson'

/** Returns a copy of an object that the package openai's helper made, with another reader. */
function reading(made, read) {
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(made), $parseRaw: { value: read } })
}

// What is called runs: nothing guessed, and nothing truncated.
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
