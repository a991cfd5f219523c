// The events of an attempt from an agent, and their effect on the ledger: a result is committed only when it fits its operation.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { createAttemptReceiver } from '#control-plane/sessions/attempt-receiver.ts'
import type { AttemptStream } from '#control-plane/sessions/attempt-stream.ts'
import type { Leases } from '#control-plane/tasks/leases.ts'
import { createOutput } from '#control-plane/tasks/output.ts'
import type { Result } from '#control-plane/tasks/record.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import { createRejections, type Rejections } from '#control-plane/workers/rejections.ts'
import { FAILURES, type FailureCode } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { EDGES, type Phase, type TaskEvent } from '#shared/protocol/task.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const PARAMS = JSON.stringify({ segments: [{ text: 'one' }, { text: 'two' }], fault: null })
const GOOD = { sample_rate: 16_000, parts: [{ samples: 1 }, { samples: 1 }], voice: 'tone', notices: [] }

function open(
  t: TestContext,
  operation = 'tts',
  held: { workerId?: string; phase?: string; msLeft?: number; rejections?: Rejections; params?: string } = {},
) {
  const {
    workerId = 'w0',
    phase = 'running',
    msLeft = 60_000,
    rejections = createRejections(),
    params = operation === 'tts' ? PARAMS : '{}',
  } = held
  const output = createOutput(join(temporaryFolder(t), 'out'))
  t.after(() => output.close(false))
  const events: TaskEvent[] = []
  let committed: Result | null = null
  const shares: [string, number][] = []
  const tasks = {
    peek: () => ({
      spec: { operation, params, size: 1, ephemeral: true },
      task: { attemptId: 'a1', phase, workerId },
    }),
    apply: (_id: string, event: TaskEvent, result: Result | null = null) => {
      events.push(event)
      if (event.kind === 'complete') committed = result
      const from: Partial<Record<string, readonly string[]>> = EDGES[phase as Phase]
      return { ok: from[event.kind] !== undefined }
    },
    outputOf: () => output,
    progressed: (id: string, share: number) => void shares.push([id, share]),
  } as unknown as Tasks
  const receiver = createAttemptReceiver({
    tasks,
    leases: { renew: () => {} } as unknown as Leases,
    marks: new Map(),
    msLeft: () => msLeft,
    rejections,
    log,
  })
  const stream: AttemptStream = { taskId: 't1', attemptId: 'a1', epoch: 1, lastSeq: 0, call: null, missed: 0, isFinal: false }
  let seq = 0
  const sent: Buffer[] = []
  const last = () => events.at(-1)
  return {
    last,
    committed: () => committed,
    shares,
    says: (fact: 'failed' | 'declined', code: string): void =>
      receiver.receive(stream, [{ seq: ++seq, fact, [fact]: { code, message: 'Words.' } } as unknown as Wire<'Event'>]),
    progress(progress: number, keepalive = false) {
      receiver.receive(stream, [{ seq: ++seq, fact: 'progress', progress: { progress, stage: 'listening', keepalive } }])
    },
    sound(part: number, bytes = Buffer.alloc(2)) {
      receiver.receive(stream, [{ seq: ++seq, fact: 'output', output: { part, offset: Buffer.concat(sent).length, payload: bytes } }])
      sent.push(bytes)
    },
    complete(result: string) {
      const bytes = Buffer.concat(sent)
      const sha256 = createHash('sha256').update(bytes).digest()
      receiver.receive(stream, [
        { seq: ++seq, fact: 'completed', completed: { result_json: Buffer.from(result), sha256, size: bytes.length } },
      ])
    },
    rejects(result: string) {
      this.complete(result)
      const event = last()
      assert.ok(event?.kind === 'fail' && event.code === 'INVALID_RESULT', JSON.stringify(event))
      assert.ok(event.message.length < 1_000)
      assert.equal(committed, null)
    },
  }
}

test('a valid result is committed without the fields that are not known', (t) => {
  const { sound, complete, last, committed } = open(t)
  sound(0)
  sound(1)
  complete(JSON.stringify({ ...GOOD, of_another_version: [1] }))
  assert.equal(last()?.kind, 'complete')
  assert.deepEqual(JSON.parse(committed()!.result), GOOD)
})

test('a result that contradicts its task or its bytes fails the attempt', (t) => {
  for (const parts of [[], [{ samples: 1 }], [{ samples: 3 }], [{ samples: 1 }, { samples: 1 }, { samples: 0 }]]) {
    const attempt = open(t)
    attempt.sound(0)
    attempt.sound(1)
    attempt.rejects(JSON.stringify({ ...GOOD, parts }))
  }
})

test('output for a part that was not requested fails the attempt, and any output of an operation without one', (t) => {
  const beyond = open(t)
  beyond.sound(2)
  assert.deepEqual(beyond.last(), {
    kind: 'fail',
    epoch: 1,
    code: 'INVALID_RESULT',
    message: 'The output has a part 2 that was not requested.',
  })
  const silent = open(t, 'asr')
  silent.sound(0)
  assert.ok(silent.last()?.kind === 'fail')
})

