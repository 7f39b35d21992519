// Schemas: JSON Schema, and objects that can be converted to it.
import { LlmJsonError, shared } from './border.js'

const made = new WeakMap()
const compiled = shared('schema')

// Their schemas drop or reject undeclared members: a value that they return unchanged contains nothing else.
const DECLARING = ['zod', 'valibot']

/** A compiled schema. */
export class Schema {
  #freed = false

  /** Takes a schema, and its JSON Schema if it does not provide one itself. */
  constructor(given, json = given) {
    converted = {}
    this.json = typeof json === 'string' ? json : JSON.stringify(jsonSchemaOf(json))
    const { bigint, unchecked } = converted
    // A bigint has all digits.
    this.integers = bigint ? 'bigint' : undefined
    this.handle = compiled(this.json)
    const standard = isObject(given) ? given['~standard'] : undefined
    this.validate = validatorOf(given, standard)
    this.declares = DECLARING.includes(standard?.vendor) && !unchecked
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

const ASYNC = 'the schema validates asynchronously; give its JSON Schema, and validate the value afterwards'

// Returns the library's own check: a value or issues.
function validatorOf(given, standard) {
  if (typeof standard?.validate !== 'function') return undefined
  if (standard.vendor === 'zod' && typeof given.safeParse === 'function') return validatorOfZod(given)
  return value => {
    const result = standard.validate(value)
    if (typeof result?.then !== 'function') return result
    throw asynchronous(result)
  }
}

// The promise is not awaited: its error must not end the program.
function asynchronous(promise, cause) {
  promise?.then(undefined, () => {})
  return new TypeError(ASYNC, { cause })
}

// zod's standard `validate` repeats a refinement that throws as an asynchronous one; `safeParse` throws its error, but
// drops the promise of an asynchronous one. So the first value that passes is also checked by the function that returns
// it.
function validatorOfZod(schema) {
  let isSync = schema._zod === undefined
  return value => {
    const result = isSync ? undefined : schema._zod.run({ value, issues: [] }, { async: true })
    if (typeof result?.then === 'function') throw asynchronous(result)
    isSync ||= result.issues.length === 0
    try {
      const { success, data, error } = schema.safeParse(value)
      return success ? { value: data } : { issues: error.issues }
    } catch (error) {
      // zod 4 and zod 3, whose error does not have its own name.
      throw /\.parseAsync\b/.test(error?.message) ? asynchronous(undefined, error) : error
    }
  }
}

// Rules that JSON Schema cannot express are left out, by valibot and by zod: the library itself checks them afterwards.
const LIBRARY = { errorMode: 'ignore', unrepresentable: 'any', override }

// The inputs from which `z.coerce` makes dates and bigints: anything else, such as 5 for 1970 or true for 1, was not
// intended.
const COERCED = {
  date: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'string', format: 'date' }] },
  bigint: { type: 'integer' }
}

// Whether the converted schema has a `bigint`, and keywords from `meta` that its library leaves `unchecked`.
let converted = {}
const ANNOTATIONS = ['id', 'title', 'description', 'deprecated', 'examples', 'example', 'default']

// zod's enumerations include the names of their values in the program.
function override({ zodSchema, jsonSchema }) {
  const { type, coerce } = zodSchema._zod?.def ?? {}
  if (coerce) Object.assign(jsonSchema, COERCED[type])
  converted.bigint ||= coerce === true && type === 'bigint'
  converted.unchecked ||= Object.keys(zodSchema.meta?.() ?? {}).some(key => !ANNOTATIONS.includes(key))
  const entries = Object.entries(zodSchema._zod?.def.entries ?? {})
  const names = (jsonSchema.enum ?? []).map(value => entries.find(([, of]) => of === value)?.[0])
  const told = names.some((name, at) => name?.toLowerCase() !== String(jsonSchema.enum[at]).toLowerCase())
  if (told && !names.includes(undefined)) jsonSchema['x-enum-varnames'] = names
}

// Functions that provide the JSON Schema of schemas that don't provide it themselves.
const TELLING = {
  zod: "z.toJSONSchema(schema, { io: 'input' }), or zodToJsonSchema(schema) of zod-to-json-schema for zod 3",
  valibot: 'toJsonSchema(schema) of @valibot/to-json-schema'
}

const PLAIN = [Object.prototype, null]

function jsonSchemaOf(given) {
  if (typeof given === 'boolean') return given
  if (!isObject(given) || Array.isArray(given)) {
    throw new TypeError(`a schema is an object, not ${Array.isArray(given) ? 'an array' : typeof given}`)
  }
  const standard = given['~standard']
  if (standard?.jsonSchema) return standard.jsonSchema.input({ target: 'draft-2020-12', libraryOptions: LIBRARY })
  if (typeof given.toJsonSchema === 'function') return given.toJsonSchema()
  // The AI SDK wraps them like this.
  if (isObject(given.jsonSchema)) return given.jsonSchema
  if (!standard && typeof given === 'function') throw new TypeError(`a schema is an object, not a class or function: ${given.name}`)
  // A Map or a Promise: its JSON has no members.
  if (!standard && !PLAIN.includes(Object.getPrototypeOf(given)) && Object.keys(given).length === 0 && !given.toJSON) {
    throw new TypeError(`a schema is a plain object, not of the class ${given.constructor?.name}`)
  }
  if (!standard) return given
  const telling = TELLING[standard.vendor] ? `, which is ${TELLING[standard.vendor]}` : ''
  throw new TypeError(
    `this schema of ${standard.vendor} does not tell its JSON Schema: give new Schema(schema, jsonSchema)${telling}`
  )
}

/** Returns the compiled schema for a schema, a type or its text; the same text is compiled once. */
export function schemaOf(given) {
  if (given === undefined || given === null) return undefined
  if (given instanceof Schema) return given
  if (!isObject(given)) return new Schema(given)
  let schema = made.get(given)
  if (!schema) made.set(given, schema = new Schema(given))
  return schema
}
