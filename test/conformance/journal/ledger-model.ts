// The ledger over a journal against its model: a map from ids to tasks that step() moves, of which a copy is durable.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createAudit } from '#control-plane/audit/audit.ts'
import { createGroupCommit } from '#control-plane/store/group-commit.ts'
import { createLedger } from '#control-plane/tasks/ledger.ts'
import { createWorkerStore } from '#control-plane/workers/worker.store.ts'
import { FAILURES, type FailureCode } from '#shared/protocol/failure.ts'
import { step, type Task, type TaskEvent, TERMINAL } from '#shared/protocol/task.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'
import { resultOf, specOf, WORKERS } from '#test/support/doubles/ledger.ts'
import type { JournalFactory, JournalHarness } from './harness.ts'

type Action =
  | { readonly on: 'submit' | 'turn' | 'commit' | 'full disk' | 'restart' }
  | { readonly on: 'event'; readonly task: number; readonly worker: number; readonly age: number; readonly event: TaskEvent['kind'] }

const FORWARD: readonly TaskEvent['kind'][] = ['offer', 'accept', 'start', 'deliver', 'complete']
const OTHERS: readonly TaskEvent['kind'][] = [
  'refuse',
  'retarget',
  'cancel',
  'deadline',
  'decline',
  'fail',
  'cancel-confirmed',
  'lease-expired',
  'link-lost',
  'found',
  'lost',
  'release',
]
const codes = Object.keys(FAILURES) as FailureCode[]
const kind = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...FORWARD) }, { weight: 2, arbitrary: fc.constantFrom(...OTHERS) })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ on: 'submit' } as const) },
  { weight: 3, arbitrary: fc.constantFrom({ on: 'turn' } as const, { on: 'commit' } as const) },
  { weight: 1, arbitrary: fc.constantFrom({ on: 'full disk' } as const, { on: 'restart' } as const) },
  {
    weight: 20,
    arbitrary: fc.record({
      on: fc.constant('event' as const),
      task: fc.nat(2),
      worker: fc.nat(WORKERS.length - 1),
      age: fc.constantFrom(0, 0, 0, 0, 1),
      event: kind,
    }),
  },
)

/** Every field that any event has; `step` ignores the others. */
const eventOf = (action: Extract<Action, { on: 'event' }>, epoch: number, serial: number): TaskEvent =>
  ({
    kind: action.event,
    workerId: WORKERS[action.worker],
    attemptId: `a${serial}`,
    target: serial % 2 ? 'auto' : WORKERS[action.worker],
    retarget: serial % 3 ? null : 'auto',
    code: codes[serial % codes.length],
    message: `m${serial}`,
    ...(['offer', 'refuse', 'retarget', 'cancel', 'deadline'].includes(action.event) ? {} : { epoch }),
  }) as TaskEvent

const clock = createFakeClock()
async function openLedger(harness: JournalHarness) {
  const { journal, state } = await harness.open()
  const commits = createGroupCommit({ journal, log, clock })
  const ledger = createLedger({ journal, state, commits, clock, marks: new Map() })
  const workers = createWorkerStore({ state, commits, clock, random, audit: createAudit({ state, commits, clock }) })
  for (const [index, id] of WORKERS.entries()) {
    if (workers.get(id)) continue
    workers.add({ id, name: id, pin: String(index).repeat(64), endpoint: '' })
    workers.grant(id)
  }
  await commits.settled()
  return ledger
}

