// The voices for the speakers of a film, and the loudness of their lines.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createDubFiles } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import { createFileRows } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { placedTakes } from '#control-plane/features/dubbing/store/files/track-plan.ts'
import type { DubVoice } from '#control-plane/features/dubbing/voice/speak/casting.service.ts'
import type { DubManifest } from '#control-plane/features/dubbing/voice/speak/manifest.ts'
import { isNearer, secondKey, wantedLength } from '#control-plane/features/dubbing/voice/voices/lengths.rules.ts'
import { levelGains } from '#control-plane/features/dubbing/voice/voices/loudness.rules.ts'
import { createDubMeasures } from '#control-plane/features/dubbing/voice/voices/measures.service.ts'
import { presetPitch, presetsFor } from '#control-plane/features/dubbing/voice/voices/presets.rules.ts'
import { createDubPresets } from '#control-plane/features/dubbing/voice/voices/presets.service.ts'
import { createSecondTakes } from '#control-plane/features/dubbing/voice/voices/second-takes.service.ts'
import { createSpokenTakes } from '#control-plane/features/dubbing/voice/voices/spoken-takes.service.ts'
import { hasWords, isOtherSound } from '#control-plane/features/dubbing/voice/voices/words.rules.ts'
import type { JobFrame, StepContext } from '#control-plane/jobs/job-type.ts'
import { writeBlocks } from '#control-plane/media/film/sound/blocks.ts'
import type { MeasureWork } from '#control-plane/media/film/sound/measure.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import type { FitPlan } from '#shared/timing/fit.ts'
import { film, never } from '#test/control-plane/media/film/corpus.ts'
import { dubLine } from '#test/support/builders/dub-line.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const VOICES = ['slt', 'rms', 'awb', 'kal', 'kal16'].map((id) => ({ id, name: id }))

test('each speaker gets the nearest voice in pitch that no other has, while there are enough', () => {
  const cast = (pitches: readonly (number | null)[], taken: readonly string[] = []) => [
    ...presetsFor(
      pitches.map((pitchHz, at) => ({ id: `s${at}`, pitchHz })),
      VOICES,
      taken,
    ).values(),
  ]
  assert.deepEqual(cast([210, 100, 125]), ['slt', 'rms', 'awb'])
  assert.deepEqual(cast([170, 210]), ['slt', 'awb'], 'the second has the nearest of the others')
  assert.deepEqual(cast([90, 90, 90, 90]), ['kal16', 'rms', 'awb', 'slt'])
  assert.deepEqual(cast([null, null]), ['slt', 'rms'], 'in the order of the engine while nothing is known')
  assert.deepEqual(cast([200], ['slt']), ['awb'])
  const many = cast([200, 200, 200, 200, 200, 200])
  assert.equal(new Set(many.slice(0, 5)).size, 5)
  assert.equal(many[5], 'slt', 'with more speakers than voices the nearest is used again')
  assert.deepEqual(presetsFor([{ id: 's', pitchHz: 100 }], [], []), new Map())
})

test('names and ids tell the pitch of voices that were not measured', () => {
  for (const [id, name, kind] of [
    ['af_heart', 'Heart', 'f'],
    ['bm_george', 'George', 'm'],
    ['expr-voice-2-f', 'Bella', 'f'],
    ['expr-voice-2-m', 'Jasper', 'm'],
    ['M1', 'M1', 'm'],
    ['anna', 'Anna (female)', 'f'],
    ['xx', 'Some voice', null],
  ] as const)
    assert.equal(presetPitch({ id, name }), kind === 'f' ? 195 : kind === 'm' ? 115 : null, id)
})

test('lines are as far from the usual level of their speaker as the original, at most 9 dB', () => {
  const lines = [-20, -26, -8, -40, -21, null].map((levelDb) => ({ speaker: 'a', levelDb }))
  assert.deepEqual(levelGains(lines), [1, -5, 9, -9, 0, 0])
  assert.deepEqual(levelGains([...lines.slice(0, 2), { speaker: 'b', levelDb: -60 }]), [0, 0, 0], 'two lines have no usual level')
})

