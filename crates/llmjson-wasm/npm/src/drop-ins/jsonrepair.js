// The interface of the package jsonrepair.
import { LlmJsonError, repair } from 'llmjson/syntax'

export class JSONRepairError extends Error {
  constructor(message, position) {
    super(`${message} at position ${position}`)
    this.name = 'JSONRepairError'
    this.position = position
  }
}

export function jsonrepair(text) {
  try {
    return repair(text, { unfinished: 'complete', text: true })
  } catch (error) {
    if (error instanceof LlmJsonError && error.position !== undefined) {
      throw new JSONRepairError(error.message, error.position)
    }
    throw error
  }
}
