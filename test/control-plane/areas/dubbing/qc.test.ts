// The check of a voice track: rules, what is stored and reused, and the sound that a recogniser receives.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { DubCore } from '#control-plane/areas/dubbing/core.ts'
import { createDubFiles } from '#control-plane/areas/dubbing/files/dub-files.ts'
import { createFileRows } from '#control-plane/areas/dubbing/files/file.store.ts'
import { type CheckedSpan, characterError, lineCheck, spansOf } from '#control-plane/areas/dubbing/qc/qc.rules.ts'
import { createDubQc } from '#control-plane/areas/dubbing/qc/qc.service.ts'
import { createUnderstand, type Understand } from '#control-plane/areas/dubbing/qc/understand.ts'
import { createDubStore } from '#control-plane/areas/dubbing/store/dub-store.ts'
import type { Upload } from '#control-plane/http/input/form.ts'
import { openBlocks, writeBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { createDiskBudget } from '#control-plane/store/disk-budget.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { emptyFolder } from '#shared/runtime/file.ts'
import { openJobs } from '#test/support/doubles/jobs.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const caller = { signal: new AbortController().signal, traceparent: '' }
const TRACK = 'b'.repeat(64)
const RATE = 48_000
const coded = (code: string) => (error: unknown) => error instanceof Failure && error.code === code
const qcOf = { language: null, threshold: 0.5 }
const LINES = [
  { id: 'a', startUs: 500_000, lengthUs: 1_000_000, text: 'Hola a todos' },
  { id: 'b', startUs: 2_000_000, lengthUs: 1_000_000, text: 'Adiós' },
  { id: 'mute', startUs: 3_500_000, lengthUs: 0, text: 'Nada' },
]

async function open(t: TestContext, understand: Understand) {
  const folder = temporaryFolder(t)
  const { db, close } = openJobs(join(folder, 'studio.db'), [])
  t.after(close)
  const [store, rows] = [createDubStore({ db }), createFileRows({ db })]
  const files = createDubFiles({ folder: join(folder, 'dub_store'), rows, clock })
  store.dubs.create({ id: 'one', filename: 'film.mp4', inputType: 'video', sourceDigest: 'a'.repeat(64), createdAt: 1 })
  const blocks = await writeBlocks(files.pathOf(TRACK), { sampleRate: RATE, channels: 1, encoding: 'f32' })
  const samples = Float32Array.from({ length: 4 * RATE }, (_, at) => 0.5 * Math.sin((2 * Math.PI * 440 * at) / RATE))
  await blocks.write(new Uint8Array(samples.buffer))
  await blocks.seal()
  await files.adopt(TRACK, { kind: 'track', maker: 'one' }, 'one')
  const line = { textOriginal: '', speakerId: '', profileId: '', qc: null }
  store.segments.replace(
    'one',
    LINES.map(({ id, startUs }) => ({ ...line, id, startUs, endUs: startUs + 900_000, text: 'source' })),
  )
  store.segments.setTexts('one', 'es', Object.fromEntries(LINES.map(({ id, text }) => [id, text])))
  const saved: string[] = []
  const core = { store, files, dub: (id: string) => store.dubs.find(id)!, saved: (id: string) => void saved.push(id) } as unknown as DubCore
  const plant = (digest = TRACK) =>
    store.tracks.setTrack('one', {
      languageCode: 'es',
      language: 'Spanish',
      digest,
      durationUs: 4_000_000,
      timingStrategy: 'concise',
      plan: { strategy: 'concise', lines: LINES.map(({ text: _, ...one }) => one), totalUs: 4_000_000 },
      fitFp: null,
      takeKeys: [],
      createdAt: 1,
    })
  return { store, files, saved, plant, qc: createDubQc({ core, understand, clock }) }
}

test('characters are compared without case, spaces and signs', () => {
  assert.equal(characterError('¡Hola, a TODOS!', 'hola a todos'), 0)
  assert.equal(characterError('abcd', 'abxd'), 0.25)
  assert.equal(characterError('ab', 'completely different'), 1)
  assert.deepEqual([characterError('', ''), characterError('...', 'word'), characterError('word', '')], [0, 1, 1])
  assert.equal(characterError('日本語', '日本'), 1 / 3)
  assert.ok(characterError('a'.repeat(100_000), 'b'.repeat(100_000)) === 1)
})

test('a drift is the larger error of words and time, and each is at most 1', () => {
  const line = { id: 'a', startUs: 1_000_000, lengthUs: 1_000_000 }
  const drift = (recognized: string, measured: { startUs: number; endUs: number } | null) =>
    lineCheck(line, 'abcd', recognized, measured).drift
  assert.equal(drift('abcd', { startUs: 1_000_000, endUs: 2_000_000 }), 0)
  assert.equal(drift('abcx', { startUs: 1_100_000, endUs: 2_000_000 }), 0.25)
  assert.equal(drift('abcd', { startUs: 1_000_000, endUs: 1_600_000 }), 0.4)
  assert.equal(drift('abcd', { startUs: 4_000_000, endUs: 5_000_000 }), 1)
  assert.equal(drift('abcd', null), 0)
})

test('a line is listened to with a margin that holds nothing of its neighbours', () => {
  const lines = [
    { id: 'a', startUs: 100_000, lengthUs: 1_000_000 },
    { id: 'b', startUs: 1_200_000, lengthUs: 1_000_000 },
    { id: 'c', startUs: 2_000_000, lengthUs: 500_000 },
  ]
  assert.deepEqual(Object.fromEntries(spansOf(lines, 2_600_000)), {
    a: { fromUs: 0, toUs: 1_200_000 },
    b: { fromUs: 1_100_000, toUs: 2_200_000 },
    c: { fromUs: 2_000_000, toUs: 2_600_000 },
  })
})

test('a check is answered, stored with the lines, and made once for each track and text', async (t) => {
  const asked: CheckedSpan[] = []
  const { qc, store, plant, saved } = await open(t, async (_, span, language) => {
    asked.push(span)
    assert.equal(language, 'es')
    const isFirst = span.fromUs < 1_000_000
    return isFirst
      ? { text: 'hola a todos', engine: 'ear', measured: { startUs: 600_000, endUs: 1_500_000 } }
      : { text: 'something else', engine: 'ear', measured: null }
  })
  await assert.rejects(qc.check('one', qcOf, caller), coded('BAD_REQUEST'))
  plant()
  await assert.rejects(qc.check('one', { ...qcOf, language: 'fr' }, caller), coded('BAD_REQUEST'))
  await assert.rejects(qc.check('one', { ...qcOf, language: 'e/s' }, caller), coded('BAD_REQUEST'))

  const first = await qc.check('one', qcOf, caller)
  assert.deepEqual(first, {
    engine: 'ear',
    total: 2,
    flagged_count: 1,
    drift_threshold: 0.5,
    segments: [
      { seg_id: 'a', drift: 0.1, flagged: false, recognized_text: 'hola a todos', measured_start: 0.6, measured_end: 1.5 },
      { seg_id: 'b', drift: 1, flagged: true, recognized_text: 'something else', measured_start: null, measured_end: null },
    ],
  })
  const stored = () => store.segments.list('one').map(({ qc: found, text }) => [found?.drift ?? null, found?.flagged ?? null, text])
  assert.deepEqual(stored(), [
    [0.1, false, 'source'],
    [1, true, 'source'],
    [null, null, 'source'],
  ])
  assert.deepEqual([asked.length, saved], [2, ['one']])

  const strict = await qc.check('one', { language: 'es', threshold: 0.05 }, caller)
  assert.deepEqual([strict.flagged_count, asked.length, stored()[0]![1]], [2, 2, true])
  store.segments.setTexts('one', 'es', { b: 'Something else' })
  assert.deepEqual([(await qc.check('one', qcOf, caller)).flagged_count, asked.length], [0, 3])

  store.dubs.change('one', { isAborted: true })
  await assert.rejects(qc.check('one', qcOf, caller), coded('CONFLICT'))
})

test('a check that was left goes on where it was', async (t) => {
  const leaving = new AbortController()
  const asked: number[] = []
  const { qc, plant } = await open(t, async (_, { fromUs }, _language, { signal }) => {
    asked.push(fromUs)
    if (asked.length === 2) leaving.abort(new Failure('CANCELLED', 'left'))
    signal.throwIfAborted()
    return { text: '', engine: 'ear', measured: null }
  })
  plant()
  await assert.rejects(qc.check('one', qcOf, { ...caller, signal: leaving.signal }), coded('CANCELLED'))
  assert.equal((await qc.check('one', qcOf, caller)).total, 2)
  assert.deepEqual(asked, [200_000, 1_700_000, 1_700_000])
})

test('a recogniser receives the span of the track at 16 kHz, and speech is measured in the time of the track', async (t) => {
  const folder = temporaryFolder(t)
  const disk = { folder: emptyFolder(join(folder, 'uploads')), budget: createDiskBudget({ folder }) }
  const { files } = await open(t, async () => ({ text: '', engine: '', measured: null }))
  let seconds = 0
  let loudest = 0
  const understand = createUnderstand({
    recognition: {
      async transcript(form, upload: Upload | undefined) {
        assert.deepEqual(form, { language: 'es', model: null, mode: null, refine: 'false' })
        const { samples, sampleRate } = parseWav(readFileSync(upload!.path))
        assert.equal(sampleRate, 16_000)
        seconds = samples.length / sampleRate
        loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
        return { answer: { text: 'words', engine: 'ear' }, notice: null } as never
      },
    },
    inference: {
      keepInput: async () => ({ name: 'audio' }) as never,
      run: (async () => ({
        segments: [
          { start: 0.1, end: 0.4 },
          { start: 0.6, end: 0.9 },
        ],
        duration: 1,
      })) as never,
    },
    offered: () => [offer({ engine: 'silero', operation: 'vad' })],
    disk,
  })
  const found = await understand(await openBlocks(files.pathOf(TRACK)), { fromUs: 1_000_000, toUs: 2_000_000 }, 'es', caller)
  assert.deepEqual([found.text, found.engine], ['words', 'ear'])
  assert.ok(Math.abs(seconds - 1) < 0.01 && Math.abs(loudest - 0.5) < 0.05, `${seconds} s, ${loudest}`)
  assert.deepEqual(found.measured, { startUs: 1_100_000, endUs: 1_900_000 })
})
