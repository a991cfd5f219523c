// What an agent sends of one attempt, and what the ledger is given: a result is committed only when it fits its operation.
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
import type { TaskEvent } from '#shared/protocol/task.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const PARAMS = JSON.stringify({ segments: [{ text: 'one' }, { text: 'two' }], fault: null })
const GOOD = { sample_rate: 16_000, parts: [{ samples: 1 }, { samples: 1 }], voice: 'tone', notices: [] }

function open(t: TestContext, operation = 'tts') {
  const output = createOutput(join(temporaryFolder(t), 'out'))
  t.after(() => output.close(false))
  const events: TaskEvent[] = []
  let committed: Result | null = null
  const shares: [string, number][] = []
  const tasks = {
    peek: () => ({ spec: { operation, params: operation === 'tts' ? PARAMS : '{}', ephemeral: true }, task: { attemptId: 'a1' } }),
    apply: (_id: string, event: TaskEvent, result: Result | null = null) => {
      events.push(event)
      if (event.kind === 'complete') committed = result
      return { ok: true }
    },
    outputOf: () => output,
    progressed: (id: string, share: number) => void shares.push([id, share]),
  } as unknown as Tasks
  const receiver = createAttemptReceiver({ tasks, leases: { renew: () => {} } as unknown as Leases, marks: new Map(), log })
  const stream: AttemptStream = { taskId: 't1', attemptId: 'a1', epoch: 1, lastSeq: 0, call: null, missed: 0, isFinal: false }
  let seq = 0
  const sent: Buffer[] = []
  const last = () => events.at(-1)
  return {
    last,
    committed: () => committed,
    shares,
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
