// The threads that work on the sound of films.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFilmThreads } from '#control-plane/media/film/thread/film-threads.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { monoTrack, newPath, tone } from './sound.ts'

const never = new AbortController().signal

test('operations in a row share a thread, and those at once have their own', async (t) => {
  const warnings: Error[] = []
  const warn = (warning: Error) => void warnings.push(warning)
  process.on('warning', warn)
  t.after(() => process.off('warning', warn))
  const sound = await monoTrack(tone(1, (time) => Math.sin(time * 700) / 2))
  const run = createFilmThreads(clock)
  const measure = () => run('measure', { sound, spans: [{ startUs: 0, endUs: 500_000, wantsPitch: false }] }, never)
  const [first] = await measure()
  assert.ok(first!.levelDb! < 0)
  for (let again = 0; again < 15; again++) assert.deepEqual(await measure(), [first])
  assert.deepEqual(await Promise.all([measure(), measure(), measure()]), [[first], [first], [first]])
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(warnings, [])
})

test('an operation after one that failed, and after one that was cancelled, has a fresh thread', async () => {
  const sound = await monoTrack(tone(1, (time) => Math.sin(time * 700) / 2))
  const run = createFilmThreads(clock)
  const spans = Array.from({ length: 2_000 }, () => ({ startUs: 0, endUs: 500_000, wantsPitch: true }))
  const [one] = spans
  for (let round = 0; round < 2; round++) {
    await assert.rejects(run('measure', { sound: newPath(), spans: [one!] }, never), { code: 'INPUT_UNAVAILABLE' })
    const stop = new AbortController()
    const cancelled = run('measure', { sound, spans }, stop.signal, () => stop.abort(new Failure('CANCELLED', 'enough')))
    await assert.rejects(cancelled, { code: 'CANCELLED', message: 'enough' })
    assert.equal((await run('measure', { sound, spans: [one!] }, never)).length, 1)
  }
})
