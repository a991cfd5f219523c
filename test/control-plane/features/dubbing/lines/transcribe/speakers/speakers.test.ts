// The speakers of films that are identified in parts: which voices are one speaker, the parts, and the turns of the whole film.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { filmSpansOf } from '#control-plane/features/dubbing/lines/transcribe/parts.rules.ts'
import { identifyPart, joinSpeakers } from '#control-plane/features/dubbing/lines/transcribe/speakers/speaker-steps.ts'
import { filmTurns, type PartTurns, speakerParts } from '#control-plane/features/dubbing/lines/transcribe/speakers/turns.rules.ts'
import { type LocalVoice, voicesBySpeaker } from '#control-plane/features/dubbing/lines/transcribe/speakers/voices.rules.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { seeded } from '#test/support/doubles/seeded.ts'

const never = new AbortController().signal
const WIDTH = 64

/** Voices as an embedding network gives them: those of one speaker have distances of about 0.2, those of two speakers of about 1. */
function planted(seed: number, speakers: number, recordings: number, noise = 0.45) {
  const random = seeded(seed).unit
  const vector = () => Array.from({ length: WIDTH }, () => random() + random() + random() - 1.5)
  const unit = (values: readonly number[]) => values.map((value) => value / Math.hypot(...values))
  const directions = Array.from({ length: speakers }, () => unit(vector()))
  const truth = new Map<LocalVoice, number>()
  for (let recording = 0; recording < recordings; recording++) {
    const present = directions.flatMap((_, speaker) => (recording === 0 || random() < 0.7 ? [speaker] : []))
    const shuffled = present.map((speaker) => [random(), speaker] as const).toSorted(([one], [other]) => one - other)
    for (const [local, [, speaker]] of shuffled.entries()) {
      const off = unit(vector())
      const heard = unit(directions[speaker]!.map((value, at) => value + noise * off[at]!))
      truth.set({ recording, speaker: local, seconds: 1 + 29 * random(), vector: heard }, speaker)
    }
  }
  return { voices: [...truth.keys()], truth }
}
const nameOf = ({ recording, speaker }: LocalVoice) => `${recording}:${speaker}`
const named = (groups: readonly (readonly LocalVoice[])[]) => groups.map((group) => group.map(nameOf).toSorted().join(' ')).toSorted()
const expected = (truth: ReadonlyMap<LocalVoice, number>) => named([...Map.groupBy(truth.keys(), (voice) => truth.get(voice)).values()])

test('voices of one speaker are joined over all recordings, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1e6 }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 2, max: 8 }),
      async (seed, count, recordings) => {
        const { voices, truth } = planted(seed, count, recordings)
        const found = named(await voicesBySpeaker(voices, null, never))
        assert.deepEqual(found, expected(truth))
        assert.deepEqual(named(await voicesBySpeaker(voices.toReversed(), null, never)), found)
        assert.deepEqual(named(await voicesBySpeaker(voices, count, never)), found, 'the right number changes nothing')
      },
    ),
    { numRuns: 40 },
  )
})

test('two speakers of one recording stay apart, and the number that a client expects is kept', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 6 }), async (seed, wanted) => {
      // So noisy that distances say little.
      const { voices } = planted(seed, 5, 4, 3)
      for (const group of await voicesBySpeaker(voices, null, never))
        assert.equal(new Set(group.map(({ recording }) => recording)).size, group.length)
      const groups = await voicesBySpeaker(voices, wanted, never)
      assert.equal(groups.length, Math.min(wanted, voices.length))
      assert.equal(groups.flat().length, voices.length)
    }),
    { numRuns: 40 },
  )
})

test('a speaker who was taken for two is joined when the number is known', async () => {
  const { voices, truth } = planted(7, 2, 3)
  const twin = { ...voices[0]!, speaker: 9, seconds: 2 }
  assert.equal((await voicesBySpeaker([...voices, twin], null, never)).length, 3)
  assert.deepEqual(named(await voicesBySpeaker([...voices, twin], 2, never)), expected(new Map([...truth, [twin, truth.get(voices[0]!)!]])))
})

test('a film has at most 64 speakers, voices of two models are not compared, and an abort ends the work', async () => {
  const { voices } = planted(3, 20, 24, 40)
  assert.ok(voices.length > 300)
  const groups = await voicesBySpeaker(voices, null, never)
  assert.ok(groups.length <= 64 && groups.length >= 20, `${groups.length}`)
  const [one] = voices as [LocalVoice]
  const others = [one, { ...one, recording: one.recording + 1, vector: one.vector.slice(1) }]
  assert.equal((await voicesBySpeaker(others, null, never)).length, 2)
  assert.deepEqual(await voicesBySpeaker([], 3, never), [])
  await assert.rejects(voicesBySpeaker(voices, null, AbortSignal.abort(new Error('over'))), /over/)
})

