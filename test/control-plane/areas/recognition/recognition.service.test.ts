// Long recordings in parts, with a ledger that is played: what is asked in which order, and what is not asked any more.
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createRecognition } from '#control-plane/areas/recognition/recognition.service.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import { createInference } from '#control-plane/inference/run.ts'
import type { Intake } from '#control-plane/media/intake.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const LISTENER = { workerId: 'local', engine: 'whisper', model: '', operation: 'asr', stands_in: '', languages: ['*'] }
const offered = () => [{ ...LISTENER, supported: true, installed: true, downloaded: true }] as unknown as Offer[]

function played(t: TestContext, answer: (part: number, signal: AbortSignal) => Promise<object>) {
  const folder = temporaryFolder(t)
  const parts = [0, 1, 2].map((at) => ({ path: join(folder, `part${at}`), from: at * 900, seconds: 900 }))
  for (const { path } of parts) writeFileSync(path, 'sound')
  const told: string[] = []
  let asked = 0
  const tasks = {
    now: () => 0,
    keepInput: async (name: string, bytes: Uint8Array) => ({ name, size: bytes.length, sha256: '' }),
    submit: async () => {
      told.push(`submit ${asked}`)
      return { task: { id: `t${asked++}` } }
    },
    outcome: async (id: string, signal: AbortSignal) => {
      const result = await answer(Number(id.slice(1)), signal)
      return { task: { id, phase: 'succeeded', failure: null }, result: { result: JSON.stringify(result) } }
    },
    cancel: (id: string) => void told.push(`cancel ${id}`),
  } as unknown as Tasks
  let removed = 0
  const intake = { split: async () => ({ parts, seconds: 2_700, remove: async () => void removed++ }) } as unknown as Intake
  const recognition = createRecognition({ inference: createInference({ tasks }), intake, offered, clock })
  const listen = (signal: AbortSignal) =>
    recognition.listen(
      { filename: 'a.wav', path: join(folder, 'a.wav'), size: 1 },
      { model: 'whisper-1', language: null, prompt: null, temperature: null, words: false, signal, traceparent: '' },
    )
  const transcribe = (refine: string | null) =>
    recognition.transcribe(
      { language: null, model: null, mode: null, refine },
      { filename: 'a.wav', path: join(folder, 'a.wav'), size: 1 },
      { signal: new AbortController().signal, traceparent: '' },
    )
  return { listen, transcribe, told, removed: () => removed, folder: () => existsSync(folder) }
}
const said = (part: number) => ({
  text: `part ${part}`,
  language: 'en',
  segments: [{ start: 1, end: 2, text: `part ${part}` }],
  duration: 900,
})

test('parts are heard in order, one at a time, and told as one', async (t) => {
  const { listen, told, removed } = played(t, async (part) => said(part))
  const { text, segments, seconds, engine } = await listen(new AbortController().signal)
  assert.equal(text, 'part 0 part 1 part 2')
  assert.deepEqual(
    segments.map(({ start }) => start),
    [1, 901, 1801],
  )
  assert.deepEqual([seconds, engine], [2_700, 'whisper'])
  assert.deepEqual(told, ['submit 0', 'submit 1', 'submit 2'])
  assert.equal(removed(), 1)
})

test('when nobody listens any more, the part in hand is cancelled and the rest is not begun', async (t) => {
  const abort = new AbortController()
  const { listen, told, removed } = played(t, async (part, signal) => {
    if (part === 0) return said(0)
    abort.abort(new Failure('CANCELLED', 'the client hung up'))
    signal.throwIfAborted()
    return said(part)
  })
  await assert.rejects(listen(abort.signal), { code: 'CANCELLED' })
  assert.deepEqual(told, ['submit 0', 'submit 1', 'cancel t1'])
  assert.equal(removed(), 1)
})

test('a part that fails fails the whole', async (t) => {
  const { listen, told, removed } = played(t, async (part) => (part === 1 ? { nonsense: true } : said(part)))
  await assert.rejects(listen(new AbortController().signal), { code: 'INVALID_RESULT' })
  assert.deepEqual(told, ['submit 0', 'submit 1'])
  assert.equal(removed(), 1)
})

test('a text that should be refined and was not says so, and has no field that pretends', async (t) => {
  const { transcribe } = played(t, async (part) => said(part))
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
