import type { Infer, JsonSchema, SchemaLike, StandardLike } from './infer.js'
import type {
  Certainty, DeepPartial, Edit, Parsed, ReadOptions, RepairOptions as RawOptions, Stream as Raw, StreamEvent, Usable
} from '../syntax/index.js'

export type { FromJsonSchema, Infer, JsonSchema, SchemaLike, StandardLike, TellingLike } from './infer.js'
export {
  type Certainty, type Coercion, type DeepPartial, type Edit, LlmJsonError, type Note, Parsed, ParseError,
  type ReadOptions, type Repair, type StreamEvent, type Unusable, type Usable, type Violation
} from '../syntax/index.js'

/** The allowed changes: a preset, and settings that differ from it. */
export interface PolicySettings {
  preset?: Preset
  truncated?: 'accept' | 'refuse'
  duplicateKeys?: 'accept' | 'refuse'
  undeclared?: 'keep' | 'keep_forbidden' | 'drop' | 'reject'
  invalid?: 'report' | 'drop' | 'replace'
  defaults?: 'leave' | 'fill'
  /** Converts an object to JSON text where a string is expected, and an array of strings to lines. */
  containersAsText?: 'accept' | 'refuse'
  /** Parses a string of JSON where a union accepts both. */
  textsAsContainers?: 'accept' | 'refuse'
  /** `lenient` adds missing seconds and the `T` to dates and times, `as_written` leaves them unchanged. */
  formats?: 'lenient' | 'strict' | 'as_written'
  /** The wording of expectations: `integer & Minimum<1>`, or in `plain` words `a whole number of at least 1`. */
  wording?: 'tags' | 'plain'
  /** The minimum certainty of changes. */
  certainty?: Certainty
  maxBytes?: number
  maxDepth?: number
}

export type Preset = 'lenient' | 'strict' | 'shape' | 'conservative' | 'tool' | 'exact'
export type Policy = Preset | PolicySettings

export interface ParseOptions extends ReadOptions {
  policy?: Policy
  /** The reason why the model stopped, in the words of its API. */
  finishReason?: string
}

export interface RepairOptions extends RawOptions {
  /** The allowed changes. A value that needs another one is an error. */
  policy?: Policy
}

export interface TextOptions extends RepairOptions {
  /** True if a text without JSON is read as a string; false (the default) if it is an error. */
  text?: boolean
}

/**
 * Returns the repaired text as strict JSON with its layout, and optionally with its comments. Throws if there is no
 * value.
 */
export declare function repair(text: string, options?: TextOptions): string

/** Returns the edits that `repair` makes, in text order. */
export declare function edits(text: string, options?: RepairOptions): Edit[]

/** A compiled schema. Other schemas are compiled once for each text. */
export interface Schema<T = unknown> {
  /** The type of its values. */
  readonly '~of'?: T
  toJSON(): unknown
  /** Frees the schema now instead of when it is collected. */
  free(): void
  [Symbol.dispose](): void
}

export declare const Schema: {
  new <const S extends SchemaLike>(schema: S): Schema<Infer<S>>
  /**
   * Takes a schema whose library does not provide its JSON Schema, such as zod 3, zod/mini and valibot, together with
   * the JSON Schema.
   */
  new <const S extends SchemaLike | StandardLike>(schema: S, jsonSchema: JsonSchema | object): Schema<Infer<S>>
  new <T = unknown>(schema: SchemaLike | string): Schema<T>
  readonly prototype: Schema
}

type Of<S> = S extends Schema<infer T> ? T : Infer<S>

/** Parses a reply, and coerces its value to the schema if one is given. */
export declare function parse(text: string, schema?: undefined | null, options?: ParseOptions): Parsed<unknown>
export declare function parse<const S extends SchemaLike>(text: string, schema: S, options?: ParseOptions): Parsed<Of<S>>

/**
 * Parses the arguments of a tool call: blank text is read as `{}` if nothing is required. Truncated arguments are not
 * `ok` without the option `allowTruncated`.
 */
export declare function parseArguments(text: string, schema?: undefined | null, options?: ParseOptions): Parsed<unknown>
export declare function parseArguments<const S extends SchemaLike>(
  text: string, schema: S, options?: ParseOptions
): Parsed<Of<S>>

/** Coerces a value to a schema. */
export declare function coerce<const S extends SchemaLike>(value: unknown, schema: S, options?: ParseOptions): Parsed<Of<S>>

/** Parses every value of a text, each with its position. */
export declare function parseAll(
  text: string, schema?: undefined | null, options?: Omit<ParseOptions, 'finishReason'>
): (Parsed<unknown> & { start: number; end: number })[]
export declare function parseAll<const S extends SchemaLike>(
  text: string, schema: S, options?: Omit<ParseOptions, 'finishReason'>
): (Parsed<Of<S>> & { start: number; end: number })[]