test('parts cover the film, are no longer than a task, and end where the recogniser cuts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40_000 }), (seconds) => {
      const film = filmSpansOf([], seconds)
      const parts = speakerParts(film, seconds, 2_097)
      assert.deepEqual([parts[0]!.from, parts.at(-1)!.to], [0, seconds])
      for (const [at, { from, to }] of parts.entries()) {
        assert.ok(to - from <= 2_097 && to > from, `${from} to ${to}`)
        if (at > 0) assert.equal(parts[at - 1]!.to, from)
        assert.ok(film.some((span) => span.to === to))
        assert.ok(parts.length === 1 || to - from > 900, 'no part is too short for a voice')
      }
      assert.equal(parts.length === 1, seconds <= 2_097)
    }),
    { numRuns: 100 },
  )
})

test('turns of all parts have the time of the film and speakers in the order of their first words', async () => {
  const [low, high] = [
    [1, 0],
    [0, 1],
  ]
  const voice = (speaker: number, vector: number[]) => ({ speaker, seconds: 9, vector })
  const parts: PartTurns[] = [
    {
      turns: [
        { start: 1, end: 3, speaker: 0 },
        { start: 2, end: 4, speaker: 1 },
      ],
      voices: [voice(0, low), voice(1, high)],
    },
    { why: 'It failed.', code: 'ENGINE_CRASHED' },
    // The speakers of this part have other numbers, and one has said too little.
    {
      turns: [
        { start: 0, end: 1, speaker: 0 },
        { start: 5, end: 6, speaker: 1 },
        { start: 7, end: 8, speaker: 2 },
      ],
      voices: [voice(0, high), voice(1, low)],
    },
  ]
  const spans = [
    { from: 0, to: 10 },
    { from: 10, to: 20 },
    { from: 20, to: 30 },
  ]
  assert.deepEqual(await filmTurns(spans, parts, null, never), [
    { start: 1, end: 3, speaker: 0 },
    { start: 2, end: 4, speaker: 1 },
    { start: 20, end: 21, speaker: 1 },
    { start: 25, end: 26, speaker: 0 },
  ])
  const single: PartTurns = {
    turns: [
      { start: 1, end: 2, speaker: 0 },
      { start: 4, end: 5, speaker: 1 },
    ],
    voices: [],
  }
  assert.deepEqual(await filmTurns(spans.slice(0, 1), [single], null, never), single.turns)
})

test('a part whose speakers are not identified is named, and a reason for all parts is given once', async () => {
  const film = { seconds: 2_400, parts: filmSpansOf([], 2_400) }
  const good: PartTurns = { turns: [{ start: 0, end: 9, speaker: 0 }], voices: [{ speaker: 0, seconds: 9, vector: [1] }] }
  const bad: PartTurns = { why: 'd failed: The engine died.', code: 'ENGINE_CRASHED' }
  assert.deepEqual((await joinSpeakers(film, [good, bad], 2, never)).warnings, [
    {
      detail:
        'Speakers were not identified (0:20:00 to 0:40:00), so these lines have the speaker of the nearest other line. d failed: The engine died.',
      source: 'diarization',
      error_class: 'ENGINE_CRASHED',
      speaker_hint: { requested: 2, status: 'approximate' },
    },
  ])
  assert.deepEqual(
    (await joinSpeakers(film, [bad, bad], null, never)).warnings.map(({ detail }) => detail),
    ['Speakers were not identified, so all lines have one speaker. d failed: The engine died.'],
  )
  assert.deepEqual(await joinSpeakers(film, [], 1, never), { turns: [], warnings: [] })
})

test('a part that has turns and no voices is not used, and an abort is no failure of a part', async () => {
  const film = { seconds: 2_400, parts: filmSpansOf([], 2_400) }
  const identify = async (offers: ReturnType<typeof offer>[], result: object, signal = never) => {
    const inference = { keepInput: async () => ({}), run: async () => result } as never
    const recordingOf = async () => ({ wav: new Uint8Array(), seconds: 1, withinMs: 1, signal, traceparent: '' })
    return (await identifyPart({ inference, offered: () => offers, recordingOf, clock }, film, 1, null, signal)).json
  }
  // Each look takes an hour.
  let hours = 0
  const clock = { mono: () => hours++ * 3600_000, sleep: async () => {} }
  const offers = [offer({ engine: 'd', operation: 'diarize' })]
  const segments = [{ start: 0, end: 9, speaker: 0 }]
  assert.deepEqual(await identify(offers, { segments, voices: [] }), { why: 'd returned no voices.', code: 'INVALID_RESULT' })
  assert.deepEqual(await identify(offers, { segments: [], voices: [] }), { turns: [], voices: [] })
  assert.partialDeepStrictEqual(await identify([offer({ operation: 'asr' })], {}), { code: 'MODEL_NOT_DOWNLOADED' })
  assert.deepEqual(await identify([], {}), { why: 'The engines of this machine are starting. Try again in a moment.', code: 'NOT_READY' })
  await assert.rejects(identify(offers, {}, AbortSignal.abort(new Error('over'))), /over/)
})
