import type * as theirs from 'openai/helpers/zod'
import type { ParseOptions } from 'llmjson'

/** Replaces the openai package's helper of the same name; replies are parsed by llmjson. */
export declare function zodResponseFormat<S extends Parameters<typeof theirs.zodResponseFormat>[0]>(
  schema: S, name: string, props?: Parameters<typeof theirs.zodResponseFormat>[2], options?: ParseOptions
): ReturnType<typeof theirs.zodResponseFormat<S>>
/** Replaces the openai package's helper of the same name; replies are parsed by llmjson. */
export declare function zodTextFormat<S extends Parameters<typeof theirs.zodTextFormat>[0]>(
  schema: S, name: string, props?: Parameters<typeof theirs.zodTextFormat>[2], options?: ParseOptions
): ReturnType<typeof theirs.zodTextFormat<S>>
/** Replaces the openai package's helper of the same name; arguments are parsed by llmjson, with the policy `tool`. */
export declare function zodFunction<S extends Parameters<typeof theirs.zodFunction>[0]['parameters']>(
  tool: Parameters<typeof theirs.zodFunction<S>>[0], options?: ParseOptions
): ReturnType<typeof theirs.zodFunction<S>>
/** Replaces the openai package's helper of the same name; arguments are parsed by llmjson, with the policy `tool`. */
export declare function zodResponsesFunction<S extends Parameters<typeof theirs.zodResponsesFunction>[0]['parameters']>(
  tool: Parameters<typeof theirs.zodResponsesFunction<S>>[0], options?: ParseOptions
): ReturnType<typeof theirs.zodResponsesFunction<S>>
