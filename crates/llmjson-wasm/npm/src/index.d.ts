import type { Infer, JsonSchema, SchemaLike, StandardLike } from './infer.js'
import type {
  Certainty, DeepPartial, Edit, Parsed, ReadOptions, RepairOptions as RawOptions, Stream as Raw, StreamEvent, Usable
} from '../syntax/index.js'

export type { FromJsonSchema, Infer, JsonSchema, SchemaLike, StandardLike, TellingLike } from './infer.js'
export {
  type Certainty, type Coercion, type DeepPartial, type Edit, LlmJsonError, type Note, Parsed, ParseError,
  type ReadOptions, type Repair, type StreamEvent, type Unusable, type Usable, type Violation
} from '../syntax/index.js'

/** The set of changes that are allowed: a preset, and settings that differ from it. */
export interface PolicySettings {
  preset?: Preset
  truncated?: 'accept' | 'refuse'
  duplicateKeys?: 'accept' | 'refuse'
  undeclared?: 'keep' | 'keep_forbidden' | 'drop' | 'reject'
  invalid?: 'report' | 'drop' | 'replace'
  defaults?: 'leave' | 'fill'
  /** `lenient` puts seconds and the `T` into dates and times that lack them, `as_written` leaves them as they are. */
  formats?: 'lenient' | 'strict' | 'as_written'
  /** The wording of what is expected: `integer & Minimum<1>`, or in `plain` words `a whole number of at least 1`. */
  wording?: 'tags' | 'plain'
  /** The least sure that changes may be. */
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
  /** The changes that are allowed. A value that needs another one is an error. */
  policy?: Policy
}

export interface TextOptions extends RepairOptions {
  /** True if a text without JSON in it is read as a string; false (the default) if it is an error. */
  text?: boolean
}

/** Returns the text as strict JSON, with its layout, or with its comments too. Throws where there is no value. */
export declare function repair(text: string, options?: TextOptions): string

/** Returns the changes that `repair` makes, in the order of the text. */
export declare function edits(text: string, options?: RepairOptions): Edit[]

/** A compiled schema. Others that are given are compiled once for each text of theirs. */
export interface Schema<T = unknown> {
  /** The type of its values. */
  readonly '~of'?: T
  toJSON(): unknown
  /** Frees the schema now rather than when it is collected. */
  free(): void
  [Symbol.dispose](): void
}

export declare const Schema: {
  new <const S extends SchemaLike>(schema: S): Schema<Infer<S>>
  /** Takes a schema whose library does not tell its JSON Schema, as zod 3, zod/mini and valibot, with it. */
  new <const S extends SchemaLike | StandardLike>(schema: S, jsonSchema: JsonSchema | object): Schema<Infer<S>>
  new <T = unknown>(schema: SchemaLike | string): Schema<T>
  readonly prototype: Schema
}

type Of<S> = S extends Schema<infer T> ? T : Infer<S>

/** Reads a reply, and coerces its value to the schema if there is one. */
export declare function parse(text: string, schema?: undefined | null, options?: ParseOptions): Parsed<unknown>
export declare function parse<const S extends SchemaLike>(text: string, schema: S, options?: ParseOptions): Parsed<Of<S>>

/**
 * Reads the arguments of a tool call: blank text is `{}` where nothing is required. Truncated arguments are not `ok` without the
 * option `allowTruncated`.
 */
export declare function parseArguments(text: string, schema?: undefined | null, options?: ParseOptions): Parsed<unknown>
export declare function parseArguments<const S extends SchemaLike>(
  text: string, schema: S, options?: ParseOptions
): Parsed<Of<S>>

/** Coerces a value to a schema. */
export declare function coerce<const S extends SchemaLike>(value: unknown, schema: S, options?: ParseOptions): Parsed<Of<S>>

/** Reads every value of a text, each with its place. */
export declare function parseAll(
  text: string, schema?: undefined | null, options?: Omit<ParseOptions, 'finishReason'>
): (Parsed<unknown> & { start: number; end: number })[]
export declare function parseAll<const S extends SchemaLike>(
  text: string, schema: S, options?: Omit<ParseOptions, 'finishReason'>
): (Parsed<Of<S>> & { start: number; end: number })[]

