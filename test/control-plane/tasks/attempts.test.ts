import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Result } from '#control-plane/tasks/record.ts'
import type { TaskEvent } from '#shared/protocol/task.ts'
import { openLedger, resultOf, specOf } from '#test/support/doubles/ledger.ts'

const offer: TaskEvent = { kind: 'offer', workerId: 'w0', attemptId: 'a' }
const accept: TaskEvent = { kind: 'accept', epoch: 1 }
const start: TaskEvent = { kind: 'start', epoch: 1 }
const deliver: TaskEvent = { kind: 'deliver', epoch: 1 }
const complete: TaskEvent = { kind: 'complete', epoch: 1 }
const cancel: TaskEvent = { kind: 'cancel' }
const stopped: TaskEvent = { kind: 'cancel-confirmed', epoch: 1 }
const cut: TaskEvent = { kind: 'link-lost', epoch: 1 }

/** Events of an attempt, and its state and failure code after them. */
const STORIES: readonly [story: readonly TaskEvent[], state: string, code: string | null][] = [
  [[], 'assigned', null],
  [[accept], 'accepted', null],
  [[accept, start], 'running', null],
  [[accept, start, deliver], 'uploading', null],
  [[accept, start, cut], 'running', null],
  [[accept, start, cut, { kind: 'found', epoch: 1 }], 'running', null],
  [[accept, start, complete], 'committed', null],
  [[accept, start, deliver, complete], 'committed', null],
  [[{ kind: 'decline', epoch: 1, code: 'WORKER_AT_CAPACITY', message: 'full' }], 'rejected', 'WORKER_AT_CAPACITY'],
  [[accept, start, { kind: 'fail', epoch: 1, code: 'ENGINE_CRASHED', message: 'died' }], 'failed', 'ENGINE_CRASHED'],
  [[accept, start, { kind: 'fail', epoch: 1, code: 'EXECUTION_TIMEOUT', message: 'slow' }], 'timed_out', 'EXECUTION_TIMEOUT'],
  [[{ kind: 'lease-expired', epoch: 1, code: 'ACCEPT_TIMEOUT', message: '' }], 'timed_out', 'ACCEPT_TIMEOUT'],
  [[accept, cut, { kind: 'lost', epoch: 1, code: 'WORKER_DISCONNECTED', message: '' }], 'lost', 'WORKER_DISCONNECTED'],
  [[accept, start, { kind: 'release', epoch: 1, retarget: null, code: 'WORKER_REMOVED', message: '' }], 'lost', 'WORKER_REMOVED'],
  [[accept, start, cancel], 'running', null],
  [[accept, start, cancel, stopped], 'cancelled', null],
  [[accept, start, cancel, complete], 'cancelled', null],
  [[accept, start, { kind: 'deadline' }, stopped], 'timed_out', null],
]

for (const batches of ['one batch', 'a batch for each event'] as const)
  test(`every story leaves its attempt in the right state, in ${batches}`, async (t) => {
    const { ledger, marks } = openLedger(t)
    for (const [index, [story, state, code]] of STORIES.entries()) {
      const id = `t${index}`
      ledger.submit(id, specOf(), '')
      for (const event of [{ ...offer, attemptId: `a${index}` } as TaskEvent, ...story]) {
        marks.set(`a${index}`, { progress: 0.5, stage: 'speaking' })
        const result: Result | null = event.kind === 'complete' ? resultOf() : null
        assert.ok(ledger.apply(id, event, result).ok, `${index} ${event.kind}`)
        if (batches !== 'one batch') ledger.flush()
      }
      ledger.flush()
      const [row, ...more] = await ledger.attemptsOf((await ledger.find(id))!)
      const what = story.map(({ kind }) => kind).join(' ')
      assert.deepEqual([row?.state, row?.failure_code, more.length, row?.number], [state, code, 0, 1], what)
      const ended = !['assigned', 'accepted', 'running', 'uploading'].includes(state)
      assert.equal(row?.progress, state === 'committed' ? 1 : ended ? 0.5 : 0, what)
    }
  })

test('each try has its row, with the number that is charged', async (t) => {
  const { ledger } = openLedger(t)
  ledger.submit('t', specOf(), '')
  const again = (epoch: number, event: TaskEvent) => {
    ledger.apply('t', { ...offer, attemptId: `a${epoch}` } as TaskEvent)
    ledger.apply('t', event)
  }
  again(1, { kind: 'decline', epoch: 1, code: 'WORKER_AT_CAPACITY', message: '' })
  again(2, { kind: 'accept', epoch: 2 })
  ledger.apply('t', { kind: 'fail', epoch: 2, code: 'ENGINE_CRASHED', message: 'died' })
  again(3, { kind: 'accept', epoch: 3 })
  ledger.flush()
  assert.deepEqual(
    (await ledger.attemptsOf(ledger.peek('t')!)).map(({ epoch, number, state }) => [epoch, number, state]),
    [
      [1, 1, 'rejected'],
      [2, 1, 'failed'],
      [3, 2, 'accepted'],
    ],
  )
})
