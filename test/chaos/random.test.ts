// A short random history on every run of the suite; `./studio test --long` runs longer ones with every fault. VOICE_STUDIO_SEED repeats one.
import { test } from 'node:test'
import { chaos, type Fault } from '../support/chaos/chaos.ts'
import { mayMount } from '../support/chaos/small-disk.ts'
import { chosenSeed } from '../support/doubles/seeded.ts'

const QUICK: readonly Fault[] = [
  'cut',
  'engine host',
  'kill',
  'withdraw',
  'lying disk',
  'half-open',
  'freeze',
  'kill the studio',
  'drain',
  'stop',
  'refused rows',
  'full lent disk',
  'noisy client',
  'wrong keys',
  'long text',
]
const seed = chosenSeed()
const faults = QUICK.filter((name) => name !== 'full lent disk' || mayMount)

test(`random faults, seed ${seed}: no task is lost or run to completion twice`, async (t) => {
  t.diagnostic(await chaos(t, { seed, tasks: 24, slowness: 1, lanes: 16, faults, longestMs: 1_500, pauseMs: 400 }))
})
