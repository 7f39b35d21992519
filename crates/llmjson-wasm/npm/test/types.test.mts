// Compiled, not run.
import { coerce, parse, retry, Schema, Stream, type DeepPartial } from 'llmjson'
import * as syntax from 'llmjson/syntax'
import { jsonrepair } from 'llmjson/jsonrepair'
import { jsonrepairTransformStream } from 'llmjson/jsonrepair/stream'
import * as partial from 'llmjson/partial-json'
import { repairText } from 'llmjson/ai'
import { zodResponseFormat } from 'llmjson/openai'
import { StructuredOutputParser } from 'llmjson/langchain'
import { coercing } from 'llmjson/mcp'
import { repairEvents, repairingFetch } from 'llmjson/sse'
import { LlmJson } from 'llmjson/typia'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import * as z from 'zod'
import * as mini from 'zod/mini'
import * as z3 from 'zod/v3'
import { toJsonSchema } from '@valibot/to-json-schema'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(..._: Same<A, B> extends true ? [] : [never]) => {}

const trip = parse('', {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' }, tags: { type: 'array', items: { enum: ['a', 'b'] } } },
  required: ['city']
})
type Trip = { city: string; days?: number; tags?: ('a' | 'b')[] }
same<typeof trip.value, unknown>()
// @ts-expect-error: it need not fit
trip.value.city
if (trip.ok) same<typeof trip.value, Trip>()
else same<typeof trip.feedback, string | undefined>()
const unwrapped = trip.unwrap()
same<typeof unwrapped, Trip>()

// The type of the value where it fits.
type Fits<P> = Extract<P, { ok: true }> extends { value: infer V } ? V : never

const schema = z.object({ days: z.int(), tags: z.array(z.string()).optional() })
const read = coerce({}, schema)
same<Fits<typeof read>, { days: number; tags?: string[] | undefined }>()

const plain = parse('')
same<typeof plain.value, unknown>()

const stream = new Stream<{ a: { b: string }[] }>({ type: 'object' })
same<typeof stream.value, DeepPartial<{ a: { b: string }[] }> | undefined>()
const text: string = jsonrepair(syntax.repair('{}'))
void text

const valibot = parse('', toStandardJsonSchema(v.object({ a: v.string() })))
same<Fits<typeof valibot>, { a: string }>()
const arktype = parse('', type({ a: 'string' }))
same<Fits<typeof arktype>, { a: string }>()
const inferred = new Stream(schema)
same<typeof inferred.value, { days?: number; tags?: string[] | undefined } | undefined>()
const compiled = new Schema(schema)
const again = parse('', compiled)
same<Fits<typeof again>, { days: number; tags?: string[] | undefined }>()
const literal = coerce(1, { enum: ['a', 'b', 3] })
same<Fits<typeof literal>, 'a' | 'b' | 3>()

const format = zodResponseFormat(schema, 'trip')
same<typeof format.__output, { days: number; tags?: string[] | undefined }>()
const trip2: Promise<{ days: number }> = new StructuredOutputParser(schema).parse('')
const data: number | undefined = LlmJson.coerce<{ a: number }>({}, {}).a
void [trip2, data, coercing, repairText, partial.Allow.STR, jsonrepairTransformStream]

// A function that takes any schema of zod.
const generic = <S extends z.ZodType>(schema: S) => [parse('', schema).unwrap(), new Schema(schema), new Stream(schema)] as const
same<ReturnType<typeof generic<typeof schema>>[0], { days: number; tags?: string[] | undefined }>()
const record: Record<string, unknown> = {}
parse('', record)
parse('', {} as object)
const seen: unknown = parse('')
if (seen instanceof syntax.Parsed && seen.ok) same<typeof seen.feedback, undefined>()

// Options that there are not.
// @ts-expect-error
parse('', schema, { polcy: 'tool' })
// @ts-expect-error
parse('', schema, { policy: { preset: 'tool', truncatd: 'accept' } })
// @ts-expect-error
new Stream(schema, { finish: 'stop' })
// @ts-expect-error
syntax.repair('', { unfinshed: 'drop' })
// @ts-expect-error
syntax.repair('', { policy: 'tool' })

// Schemas that do not tell their JSON Schema, alone and with it.
const small = mini.object({ a: mini.string() })
const older = z3.z.object({ a: z3.z.string() })
const other = v.object({ a: v.string() })
// @ts-expect-error
parse('', small)
// @ts-expect-error
coerce({}, older)
// @ts-expect-error
new Stream(other)
// @ts-expect-error
new Schema(other)
const told = [
  parse('', new Schema(small, z.toJSONSchema(small, { io: 'input' }))), parse('', new Schema(older, { type: 'object' })),
  parse('', new Schema(other, toJsonSchema(other)))
]
same<Fits<(typeof told)[number]>, { a: string }>()

const asked = retry(async function* () { yield '' }, [], schema, { onPartial: value => same<typeof value, { days?: number; tags?: string[] | undefined }>() })
same<Awaited<typeof asked>['value'], { days: number; tags?: string[] | undefined }>()
const mended: ReadableStream<Uint8Array> = new ReadableStream<Uint8Array>().pipeThrough(repairEvents())
void [mended, repairingFetch]
// The reason why a model stopped beside its text, as a result of the AI SDK has it.
const answered = retry(async () => ({ text: '', finishReason: 'stop', usage: {} }), [], schema, { allowTruncated: true })
same<Awaited<typeof answered>['value'], { days: number; tags?: string[] | undefined }>()
void retry(() => ({ text: Promise.resolve(''), finishReason: Promise.resolve(null) }), [], schema)
parse('', schema, { allowTruncated: false })
syntax.parse('', { allowTruncated: true })
// @ts-expect-error
retry(() => ({ finishReason: 'stop' }), [], schema)
