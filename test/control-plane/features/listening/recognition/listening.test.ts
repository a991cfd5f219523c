// The recogniser and the translator of a recording, with a fake engine.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createListening } from '#control-plane/features/listening/recognition/listening.ts'
import { codesIn } from '#control-plane/features/listening/recognition/recognition.settings.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import type { Intake } from '#control-plane/media/intake.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

type AsrRequest = { operation: string; params: { task?: string; language?: string | null; expected_languages?: string[] } }

/** `refuses`: whether the engine refuses a request. */
async function heard(
  t: TestContext,
  language: string | null,
  refuses: (params: AsrRequest['params']) => boolean,
  { engine = 'faster-whisper', expected = [] }: { engine?: string; expected?: string[] } = {},
) {
  const path = join(temporaryFolder(t), 'part')
  writeFileSync(path, 'sound')
  const requests: string[] = []
  const run = async ({ operation, params }: AsrRequest) => {
    requests.push([operation, params.task, params.language, params.expected_languages].filter(Boolean).join(' '))
    if (operation === 'translate') return { texts: ['hello'], notices: [] }
    if (refuses(params)) throw new Failure('INVALID_TASK_PARAMS', 'refused')
    const text = params.task === 'translate' ? 'hello' : 'hallo'
    return { text, language: 'de', segments: [{ start: 0, end: 1, text }], duration: 1, notices: [] }
  }
  const inference = { run, keepInput: async () => ({ name: 'audio', size: 5, sha256: '' }) } as unknown as Inference
  const intake = {
    split: async () => ({ parts: [{ path, from: 0, seconds: 1 }], seconds: 1, remark: null, remove: async () => {} }),
  } as unknown as Intake
  const offered = () => [
    offer({ engine, operation: 'asr', languages: ['*'] }),
    offer({ engine: 'm2m100', operation: 'translate', languages: ['*'] }),
  ]
  const upload = { filename: 'a.wav', path, size: 5 }
  const opened = await createListening({ inference, intake, offered, expectedLanguages: () => expected }).open(upload, {
    model: 'whisper-1',
    language,
    prompt: null,
    temperature: null,
    words: false,
    task: 'translate',
    signal: new AbortController().signal,
    traceparent: '',
  })
  for await (const { transcript } of opened.transcripts()) return { requests, text: transcript.text, notices: transcript.notices }
  throw new Error('there is no part')
}

test('a model that translates is used directly', async (t) => {
  const { requests, text, notices } = await heard(t, null, () => false)
  assert.deepEqual([requests, text, notices], [['asr translate'], 'hello', []])
})

test('if the model only transcribes, the transcript is translated, and the notice says so', async (t) => {
  const { requests, text, notices } = await heard(t, null, ({ task }) => task === 'translate')
  assert.deepEqual(requests, ['asr translate', 'asr', 'translate'])
  assert.deepEqual([text, notices], ['hello', ['m2m100 translated the transcript.']])
})

test('a language that the model lacks is ignored with a notice', async (t) => {
  const { requests, notices } = await heard(t, 'xx', ({ task, language }) => task === 'translate' || language === 'xx')
  assert.deepEqual(requests, ['asr translate xx', 'asr xx', 'asr', 'translate'])
  assert.match(notices.join(' '), /faster-whisper does not support "xx"\. The language was ignored\. m2m100 translated/)
})

test('the expected languages are sent to an engine that chooses among them, if the request names none', async (t) => {
  const expected = ['de', 'fr']
  assert.deepEqual((await heard(t, null, () => false, { expected })).requests, ['asr translate de,fr'])
  assert.deepEqual((await heard(t, 'it', () => false, { expected })).requests, ['asr translate it'])
  assert.deepEqual((await heard(t, null, () => false, { expected, engine: 'sherpa-onnx-asr' })).requests, ['asr', 'translate'])
  assert.deepEqual(codesIn('de, fr,it'), ['de', 'fr', 'it'])
  assert.deepEqual(codesIn('EN; german, x'), ['en'])
})