/** `runs`: sequences of actions; fewer for a body that answers slowly. */
export function ledgerModel(name: string, factory: JournalFactory, runs = 60): void {
  test(`${name}: the ledger agrees with step(), and the journal with the commits`, async (t) => {
    const harness = factory(t)
    let ledger = await openLedger(harness)
    let serial = 0
    const model = new Map<string, Task>()
    let durable = new Map<string, Task>()
    const unwritten = new Set<string>() // admissions that a turn may leave in memory, with their first offers
    let isWritten = false // by the end of this turn, because of another change
    const keep = () => {
      durable = new Map(model)
      unwritten.clear()
      isWritten = false
    }
    const forget = () => {
      model.clear()
      unwritten.clear()
      isWritten = false
      for (const [id, task] of durable) model.set(id, task)
    }
    const compare = async (mine: readonly string[]) => {
      for (const id of mine) assert.deepEqual((await ledger.find(id))?.task ?? null, model.get(id) ?? null)
      const owned = [...model.values()].filter(({ workerId }) => workerId !== null)
      for (const worker of WORKERS)
        assert.deepEqual(
          ledger
            .held(worker)
            .map(({ task }) => task.id)
            .sort(),
          owned
            .filter(({ workerId }) => workerId === worker)
            .map(({ id }) => id)
            .sort(),
        )
    }
    /** A body that answers later: the next actions come while its batch is on the way, and durable is what it reports. */
    const isSlow = !ledger.allowsEarlyOffers
    const follow = () =>
      ledger.onCommitted((changes) => {
        if (isSlow) for (const { record } of changes) durable.set(record.task.id, record.task)
      })
    follow()
    const phases = new Set<string>()
    const seqs: number[] = []

    const property = fc.asyncProperty(fc.array(action, { minLength: 40, maxLength: 120, size: 'max' }), async (actions) => {
      durable = new Map()
      forget()
      const mine: string[] = []
      for (const act of actions) {
        serial++
        switch (act.on) {
          case 'submit': {
            const id = `t${serial}`
            mine.push(id)
            const record = ledger.submit(id, specOf({ target: serial % 4 ? 'auto' : 'w0' }), '')
            seqs.push(record.seq)
            model.set(id, record.task)
            unwritten.add(id)
            break
          }
          case 'event': {
            const id = mine[act.task % Math.max(1, mine.length)]
            const task = id === undefined ? undefined : model.get(id)
            if (!id || !task) break
            const event = eventOf(act, task.epoch - act.age, serial)
            const expected = step(task, event)
            const result = ledger.apply(id, event, event.kind === 'complete' ? resultOf() : null)
            assert.equal(result.ok, expected.ok, `${task.phase} ${event.kind}`)
            if (expected.ok) model.set(id, expected.task)
            isWritten ||= expected.ok && !(event.kind === 'offer' && unwritten.has(id))
            break
          }
          case 'turn':
            await turn()
            if (isSlow || !isWritten) break
            await ledger.settled() // the next action may end the process, which must not close a file under its sync
            keep()
            break
          case 'commit':
            await ledger.settled()
            keep()
            break
          case 'full disk':
            await harness.setDiskFull(true)
            await ledger.settled().catch(() => {})
            await harness.setDiskFull(false)
            forget()
            break
          case 'restart':
            // What is staged now would still be written later; the end of a process does not wait for it.
            await harness.setDiskFull(true)
            await ledger.settled().catch(() => {})
            await harness.crash()
            ledger = await openLedger(harness)
            follow()
            forget()
        }
        await compare(mine)
        for (const { phase } of model.values()) phases.add(phase)
      }
      // The next run starts without a task that a worker holds.
      for (const { task } of [...ledger.live()]) {
        if (!TERMINAL.has(task.phase)) ledger.apply(task.id, { kind: 'cancel' })
        ledger.apply(task.id, { kind: 'cancel-confirmed', epoch: task.epoch })
      }
      await ledger.settled()
      assert.deepEqual([...ledger.live()], [])
    })
    await fc.assert(property, { numRuns: runs, seed: 20270101 })
    assert.ok(phases.size >= 10, `phases that came up: ${[...phases].join(', ')}`)

    const attempts = await Promise.all([...new Set(seqs)].map((seq) => ledger.attemptsOf({ seq })))
    for (const ofTask of attempts) {
      assert.ok(ofTask.filter(({ state }) => state === 'committed').length <= 1, 'at most one attempt is committed')
      assert.deepEqual(
        ofTask.map(({ epoch }) => epoch),
        ofTask.map((_, index) => index + 1),
        'epochs rise by one',
      )
    }
    const offers = (await harness.events()).filter(({ kind }) => kind === 'offer').length
    const count = attempts.flat().length
    assert.ok(count > 20 && count === offers, `${count} attempts, ${offers} offers`)
  })
}
