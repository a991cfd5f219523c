// Language identification: when it runs, which recogniser follows from it, and the notice.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { recogniserFor } from '#control-plane/features/listening/recognition/language-id.ts'
import { TranscribeForm, TranscriptionForm, TranslationForm } from '#control-plane/features/listening/recognition/recognition.schema.ts'
import { createRecognition } from '#control-plane/features/listening/recognition/recognition.service.ts'
import { formatted } from '#control-plane/features/listening/recognition/transcript/format.ts'
import type { Upload } from '#control-plane/http/input/form.ts'
import type { Notice } from '#control-plane/inference/notice.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import { createInference } from '#control-plane/inference/run.ts'
import type { Intake } from '#control-plane/media/intake.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

type Submitted = { engine: string; model: string; operation: string; params: string; size: number; deadlineAt: number }
const asr = (engine: string, model: string, languages: string[]) => offer({ engine, model, languages, operation: 'asr' })
const parakeet = asr('sherpa-onnx-asr', 'parakeet-tdt-v3', ['de', 'en', 'fr'])
const tiny = asr('sherpa-onnx-asr', 'whisper-tiny', ['*'])
const whisper = asr('faster-whisper', '', ['*'])
const sphinx = asr('pocketsphinx', '', ['en'])
const identifier = offer({ engine: 'sherpa-onnx-lid', model: 'whisper-tiny', languages: ['*'], operation: 'identify' })
const TRANSCRIPT = { text: 'words', language: '', duration: 900, segments: [{ start: 0, end: 4, text: 'words' }] }
type More = {
  answers?: Record<string, unknown>
  parts?: number
  selected?: string
  signal?: AbortSignal
  onTask?: (operation: string) => void
}

function open(t: TestContext, offers: Offer[], identified: unknown, { answers, parts = 1, selected = '', signal, onTask }: More = {}) {
  const submitted: Submitted[] = []
  const cancelled: string[] = []
  let removed = 0
  const answerTo: Record<string, unknown> = { asr: TRANSCRIPT, identify: identified, ...answers }
  const tasks = {
    now: () => 0,
    keepInput: async () => ({}),
    async admit(request: Submitted) {
      submitted.push(request)
      return { task: { id: request.operation } }
    },
    async outcome(operation: string, stop: AbortSignal) {
      onTask?.(operation)
      stop.throwIfAborted()
      const answer = answerTo[operation]
      return answer === undefined
        ? { task: { phase: 'failed', failure: { code: 'ENGINE_CRASHED', message: 'it died' } } }
        : { task: { phase: 'succeeded', failure: null }, result: { result: JSON.stringify(answer) } }
    },
    cancel: async (id: string) => void cancelled.push(id),
  } as unknown as Tasks
  const path = join(temporaryFolder(t), 'part')
  writeFileSync(path, 'sound')
  const intake = {
    split: async () => ({
      parts: Array.from({ length: parts }, (_, at) => ({ path, from: at * 900, seconds: 900 })),
      seconds: 900 * parts,
      remark: null,
      remove: async () => void removed++,
    }),
  } as unknown as Intake
  const recognition = createRecognition({
    inference: createInference({ tasks }),
    intake,
    offered: () => offers,
    clock: systemClock,
    isForDictation: ({ model }) => model === 'parakeet-tdt-v3',
    selected: () => selected,
  })
  const at = { signal: signal ?? new AbortController().signal, traceparent: '' }
  const upload = { path: 'recording.wav' } as Upload
  type Answer = { language: string; engine: string; text: string }
  const read = (answer: Answer, notice: Notice | null) => ({
    reason: notice?.reason ?? null,
    answer,
    tasks: submitted.map(({ operation, model, engine }) => `${operation} ${model || engine}`),
  })
  return {
    submitted,
    cancelled,
    removed: () => removed,
    async ask(form: object = {}) {
      const parsed = TranscriptionForm.parse({ response_format: 'verbose_json', ...form })
      const { transcript, withWords } = await recognition.transcription(parsed, upload, at)
      return read(JSON.parse(formatted(transcript, parsed.response_format, withWords).text), transcript.notice)
    },
    async translate(form: object = {}) {
      const transcript = await recognition.translation(TranslationForm.parse(form), upload, at)
      return read(JSON.parse(formatted(transcript, 'verbose_json', false).text), transcript.notice)
    },
    async dictate(form: object = {}) {
      const { answer, notice } = await recognition.transcribe(TranscribeForm.parse(form), upload, at)
      return read(answer, notice)
    },
  }
}
const OURS = [parakeet, tiny, sphinx, identifier]

