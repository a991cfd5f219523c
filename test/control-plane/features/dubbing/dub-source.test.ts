// The facts about stored dubs for the translation: their lines, and the lengths of spoken lines of a language.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createDubSource } from '#control-plane/features/dubbing/dub-source.ts'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createSpeakingTime } from '#control-plane/features/listening/translation/steps/speaking-time.ts'
import { dubLine } from '#test/support/builders/dub-line.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('a dub lends its lines and the lengths of what was spoken', (t) => {
  const db = openTestDatabase(join(temporaryFolder(t), 'studio.db'))
  t.after(() => db.close())
  const store = createDubStore({ db })
  const source = createDubSource(store)
  let now = 0
  const speakingTime = createSpeakingTime({ spokenTexts: source.spokenTexts, clock: { mono: () => now } })
  const usual = speakingTime('Buenos días a todos.', 'es')
  assert.equal(usual.calibrated, false)
  assert.equal(source.dubOf('film'), null)

  store.dubs.create({ id: 'film', filename: 'film.mp4', inputType: 'video', sourceDigest: 'a'.repeat(64), createdAt: 1 })
  store.dubs.change('film', { sourceLang: 'en' })
  store.segments.replace('film', [dubLine({ startUs: 500_000, endUs: 1_750_000, text: 'Hello.' })])
  const dub = source.dubOf('film')!
  assert.deepEqual(
    [dub.projectId, dub.sourceLanguage, [...dub.segments]],
    ['film', 'en', [['s00000', { start: 0.5, end: 1.75, text: 'Hello.' }]]],
  )

  // A slow voice: two seconds for each greeting.
  store.segments.setTexts('film', 'es', { a: 'Buenos días.', b: 'Buenos días.', c: 'Buenos días.' })
  for (const [takeNo, segmentId] of ['a', 'b', 'c'].entries())
    store.tracks.addTake('film', 'es', {
      segmentId,
      takeNo: 0,
      key: segmentId,
      digest: 'b'.repeat(64),
      naturalUs: 2_000_000,
      sampleRate: 24_000,
      createdAt: takeNo,
    })
  assert.equal(speakingTime('Buenos días a todos.', 'es').calibrated, false, 'kept for the lines of one request')
  now = 10_000
  const measured = speakingTime('Buenos días a todos.', 'es')
  assert.equal(measured.calibrated, true)
  assert.ok(measured.seconds > 1.5 * usual.seconds)
  assert.equal(speakingTime('Guten Tag.', 'de').calibrated, false)
})
