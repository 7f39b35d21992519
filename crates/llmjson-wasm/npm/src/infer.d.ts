/** A schema of a library that follows Standard Schema, such as zod, valibot or arktype. */
export interface StandardLike<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

/** A JSON Schema. Written `as const`, it determines the type of its values. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown; readonly '~standard'?: Untold }

// The compiler shows this if a library's schema does not provide its JSON Schema, such as zod 3, zod/mini and valibot.
type Untold = 'this schema does not tell its JSON Schema: give new Schema(schema, jsonSchema)'

/** A schema whose library provides its JSON Schema. For one that does not, use `new Schema(schema, jsonSchema)`. */
export type TellingLike =
  | { readonly '~standard': StandardLike['~standard'] & { readonly jsonSchema: unknown } }
  | { toJsonSchema(...given: never): unknown }

/** The types accepted as a schema. */
export type SchemaLike = TellingLike | JsonSchema | (object & { readonly '~standard'?: Untold })

type Named = {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
  array: unknown[]
  object: { [key: string]: unknown }
}

type Members<P, R> = Flat<
  { -readonly [K in keyof P as K extends R ? K : never]: FromJsonSchema<P[K]> } &
  { -readonly [K in keyof P as K extends R ? never : K]?: FromJsonSchema<P[K]> }
>

type Flat<T> = { [K in keyof T]: T[K] }
type Required<S> = S extends { readonly required: readonly (infer R)[] } ? R : never

/** The type of the values of a JSON Schema. */
export type FromJsonSchema<S> =
  S extends { readonly const: infer C } ? C :
  S extends { readonly enum: readonly (infer E)[] } ? E :
  S extends { readonly anyOf: readonly (infer B)[] } ? FromJsonSchema<B> :
  S extends { readonly oneOf: readonly (infer B)[] } ? FromJsonSchema<B> :
  S extends { readonly type: readonly (infer N)[] } ? N extends keyof Named ? FromJsonSchema<Omit<S, 'type'> & { readonly type: N }> : unknown :
  S extends { readonly type: 'array'; readonly items: infer I } ? FromJsonSchema<I>[] :
  S extends { readonly properties: infer P } ? Members<P, Required<S>> :
  S extends { readonly type: infer N extends keyof Named } ? Named[N] :
  unknown

/** The type of the values of a schema. */
export type Infer<S> =
  S extends StandardLike<infer O> ? O :
  S extends { readonly jsonSchema: unknown } ? unknown :
  FromJsonSchema<S>
