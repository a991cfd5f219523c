// One seed for all random tests of a run: printed, and set with VOICE_STUDIO_SEED to repeat the run.
import { randomInt } from 'node:crypto'
import type { TestContext } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'

/** Generous: it detects minutes, on a machine that is busy with other work. */
export const INPUT_LIMIT_MS = 5_000
const GROWTH_LIMIT_BYTES = 128 * 1024 * 1024

export const SEED = Number(process.env['VOICE_STUDIO_SEED'] ?? randomInt(2 ** 31))

/** Memory in use before the first property of a test. */
const baselines = new WeakMap<TestContext, number>()

/** Runs the property `runs` times. In addition, no input may take long, and memory may not grow, over all properties of the test. */
export async function play<T>(
  t: TestContext,
  runs: number,
  inputs: fc.Arbitrary<T>,
  property: (input: T) => void | Promise<void>,
): Promise<void> {
  if (!baselines.has(t)) {
    t.diagnostic(`VOICE_STUDIO_SEED=${SEED}`)
    collect()
    baselines.set(t, memoryInUse())
  }
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      const from = performance.now()
      await property(input)
      const took = performance.now() - from
      if (took > INPUT_LIMIT_MS) throw new Error(`this input took ${Math.round(took)} ms`)
    }),
    { seed: SEED, numRuns: runs },
  )
  const before = baselines.get(t)!
  // A collection takes more processor time than most properties, so it runs only if the garbage could hide a growth.
  if (memoryInUse() - before > GROWTH_LIMIT_BYTES) collect()
  const growth = memoryInUse() - before
  if (growth > GROWTH_LIMIT_BYTES) throw new Error(`${runs} inputs left ${Math.round(growth / 1024 / 1024)} MiB behind`)
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
function memoryInUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