test('a recogniser that supports the identified language transcribes the recording', async (t) => {
  const { ask, submitted } = open(t, OURS, { language: 'ja', seconds: 29 })
  const japanese = await ask()
  assert.deepEqual(japanese.tasks, ['identify whisper-tiny', 'asr whisper-tiny'])
  assert.deepEqual([japanese.answer.language, japanese.answer.text, japanese.reason], ['ja', 'words', null])
  assert.equal(submitted[0]!.engine, 'sherpa-onnx-lid')
  assert.deepEqual(JSON.parse(submitted[0]!.params), {})
  assert.ok(submitted[0]!.size === 30 && submitted[1]!.size === 900, 'half a minute is examined, however long the recording is')
  assert.deepEqual(
    [submitted[0]!.deadlineAt, submitted[1]!.deadlineAt],
    [60_000, 9_000_000],
    'identification has a shorter deadline than recognition',
  )
  const german = await open(t, OURS, { language: 'de', seconds: 3 }).ask()
  assert.deepEqual([german.tasks[1], german.answer.language, german.reason], ['asr parakeet-tdt-v3', 'de', null])
  const dictated = await open(t, OURS, { language: 'fr', seconds: 3 }).dictate({ language: 'auto' })
  assert.deepEqual([dictated.tasks[1], dictated.answer.language], ['asr parakeet-tdt-v3', 'fr'])
  const detected = await open(t, OURS, { language: 'ja', seconds: 3 }, { answers: { asr: { ...TRANSCRIPT, language: 'ko' } } }).ask()
  assert.equal(detected.answer.language, 'ko', 'the language that the recogniser reports wins')
  const long = await open(t, OURS, { language: 'ja', seconds: 29 }, { parts: 3 }).ask()
  assert.deepEqual(long.tasks, ['identify whisper-tiny', ...Array.from({ length: 3 }, () => 'asr whisper-tiny')])
})

test('without a recogniser for the language the first choice is used, with a notice', async (t) => {
  const { tasks, answer, reason } = await open(t, [parakeet, identifier], { language: 'ja', seconds: 3 }).ask()
  assert.deepEqual(tasks, ['identify whisper-tiny', 'asr parakeet-tdt-v3'])
  assert.equal(reason, 'The recording seems to be in Japanese (ja), which sherpa-onnx-asr (parakeet-tdt-v3) does not support.')
  assert.deepEqual([answer.text, answer.language], ['words', 'ja'])
})

test('a named engine is kept, with another of its models if one supports the language', async (t) => {
  const identified = { language: 'ja', seconds: 3 }
  const named = await open(t, OURS, identified).ask({ model: 'pocketsphinx' })
  assert.deepEqual(named.tasks, ['identify whisper-tiny', 'asr pocketsphinx'])
  assert.match(named.reason!, /^The recording seems to be in Japanese \(ja\), which pocketsphinx does not support\.$/)
  const other = await open(t, OURS, identified).ask({ model: 'sherpa-onnx-asr' })
  assert.deepEqual([other.tasks[1], other.reason], ['asr whisper-tiny', null])
  const chosen = await open(t, OURS, identified, { selected: 'pocketsphinx' }).ask()
  assert.deepEqual([chosen.tasks[1], chosen.reason], ['asr whisper-tiny', null])
  await assert.rejects(open(t, OURS, identified).ask({ model: 'moonshine' }), { code: 'MODEL_NOT_DOWNLOADED' })
})

