// Speakers in transcriptions: requested, not requested, and unavailable.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { chosenForDictation } from '#control-plane/features/listening/dictation/dictation.service.ts'
import { chooseRecogniser } from '#control-plane/features/listening/recognition/recognisers.ts'
import { TranscriptionForm } from '#control-plane/features/listening/recognition/recognition.schema.ts'
import { createRecognition } from '#control-plane/features/listening/recognition/recognition.service.ts'
import { formatted } from '#control-plane/features/listening/recognition/transcript/format.ts'
import type { Upload } from '#control-plane/http/input/form.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import { createInference } from '#control-plane/inference/run.ts'
import type { Intake } from '#control-plane/media/intake.ts'
import { createOwnerSettings } from '#control-plane/store/setting.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { createFakeSettings } from '#test/support/doubles/settings.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

type Submitted = { engine: string; operation: string; params: string }
const TRANSCRIPT = {
  text: 'Are you there? Yes.',
  language: 'en',
  duration: 4,
  segments: [
    {
      start: 0,
      end: 4,
      text: 'Are you there? Yes.',
      words: [
        { start: 0, end: 1, word: 'Are' },
        { start: 1, end: 1.5, word: 'you' },
        { start: 1.5, end: 2, word: 'there?' },
        { start: 3, end: 4, word: 'Yes.' },
      ],
    },
  ],
}
const TURNS = {
  segments: [
    { start: 2.9, end: 4, speaker: 1 },
    { start: 0, end: 2, speaker: 0 },
  ],
}
const whisperx = offer({ engine: 'whisperx', operation: 'asr' })
const whisper = offer({ engine: 'faster-whisper', operation: 'asr' })
const pyannote = offer({ engine: 'pyannote', operation: 'diarize' })

function open(t: TestContext, offers: Offer[], answers: Record<string, unknown> = { asr: TRANSCRIPT, diarize: TURNS }, parts = 1) {
  const submitted: Submitted[] = []
  const tasks = {
    now: () => 0,
    keepInput: async () => ({}),
    async admit(request: Submitted) {
      submitted.push(request)
      return { task: { id: request.operation } }
    },
    async outcome(operation: string) {
      const answer = answers[operation]
      const failed = { phase: 'failed', failure: { code: 'ENGINE_CRASHED', message: 'it died' } }
      return answer === undefined
        ? { task: failed }
        : { task: { phase: 'succeeded', failure: null }, result: { result: JSON.stringify(answer) } }
    },
    cancel: async () => {},
  } as unknown as Tasks
  const path = join(temporaryFolder(t), 'part')
  writeFileSync(path, 'sound')
  const intake = {
    split: async () => ({
      parts: Array.from({ length: parts }, (_, at) => ({ path, from: at * 4, seconds: 4 })),
      seconds: 4 * parts,
      remark: null,
      remove: async () => {},
    }),
  } as unknown as Intake
  const recognition = createRecognition({ inference: createInference({ tasks }), intake, offered: () => offers, clock: systemClock })
  const ask = async (form: object) => {
    const at = { signal: new AbortController().signal, traceparent: '' }
    const parsed = TranscriptionForm.parse(form)
    const { transcript, withWords } = await recognition.transcription(parsed, { path: 'recording.wav' } as Upload, at)
    const { text } = formatted(transcript, parsed.response_format, withWords)
    return { reason: transcript.notice?.reason ?? null, answer: JSON.parse(text) }
  }
  return { submitted, ask }
}
const speakers = ({ segments }: { segments: { speaker?: string; text: string }[] }) => segments.map(({ speaker, text }) => [speaker, text])
const verbose = { response_format: 'verbose_json' }

test('whisperx returns speakers in verbose_json, other recognisers on request', async (t) => {
  for (const form of [
    { model: 'whisperx', ...verbose },
    { model: 'faster-whisper', diarize: 'true', ...verbose },
    { model: 'faster-whisper', num_speakers: '2', ...verbose },
  ]) {
    const { ask, submitted } = open(t, [whisper, whisperx, pyannote])
    const { answer, reason } = await ask(form)
    assert.deepEqual(speakers(answer), [
      ['Speaker 1', 'Are you there?'],
      ['Speaker 2', 'Yes.'],
    ])
    assert.deepEqual([answer.segments.map(({ id }: { id: number }) => id), reason], [[0, 1], null])
    assert.deepEqual(
      submitted.map(({ engine, operation }) => [engine, operation]),
      [
        [form.model, 'asr'],
        ['pyannote', 'diarize'],
      ],
    )
    assert.deepEqual(JSON.parse(submitted[1]!.params), { num_speakers: 'num_speakers' in form ? 2 : null })
  }
})

test('without a request there is no diarisation', async (t) => {
  for (const form of [{ model: 'whisperx' }, { model: 'faster-whisper', ...verbose }, { model: 'whisper-1', diarize: '0', ...verbose }]) {
    const { ask, submitted } = open(t, [whisper, whisperx, pyannote])
    const { answer } = await ask(form)
    assert.deepEqual([submitted.length, JSON.stringify(answer).includes('peaker')], [1, false])
  }
})

