// Large bodies are checked in several turns, with the results and the messages of one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { DubGenerateBody } from '#control-plane/features/dubbing/make/generate/generate.contract.ts'
import { parseInTurns } from '#control-plane/http/input/in-turns.ts'
import { parseInput } from '#control-plane/http/input/validation.ts'
import { Failure } from '#shared/protocol/failure.ts'

const Line = z.object({
  id: z.string().max(8),
  n: z.int().default(7),
  inner: z.strictObject({ tags: z.array(z.string().max(4)).max(3) }).nullish(),
})
const Body = z
  .strictObject({
    lines: z.array(Line).min(1).max(900),
    ids: z
      .array(z.union([z.string(), z.int()]))
      .max(700)
      .nullish(),
    more: z.array(z.string().trim()).default(['x']),
    name: z.string().max(20),
  })
  .refine(({ lines }) => new Set(lines.map(({ id }) => id)).size === lines.length, 'ids must differ')

type Outcome = { readonly value?: unknown; readonly detail?: unknown; readonly ignored: readonly string[] }
async function outcomeOf(parse: (onIgnored: (path: string) => void) => unknown): Promise<Outcome> {
  const ignored: string[] = []
  try {
    const value = await parse((path) => void ignored.push(path))
    return { value, ignored: ignored.sort() }
  } catch (error) {
    assert.ok(error instanceof Failure)
    return { detail: error.detail, ignored: ignored.sort() }
  }
}

test('a body that is checked in turns gives what one that is checked at once gives', async () => {
  const line = (at: number) => ({ id: `l${at}`, ...(at % 7 === 0 && { inner: { tags: ['a'] } }) })
  const other = fc.constantFrom<unknown>(
    undefined,
    null,
    { id: 'l0' },
    { id: 'too long for it' },
    { id: 'e', n: 'x', inner: { tags: ['long text'] } },
    { id: 'e', other: 1, inner: { tags: [], hidden: 2 } },
  )
  const body = fc
    .record({
      count: fc.constantFrom(0, 1, 199, 200, 201, 450, 901),
      place: fc.nat(900),
      other,
      ids: fc.constantFrom(
        undefined,
        null,
        3,
        [],
        ['a', 1],
        Array.from({ length: 701 }, () => 1),
      ),
      more: fc.constantFrom(undefined, [' a '], [1], 'no list'),
      name: fc.constantFrom('short', 'a text of more than twenty characters', undefined),
      colour: fc.constantFrom(undefined, 1),
    })
    .map(({ count, place, other, ...rest }) => {
      const lines: unknown[] = Array.from({ length: count }, (_, at) => line(at))
      if (count > 0 && other !== undefined) lines[place % count] = other
      return JSON.parse(JSON.stringify({ ...rest, lines }))
    })
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: body }, fc.constantFrom(null, 'text', [], {})), async (value) => {
      const atOnce = await outcomeOf((ignore) => parseInput(Body, value, 'body', ignore))
      const inTurns = await outcomeOf((ignore) => parseInTurns(Body, value, 'body', ignore))
      assert.deepEqual(inTurns, atOnce)
    }),
    { numRuns: 150 },
  )
})

test('a body with thousands of lines lets other work run between its parts', async () => {
  const segments = Array.from({ length: 5_000 }, (_, at) => ({ id: `l${at}`, start: at, end: at + 0.5, text: `Line ${at}.`, extra: 1 }))
  let [turns, isOver] = [0, false]
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const ignored: string[] = []
  const { segments: parsed } = await parseInTurns(DubGenerateBody, { segments }, 'body', (path) => void ignored.push(path))
  isOver = true
  assert.ok(turns >= 20, `${turns} turns`)
  assert.deepEqual([parsed.length, parsed.at(-1)], [5_000, { id: 'l4999', start: 4_999, end: 4_999.5, text: 'Line 4999.' }])
})
