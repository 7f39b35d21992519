export interface ParseSuccess<T> {
  success: true
  data: T
}
export interface ParseFailure {
  success: false
  data: undefined
  input: string
  errors: { path: string; expected: string; description: string }[]
}
export interface ValidationError {
  path: string
  expected: string
  value: unknown
  description?: string
}
export type Validation<T> = { success: true; data: T } | { success: false; data: unknown; errors: ValidationError[] }

/** Replaces typia's namespace of the same name. */
export declare const LlmJson: {
  /** Parses a text, and coerces its value. Does not check whether it conforms: `validate` does. */
  parse<T = unknown>(input: string, parameters?: object): ParseSuccess<T> | ParseFailure
  coerce<T = unknown>(input: unknown, parameters: object): T
  validate(parameters: object, equals?: boolean): (input: unknown) => Validation<unknown>
  /** Writes a failure for the model: the value with each error next to its place. */
  stringify(failure: { data: unknown; errors: ValidationError[] }): string
  validateArguments<T = unknown>(
    tool: { parameters: object; validate: (input: unknown) => any }, given: unknown
  ): Validation<T>
}