/** Returns the feedback for a model about what a result has wrong; the value as JSON if nothing is. */
export declare function stringify(parsed: Parsed): string

export interface Annotation {
  /** The place in the value, written as in violations: `$input.items[0].name`. */
  path: string
  expected: string
  description?: string
}

/** Writes annotations beside the value that they are about, for a model to correct it. */
export declare function annotate(value: unknown, annotations: Annotation[], schema?: SchemaLike): string

/** A reply that is still coming. */
export interface Stream<T = unknown> extends Raw<T> {}

export declare const Stream: {
  new <const S extends SchemaLike>(schema: S, options?: ParseOptions): Stream<Of<S>>
  new <T = unknown>(schema?: SchemaLike | null, options?: ParseOptions): Stream<T>
  readonly prototype: Stream
}

export interface Binding {
  name: string
  /** The name that was called, if it is another spelling of the tool's. */
  called?: string
  /** True if the tool is known. */
  known: boolean
  /** True if the tool is known and its arguments fit without a guess. */
  ok: boolean
  complete: boolean
  certainty: Certainty | null
  arguments?: any
  issues: { [member: string]: unknown }[]
  fields: { [member: string]: unknown }[]
  /** The feedback for the model; undefined where nothing is wrong. */
  feedback?: string
}

export interface FoundCall {
  name: string
  id?: string
  /** The arguments as they were found. */
  text: string
  start: number
  end: number
  family: string
  ok: boolean
  complete: boolean
  certainty: Certainty
  binding?: Binding
}

/** Text in the form of a call that is not taken for one. */
export interface NotRun {
  name: string
  /** The arguments as they were found. */
  text: string
  start: number
  end: number
  family: string
  /** The reason: it stands in a `fence`, in `code`, in a `thought` and so on, or its `result` beside it. */
  reason: string
}

/** The calls of a text, the text around them, and the reasoning. */
export interface FoundCalls {
  calls: FoundCall[]
  /** A text that has the form of a call and is only shown. */
  notRun: NotRun[]
  /** The part of the text that was not searched, as its limit of work was reached. */
  unsearched: { start: number; end: number } | null
  content: string
  reasoning: string
}

/** A call is `finished` when its end has been read; one that is not `complete` was cut off, and is not to be run.
 * `superseded`: one that was complete stood before a lone end of reasoning, and is a draft. */
export interface CallChange {
  change: 'started' | 'arguments' | 'finished' | 'superseded'
  call: number
  text?: string
  complete?: boolean
}

export interface CallStream {
  push(piece: string): CallChange[]
  finish(): FoundCalls & { events: CallChange[] }
  /** Frees the memory of a stream that is not finished. */
  free(): void
  [Symbol.dispose](): void
}

/** Tools that a model calls: a list in OpenAI's, Anthropic's, Google's or MCP's form. */
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
  /** The number of times that the model is asked again, 2 by default. */
  maxRetries?: number
  /** Gets the value so far of a reply that comes in pieces, and how often the model was asked before. */
  onPartial?: (value: DeepPartial<T>, turn: number) => void
}

/** The text of a reply, or the pieces of it as they come. */
export type ReplyText = string | AsyncIterable<string>

/** A reply, or its text with the reason why the model stopped, such as a result of the AI SDK. */
export type Reply = ReplyText | {
  readonly text: ReplyText | PromiseLike<ReplyText>
  readonly finishReason?: string | null | PromiseLike<string | null | undefined>
}

/**
 * Asks a model until its reply fits and is not truncated, at most `1 + maxRetries` times. The errors of a reply are added after
 * it as feedback. A last reply that does not fit is a ParseError; the option `allowTruncated` accepts a truncated one.
 */
export declare function retry<const S extends SchemaLike>(
  ask: (messages: Message[]) => Promise<Reply> | Reply, messages: Message[], schema: S, options?: RetryOptions<Of<S>>
): Promise<Usable<Of<S>>>
