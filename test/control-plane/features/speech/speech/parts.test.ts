// The places of the parts of a take in its text and in its sound.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withKept } from '#control-plane/features/speech/speech/parts/keep.ts'
import { listedParts } from '#control-plane/features/speech/speech/parts/listed-parts.ts'
import { createTakeParts } from '#control-plane/features/speech/speech/parts/parts.service.ts'
import { placesIn } from '#control-plane/features/speech/speech/parts/places.ts'
import { parsedScript, partTimes, type TakeScript } from '#control-plane/features/speech/speech/parts/take-script.ts'
import type { TakePlan } from '#control-plane/features/speech/speech/take.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'

const stretches = (text: string, pieces: readonly string[]) => placesIn(text, pieces).map(({ from, to }) => text.slice(from, to))

test('each part is found in the text with its marks, without those of the script', () => {
  for (const [text, pieces, expected] of [
    ['One came. Two left.', ['One came.', 'Two left.'], ['One came.', 'Two left.']],
    ['  “One,” she said. “Two.”  ', ['“One,” she said.', '“Two.”'], ['“One,” she said.', '“Two.”']],
    ['She cried. [pause 500ms] Then [pause] not.', ['She cried.', 'Then', 'not.'], ['She cried.', 'Then', 'not.']],
    ['[pause 1s]Hello.[pause]', ['Hello.'], ['Hello.']],
    [
      'Siobhan: [[Siobhan|shi-VAWN]] cried. So did I.',
      ['Siobhan: shi-VAWN cried.', 'So did I.'],
      ['Siobhan: [[Siobhan|shi-VAWN]] cried.', 'So did I.'],
    ],
    ['# Title\n\nAm **3. Mai**.[1] Es war warm.', ['Title', 'Am 3. Mai.', 'Es war warm.'], ['Title', 'Am **3. Mai**.[1]', 'Es war warm.']],
    ['你好。再见！', ['你好。', '再见！'], ['你好。', '再见！']],
    ['Fetch it — now. No.\nNo. No.', ['Fetch it — now.', 'No.', 'No.', 'No.'], ['Fetch it — now.', 'No.', 'No.', 'No.']],
    ['<speak><p>Aaaa<break time="250ms"/>bbbb</p></speak>', ['Aaaa', 'bbbb'], null],
    ['… One.', ['…', 'One.'], ['', 'One.']],
  ] as const) {
    const found = stretches(text, pieces)
    if (expected) assert.deepEqual(found, expected, text)
    else for (const [index, piece] of pieces.entries()) assert.ok(found[index]!.includes(piece), `${piece} in ${found[index]}`)
  }
})

test('places are found in 200,000 characters at once, also where nothing fits', () => {
  const sentence = 'Many words follow one another here. '
  const text = sentence.repeat(5_500)
  const startedAt = performance.now()
  const places = placesIn(
    text,
    Array.from({ length: 5_500 }, () => sentence.trim()),
  )
  assert.deepEqual(places.at(-1), { from: text.length - sentence.length, to: text.length - 1 })
  placesIn(
    text,
    Array.from({ length: 5_500 }, () => 'Other things entirely are said instead now.'),
  )
  assert.ok(performance.now() - startedAt < 3_000, `${performance.now() - startedAt} ms`)
})

const DIGESTS = ['a'.repeat(64), 'b'.repeat(64)] as const
const part = (spoken: string, from: number, sound: object = {}) => ({
  ...{ from, to: from + spoken.length, spoken, pauseMs: 0, seed: 7, chosen: 0 },
  sounds: [{ file: 0, at: 0, samples: 1000, ...sound }],
})
const SCRIPT = {
  ...{ sampleRate: 1000, leadMs: 500, crossfade: 100, effects: 'raw', speed: 1, language: 'en', asked: {}, engine: 'tone', voice: '' },
  ...{ reference: '', wasUploaded: false, files: [DIGESTS[0]] },
  parts: [part('One.', 0), part('Two.', 5, { silent: true }), part('Three. Four.', 10)],
} as TakeScript

test('times follow the file: silence before it, overlaps, and parts that were left out', () => {
  const sounds = SCRIPT.parts.map(({ sounds: [sound] }) => ({ samples: sound!.samples, silent: sound!.silent ?? false }))
  assert.deepEqual(partTimes(SCRIPT, sounds), [
    { start: 0.5, end: 1.4 },
    { start: 1.5, end: 1.5 },
    { start: 1.4, end: 2.4 },
  ])
  assert.deepEqual(
    listedParts('One. Two. Three. Four.', SCRIPT).map(({ from, to, start, end, exact, part: index }) => [
      from,
      to,
      start,
      end,
      exact,
      index,
    ]),
    [
      [0, 4, 0.5, 1.4, true, 0],
      [10, 16, 1.4, 1.945, false, 2],
      [17, 22, 1.945, 2.4, false, 2],
    ],
  )
})

test('a script of another version or with numbers that lead nowhere is none', () => {
  assert.deepEqual(parsedScript(JSON.stringify(SCRIPT)), SCRIPT)
  for (const bad of ['', '{}', JSON.stringify({ ...SCRIPT, files: [] }), JSON.stringify({ ...SCRIPT, files: ['../x'] })])
    assert.equal(parsedScript(bad), null, bad)
})

