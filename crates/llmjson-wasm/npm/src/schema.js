// Schemas: JSON Schema, and what can be turned into it.
import { LlmJsonError, shared } from './border.js'

const made = new WeakMap()
const compiled = shared('schema')

// Their schemas leave out what they do not declare, or refuse it: a value that they give back as it was holds nothing else.
const DECLARING = ['zod', 'valibot']

/** A compiled schema. */
export class Schema {
  #freed = false

  /** Takes a schema, and its JSON Schema where it does not tell that itself. */
  constructor(given, json = given) {
    this.json = typeof json === 'string' ? json : JSON.stringify(jsonSchemaOf(json))
    this.handle = compiled(this.json)
    const standard = isObject(given) ? given['~standard'] : undefined
    this.validate = typeof standard?.validate === 'function' ? value => standard.validate(value) : undefined
    this.declares = DECLARING.includes(standard?.vendor)
  }

  get number() {
    if (this.#freed) throw new LlmJsonError('the schema was freed')
    return this.handle.number
  }

  /** Returns the JSON Schema. */
  toJSON() {
    return JSON.parse(this.json)
  }

  free() {
    this.#freed = true
    this.handle.release()
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.free()
  }
}

function isObject(given) {
  return (typeof given === 'object' && given !== null) || typeof given === 'function'
}

// What JSON Schema cannot say is left out, by valibot and by zod: the library itself is asked afterwards.
// Enumerations of zod bring along the names that their values have in the program.
const LIBRARY = { errorMode: 'ignore', unrepresentable: 'any', override: addNames }

function addNames({ zodSchema, jsonSchema }) {
  const entries = Object.entries(zodSchema._zod?.def.entries ?? {})
  const names = (jsonSchema.enum ?? []).map(value => entries.find(([, of]) => of === value)?.[0])
  const told = names.some((name, at) => name?.toLowerCase() !== String(jsonSchema.enum[at]).toLowerCase())
  if (told && !names.includes(undefined)) jsonSchema['x-enum-varnames'] = names
}

// What tells the JSON Schema of schemas that do not tell it themselves.
const TELLING = {
  zod: "z.toJSONSchema(schema, { io: 'input' }), or zodToJsonSchema(schema) of zod-to-json-schema for zod 3",
  valibot: 'toJsonSchema(schema) of @valibot/to-json-schema'
}

function jsonSchemaOf(given) {
  if (typeof given === 'boolean') return given
  if (!isObject(given)) throw new TypeError(`a schema is an object, not ${typeof given}`)
  const standard = given['~standard']
  if (standard?.jsonSchema) return standard.jsonSchema.input({ target: 'draft-2020-12', libraryOptions: LIBRARY })
  if (typeof given.toJsonSchema === 'function') return given.toJsonSchema()
  // As the AI SDK wraps them.
  if (isObject(given.jsonSchema)) return given.jsonSchema
  if (!standard) return given
  const telling = TELLING[standard.vendor] ? `, which is ${TELLING[standard.vendor]}` : ''
  throw new TypeError(
    `this schema of ${standard.vendor} does not tell its JSON Schema: give new Schema(schema, jsonSchema)${telling}`
  )
}

/** Returns the compiled schema of a schema, a type or its text; the same text is compiled once. */
export function schemaOf(given) {
  if (given === undefined || given === null) return undefined
  if (given instanceof Schema) return given
  if (!isObject(given)) return new Schema(given)
  let schema = made.get(given)
  if (!schema) made.set(given, schema = new Schema(given))
  return schema
}
