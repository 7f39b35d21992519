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
/** Which kinds of values may be partial. */
export declare const Allow: {
  STR: number; NUM: number; ARR: number; OBJ: number; NULL: number; BOOL: number; NAN: number; INFINITY: number
  _INFINITY: number; INF: number; SPECIAL: number; ATOM: number; COLLECTION: number; ALL: number
}
/** The text ends before something that may not be partial. */
export declare class PartialJSON extends Error {}
/** There is no value in the text. */
export declare class MalformedJSON extends Error {}
/** Reads what there is of a JSON text. */
export declare function parseJSON(text: string, allow?: number): any
export declare const parse: typeof parseJSON
