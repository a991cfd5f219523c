// The check of a voice track: rules, what is stored and reused, and the sound that a recogniser receives.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createSpeechSpans } from '#control-plane/features/dubbing/film/reading/speech-spans.ts'
import { createDubQc } from '#control-plane/features/dubbing/make/qc/qc.service.ts'
import {
  type CheckedSpan,
  characterError,
  driftOf,
  lateSeconds,
  spansOf,
} from '#control-plane/features/dubbing/make/qc/rules/drift.rules.ts'
import {
  type CheckEngines,
  createUnderstand,
  type Understand,
  type Understood,
} from '#control-plane/features/dubbing/make/qc/understand.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createDubFiles } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import { createFileRows } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { createPartFiles } from '#control-plane/features/dubbing/store/files/part-files.ts'
import { createPlanFiles } from '#control-plane/features/dubbing/store/files/plan-files.ts'
import { asrMissing } from '#control-plane/features/listening/recognition/recognisers.ts'
import type { Upload } from '#control-plane/http/input/form.ts'
import { openBlocks, writeBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { createDiskBudget } from '#control-plane/store/disk-budget.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { emptyFolder } from '#shared/runtime/file.ts'
import { dubLine } from '#test/support/builders/dub-line.ts'
import { openJobs } from '#test/support/doubles/jobs.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const caller = { signal: new AbortController().signal, traceparent: '' }
const TRACK = 'b'.repeat(64)
const RATE = 48_000
const coded = (code: string) => (error: unknown) => error instanceof Failure && error.code === code
/** The lines are from 0.5, 2 and 3.5 s on, 0.9 s long. */
const UNCOVERED: { start: number; end: number }[] = []
const qcOf = { language: null, threshold: 0.5, needsWords: true }
const LINES = [
  { id: 'a', startUs: 500_000, lengthUs: 1_000_000, text: 'Hola a todos' },
  { id: 'b', startUs: 2_000_000, lengthUs: 1_000_000, text: 'Adiós' },
  { id: 'mute', startUs: 3_500_000, lengthUs: 0, text: 'Nada' },
]

const ENGINES: CheckEngines = { name: 'ear', wordsMissing: null, timesMissing: null, languageMissing: null }
const found = (text: string | null, measured: Understood['measured'] = null): Understood => ({
  text,
  engine: text === null ? '' : 'ear',
  identified: '',
  measured,
})

async function open(t: TestContext, part: Understand['part'], engines: CheckEngines = ENGINES) {
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
  store.segments.replace(
    'one',
    LINES.map(({ id, startUs }) => dubLine({ id, startUs, endUs: startUs + 900_000, text: 'source' })),
  )
  store.segments.setTexts('one', 'es', Object.fromEntries(LINES.map(({ id, text }) => [id, text])))
  const saved: string[] = []
  const plans = createPlanFiles({ tracks: store.tracks, parts: createPartFiles(files) })
  const core = {
    store,
    files,
    plans,
    dub: (id: string) => store.dubs.find(id)!,
    saved: (id: string) => void saved.push(id),
  } as unknown as DubCore
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
  const summaries: unknown[] = []
  const qc = createDubQc({
    core,
    understand: { engines: () => engines, part, refusal: asrMissing },
    measure: async () => ({ lines: new Map(), leakMissing: 'Leaks need vocals.' }),
    speechOf: async () => ({ spans: [{ startUs: 0, endUs: 3_900_000 }] }),
    checked: async (...summary) => void summaries.push(summary),
    clock,
  })
  const check = async (id: string, asked: typeof qcOf | (Omit<typeof qcOf, 'language'> & { language: string | null }), from = caller) =>
    (await qc.check(id, asked, from)).answer
  return { store, files, saved, plant, summaries, check }
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
    driftOf(characterError('abcd', recognized), measured && lateSeconds(line, measured))
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

test('a check is answered, stored with the lines, and made once for each line of a track', async (t) => {
  const asked: CheckedSpan[] = []
  const { check, store, plant, saved, summaries } = await open(t, async (_, span, language) => {
    asked.push(span)
    assert.equal(language, 'es')
    return span.fromUs < 1_000_000 ? found('hola a todos', { startUs: 600_000, endUs: 1_500_000 }) : found('something else')
  })
  await assert.rejects(check('one', qcOf), coded('BAD_REQUEST'))
  plant()
  await assert.rejects(check('one', { ...qcOf, language: 'fr' }), coded('BAD_REQUEST'))
  await assert.rejects(check('one', { ...qcOf, language: 'e/s' }), coded('BAD_REQUEST'))

  const { segments, reasons, checks, ...first } = await check('one', qcOf)
  assert.deepEqual(first, {
    engine: 'ear',
    total: 3,
    flagged_count: 2,
    drift_threshold: 0.5,
    faulty_count: 3,
    needs: [],
    repair_task_id: null,
    speech_without_words: [],
    uncovered: UNCOVERED,
  })
  const made = Object.fromEntries(checks.map(({ check: name, checked, total }) => [name, `${checked} of ${total}`]))
  assert.deepEqual([made['words'], made['timing'], made['leak'], made['voice']], ['2 of 2', '1 of 2', '0 of 2', '0 of 2'])
  const facts = segments.map(({ seg_id: id, drift, flagged, recognized_text: text, measured_start: start, measured_end: end }) => [
    id,
    drift,
    flagged,
    text,
    start,
    end,
  ])
  assert.deepEqual(facts, [
    ['a', 0.1, false, 'hola a todos', 0.6, 1.5],
    ['b', 1, true, 'something else', null, null],
    ['mute', 1, true, '', null, null],
  ])
  assert.deepEqual(
    segments.map(({ faults }) => faults),
    [['silence'], ['silence', 'words'], ['missing']],
    'nothing was measured, so no line is loud enough',
  )
  const leak = segments[0]!.not_checked.find((one) => one.check === 'leak')!
  assert.equal(reasons[leak.reason], 'Leaks need vocals.')
  const stored = () => store.segments.list('one').map(({ qc, text }) => [qc?.drift, qc?.flagged, qc?.faults.at(-1), text])
  assert.deepEqual(stored(), [
    [0.1, false, 'silence', 'source'],
    [1, true, 'words', 'source'],
    [1, true, 'missing', 'source'],
  ])
  assert.deepEqual([asked.length, saved, summaries], [2, ['one'], [['one', 'es', { engine: 'ear', flagged: 2, total: 3 }]]])

  const strict = await check('one', { ...qcOf, language: 'es', threshold: 0.05 })
  assert.deepEqual([strict.flagged_count, asked.length, stored()[0]![1]], [3, 2, true])
  store.segments.setTexts('one', 'es', { b: 'Something else' })
  assert.deepEqual([(await check('one', qcOf)).flagged_count, asked.length], [1, 2], 'a corrected text needs no new recognition')

  store.dubs.change('one', { isAborted: true })
  await assert.rejects(check('one', qcOf), coded('CONFLICT'))
})

test('speech without words is a finding of its own until a line covers it', async (t) => {
  const { check, plant, store } = await open(t, async () => found('hola a todos'))
  plant()
  store.dubs.changeOptions('one', {
    speech_without_words: [
      { start_us: 1_800_000, end_us: 3_000_000 },
      { start_us: 6_000_000, end_us: 8_000_000 },
    ],
  })
  const first = await check('one', qcOf)
  // The first is at the time of a line. Speech that a detector finds there as well is not named twice.
  assert.deepEqual([first.speech_without_words, first.uncovered], [[{ start: 6, end: 8 }], []])
  assert.deepEqual(store.dubs.find('one')!.options.speech_without_words.length, 2)
  const more = { ...store.segments.list('one')[0]!, id: 'new', startUs: 6_100_000, endUs: 7_000_000 }
  store.segments.replace('one', [...store.segments.list('one'), more])
  assert.deepEqual((await check('one', qcOf)).speech_without_words, [{ start: 7.3, end: 8 }])
  store.segments.replace('one', [...store.segments.list('one'), { ...more, id: 'last', startUs: 7_000_000, endUs: 7_900_000 }])
  assert.deepEqual((await check('one', qcOf)).speech_without_words, [])
})

test('without a recogniser that knows the language no line is flagged for its words, and the way out is named', async (t) => {
  const engines = { ...ENGINES, wordsMissing: 'Words need a recogniser.', languageMissing: 'Languages need a recogniser.' }
  const { check, plant } = await open(
    t,
    async (_, { fromUs }) => found(null, { startUs: fromUs + 300_000, endUs: fromUs + 1_300_000 }),
    engines,
  )
  plant()
  await assert.rejects(check('one', qcOf), (error: Failure) => {
    assert.deepEqual([error.code, error.message], ['MODEL_NOT_INSTALLED', 'Words need a recogniser.'])
    assert.equal((error.detail as { error: string }).error, 'asr_model_missing')
    return true
  })
  const { segments, engine, flagged_count, reasons } = await check('one', { ...qcOf, needsWords: false })
  assert.deepEqual([engine, flagged_count], ['', 1])
  const [first] = segments
  assert.deepEqual([first!.drift, first!.flagged, first!.checked], [0, false, ['timing', 'rate', 'cut']])
  assert.ok(reasons.includes('Words need a recogniser.') && reasons.includes('Languages need a recogniser.'), reasons.join('\n'))
})

test('a line may have the name of what every object knows', async (t) => {
  const { check, plant, store } = await open(t, async () => found('words'))
  const [first, ...others] = store.segments.list('one')
  store.segments.replace('one', [{ ...first!, id: 'constructor', text: 'Hola' }, ...others])
  plant()
  const { segments } = await check('one', qcOf)
  assert.deepEqual([segments.length, segments.find(({ seg_id: id }) => id === 'constructor')?.faults], [3, ['missing']])
})

test('a check after an edit does not join the one that runs, and that one stores nothing about what changed', async (t) => {
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { check, plant, store } = await open(t, async () => {
    begun.resolve()
    await held.promise
    return found('hola a todos')
  })
  plant()
  const lines = store.segments.list('one')
  store.segments.replace(
    'one',
    lines.filter(({ id }) => id !== 'b'),
  )
  const first = check('one', qcOf)
  await begun.promise
  store.segments.replace('one', lines)
  const second = check('one', qcOf)
  held.resolve()
  assert.deepEqual([(await first).total, (await second).total], [2, 3])
})

test('a check stores nothing about lines that were edited meanwhile, nor about a track that was replaced', async (t) => {
  let meanwhile = () => {}
  const { check, plant, store } = await open(t, async () => {
    meanwhile()
    return found('hola a todos')
  })
  plant()
  const stored = () => store.segments.list('one').map(({ qc }) => qc !== null)
  meanwhile = () => store.segments.setTexts('one', 'es', { b: 'Otra cosa' })
  await check('one', qcOf)
  assert.deepEqual(stored(), [true, false, true])

  let replace = () => {}
  const other = await open(t, async () => {
    replace()
    return found('hola a todos')
  })
  replace = () => other.plant('c'.repeat(64))
  other.plant()
  await other.check('one', qcOf)
  assert.deepEqual(
    other.store.segments.list('one').map(({ qc }) => qc),
    [null, null, null],
  )
})

test('a check that was left goes on where it was', async (t) => {
  const leaving = new AbortController()
  const asked: number[] = []
  const { check, plant } = await open(t, async (_, { fromUs }, _language, { signal }) => {
    asked.push(fromUs)
    if (asked.length === 2) leaving.abort(new Failure('CANCELLED', 'left'))
    signal.throwIfAborted()
    return found('')
  })
  plant()
  await assert.rejects(check('one', qcOf, { ...caller, signal: leaving.signal }), coded('CANCELLED'))
  assert.equal((await check('one', qcOf)).total, 3)
  assert.deepEqual(asked, [200_000, 1_700_000, 1_700_000])
})

test('a recogniser receives the span of the track at 16 kHz, and speech is measured in the time of the track', async (t) => {
  const folder = temporaryFolder(t)
  const disk = { folder: emptyFolder(join(folder, 'uploads')), budget: createDiskBudget({ folder }) }
  const { files } = await open(t, async () => found(''))
  let seconds = 0
  let loudest = 0
  const inference = {
    keepInput: async () => ({ name: 'audio' }) as never,
    run: (async () => ({
      segments: [
        { start: 0.1, end: 0.4 },
        { start: 0.6, end: 0.9 },
      ],
      duration: 1,
    })) as never,
  }
  const offered = () => [offer({ engine: 'silero', operation: 'vad' })]
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
      recogniserOf: (language) => (language === 'es' ? { engine: 'ear', model: 'small' } : null),
      missing: asrMissing,
      partwise: { require() {} } as never,
    },
    inference,
    offered,
    speechSpans: createSpeechSpans({ inference, offered, clock }),
    disk,
  })
  const spoken = await understand.part(await openBlocks(files.pathOf(TRACK)), { fromUs: 1_000_000, toUs: 2_000_000 }, 'es', caller)
  assert.deepEqual([spoken.text, spoken.engine], ['words', 'ear'])
  assert.ok(Math.abs(seconds - 1) < 0.01 && Math.abs(loudest - 0.5) < 0.05, `${seconds} s, ${loudest}`)
  assert.deepEqual(spoken.measured, { startUs: 1_100_000, endUs: 1_900_000 })

  const other = await understand.part(await openBlocks(files.pathOf(TRACK)), { fromUs: 1_000_000, toUs: 2_000_000 }, 'fi', caller)
  assert.deepEqual([other.text, other.engine, other.measured], [null, '', spoken.measured])
  assert.deepEqual([understand.engines('es').wordsMissing, understand.engines('es').timesMissing], [null, null])
  assert.match(understand.engines('fi').wordsMissing!, /knows Finnish \(fi\).*models install/)
})
