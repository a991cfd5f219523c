// Long recordings in parts, with a fake task list: the order of submissions, and no submission after a cancel.
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createRecognition } from '#control-plane/features/listening/recognition/recognition.service.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import { createInference } from '#control-plane/inference/run.ts'
import type { Intake } from '#control-plane/media/intake.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const RECOGNISER = { workerId: 'local', engine: 'whisper', model: '', operation: 'asr', stands_in: '', languages: ['*'] }
const offered = () => [{ ...RECOGNISER, supported: true, installed: true, downloaded: true }] as unknown as Offer[]

function open(t: TestContext, answer: (part: number, signal: AbortSignal) => Promise<object>) {
  const folder = temporaryFolder(t)
  const parts = [0, 1, 2].map((at) => ({ path: join(folder, `part${at}`), from: at * 900, seconds: 900 }))
  for (const { path } of parts) writeFileSync(path, 'sound')
  const calls: string[] = []
  let submitted = 0
  const tasks = {
    now: () => 0,
    keepInput: async (name: string, bytes: Uint8Array) => ({ name, size: bytes.length, sha256: '' }),
    admit: async () => {
      calls.push(`submit ${submitted}`)
      return { task: { id: `t${submitted++}` } }
    },
    outcome: async (id: string, signal: AbortSignal) => {
      const result = await answer(Number(id.slice(1)), signal)
      if (result instanceof Failure) return { task: { id, phase: 'failed', failure: { code: result.code, message: result.message } } }
      return { task: { id, phase: 'succeeded', failure: null }, result: { result: JSON.stringify(result) } }
    },
    cancel: (id: string) => void calls.push(`cancel ${id}`),
  } as unknown as Tasks
  let removed = 0
  const intake = { split: async () => ({ parts, seconds: 2_700, remark: null, remove: async () => void removed++ }) } as unknown as Intake
  const recognition = createRecognition({ inference: createInference({ tasks }), intake, offered, clock })
  const listen = (signal: AbortSignal, language: string | null = null) =>
    recognition.listen(
      { filename: 'a.wav', path: join(folder, 'a.wav'), size: 1 },
      { model: 'whisper-1', language, prompt: null, temperature: null, words: false, signal, traceparent: '' },
    )
  const transcribe = (refine: string | null) =>
    recognition.transcribe(
      { language: null, model: null, mode: null, refine },
      { filename: 'a.wav', path: join(folder, 'a.wav'), size: 1 },
      { signal: new AbortController().signal, traceparent: '' },
    )
  return { listen, transcribe, calls, removed: () => removed, folder: () => existsSync(folder) }
}
const partResult = (part: number) => ({
  text: `part ${part}`,
  language: 'en',
  segments: [{ start: 1, end: 2, text: `part ${part}` }],
  duration: 900,
})

test('parts are transcribed in order, one at a time, and joined', async (t) => {
  const { listen, calls, removed } = open(t, async (part) => partResult(part))
  const { text, segments, seconds, engine } = await listen(new AbortController().signal)
  assert.equal(text, 'part 0 part 1 part 2')
  assert.deepEqual(
    segments.map(({ start }) => start),
    [1, 901, 1801],
  )
  assert.deepEqual([seconds, engine], [2_700, 'whisper'])
  assert.deepEqual(calls, ['submit 0', 'submit 1', 'submit 2'])
  assert.equal(removed(), 1)
})

test('sentences of Chinese are joined without blanks in the answer of the page', async (t) => {
  const { transcribe } = open(t, async (part) => ({ ...partResult(part), segments: [{ start: 1, end: 2, text: '你好' }] }))
  assert.equal((await transcribe(null)).answer.text, '你好。你好。你好。')
})

test('after the client disconnects, the running part is cancelled and no other starts', async (t) => {
  const abort = new AbortController()
  const { listen, calls, removed } = open(t, async (part, signal) => {
    if (part === 0) return partResult(0)
    abort.abort(new Failure('CANCELLED', 'The client disconnected.'))
    signal.throwIfAborted()
    return partResult(part)
  })
  await assert.rejects(listen(abort.signal), { code: 'CANCELLED' })
  assert.deepEqual(calls, ['submit 0', 'submit 1', 'cancel t1'])
  assert.equal(removed(), 1)
})

test('a failed part fails the transcription', async (t) => {
  const { listen, calls, removed } = open(t, async (part) => (part === 1 ? { nonsense: true } : partResult(part)))
  await assert.rejects(listen(new AbortController().signal), { code: 'INVALID_RESULT' })
  const named = open(t, async () => ({ nonsense: true }))
  await assert.rejects(named.listen(new AbortController().signal, 'de'), { code: 'INVALID_RESULT' })
  assert.deepEqual(named.calls, ['submit 0'], 'it is not repeated without the language')
  assert.deepEqual(calls, ['submit 0', 'submit 1'])
  assert.equal(removed(), 1)
})

test('a refinement that is not available is reported, and refined_text is absent', async (t) => {
  const { transcribe } = open(t, async (part) => partResult(part))
  for (const [refine, isRequested] of [
    ['1', true],
    ['Auto', true],
    ['off', false],
    [null, false],
  ] as const) {
    const { notice, answer } = await transcribe(refine)
    assert.equal(notice?.reason.includes('no language model') ?? false, isRequested, String(refine))
    assert.ok(!('refined_text' in answer))
  }
})

test('a language that the engine refuses is ignored with a notice, and any other refusal fails the transcription', async (t) => {
  const { signal } = new AbortController()
  const refusal = new Failure('INVALID_TASK_PARAMS', 'language: This model does not support "zz".')
  const { listen, calls } = open(t, async (part) => (part === 0 ? refusal : partResult(part)))
  const { notice, text } = await listen(signal, 'zz')
  assert.equal(calls.length, 4)
  assert.equal(text, 'part 1 part 2 part 3')
  assert.equal(notice?.reason, 'whisper does not support "zz". The language was ignored.')
  await assert.rejects(open(t, async () => refusal).listen(signal, 'zz'), { code: 'INVALID_TASK_PARAMS' })
  const named = open(t, async (part) => partResult(part))
  assert.match(String((await named.listen(signal, 'English')).notice?.reason), /does not support "English"/)
  assert.equal(named.calls.length, 3, 'a name is no language tag and is not sent')
})
