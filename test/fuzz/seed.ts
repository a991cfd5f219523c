// One seed for all that is played by chance in a run: printed, and settable with VOICE_STUDIO_SEED to see the same again.
import { randomInt } from 'node:crypto'
import type { TestContext } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'

/** Wide: what is meant are minutes, on a machine that does other things besides. */
export const INPUT_LIMIT_MS = 5_000
const GROWTH_LIMIT_BYTES = 128 * 1024 * 1024

const SEED = Number(process.env['VOICE_STUDIO_SEED'] ?? randomInt(2 ** 31))

const told = new WeakSet<TestContext>()

/** Plays the property `runs` times. Beyond its own demands: no input takes long, and nothing is kept of all of them. */
export async function play<T>(
  t: TestContext,
  runs: number,
  inputs: fc.Arbitrary<T>,
  property: (input: T) => void | Promise<void>,
): Promise<void> {
  if (!told.has(t)) t.diagnostic(`VOICE_STUDIO_SEED=${SEED}`)
  told.add(t)
  const before = heapInUse()
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      const from = performance.now()
      await property(input)
      const took = performance.now() - from
      if (took > INPUT_LIMIT_MS) throw new Error(`this input took ${Math.round(took)} ms`)
    }),
    { seed: SEED, numRuns: runs },
  )
  const growth = heapInUse() - before
  if (growth > GROWTH_LIMIT_BYTES) throw new Error(`${runs} inputs left ${Math.round(growth / 1024 / 1024)} MiB behind`)
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
function heapInUse(): number {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
