export declare const STR: number
export declare const NUM: number
export declare const ARR: number
export declare const OBJ: number
export declare const NULL: number
export declare const BOOL: number
export declare const NAN: number
export declare const INFINITY: number
export declare const _INFINITY: number
export declare const INF: number
export declare const SPECIAL: number
export declare const ATOM: number
export declare const COLLECTION: number
export declare const ALL: number
/** The kinds of values that may be partial, as bits of a number. */
export declare const Allow: {
  STR: number; NUM: number; ARR: number; OBJ: number; NULL: number; BOOL: number; NAN: number; INFINITY: number
  _INFINITY: number; INF: number; SPECIAL: number; ATOM: number; COLLECTION: number; ALL: number
}
/** The error for a text that ends inside a value that may not be partial. */
export declare class PartialJSON extends Error {}
/** The error for a text without a value. */
export declare class MalformedJSON extends Error {}
/** Parses a partial JSON text. */
export declare function parseJSON(text: string, allow?: number): any
export declare const parse: typeof parseJSON