/** Returns feedback for a model on the errors of a result, or the value as JSON if there are none. */
export declare function stringify(parsed: Parsed): string

export interface Annotation {
  /** The path in the value, in the notation of violations: `$input.items[0].name`. */
  path: string
  expected: string
  description?: string
}

/** Writes annotations next to their places in a value, for a model to correct it. */
export declare function annotate(value: unknown, annotations: Annotation[], schema?: SchemaLike): string

/** A streamed reply. */
export interface Stream<T = unknown> extends Raw<T> {}

export declare const Stream: {
  new <const S extends SchemaLike>(schema: S, options?: ParseOptions): Stream<Of<S>>
  new <T = unknown>(schema?: SchemaLike | null, options?: ParseOptions): Stream<T>
  readonly prototype: Stream
}

export interface Binding {
  name: string
  /** The name in the call, if its spelling differs from the tool's name. */
  called?: string
  /** True if the tool is known. */
  known: boolean
  /** True if the tool is known and its arguments conform without a guess. */
  ok: boolean
  complete: boolean
  certainty: Certainty | null
  arguments?: any
  issues: { [member: string]: unknown }[]
  fields: { [member: string]: unknown }[]
  /** Feedback for the model; undefined if nothing is wrong. */
  feedback?: string
}

export interface FoundCall {
  name: string
  id?: string
  /** The arguments as found. */
  text: string
  start: number
  end: number
  family: string
  ok: boolean
  complete: boolean
  certainty: Certainty
  binding?: Binding
}

/** Text that has the form of a call but is not one. */
export interface NotRun {
  name: string
  /** The arguments as found. */
  text: string
  start: number
  end: number
  family: string
  /** The reason: it is in a `fence`, in `code`, in a `thought` and so on, or its `result` follows it. */
  reason: string
}

/** The calls of a text, the text around them, and the reasoning. */
export interface FoundCalls {
  calls: FoundCall[]
  /** Text that has the form of a call but is only quoted. */
  notRun: NotRun[]
  /** The part of the text that was not searched because the work limit was reached. */
  unsearched: { start: number; end: number } | null
  content: string
  reasoning: string
}

/**
 * A call is `finished` when its end has been read; one that is not `complete` was truncated or is not a call. Run it only
 * if it is `ok`; otherwise `reason` says why not. `arguments` are the bound ones as JSON, if they are another value than
 * the joined pieces.
 * `superseded`: a complete call was a draft, because an unopened end of reasoning follows it.
 */
export interface CallChange {
  change: 'started' | 'arguments' | 'finished' | 'superseded'
  call: number
  text?: string
  complete?: boolean
  ok?: boolean
  reason?: string | null
  arguments?: string
}

export interface CallStream {
  push(piece: string): CallChange[]
  finish(): FoundCalls & { events: CallChange[] }
  /** Frees the memory of an unfinished stream. */
  free(): void
  [Symbol.dispose](): void
}

/** Tools that a model calls: a list in the format of OpenAI, Anthropic, Google or MCP. */
export declare class Tools {
  constructor(list: unknown, options?: { policy?: Policy })
  readonly names: string[]
  bind(name: string, given: unknown, options?: { finishReason?: string }): Binding
  callsIn(text: string): FoundCalls
  callStream(): CallStream
  free(): void
  [Symbol.dispose](): void
}

export interface Message {
  role: string
  content: string
}

export interface RetryOptions<T = unknown> extends ParseOptions {
  /** The number of retries, 2 by default. */
  maxRetries?: number
  /** Receives the value so far of a streamed reply, and the number of earlier requests. */
  onPartial?: (value: DeepPartial<T>, turn: number) => void
}

/** The text of a reply, or its pieces as they arrive. */
export type ReplyText = string | AsyncIterable<string>

/** A reply, or its text with the reason why the model stopped, such as a result of the AI SDK. */
export type Reply = ReplyText | {
  readonly text: ReplyText | PromiseLike<ReplyText>
  readonly finishReason?: string | null | PromiseLike<string | null | undefined>
}

/**
 * Asks a model until its reply conforms and is not truncated, at most `1 + maxRetries` times. The errors of a reply are
 * added after it as feedback. If the last reply does not conform, throws a ParseError; the option `allowTruncated`
 * accepts a truncated one.
 */
export declare function retry<const S extends SchemaLike>(
  ask: (messages: Message[]) => Promise<Reply> | Reply, messages: Message[], schema: S, options?: RetryOptions<Of<S>>
): Promise<Usable<Of<S>>>
