import * as theirs from '@langchain/core/output_parsers'

type ZodLike = ConstructorParameters<typeof theirs.StructuredOutputParser>[0]

/** In place of LangChain's class of this name. */
export declare class JsonOutputParser<T extends Record<string, any> = Record<string, any>> extends theirs.JsonOutputParser<T> {}
/** In place of LangChain's class of this name. */
export declare class StructuredOutputParser<T extends ZodLike> extends theirs.StructuredOutputParser<T> {}
/** As the function of this name in LangChain: what there is of a JSON text, or null. */
export declare function parsePartialJson(text: string | undefined): any
/** As the function of this name in LangChain: the value in a text, fenced or not. */
export declare function parseJsonMarkdown(text: string, parser?: (text: string) => any): any
