/** The certainty that a value is the one that was meant. */
export type Certainty = 'certain' | 'likely' | 'guess'

/** A change made to read a text as JSON. Offsets count UTF-16 code units. */
export interface Repair {
  kind: string
  class: Certainty
  start: number
  end: number
  line: number
  column: number
  /** The name of the notation that was read, where the kind is `notation`. */
  detail?: string
  sentence: string
}

/** A change of the text that a repair makes. */
export interface Edit {
  start: number
  end: number
  replacement: string
  kind: string
  class: Certainty
}

/** A remark about a text where nothing was changed, such as a name that occurs twice. */
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

/** One way in which a value does not satisfy its schema. */
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
  /** True if the text of the value was whole. */
  readonly complete: boolean
  /** The part that its text lacks: closing brackets alone, or a part of the value, as where a number touches the end. With
   * the option `finishReason: 'stop'` a value that lacks brackets alone is complete. */
  readonly truncation: 'closers' | 'value' | null
  /** True if the text holds a value. */
  readonly found: boolean
  readonly certainty: Certainty | null
  readonly repairs: Repair[]
  readonly notes: Note[]
  readonly coercions: Coercion[]
  readonly violations: Violation[]
  /** The repairs, coercions and other facts that the policy does not allow. */
  readonly refused: Note[]
  /** The whole result, as `llmjson parse --report` prints it. */
  readonly report: Record<string, unknown>
  /**
   * Returns the value, or throws a ParseError that tells what is wrong. A truncated value is an error too, unless the call that
   * read it was given `allowTruncated`.
   */
  unwrap(): T
}

/** A result whose value fits its schema, and that the policy allows. */
export interface Usable<T = unknown> extends Result<T> {
  readonly ok: true
  readonly value: T
  readonly feedback: undefined
}

/** A result that is not usable. */
export interface Unusable<T = unknown> extends Result<T> {
  readonly ok: false
  /** The best reading, which need not fit; undefined where there is none. */
  readonly value: unknown
  /** The feedback for the model; undefined where there is no schema to tell about. */
  readonly feedback: string | undefined
}

/** The result of reading a text. Its records are made when they are asked for. */
export type Parsed<T = unknown> = Usable<T> | Unusable<T>

/** The class of results, for `instanceof`. */
export declare const Parsed: abstract new () => Parsed

/** The error of a text or argument that cannot be worked on. */
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
   * Accepts a truncated value. Calls whose value is used at once refuse it by default
   * (`unwrap`, `parseArguments`, `retry`); other results say that they are not `complete`. False makes these not `ok` too.
   */
  allowTruncated?: boolean
}

/** Reads a text. */
export declare function parse<T = unknown>(text: string, options?: ReadOptions): Parsed<T>

export interface RepairOptions {
  /** The treatment of a member that the end of the text cut off: `drop` (the default) or `complete`. */
  unfinished?: 'drop' | 'complete'
  /**
   * The treatment of comments: `drop` (the default), or `keep` those of `//` and `/*`, and those of `#` as `//`, which
   * makes it JSON with comments.
   */
  comments?: 'drop' | 'keep'
}

export interface TextOptions extends RepairOptions {
  /** True if a text without JSON in it is read as a string; false (the default) if it is an error. */
  text?: boolean
}

/** Returns the text as strict JSON, with its layout, or with its comments too. Throws where there is no value. */
export declare function repair(text: string, options?: TextOptions): string

/** Returns the changes that `repair` makes, in the order of the text. */
export declare function edits(text: string, options?: RepairOptions): Edit[]

/** A change of a value that is still coming, by JSON Pointer. */
export interface StreamEvent {
  change: 'passed' | 'opened' | 'appended' | 'value' | 'closed' | 'settled' | 'superseded'
  path: string
  value?: unknown
}

/** A value of which parts may still be missing. */
export type DeepPartial<T> =
  T extends (infer I)[] ? DeepPartial<I>[] : T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T

/** A text that is still coming. */
export declare class Stream<T = unknown> {
  constructor(options?: ReadOptions)
  /** Takes in a piece. */
  push(piece: string): this
  /** The value so far. What has not changed since stays the same object. */
  readonly value: DeepPartial<T> | undefined
  /** True if the end of the text meant another value than was shown: what was shown has to be discarded. */
  readonly superseded: boolean
  /** Returns the changes since the last call, in order. */
  events(): StreamEvent[]
  /** Ends the text and returns its result, which is that of `parse` for the whole text. */
  finish(): Parsed<T>
  /** Frees the memory of a stream that is not finished. */
  free(): void
  [Symbol.dispose](): void
}
