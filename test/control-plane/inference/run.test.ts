// Typed requests and results over a fake task list: the submitted task, the result, and a caller that disconnects.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInference, type Request } from '#control-plane/inference/run.ts'
import type { TaskSpec } from '#control-plane/tasks/record.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import { Failure } from '#shared/protocol/failure.ts'

const REQUEST: Request<'tts'> = {
  operation: 'tts',
  engine: 'kokoro',
  params: { segments: [{ text: 'hello' }, { text: 'you' }], voice: null },
  target: 'auto',
  withinMs: 5_000,
  ephemeral: true,
  traceparent: 'trace',
}
const RESULT = { sample_rate: 24_000, parts: [{ samples: 1 }, { samples: 2 }], voice: 'a', notices: [] }

function open(outcome: (signal: AbortSignal) => Promise<object>) {
  const specs: TaskSpec[] = []
  const digests: string[] = []
  const cancelled: string[] = []
  const submit = async (spec: TaskSpec, digest: string) => {
    specs.push(spec)
    digests.push(digest)
    return { task: { id: `t${specs.length}` }, spec }
  }
  const tasks = {
    now: () => 1_000,
    submit,
    admit: submit,
    async open(spec: TaskSpec, digest: string) {
      const pieces = (async function* () {
        yield { part: 0, bytes: Buffer.from('ab') }
        yield { part: 1, bytes: Buffer.from('cd') }
      })()
      return { record: await submit(spec, digest), pieces }
    },
    async outcome(_id: string, signal: AbortSignal, onProgress?: (share: number) => void) {
      onProgress?.(0.5)
      return await outcome(signal)
    },
    cancel: (id: string) => void cancelled.push(id),
  } as unknown as Tasks
  return { inference: createInference({ tasks }), specs, digests, cancelled }
}
const succeeded = (result: unknown) => async () => ({
  task: { phase: 'succeeded', failure: null },
  result: { result: JSON.stringify(result) },
})
const failed = async () => ({ task: { phase: 'failed', failure: { code: 'ENGINE_CRASHED', message: 'It died.' } }, result: null })
/** Ends only when the caller disconnects. */
const waiting = (signal: AbortSignal) =>
  new Promise<object>((_, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
const { signal } = new AbortController()

test('a request becomes a task with the params of the caller, and its result is typed', async () => {
  const { inference, specs, digests, cancelled } = open(succeeded({ ...RESULT, unknown: 1 }))
  const { sample_rate, parts } = await inference.run(REQUEST, signal)
  assert.deepEqual([sample_rate, parts], [24_000, RESULT.parts])
  const { params, ...spec } = specs[0]!
  assert.deepEqual(JSON.parse(params), REQUEST.params, 'defaults are left to the agent')
  assert.deepEqual(spec, {
    operation: 'tts',
    engine: 'kokoro',
    model: '',
    priority: 0,
    target: 'auto',
    size: 8,
    deadlineAt: 6_000,
    idempotencyKey: null,
    ephemeral: true,
    traceparent: 'trace',
  })
  assert.deepEqual([digests, cancelled], [[''], []])
})

test('a caller that waits for the result receives what the engine reports', async () => {
  const { inference } = open(succeeded(RESULT))
  const shares: number[] = []
  await inference.run({ ...REQUEST, onProgress: (share) => shares.push(share) }, signal)
  assert.deepEqual(shares, [0.5])
})

test('the whole output comes with the result', async () => {
  const { inference } = open(succeeded(RESULT))
  const { result, output } = await inference.collect(REQUEST, signal)
  assert.deepEqual([result.voice, output.toString()], ['a', 'abcd'])
})

test('params that the operation refuses are never submitted', async () => {
  const { inference, specs } = open(succeeded(RESULT))
  const refused = (params: object) =>
    assert.rejects(inference.run({ ...REQUEST, params: params as never }, signal), { code: 'INVALID_TASK_PARAMS' })
  await refused({ segments: [] })
  await refused({ ...REQUEST.params, speed: 9 })
  await refused({ ...REQUEST.params, unknown: 1 })
  const segments = Array.from({ length: 20 }, () => ({ text: 'x'.repeat(60_000) }))
  await refused({ segments })
  assert.equal(specs.length, 0)
})

test('a task that failed rejects with its failure, and a stored result that does not fit with INVALID_RESULT', async () => {
  await assert.rejects(open(failed).inference.run(REQUEST, signal), { code: 'ENGINE_CRASHED', message: 'It died.' })
  await assert.rejects(open(succeeded({ sample_rate: 3e9 })).inference.run(REQUEST, signal), { code: 'INVALID_RESULT' })
})

test('a disconnecting caller cancels its task, before and after the task exists', async () => {
  const reason = new Failure('CANCELLED', 'The client disconnected.')
  const { inference, cancelled } = open(waiting)
  const early = AbortSignal.abort(reason)
  await assert.rejects(inference.run(REQUEST, early), reason)
  const caller = new AbortController()
  const run = await inference.start(REQUEST, caller.signal)
  const result = assert.rejects(run.result(), reason)
  assert.deepEqual(cancelled, ['t1'])
  caller.abort(reason)
  await result
  assert.deepEqual(cancelled, ['t1', 't2'])
})

test('a task with an idempotency key continues without its caller; its digest covers engine, params and inputs', async () => {
  const { inference, digests, cancelled } = open(waiting)
  const caller = new AbortController()
  const keyed = { ...REQUEST, idempotencyKey: 'key' }
  const input = { name: 'reference', size: 1, sha256: 'aa' }
  const run = await inference.start(keyed, caller.signal)
  for (const request of [keyed, { ...keyed, engine: 'flite' }, { ...keyed, inputs: [input] }]) await inference.start(request, caller.signal)
  caller.abort()
  run.abandon()
  assert.deepEqual(cancelled, [])
  assert.equal(digests[0], digests[1])
  assert.equal(new Set(digests).size, 3)
})

test('a caller that disconnects after the end cancels nothing', async () => {
  const { inference, cancelled } = open(succeeded(RESULT))
  const caller = new AbortController()
  await inference.run(REQUEST, caller.signal)
  caller.abort()
  assert.deepEqual(cancelled, [])
})