test('a streamed text must be that of the result, and has limits of size and of pieces while it arrives', (t) => {
  const params = JSON.stringify({ stream: true })
  const resultOf = (text: string) => JSON.stringify({ text, language: 'en', segments: [], duration: 1, notices: [] })
  const good = open(t, 'asr', { params })
  for (const piece of ['Grüß', ' Gott']) good.sound(0, Buffer.from(piece))
  good.complete(resultOf('Grüß Gott'))
  assert.equal(good.last()?.kind, 'complete')
  const other = open(t, 'asr', { params })
  other.sound(0, Buffer.from('Hello'))
  other.rejects(resultOf('Goodbye'))
  const many = open(t, 'asr', { params })
  for (let piece = 0; piece < 200 && many.last() === undefined; piece++) many.sound(0, Buffer.alloc(0))
  const large = open(t, 'asr', { params })
  for (let piece = 0; piece < 10 && large.last() === undefined; piece++) large.sound(0, Buffer.alloc(10_000, 'a'))
  for (const { last } of [many, large]) {
    const event = last()
    assert.ok(event?.kind === 'fail' && event.code === 'INVALID_RESULT' && /larger than the task allows/.test(event.message))
  }
})

test('no text is committed as the result of speech unless it is one', (t) => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string(), fc.constantFrom('null', '[]', '{}', '"', '7')), (text) => {
      const attempt = open(t)
      attempt.sound(0)
      attempt.rejects(text)
    }),
    { numRuns: 40 },
  )
})

test('the share that an engine reports reaches the callers of its task; a sign of life is no share', (t) => {
  const { progress, shares } = open(t)
  progress(0.25)
  progress(0, true)
  progress(0.5)
  assert.deepEqual(shares, [
    ['t1', 0.25],
    ['t1', 0.5],
  ])
})

test('every failure code is believed as far as a machine can know it', (t) => {
  const told: Record<string, string[]> = {}
  for (const code of [...Object.keys(FAILURES), 'NO_SUCH_CODE'])
    for (const [fact, phase] of [
      ['failed', 'running'],
      ['failed', 'offered'],
      ['declined', 'offered'],
      ['declined', 'loading'],
    ] as const) {
      const attempt = open(t, 'tts', { phase })
      attempt.says(fact, code)
      const event = attempt.last()
      assert.ok(event && 'code' in event, `${code} ${fact} while ${phase}: ${JSON.stringify(event)}`)
      const how = `${event.kind} ${event.code === code ? 'as said' : event.code}`
      told[how] = [...new Set([...(told[how] ?? []), code])]
    }
  const own = [
    'WORKER_FAILED',
    'ENGINE_CRASHED',
    'ENGINE_HUNG',
    'NON_FINITE_OUTPUT',
    'INPUT_CORRUPT',
    'INPUT_FETCH_FAILED',
    'INPUT_FETCH_TIMEOUT',
  ]
  const state = ['MODEL_NOT_INSTALLED', 'FILES_NOT_PRIVATE', 'MODEL_NOT_DOWNLOADED', 'MODEL_DIGEST_MISMATCH', 'INSUFFICIENT_MEMORY']
  const declines = [...state, 'WORKER_AT_CAPACITY', 'WORKER_DRAINING', 'NOT_READY', 'OPERATION_UNSUPPORTED', 'CONSENT_MISSING']
  const claims = ['INVALID_TASK_PARAMS', 'MODEL_REF_REJECTED', 'RESULT_TOO_LARGE', 'ARTIFACT_TOO_LARGE', 'RECOGNITION_FAILED']
  assert.deepEqual(told['decline as said']!.toSorted(), declines.toSorted())
  assert.deepEqual(told['fail as said']!.toSorted(), [...own, ...declines].toSorted())
  assert.deepEqual(told['fail WORKER_REJECTED']!.toSorted(), claims.toSorted())
  assert.equal(told['fail WORKER_FAILED']!.length, Object.keys(FAILURES).length + 1 - own.length - declines.length - claims.length)
  assert.deepEqual(Object.keys(told).length, 4)
})

test('that a request is wrong is believed of two machines, and of the studio’s own agent', (t) => {
  const rejections = createRejections()
  const says = (workerId: string, code: FailureCode) => {
    const attempt = open(t, 'tts', { workerId, rejections })
    attempt.says('failed', code)
    const event = attempt.last()!
    return 'code' in event ? event.code : event.kind
  }
  assert.equal(says('w0', 'INVALID_TASK_PARAMS'), 'WORKER_REJECTED')
  assert.equal(says('w0', 'INVALID_TASK_PARAMS'), 'WORKER_REJECTED', 'the same machine again')
  assert.equal(says('w1', 'RESULT_TOO_LARGE'), 'WORKER_REJECTED', 'another reason')
  assert.equal(says('w2', 'INVALID_TASK_PARAMS'), 'INVALID_TASK_PARAMS')
  assert.equal(says('local', 'RESULT_TOO_LARGE'), 'RESULT_TOO_LARGE')
})

test('an attempt that the studio did not cancel is a failure, and a result of work that was not begun is none', (t) => {
  const stopped = open(t)
  stopped.says('failed', 'CANCELLED')
  assert.ok(stopped.last()?.kind === 'fail')
  const cancelled = open(t, 'tts', { phase: 'cancelling' })
  cancelled.says('failed', 'CANCELLED')
  assert.equal(cancelled.last()?.kind, 'cancel-confirmed')
  for (const [msLeft, code] of [
    [60_000, 'WORKER_FAILED'],
    [300, 'TASK_DEADLINE_EXCEEDED'],
    [-5_000, 'TASK_DEADLINE_EXCEEDED'],
  ] as const) {
    const late = open(t, 'tts', { msLeft })
    late.says('failed', 'TASK_DEADLINE_EXCEEDED')
    const event = late.last()
    assert.ok(event?.kind === 'fail' && event.code === code, `${msLeft} ms before the deadline`)
  }
  for (const phase of ['offered', 'loading']) open(t, 'tts', { phase }).rejects(JSON.stringify(GOOD))
})
