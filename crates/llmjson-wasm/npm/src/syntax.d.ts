/** The certainty that a value is the intended one. */
export type Certainty = 'certain' | 'likely' | 'guess'

/** A change made to read a text as JSON. Offsets count UTF-16 code units. */
export interface Repair {
  kind: string
  class: Certainty
  start: number
  end: number
  line: number
  column: number
  /** The name of the notation that was read, if the kind is `notation`. */
  detail?: string
  sentence: string
}

/** An edit that a repair makes to the text. */
export interface Edit {
  start: number
  end: number
  replacement: string
  kind: string
  class: Certainty
}

/** A note about a text where nothing was changed, such as a duplicate key. */
export type Note = Omit<Repair, 'class' | 'detail'> & { path?: string; expected?: string }

/** A change made to fit a value to its schema. */
export interface Coercion {
  kind: string
  class: Certainty
  path: string
  from: string
  to?: string
  before?: unknown
  after?: unknown
  sentence: string
  violations?: Violation[]
}

/** One violation of a schema by a value. */
export interface Violation {
  path: string
  expected: string
  found?: string
  value?: unknown
  keyword?: string
  schema?: string
  description?: string
}

interface Result<T> {
  /** True if the value was not truncated. */
  readonly complete: boolean
  /**
   * The missing part of a truncated value: only closing brackets, or a part of the value, for example if the text ends
   * with a number. With the option `finishReason: 'stop'`, a value that lacks only brackets is complete.
   */
  readonly truncation: 'closers' | 'value' | null
  /** True if the text holds a value. */
  readonly found: boolean
  readonly certainty: Certainty | null
  readonly repairs: Repair[]
  readonly notes: Note[]
  readonly coercions: Coercion[]
  readonly violations: Violation[]
  /** The repairs, coercions and other properties that the policy refuses. */
  readonly refused: Note[]
  /** The whole result, as `llmjson parse --report` prints it. */
  readonly report: Record<string, unknown>
  /**
   * Returns the value, or throws a ParseError that says what is wrong. A truncated value is an error too, unless the
   * call that parsed it had `allowTruncated`.
   */
  unwrap(): T
}

/** A result whose value conforms to its schema and is allowed by the policy. */
export interface Usable<T = unknown> extends Result<T> {
  readonly ok: true
  readonly value: T
  readonly feedback: undefined
}

/** A result that is not usable. */
export interface Unusable<T = unknown> extends Result<T> {
  readonly ok: false
  /** The best interpretation, which need not conform; undefined if there is none. */
  readonly value: unknown
  /** Feedback for the model; undefined if there is no schema. */
  readonly feedback: string | undefined
}

/** The result of parsing a text. Its records are created on demand. */
export type Parsed<T = unknown> = Usable<T> | Unusable<T>

/** The class of results, for `instanceof`. */
export declare const Parsed: abstract new () => Parsed

/** The error for a text or argument that cannot be processed. */
export declare class LlmJsonError extends Error {
  /** The offset in the text at which `repair` failed, in UTF-16 code units. */
  position?: number
}

/** The error of `unwrap`. */
export declare class ParseError extends LlmJsonError {
  parsed: Parsed
}

export interface ReadOptions {
  /** The type of integers beyond 2^53: `number`, which loses digits, `bigint`, or `text`, a string of digits. */
  integers?: 'number' | 'bigint' | 'text'
  /**
   * Accepts a truncated value. Calls that use the value at once refuse it by default (`unwrap`, `parseArguments`,
   * `retry`); other results report that they are not `complete`. False makes these not `ok` too.
   */
  allowTruncated?: boolean
}

/** Parses a text. */
export declare function parse<T = unknown>(text: string, options?: ReadOptions): Parsed<T>

export interface RepairOptions {
  /** The treatment of a truncated member: `drop` (the default) or `complete`. */
  unfinished?: 'drop' | 'complete'
  /**
   * The treatment of comments: `drop` (the default), or `keep` for `//`, `/*` and `#` (as `//`), which makes it JSON
   * with comments.
   */
  comments?: 'drop' | 'keep'
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

/** A change to a streamed value, by JSON Pointer. */
export interface StreamEvent {
  change: 'passed' | 'opened' | 'appended' | 'value' | 'closed' | 'settled' | 'superseded'
  path: string
  value?: unknown
}

/** A value with parts that may still be missing. */
export type DeepPartial<T> =
  T extends (infer I)[] ? DeepPartial<I>[] : T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T

/** A streamed text. */
export declare class Stream<T = unknown> {
  constructor(options?: ReadOptions)
  /** Takes the next piece. */
  push(piece: string): this
  /** The value so far. Unchanged parts stay the same object. */
  readonly value: DeepPartial<T> | undefined
  /** True if the result does not continue the value that was shown: discard the shown value. */
  readonly superseded: boolean
  /** Returns the changes since the last call, in order. */
  events(): StreamEvent[]
  /** Ends the text and returns its result: the result of `parse` for the whole text. */
  finish(): Parsed<T>
  /** Frees the memory of an unfinished stream. */
  free(): void
  [Symbol.dispose](): void
}