test('laughter, breaths and music without words are no lines to speak, and stay', () => {
  for (const text of ['[laughter]', '[LAUGHS] [music]', '(laughs)', '*sighs*', '♪', '♪ … ♪', '[risas]']) {
    assert.equal(hasWords(text), false, text)
    assert.equal(isOtherSound(text), true, text)
  }
  for (const text of [
    'Hello.',
    '[laughter] Hello.',
    '(I never said that.)',
    '♪ Row, row, row your boat ♪',
    'She said *no*.',
    '5',
    '[a] b [c]',
  ]) {
    assert.equal(hasWords(text), true, text)
    assert.equal(isOtherSound(text), false, text)
  }
  for (const text of ['', '  ', '…', '-']) assert.deepEqual([hasWords(text), isOtherSound(text)], [false, false], text)
})

test('a second take is wanted where its tempo would change, and used where that changes less', () => {
  const line = (rate: number, naturalUs = 2_000_000) => ({ id: 'a', startUs: 0, rate, naturalUs, lengthUs: Math.round(naturalUs / rate) })
  assert.deepEqual(
    [1, 1.05, 0.96].map((rate) => wantedLength(line(rate))),
    [null, null, null],
  )
  assert.equal(wantedLength(line(1.25)), 1_600_000)
  assert.equal(wantedLength(line(1.252)), 1_600_000, 'a small change of the fit asks for nothing new')
  assert.equal(wantedLength(line(0.85)), 2_360_000)
  assert.equal(wantedLength({ rate: 1.2, lengthUs: 0, naturalUs: 0 }), null)
  assert.notEqual(secondKey('a', 1_600_000), secondKey('a', 1_620_000))
  assert.ok(isNearer(1_700_000, line(1.25)) && !isNearer(2_100_000, line(1.25)) && !isNearer(0, line(1.25)))

  const sound = (digest: string, seconds: number) => ({
    ...{ digest, sampleRate: 16_000, offsetBytes: 44, samples: 16_000 * seconds, part: { from: 0, to: 16_000 * seconds } },
  })
  const take = { ...sound('natural', 2), id: 'a', gainDb: 0, fitted: sound('fitted', 1.65) }
  const placed = (rate: number) => {
    const [one] = placedTakes({ lines: [line(rate)] as unknown as FitPlan['lines'], takes: [take] }, (digest) => digest)
    return [one!.take.path, Math.round(one!.tempo * 1e4) / 1e4]
  }
  assert.deepEqual(placed(1.25), ['fitted', 1.0313])
  assert.deepEqual(placed(1), ['natural', 1], 'on a time line with room the natural take is used')
  assert.deepEqual(placed(1.05), ['natural', 1.05])
})

/** Eight lines that are said in twice their time. `speak`: the task of a line. */
async function secondTakes(speak: (text: string, signal: AbortSignal) => Promise<void>) {
  const lines = Array.from({ length: 8 }, (_, at) => ({
    id: `${at}`,
    startUs: at * 2e6,
    endUs: at * 2e6 + 1e6,
    speakerId: '',
    profileId: '',
  }))
  const timing = { timing_strategy: 'strict_slot', slot_fit: 'time_stretch', overflow_budget_s: 0, fit_options: null }
  const manifest = { dub: 'd', languageCode: 'es', numStep: 8, guidance: 2, timing, lines } as unknown as DubManifest
  const takes = lines.map((_, line) => ({ line, voice: 0, key: `${line}`, seed: 1, text: `${line}`, speed: 1 }))
  const plan = { voices: [{ takesDuration: true, recording: null } as DubVoice], takes, groups: [], failed: [], notices: [], routing: [] }
  const natural = { sampleRate: 16_000, samples: 32_000, part: { from: 0, to: 32_000 }, recordings: [], digest: '' }
  const { make } = createSecondTakes({
    core: {
      store: { dubs: { find: () => ({ sound: { durationUs: 16e6 } }) } },
      files: { find: async () => null, obtain: async () => {} },
    } as unknown as DubCore,
    casting: { refuseWithdrawn() {} },
    placeFor: async () => 'local',
    async speakGroup({ lines: [line] }, signal, use) {
      await speak(line!.text, signal)
      return use({ sampleRate: 16_000, sounds: [Buffer.alloc(32_000, 0x22)] })
    },
    takeFiles: { find: async () => natural },
    voiceClaims: { claim: () => () => false },
  })
  const frames: JobFrame[] = []
  const context = {
    signal: never,
    report() {},
    whileWaiting: <T>(work: () => Promise<T>) => work(),
    emit: async (frame: JobFrame) => void frames.push(frame),
  } as unknown as StepContext<JobFrame>
  return { frames, made: make(manifest, plan, context) }
}