test('the language is not identified if it is named, if the recogniser detects it, or without an identifier', async (t) => {
  const identified = { language: 'ja', seconds: 3 }
  const tone = asr('tone', '', ['en'])
  const endpoint = asr('openai-compat-asr', '', ['en'])
  const cases: [Offer[], object, string?][] = [
    [OURS, { language: 'de' }],
    [[whisper, ...OURS], {}],
    [[tone, ...OURS], { model: 'tone' }],
    [[endpoint, ...OURS], {}, 'openai-compat-asr'],
    [[parakeet, tiny], {}],
    [[parakeet, tiny, { ...identifier, downloaded: false }], {}],
    [[parakeet, tiny, { ...identifier, workerId: 'attic' }], {}],
  ]
  for (const [offers, form, selected = ''] of cases) {
    const { tasks, reason } = await open(t, offers, identified, { selected }).ask(form)
    assert.equal(tasks.length, 1, tasks.join())
    assert.ok(tasks[0]!.startsWith('asr ') && reason === null, `${tasks[0]}: ${reason}`)
  }
  const dictated = await open(t, OURS, identified).dictate({ language: 'de' })
  assert.deepEqual(dictated.tasks, ['asr parakeet-tdt-v3'])
})

test('an empty or failed identification does not affect the transcript', async (t) => {
  const none = await open(t, OURS, { language: '', seconds: 0 }).ask()
  assert.deepEqual([none.tasks[1], none.answer.language, none.reason], ['asr parakeet-tdt-v3', '', null])
  for (const identified of [undefined, { language: 'Japanese' }, { language: 7 }, {}, null]) {
    const { tasks, answer, reason } = await open(t, OURS, identified).ask()
    assert.deepEqual([tasks[1], answer.text, answer.language], ['asr parakeet-tdt-v3', 'words', ''], JSON.stringify(identified))
    assert.match(reason!, /^The language was not identified: sherpa-onnx-lid failed \([A-Z_]+\)\.$/)
  }
})

test('after the client disconnects, identification is cancelled and recognition does not start', async (t) => {
  const abort = new AbortController()
  const { ask, submitted, cancelled, removed } = open(t, OURS, { language: 'ja' }, { signal: abort.signal, onTask: () => abort.abort() })
  await assert.rejects(ask())
  assert.deepEqual([submitted.length, cancelled, removed()], [1, ['identify'], 1])
})

test('the first choice is kept if it supports the language', () => {
  const first = { recogniser: parakeet, instead: null }
  const choose = (language: string) => recogniserFor([tiny, parakeet], first, 'whisper-1', language)?.recogniser.model
  assert.deepEqual([choose('de'), choose('ja')], ['parakeet-tdt-v3', 'whisper-tiny'])
  assert.equal(recogniserFor([parakeet], first, 'whisper-1', 'ja'), null)
})

test('a translation prefers a recogniser that translates, and otherwise translates the text', async (t) => {
  const english = { answers: { asr: { ...TRANSCRIPT, language: 'en' } } }
  const direct = open(t, [...OURS, whisper], undefined, english)
  const { tasks, answer, reason } = await direct.translate()
  assert.deepEqual([tasks, answer.language, reason], [['asr faster-whisper'], 'en', null])
  assert.equal(JSON.parse(direct.submitted[0]!.params).task, 'translate')
  const m2m = offer({ engine: 'm2m100', operation: 'translate', languages: ['*'] })
  const german = { language: 'de', seconds: 3 }
  const indirect = open(t, [...OURS, m2m], german, { answers: { translate: { texts: ['in English'] } } })
  const named = await indirect.translate({ model: 'sherpa-onnx-asr' })
  assert.deepEqual(named.tasks, ['identify whisper-tiny', 'asr parakeet-tdt-v3', 'translate m2m100'])
  assert.deepEqual([named.answer.text, named.answer.language], ['in English', 'en'])
  assert.match(named.reason!, /m2m100 translated the transcript/)
  assert.equal(JSON.parse(indirect.submitted[1]!.params).task, undefined, 'an engine that only transcribes is not asked to translate')
})
