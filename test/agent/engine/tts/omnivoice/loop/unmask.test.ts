import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { seededRandom } from '#agent/engine/seam/random.ts'
import { CLASSES, CODEBOOKS, type LogitRow, MASK } from '#agent/engine/tts/omnivoice/loop/scoring.ts'
import { DEFAULT_LOOP_SETTINGS, type LoopSettings, type Predict, type UnmaskLoop, unmask } from '#agent/engine/tts/omnivoice/loop/unmask.ts'

/** A backbone that always prefers the planted code of each cell. */
function planted(codes: Int32Array, frames: number, next: () => number): { predict: Predict; asked: () => number; seen: Int32Array[] } {
  const values = Float32Array.from({ length: CODEBOOKS * frames * CLASSES }, () => next())
  for (const [cell, code] of codes.entries()) values[cell * CLASSES + code] = 9 + next()
  const row: LogitRow = { values, start: 0, stride: frames * CLASSES }
  const seen: Int32Array[] = []
  const predict: Predict = async (given) => {
    seen.push(given.slice())
    return { conditional: row, unconditional: row }
  }
  return { predict, asked: () => seen.length, seen }
}

async function run(loop: Omit<UnmaskLoop, 'yieldToLoop'>): Promise<{ codes: Int32Array; shares: number[] }> {
  const steps = unmask({ ...loop, yieldToLoop: async () => {} })
  const shares: number[] = []
  for (;;) {
    const { value, done } = await steps.next()
    if (done) return { codes: value, shares }
    shares.push(value)
  }
}

test('the loop finds the planted codes under every schedule', async () => {
  const settings = fc.record({
    steps: fc.integer({ min: 1, max: 64 }),
    guidance: fc.constantFrom(0, 2, 4),
    shift: fc.constantFrom(0, 0.1, 0.5, 1, 3),
    layerPenalty: fc.constantFrom(0, 5),
    positionTemperature: fc.constantFrom(0, 5),
    classTemperature: fc.constant(0),
  })
  await fc.assert(
    fc.asyncProperty(fc.nat(2 ** 32 - 1), fc.integer({ min: 1, max: 12 }), settings, async (seed, frames, wanted: LoopSettings) => {
      const next = seededRandom(seed).unit
      const codes = Int32Array.from({ length: CODEBOOKS * frames }, () => Math.floor(next() * MASK))
      const { predict, asked } = planted(codes, frames, next)
      const made = await run({ frames, settings: wanted, predict, next })
      assert.deepEqual(made.codes, codes)
      assert.equal(made.shares.at(-1), 1)
      assert.ok(asked() <= wanted.steps && asked() === made.shares.length)
    }),
    { numRuns: 60 },
  )
})

test('each step receives the cells of earlier steps, and no cell is cleared', async () => {
  const next = seededRandom(3).unit
  const frames = 25
  const codes = Int32Array.from({ length: CODEBOOKS * frames }, () => Math.floor(next() * MASK))
  const { predict, seen } = planted(codes, frames, next)
  await run({ frames, settings: DEFAULT_LOOP_SETTINGS, predict, next })
  const counts = seen.map((given) => given.filter((code) => code !== MASK).length)
  assert.equal(counts.map((count, at) => (counts[at + 1] ?? 200) - count).join(' '), '2 2 2 2 3 3 4 4 5 6 8 11 15 22 38 73')
  for (const given of seen) assert.ok(given.every((code, cell) => code === MASK || code === codes[cell]))
  const inBook = (book: number) => seen[13]!.subarray(book * frames, (book + 1) * frames).filter((code) => code !== MASK).length
  assert.ok(inBook(0) > 2 * inBook(7), 'the coarse codebook is filled before the fine ones')
})

test('steps without cells do not call the model', async () => {
  const next = seededRandom(4).unit
  const { predict, asked } = planted(new Int32Array(CODEBOOKS).fill(5), 1, next)
  await run({ frames: 1, settings: { ...DEFAULT_LOOP_SETTINGS, steps: 32 }, predict, next })
  assert.equal(asked(), 8)
})

test('a class temperature draws among likely codes, the same for a seed', async () => {
  const values = Float32Array.from({ length: CODEBOOKS * 6 * CLASSES }, (_, at) => Math.sin(at))
  const predict: Predict = async () => ({ conditional: { values, start: 0, stride: 6 * CLASSES }, unconditional: null })
  const draw = async (seed: number) => {
    const settings = { ...DEFAULT_LOOP_SETTINGS, classTemperature: 1, guidance: 0 }
    return (await run({ frames: 6, settings, predict, next: seededRandom(seed).unit })).codes
  }
  assert.deepEqual(await draw(1), await draw(1))
  assert.notDeepEqual(await draw(1), await draw(2))
})

test('values that are not numbers stop the loop', async () => {
  const values = new Float32Array(CODEBOOKS * CLASSES)
  values[CLASSES * 3 + 17] = Number.NaN
  const predict: Predict = async () => ({ conditional: { values, start: 0, stride: CLASSES }, unconditional: null })
  const settings = { ...DEFAULT_LOOP_SETTINGS, steps: 1 }
  await assert.rejects(run({ frames: 1, settings, predict, next: () => 0 }), { code: 'NON_FINITE_OUTPUT' })
})

test('a run that is cancelled stops before the next step', async () => {
  const { predict, asked } = planted(new Int32Array(CODEBOOKS * 30).fill(5), 30, seededRandom(1).unit)
  const steps = unmask({
    frames: 30,
    settings: DEFAULT_LOOP_SETTINGS,
    predict,
    next: seededRandom(1).unit,
    yieldToLoop: async () => {
      if (asked() === 3) throw new Error('stop')
    },
  })
  await assert.rejects(async () => {
    for (;;) if ((await steps.next()).done) return
  }, /stop/)
  assert.equal(asked(), 3)
})
