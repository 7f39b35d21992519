/** The error of a text that has no value. */
export declare class JSONRepairError extends Error {
  position: number
  constructor(message: string, position: number)
}

/** Returns the text as strict JSON, with its layout. */
export declare function jsonrepair(text: string): string