test('a full disk ends all second takes at once, and others that fail are one warning', async () => {
  const spoken: string[] = []
  let aborted = 0
  const full = await secondTakes(async (text, signal) => {
    spoken.push(text)
    if (text === '3') throw new Failure('STORAGE_FULL', 'The disk is full.')
    await new Promise<void>((_, reject) =>
      signal.addEventListener('abort', () => {
        aborted++
        reject(signal.reason)
      }),
    )
  })
  await assert.rejects(full.made, { code: 'STORAGE_FULL' })
  assert.deepEqual([spoken, aborted, full.frames], [['0', '1', '2', '3'], 3, []])

  const failing = await secondTakes(async (text) => {
    if (text === '1' || text === '6') throw new Failure('WORKER_FAILED', 'The engine failed.')
  })
  await failing.made
  assert.deepEqual(failing.frames, [
    {
      type: 'warning',
      segment: null,
      message: '2 of 8 lines were not spoken again in their length, so their tempo is changed: The engine failed.',
    },
  ])
})

test('levels and pitches are measured in the sound of the film once, and a cast voice stays', async (t) => {
  const folder = temporaryFolder(t)
  const db = openTestDatabase(join(folder, 'studio.db'))
  t.after(() => db.close())
  const files = createDubFiles({ folder: join(folder, 'dub_store'), rows: createFileRows({ db }), clock: systemClock })
  const store = createDubStore({ db })
  const [sound, speech] = ['a'.repeat(64), 'b'.repeat(64)]
  store.dubs.create({ id: 'dub', filename: 'film.mp4', inputType: 'video', sourceDigest: 'c'.repeat(64), createdAt: 1 })
  store.dubs.change('dub', { sound: { durationUs: 6_000_000, sound, speech } })
  // Two seconds of each: 105 Hz, 205 Hz, and 105 Hz again 12 dB lower.
  const rate = 16_000
  const tone = (hz: number, gain: number) =>
    Float32Array.from({ length: 2 * rate }, (_, at) => gain * Math.sin((2 * Math.PI * hz * at) / rate))
  const writer = await writeBlocks(files.pathOf(speech), { sampleRate: rate, channels: 1, encoding: 's16' })
  for (const piece of [tone(105, 0.4), tone(205, 0.4), tone(105, 0.1)]) await writer.write(toS16(piece))
  await writer.seal()
  await writer.close()
  const lines = ['low', 'high', 'low'].map((speakerId, at) =>
    dubLine({ id: `${at}`, startUs: at * 2_000_000, endUs: (at + 1) * 2_000_000, text: 'x', speakerId }),
  )
  store.segments.replace('dub', lines)

  const measured: MeasureWork[] = []
  const measures = createDubMeasures({
    core: {
      files,
      film: {
        ...film,
        measure(work, signal) {
          measured.push(work)
          return film.measure(work, signal)
        },
      },
    },
    requireSound: async () => {},
  })
  const spans = lines.map(({ startUs, endUs }) => ({ startUs, endUs, wantsPitch: false }))
  const levels = (await measures(store.dubs.find('dub')!, spans, never)).map(({ levelDb }) => levelDb!)
  assert.ok(Math.abs(levels[0]! - levels[1]!) < 0.1 && Math.abs(levels[0]! - levels[2]! - 12.04) < 0.1, levels.join())
  assert.deepEqual(await measures(store.dubs.find('dub')!, [spans[1]!], never), [{ levelDb: levels[1], pitchHz: null }])
  assert.equal(measured.length, 1)

  const presets = createDubPresets({ core: { store }, measures })
  const request = { engine: 'e', language: 'en', voices: VOICES, speakers: ['high', 'low'] }
  assert.deepEqual(
    [...(await presets('dub', request, never))],
    [
      ['high', 'slt'],
      ['low', 'rms'],
    ],
  )
  assert.equal(measured.length, 2)
  const later = await presets('dub', { ...request, speakers: ['new', 'low', 'high'] }, never)
  assert.deepEqual([later.get('low'), later.get('high')], ['rms', 'slt'])
  assert.ok(!['rms', 'slt'].includes(later.get('new')!))
  const spanish = await presets(
    'dub',
    {
      ...request,
      language: 'es',
      voices: [
        { id: 'es', name: 'es' },
        { id: 'es-419', name: 'es' },
      ],
    },
    never,
  )
  assert.equal(new Set(spanish.values()).size, 2)
})

