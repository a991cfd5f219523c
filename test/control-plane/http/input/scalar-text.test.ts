import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { shapeOf } from '#control-plane/http/input/shape.ts'
import { parseInput } from '#control-plane/http/input/validation.ts'

const read = (schema: z.ZodType, value: unknown) => parseInput(schema, value, 'body', () => {}, 'lenient')

test('a field that takes numbers or flags only also takes them as text', () => {
  const body = z.object({
    n: z.number().nullish(),
    i: z.int().min(1).default(5),
    b: z.boolean().optional(),
    list: z.array(z.number()).optional(),
    record: z.record(z.string(), z.boolean()).optional(),
    text: z.string().optional(),
    both: z.union([z.string(), z.number()]).optional(),
    limited: z.union([z.literal('x'), z.boolean()]).optional(),
  })
  assert.deepEqual(read(body, { n: '3.5', i: '7', b: 'No', list: ['1', 2, ' -3e1 '], record: { a: 'y', b: false } }), {
    n: 3.5,
    i: 7,
    b: false,
    list: [1, 2, -30],
    record: { a: true, b: false },
  })
  assert.deepEqual(read(body, { n: null, text: '1', both: '1', limited: 'x' }), { n: null, i: 5, text: '1', both: '1', limited: 'x' })
  for (const wrong of [
    { n: 'NaN' },
    { n: 'Infinity' },
    { n: '1'.repeat(400) },
    { i: '0' },
    { i: '1.5' },
    { b: 'maybe' },
    { b: 7 },
    { limited: 'true' },
  ])
    assert.throws(() => read(body, wrong), { code: 'INVALID_REQUEST' }, JSON.stringify(wrong))
  assert.throws(() => parseInput(body, { n: '3.5' }, 'body'), { code: 'INVALID_REQUEST' }, 'not where the reading is strict')
  assert.equal(shapeOf(body).under('both')!.scalar, null)
})
