import * as theirs from '@langchain/core/output_parsers'

type ZodLike = ConstructorParameters<typeof theirs.StructuredOutputParser>[0]

/** Replaces LangChain's class of the same name. */
export declare class JsonOutputParser<T extends Record<string, any> = Record<string, any>> extends theirs.JsonOutputParser<T> {}
/** Replaces LangChain's class of the same name. */
export declare class StructuredOutputParser<T extends ZodLike> extends theirs.StructuredOutputParser<T> {}
/** Replaces LangChain's function of the same name: returns the value of a partial JSON text, or null. */
export declare function parsePartialJson(text: string | undefined): any
/** Replaces LangChain's function of the same name: returns the value in a text, fenced or not. */
export declare function parseJsonMarkdown(text: string, parser?: (text: string) => any): any
