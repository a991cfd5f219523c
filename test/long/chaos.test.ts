// Thirty minutes of random histories: 500 tasks each, four machines in both directions, all faults.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { chaos, FAULTS, type Fault } from '../support/chaos/chaos.ts'
import { mayMount } from '../support/chaos/small-disk.ts'
import { FAKETIME } from '../support/chaos/world.ts'
import { chosenSeed } from '../support/doubles/seeded.ts'

const LONG_MS = Number(process.env['VOICE_STUDIO_LONG_MINUTES'] ?? 30) * 60_000
const first = chosenSeed()

test(`random histories, starting with seed ${first}`, { timeout: LONG_MS + 900_000 }, async (t) => {
  const canJump = existsSync(FAKETIME)
  if (!canJump) t.diagnostic('no clock jumps: libfaketime (Debian: faketime) is not installed')
  if (!mayMount) t.diagnostic('no full disk: mounting a small file system is not permitted here')
  const faults = (Object.keys(FAULTS) as Fault[]).filter(
    (name) => (name !== 'clock jump' || canJump) && (!name.startsWith('full ') || mayMount),
  )
  const until = clock.mono() + LONG_MS
  let rounds = 0
  for (let seed = first; rounds === 0 || clock.mono() < until; seed++, rounds++)
    await t.test(`seed ${seed}`, async (t) => {
      const say = (what: string) => void process.stdout.write(`${what}\n`)
      try {
        say(await chaos(t, { seed, tasks: 500, slowness: 8, lanes: 32, faults, longestMs: 18_000, pauseMs: 1_000, drops: true, say }))
      } catch (error) {
        say(`seed ${seed}: ${error} ${(error as Error).cause ?? ''}`) // the reporter prints it only at the end
        throw error
      }
    })
  assert.ok(rounds > 0)
})