const TURNS = 20
test('takes get their effects several at a time while the levels of the original are measured', async () => {
  const lines = Array.from({ length: 6 }, (_, at) => ({
    id: `l${at}`,
    startUs: at * 1e6,
    endUs: at * 1e6 + 8e5,
    gain: 1,
    effectPreset: 'warm',
  }))
  const manifest = { dub: 'one', languageCode: 'es', lines } as unknown as DubManifest
  const takes = lines.map((_, line) => ({ line, key: `k${line}` }))
  let [running, most] = [0, 0]
  let wereMade = false
  const spokenTakes = createSpokenTakes({
    core: { store: { dubs: { find: () => ({}) } } },
    takeFiles: {
      find: async (_: string, __: string, id: string) =>
        id === 'l2'
          ? null
          : { digest: id, sampleRate: 1_000, samples: 900, part: { from: 100, to: 800 }, recordings: [id === 'l0' ? 'b' : 'a'] },
    },
    secondTakes: {},
    effects: async (_: string, { digest }: { digest: string }, preset: string) => {
      most = Math.max(most, ++running)
      for (let at = 0; at < TURNS; at++) await turn()
      running--
      return `${digest} ${preset}`
    },
    measures: async () => {
      for (let at = 0; at < TURNS / 2; at++) await turn()
      wereMade = running > 0
      return lines.map(() => ({ levelDb: null, pitchHz: null }))
    },
  } as never)
  const { spoken, recordings } = await spokenTakes.find(manifest, { takes } as never, never)
  assert.deepEqual([...spoken.keys()], [0, 1, 3, 4, 5], 'in the order of the plan, without the line that has no take')
  assert.deepEqual(spoken.get(4)!.digest, 'l4 warm')
  assert.deepEqual(spoken.get(4)!.naturalUs, 700_000)
  assert.deepEqual(recordings, ['a', 'b'])
  assert.ok(most > 1 && most <= 4, `${most} at a time`)
  assert.ok(wereMade, 'while the levels are measured')
})

test('takes get their effects while others are spoken, and a fault of them waits for the track', async () => {
  const lines = ['a', 'b', 'c'].map((id) => ({ id, effectPreset: 'warm' }))
  const manifest = { dub: 'one', languageCode: 'es', lines } as unknown as DubManifest
  const made: string[] = []
  const spokenTakes = createSpokenTakes({
    core: {},
    takeFiles: { find: async (_: string, __: string, id: string) => (id === 'b' ? null : { digest: id }) },
    secondTakes: {},
    effects: async (_: string, { digest }: { digest: string }, preset: string) => {
      made.push(`${digest} ${preset}`)
      if (digest === 'c') throw new Failure('INPUT_UNAVAILABLE', 'The speech of a line was deleted.')
    },
    measures: {},
  } as never)
  const takes = lines.map((_, line) => ({ line, key: `k${line}` })) as never
  await spokenTakes.addEffects(manifest, takes, never)
  assert.deepEqual(made, ['a warm', 'c warm'])
  const stopped = AbortSignal.abort(new Failure('CANCELLED', 'The dub was aborted.'))
  await assert.rejects(spokenTakes.addEffects(manifest, takes, stopped), { code: 'CANCELLED' })
  assert.equal(made.length, 2)
})
