// Types of zod by the forms in which models write their values: each cell through the library itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'llmjson'
import * as z from 'zod'

const LONG = '0.123456789012345678901234567890'
const ID = '6f1c2d3e-1111-4222-8333-444455556666'
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/)

/** A type, the JSON of what a model wrote, the value that is meant, and how sure that is. */
const READ = [
  [z.number(), '"39.90"', 39.9, 'certain'],
  [z.number(), '"$39.90"', 39.9, 'guess'],
  [z.number(), '"1,234.50"', 1234.5, 'likely'],
  [z.number(), '"6.979.309,46 €"', 6979309.46, 'likely'],
  [z.number(), '"73 [1]"', 73, 'guess'],
  [z.number().positive(), '"39.90 EUR"', 39.9, 'guess'],
  [z.number().nullable(), '"N/A"', null, 'likely'],
  [z.number().optional(), '"$39.90"', 39.9, 'guess'],
  [z.int(), '"3.0"', 3, 'certain'],
  [z.int().max(10), '7.0', 7, 'certain'],
  [z.boolean(), '"Yes."', true, 'guess'],
  [z.boolean(), '1', true, 'guess'],
  [z.boolean().nullable(), '"false"', false, 'certain'],
  [z.enum(['in_progress', 'done']), '"In Progress"', 'in_progress', 'likely'],
  [z.enum({ LOW: 1, HIGH: 3 }), '"HIGH"', 3, 'certain'],
  [z.literal('a'), '"A"', 'a', 'likely'],
  [z.iso.date(), '"March 5th, 2026"', '2026-03-05', 'likely'],
  [z.iso.date(), '"05.03.2026"', '2026-03-05', 'guess'],
  [z.iso.date(), '"2026–03–05"', '2026-03-05', 'likely'],
  [z.iso.datetime(), '"2026-03-05 10:30Z"', '2026-03-05T10:30:00Z', 'likely'],
  [z.iso.datetime({ offset: true }), '"Thu, 05 Mar 2026 10:30:00 +0100"', '2026-03-05T10:30:00+01:00', 'likely'],
  [z.iso.time(), '"3:30 PM"', '15:30:00', 'likely'],
  [z.uuid(), `"{${ID}}"`, ID, 'likely'],
  [z.uuid(), `"${ID.replaceAll('-', '–')}"`, ID, 'likely'],
  [z.url(), '"<https://a.org/>"', 'https://a.org/', 'likely'],
  [z.url(), '"[a.org](https://a.org)"', 'https://a.org', 'likely'],
  [z.email(), '"mailto:ada@a.org"', 'ada@a.org', 'likely'],
  [z.array(z.number()), '"1, 2 and 3"', [1, 2, 3], 'guess'],
  [z.array(z.enum(['a', 'b'])), '"a and b"', ['a', 'b'], 'guess'],
  // A decimal number as a text has the digits that were written.
  [decimal, '12.50', '12.50', 'certain'],
  [decimal, LONG, LONG, 'certain'],
  [decimal, '"12.50"', '12.50', 'certain'],
  [z.string(), '12.50', '12.50', 'certain'],
  [z.string(), LONG, LONG, 'certain'],
  [z.string(), '123456789012345678901234567890', '123456789012345678901234567890', 'certain']
]

/** A type, and the JSON of what is none of its values. */
const REFUSED = [
  [z.number(), '"five apples"'],
  [z.number(), '"10-20"'],
  [z.int(), '"5.5"'],
  [z.boolean(), '"maybe"'],
  [z.enum(['high', 'low']), '"not high"'],
  [z.iso.date(), '"05/03/2026"'],
  [z.iso.date(), '"tomorrow"'],
  [z.iso.datetime(), '"March 5, 2026"'],
  [z.iso.time(), '"noon"'],
  [z.iso.duration(), '"5m"'],
  [z.uuid(), `"${ID.slice(1)}"`],
  [z.url(), '"see <https://a.org>"'],
  [z.email(), '"a@b.org or c@d.org"'],
  [decimal, '"five apples"']
]

for (const [type, written, meant, certainty] of READ) {
  test(`${type.def.type} reads ${written}`, () => {
    const parsed = parse(`{"value": ${written}}`, z.object({ value: type }))
    assert.equal(parsed.ok, true, parsed.feedback)
    assert.deepEqual(parsed.value, { value: meant })
    assert.equal(parsed.certainty, certainty)
  })
}

for (const [type, written] of REFUSED) {
  test(`${type.def.type} is not ${written}`, () => {
    assert.equal(parse(`{"value": ${written}}`, z.object({ value: type })).ok, false)
  })
}
