// A short random history on every run of the suite; `./studio test --long` runs longer ones with every fault. VOICE_STUDIO_SEED repeats one.
import { test } from 'node:test'
import { chaos, type Fault } from '#test/support/chaos/chaos.ts'
import { chosenSeed } from '#test/support/doubles/seeded.ts'

const QUICK: readonly Fault[] = ['cut', 'engine host', 'kill', 'withdraw', 'lying disk', 'half-open', 'freeze', 'kill the studio', 'drain']
const seed = chosenSeed()

test(`random faults, seed ${seed}: no task is lost or run to completion twice`, async (t) => {
  t.diagnostic(await chaos(t, { seed, tasks: 24, slowness: 1, lanes: 16, faults: QUICK, longestMs: 1_500, pauseMs: 400 }))
})