test('missing or failed diarisation is reported, and the transcript is returned', async (t) => {
  const form = { model: 'whisperx', ...verbose }
  const absent = await open(t, [whisperx, { ...pyannote, downloaded: false }]).ask(form)
  assert.match(absent.reason!, /Speakers were not identified: .* not installed\./)
  const crashed = await open(t, [whisperx, pyannote], { asr: TRANSCRIPT }).ask(form)
  assert.match(crashed.reason!, /Speakers were not identified: pyannote failed \(ENGINE_CRASHED\)/)
  const nonsense = await open(t, [whisperx, pyannote], { asr: TRANSCRIPT, diarize: { segments: [{ start: -1 }] } }).ask(form)
  assert.match(nonsense.reason!, /Speakers were not identified/)
  for (const { answer } of [absent, crashed, nonsense]) assert.deepEqual(speakers(answer), [[undefined, 'Are you there? Yes.']])
  const fewer = await open(t, [whisperx, pyannote]).ask({ ...form, num_speakers: '3' })
  assert.match(fewer.reason!, /2 of the 3 speakers/)
  const unaligned = await open(t, [{ ...whisperx, stands_in: 'No times of words.' }, pyannote]).ask(form)
  assert.match(unaligned.reason!, /No times of words\./)
  const noted = await open(t, [whisperx, pyannote], { asr: { ...TRANSCRIPT, notices: ['English only.'] }, diarize: TURNS }).ask(form)
  assert.match(noted.reason!, /English only\./)
  const long = open(t, [whisperx, pyannote], { asr: TRANSCRIPT, diarize: TURNS }, 2)
  assert.match((await long.ask(form)).reason!, /Speakers were not identified: .* longer than 15 minutes/)
  assert.deepEqual(
    long.submitted.map(({ operation }) => operation),
    ['asr', 'asr'],
  )
})

test('num_speakers is an integer from 1 to 20', () => {
  for (const num_speakers of ['0', '21', 'two', '1.5', '-1']) assert.equal(TranscriptionForm.safeParse({ num_speakers }).success, false)
  assert.equal(TranscriptionForm.parse({ num_speakers: ' 20 ' }).num_speakers, 20)
  assert.equal(TranscriptionForm.parse({ num_speakers: '' }).num_speakers, null)
})

test('multilingual recognisers come first, unless the owner selected a dictation model', () => {
  const sherpa = (model: string, languages: string[]) => offer({ engine: 'sherpa-onnx-asr', model, languages, operation: 'asr' })
  const offers = [
    sherpa('zipformer-zh-14m', ['zh']),
    sherpa('whisper-tiny', ['*']),
    offer({ engine: 'pocketsphinx', languages: ['en'], operation: 'asr' }),
  ]
  const settings = createFakeSettings()
  const choose = (language: string | null, isQuick = false) =>
    chooseRecogniser(offers, 'whisper-1', language, isQuick ? chosenForDictation(createOwnerSettings(settings)) : undefined).recogniser
      .model
  assert.deepEqual(
    [choose(null), choose('zh'), choose('en'), choose(null, true)],
    ['whisper-tiny', 'zipformer-zh-14m', 'whisper-tiny', 'whisper-tiny'],
  )
  void settings.set('dictation.model_id', 'sherpa-zipformer-zh-14m')
  assert.deepEqual([choose(null), choose(null, true), choose('en', true)], ['whisper-tiny', 'zipformer-zh-14m', 'whisper-tiny'])
})

test('diarized_json requires speakers: a recording without them is refused, before it is transcribed where possible', async (t) => {
  const form = { model: 'faster-whisper', response_format: 'diarized_json' }
  const { answer } = await open(t, [whisper, pyannote]).ask(form)
  assert.deepEqual(speakers(answer), [
    ['A', 'Are you there?'],
    ['B', 'Yes.'],
  ])
  const absent = open(t, [whisper, { ...pyannote, downloaded: false }])
  await assert.rejects(absent.ask(form), { code: 'MODEL_NOT_DOWNLOADED' })
  const long = open(t, [whisper, pyannote], { asr: TRANSCRIPT, diarize: TURNS }, 2)
  await assert.rejects(long.ask(form), { code: 'BAD_REQUEST', message: /longer than 15 minutes/ })
  assert.deepEqual([absent.submitted, long.submitted], [[], []])
  await assert.rejects(open(t, [whisper, pyannote], { asr: TRANSCRIPT }).ask(form), { code: 'ENGINE_CRASHED' })
  const turns = Array.from({ length: 30 }, (_, at) => ({ start: at, end: at + 1, speaker: at }))
  const words = turns.map(({ start, end }) => ({ start, end, word: `w${start}` }))
  const crowd = { ...TRANSCRIPT, duration: 30, segments: [{ start: 0, end: 30, text: words.map(({ word }) => word).join(' '), words }] }
  const many = await open(t, [whisper, pyannote], { asr: crowd, diarize: { segments: turns } }).ask(form)
  assert.deepEqual(
    speakers(many.answer)
      .map(([name]) => name)
      .slice(24, 28),
    ['Y', 'Z', 'AA', 'AB'],
  )
})
