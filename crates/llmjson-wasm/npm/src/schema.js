// Schemas: JSON Schema, and what can be turned into it.
import { Handle, make } from './border.js'

const made = new WeakMap()

/** A compiled schema. */
export class Schema {
  #handle

  constructor(given) {
    const json = typeof given === 'string' ? given : JSON.stringify(jsonSchemaOf(given))
    this.#handle = new Handle(() => make('schema_new', json), 'schema_free')
    this.json = json
    const standard = isObject(given) ? given['~standard'] : undefined
    this.validate = typeof standard?.validate === 'function' ? value => standard.validate(value) : undefined
  }

  get number() {
    return this.#handle.number
  }

  /** Returns the JSON Schema. */
  toJSON() {
    return JSON.parse(this.json)
  }

  free() {
    this.#handle.free()
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.free()
  }
}

function isObject(given) {
  return (typeof given === 'object' && given !== null) || typeof given === 'function'
}

// What JSON Schema cannot say is left out, by valibot and by zod: the library itself is asked afterwards.
const LIBRARY = { errorMode: 'ignore', unrepresentable: 'any' }

function jsonSchemaOf(given) {
  if (typeof given === 'boolean') return given
  if (!isObject(given)) throw new TypeError(`a schema is an object, not ${typeof given}`)
  const standard = given['~standard']
  if (standard?.jsonSchema) return standard.jsonSchema.input({ target: 'draft-2020-12', libraryOptions: LIBRARY })
  if (typeof given.toJsonSchema === 'function') return given.toJsonSchema()
  // As the AI SDK wraps them.
  if (isObject(given.jsonSchema)) return given.jsonSchema
  if (standard) {
    throw new TypeError(`${standard.vendor} does not tell the JSON Schema of its schemas: give one that does`)
  }
  return given
}

/** Returns the compiled schema of a schema, a type or its text; each object is compiled once. */
export function schemaOf(given) {
  if (given === undefined || given === null) return undefined
  if (given instanceof Schema) return given
  if (!isObject(given)) return new Schema(given)
  let schema = made.get(given)
  if (!schema) made.set(given, schema = new Schema(given))
  return schema
}