test('only sentences with other words are spoken, and at least one', () => {
  const plan = (...texts: string[]) =>
    ({ params: { segments: texts.map((text) => ({ text, seed: 1, pause_after_ms: 0 })) }, reference: null }) as unknown as TakePlan
  const kept = (...texts: string[]) => {
    const { params, whole } = withKept(plan(...texts), { ...SCRIPT, parts: [part('One.', 0), part('Two.', 5), part('Two.', 10)] })
    return [params.segments.map(({ text }) => text), whole?.map((each) => each.kept !== null)]
  }
  assert.deepEqual(kept('One.', 'New.', 'Two.'), [['New.'], [true, false, true]])
  assert.deepEqual(kept('Two.', 'Two.', 'Two.'), [['Two.'], [true, true, false]])
  assert.deepEqual(kept('One.', 'Two.'), [['Two.'], [true, false]])
  assert.deepEqual(kept('Other.'), [['Other.'], undefined])
  assert.equal(withKept({ ...plan('One.'), reference: { sha256: 'c' } } as TakePlan, SCRIPT).whole, undefined, 'another recording')
})

test('a kept sound has the seed that it was spoken with, so that the next one is another', () => {
  const sounds = [0, 1].map((at) => ({ file: 0, at, samples: 1000 }))
  const segments = ['One.', 'New.'].map((text) => ({ text, seed: 1, pause_after_ms: 0 }))
  const plan = { params: { segments }, reference: null } as unknown as TakePlan
  const { whole } = withKept(plan, { ...SCRIPT, parts: [{ ...part('One.', 0), sounds, chosen: 1 }] })
  assert.equal(whole![0]!.kept!.seed, 8)
})

/** One take whose file is written without its sound. `silent`: parts of the next file. */
function world(script: TakeScript) {
  const row = { text: '', audio_path: 'a.wav', duration_seconds: 1, chunks: '' }
  const state = { script, files: new Set(['a.wav']), silent: new Set<number>(), isStored: true }
  const service = createTakeParts({
    history: {
      soundOf: () => (state.isStored ? row : null),
      scriptOf: () => ({ text: '', script: JSON.stringify(state.script) }),
      revise(_, { audio_path, script: next }) {
        if (!state.isStored) return false
        if (row.audio_path !== audio_path) state.files.delete(row.audio_path)
        row.audio_path = audio_path
        state.script = JSON.parse(next.script)
        return true
      },
    },
    composer: {
      async compose(name) {
        state.files.add(name)
        return { bytes: 1, seconds: 1, silent: state.silent }
      },
      discard: (name) => void state.files.delete(name),
      spliced: async function* () {},
      keepOutput: async (output) => output?.digest ?? null,
    },
    markOf: () => ({ key: new Uint8Array(), payload: 0 }),
    random,
  })
  const { signal } = new AbortController()
  const plan = { again: { take: 'a', part: 0 } } as unknown as TakePlan
  const revised = (digest: string | null, job = digest?.slice(0, 8) ?? 'job') => {
    const output = digest === null ? null : { digest, size: 1, bytes: undefined }
    return service.revised(plan, job, { sampleRate: 1000, samples: 10, output: output as never }, signal)
  }
  return { service, state, row, revised, choose: (chosen: number) => service.choose('a', 0, chosen, signal) }
}

test('a change of a take that fails leaves no file, and a sound that is none leaves the take', async () => {
  const { state, row, revised, choose } = world({ ...SCRIPT, parts: [part('One.', 0)] })
  await assert.rejects(revised(null), { code: 'NON_FINITE_OUTPUT' })
  state.silent = new Set([0])
  await assert.rejects(revised(DIGESTS[1]), { code: 'NON_FINITE_OUTPUT' })
  assert.deepEqual([[...state.files], state.script.parts[0]!.sounds.length], [['a.wav'], 1])
  state.silent = new Set()
  await revised(DIGESTS[1])
  await revised(DIGESTS[1])
  assert.deepEqual([[...state.files], state.script.parts[0]!.sounds.length], [[row.audio_path], 2], 'the same job twice')
  await choose(0)
  const { audio_path: last } = row
  // The take is deleted while its file is written.
  const late = revised('c'.repeat(64))
  await Promise.resolve()
  state.isStored = false
  await assert.rejects(late, { code: 'NOT_FOUND' })
  assert.deepEqual([...state.files], [last])
})

test('jobs that were sent at once give a part no more sounds than one after the other', async () => {
  const { state, revised } = world({ ...SCRIPT, parts: [part('One.', 0)] })
  const digests = Array.from({ length: 25 }, (_, index) => String(index).padStart(64, '0'))
  const ends = await Promise.allSettled(digests.map((digest, job) => revised(digest, `${job}`)))
  assert.deepEqual([state.script.parts[0]!.sounds.length, ends.filter(({ status }) => status === 'rejected').length], [20, 6])
  assert.equal(state.files.size, 1)
})

test('a sentence is spoken again with its own length and the voice that spoke it, or not at all', () => {
  const asked = { duration: 30, profile_id: 'asked', max_chunk_chars: 1 }
  const { service } = world({ ...SCRIPT, asked, voice: 'profile', reference: DIGESTS[0], parts: [part('One.', 0), part('Two.', 5)] })
  const { form, planOf } = service.again('a', 1)
  assert.deepEqual([form.duration, form.voice, form.profile_id, form.text, form.seed], [1, 'profile', null, 'Two.', 8])
  const plan = { params: { segments: [] }, reference: { sha256: DIGESTS[0] } } as unknown as TakePlan
  assert.deepEqual(planOf(plan).params.segments, [{ text: 'Two.', seed: 8, pause_after_ms: 0 }])
  for (const reference of [null, { sha256: DIGESTS[1] }])
    assert.throws(() => planOf({ ...plan, reference } as TakePlan), { code: 'CONFLICT' }, 'a deleted voice and one with another recording')
})
