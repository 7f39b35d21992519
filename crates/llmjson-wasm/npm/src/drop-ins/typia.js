// typia's interface `LlmJson`. Schemas are parameters as typia makes them, or any other JSON Schema.
import { annotate, coerce as coerced, parse as read } from 'llmjson'

const errorOf = ({ path, expected, value, description }) => {
  const error = { path, expected, value }
  return description === undefined ? error : { ...error, description }
}

function parse(input, parameters) {
  const parsed = read(input, parameters)
  // `validate` checks whether the value conforms.
  if (parsed.found) return { success: true, data: parsed.value }
  return {
    success: false, data: undefined, input,
    errors: [{ path: '$input', expected: 'JSON value', description: 'there is no value in the text' }]
  }
}

function coerce(input, parameters) {
  return coerced(input, parameters).value
}

function validate(parameters, equals) {
  // Undeclared members are rejected if requested; nothing is changed.
  const policy = equals === true ? { preset: 'strict', undeclared: 'reject' } : 'strict'
  return input => {
    const parsed = coerced(input, parameters, { policy })
    if (parsed.ok) return { success: true, data: input }
    return { success: false, data: input, errors: parsed.violations.map(errorOf) }
  }
}

function stringify(failure) {
  return annotate(failure.data, failure.errors)
}

function validateArguments(tool, given) {
  return tool.validate(coerce(given, tool.parameters))
}

export const LlmJson = { parse, coerce, validate, stringify, validateArguments }
