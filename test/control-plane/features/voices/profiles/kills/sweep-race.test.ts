// The sweep of files beside imports of the same bytes: no row names a file that is gone in any order.
import assert from 'node:assert/strict'
import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { chosenSeed, seeded } from '#test/support/doubles/seeded.ts'
import { clone, never, openStage } from '../stage.ts'

const HOUR_MS = 3_600_000
const ROUNDS = 8

test('a sweep removes nothing that an import needs at the same time', async (t) => {
  const seed = chosenSeed()
  t.diagnostic(`seed ${seed}`)
  const { below, pick } = seeded(seed)
  const { folder, store, artifacts, create, file } = openStage(t)
  const paths = () => readdirSync(join(folder, 'artifacts')).map((name) => join(folder, 'artifacts', name))
  let steps = 0
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  let isOver = false
  const { renew, keep } = artifacts
  const counted = <Arguments extends unknown[], Result>(call: (...given: Arguments) => Result) => {
    return (...given: Arguments): Result => {
      steps++
      wake()
      return call(...given)
    }
  }
  Object.assign(artifacts, { renew: counted(renew), keep: counted(keep) })
  /** Until the imports have kept this many files more, or have ended. */
  const filesLater = async (count: number) => {
    for (const until = steps + count; steps < until && !isOver; ) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  // A namer that takes its time: files arrive between its answer and the removal.
  artifacts.addNamer(async () => {
    await filesLater(below(6))
    return new Set()
  })
  const recordings = [200, 220, 240].map((hz) => spokenWav({ seconds: 0.5, hz }))
  const imported = (wav: Buffer<ArrayBuffer>) =>
    create(
      clone({
        recording: file(wav),
        locked: { recording: file(pick(recordings)), text: null },
        statement: { text: 'I agree.', recording: file(pick(recordings)), method: 'imported' },
      }),
      never,
    )
  for (let round = 0; round < ROUNDS; round++) {
    // What the last round left: files without a row, from long ago.
    for (const { id } of store.list()) store.remove(id)
    const long = new Date(Date.now() - 2 * HOUR_MS)
    for (const path of paths()) utimesSync(path, long, long)

    const sweeps = async () => {
      for (let at = 0; at < 3; at++) {
        await filesLater(below(6))
        await artifacts.sweep(Date.now() - HOUR_MS)
      }
    }
    isOver = false
    const imports = Promise.all(Array.from({ length: 3 }, () => imported(pick(recordings)))).finally(() => {
      isOver = true
      wake()
    })
    const [made] = await Promise.all([imports, sweeps()])
    const present = new Set(readdirSync(join(folder, 'artifacts')))
    for (const { id, refDigest, originalDigest, lockedDigest } of made) {
      const { audioDigest } = store.statementOf(id)!
      for (const digest of [refDigest, originalDigest, lockedDigest, audioDigest])
        assert.ok(present.has(digest!), `round ${round}, seed ${seed}: ${digest} of ${id} is gone`)
    }
  }
})
