/** The error for a text without a value. */
export declare class JSONRepairError extends Error {
  position: number
  constructor(message: string, position: number)
}

/** Returns the repaired text as strict JSON with its layout. */
export declare function jsonrepair(text: string): string
