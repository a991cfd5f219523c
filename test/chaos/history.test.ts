// The history checker detects violations: each rule is broken once in an otherwise clean history.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type AttemptRow, type EventRow, type History, type TaskRow, violations } from '../support/chaos/history.ts'

const BYTES = Buffer.from('a result')
const DIGEST = createHash('sha256').update(BYTES).digest('hex')
type Draft = {
  tasks: TaskRow[]
  events: EventRow[]
  attempts: AttemptRow[]
  consents: History['consents'][number][]
  artifacts: Set<string>
}

/** One task: lost on the first machine, finished on the second. Events are one second apart. */
function clean(): Draft {
  const life = [
    ['submit', 'queued', 0, null],
    ['offer', 'offered', 1, 'a'],
    ['accept', 'loading', 1, 'a'],
    ['start', 'running', 1, 'a'],
    ['link-lost', 'unknown', 1, 'a'],
    ['lost', 'queued', 1, 'a'],
    ['offer', 'offered', 2, 'b'],
    ['accept', 'loading', 2, 'b'],
    ['start', 'running', 2, 'b'],
    ['complete', 'succeeded', 2, 'b'],
  ] as const
  return {
    tasks: [
      {
        id: 't',
        phase: 'succeeded',
        epoch: 2,
        attempt: 2,
        max_attempts: 3,
        ephemeral: 0,
        result_digest: DIGEST,
        result_bytes: BYTES,
      },
    ],
    events: life.map(([kind, phase, epoch, worker_id], index) => ({
      task_id: 't',
      kind,
      phase,
      epoch,
      worker_id,
      at: index * 1000,
      code: kind === 'lost' ? 'WORKER_DISCONNECTED' : null,
    })),
    attempts: [
      { task_id: 't', epoch: 1, worker_id: 'a', state: 'lost' },
      { task_id: 't', epoch: 2, worker_id: 'b', state: 'committed' },
    ],
    consents: [
      { worker_id: 'a', granted_at: 0, withdrawn_at: 1500 },
      { worker_id: 'b', granted_at: 0, withdrawn_at: null },
    ],
    artifacts: new Set(),
  }
}
const change = <T>(rows: T[], index: number, more: Partial<T>) => {
  rows[index] = { ...rows[index]!, ...more }
}

test('a clean history has no violation', () => {
  assert.deepEqual(violations(clean()), [])
})

const PLANTED: Record<string, readonly [expected: RegExp, plant: (history: Draft) => void]> = {
  'a task without an end': [
    /never ended, it is running/,
    ({ tasks, events, attempts }) => {
      change(tasks, 0, { phase: 'running', result_digest: null, result_bytes: null })
      events.pop()
      change(attempts, 1, { state: 'running' })
    },
  ],
  'an event without its task': [/names task t/, ({ tasks }) => void tasks.pop()],
  'a second commit': [/committed 2 times/, ({ events }) => void events.push({ ...events.at(-1)!, at: 11_000 })],
  'two committed attempts': [/committed 2 times/, ({ attempts }) => change(attempts, 0, { state: 'committed' })],
  'a commit of an older epoch': [/committed with epoch 1, the newest is 2/, ({ events }) => change(events, 9, { epoch: 1 })],
  'an event after the end': [
    /went from succeeded to cancelled/,
    ({ events }) => {
      events.push({ ...events.at(-1)!, kind: 'cancel', phase: 'cancelled' })
    },
  ],
  'an edge that does not exist': [/went from offered to running by start/, ({ events }) => void events.splice(2, 1)],
  'an offer that does not increment the epoch': [/offer has epoch 1, the newest was 1/, ({ events }) => change(events, 6, { epoch: 1 })],
  'an epoch that changes without an offer': [/accept has epoch 3/, ({ events }) => change(events, 7, { epoch: 3 })],
  'an offer after consent was withdrawn': [
    /offered to a without a live consent/,
    ({ consents }) => change(consents, 0, { withdrawn_at: 999 }),
  ],
  'an offer before consent': [/offered to b without a live consent/, ({ consents }) => change(consents, 1, { granted_at: 6001 })],
  'an offer to a worker that was never approved': [/offered to b without/, ({ consents }) => void consents.pop()],
  'an attempt that was not charged': [/charged 1 tries, its events make 2/, ({ tasks }) => change(tasks, 0, { attempt: 1 })],
  'a fourth attempt': [
    /tried 4 times, 3 are allowed/,
    ({ tasks, events }) => {
      const lost = events.slice(1, 6).map((event) => ({ ...event, at: event.at - 1 }))
      events.splice(1, 0, ...lost, ...lost)
      events.forEach((event, index) => {
        if (index > 0) change(events, index, { epoch: Math.ceil(index / 5) })
        if (event.kind === 'offer') change(events, index, { at: 1000, worker_id: 'b' })
      })
      change(tasks, 0, { attempt: 4, epoch: 4 })
    },
  ],
  'an attempt left behind': [/attempt 1 was left running/, ({ attempts }) => change(attempts, 0, { state: 'running' })],
  'an offer without its attempt': [/1 attempts for 2 offers/, ({ attempts }) => void attempts.shift()],
  'a damaged result': [/missing or damaged/, ({ tasks }) => change(tasks, 0, { result_bytes: Buffer.from('other') })],
  'a result whose file is missing': [/missing or damaged/, ({ tasks }) => change(tasks, 0, { result_bytes: null })],
  'a success without a commit': [/succeeded without a commit/, ({ attempts }) => change(attempts, 1, { state: 'cancelled' })],
}
for (const [what, [expected, plant]] of Object.entries(PLANTED))
  test(`detects ${what}`, () => {
    const history = clean()
    plant(history)
    assert.match(violations(history).join('\n'), expected)
  })
