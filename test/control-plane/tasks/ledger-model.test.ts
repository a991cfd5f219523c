// The ledger against what it should be: a map from ids to tasks that step() moves, of which a copy is durable.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FAILURES, type FailureCode } from '#shared/protocol/failure.ts'
import { step, type Task, type TaskEvent, TERMINAL } from '#shared/protocol/task.ts'
import { openLedger, resultOf, specOf, WORKERS } from '#test/support/doubles/ledger.ts'

type Action =
  | { readonly on: 'submit' | 'commit' | 'full disk' | 'restart' }
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
  { weight: 3, arbitrary: fc.constant({ on: 'commit' } as const) },
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

/** Everything any event could want to know; what it does not is ignored. */
const eventOf = (wish: Extract<Action, { on: 'event' }>, epoch: number, serial: number): TaskEvent =>
  ({
    kind: wish.event,
    workerId: WORKERS[wish.worker],
    attemptId: `a${serial}`,
    target: serial % 2 ? 'auto' : WORKERS[wish.worker],
    retarget: serial % 3 ? null : 'auto',
    code: codes[serial % codes.length],
    message: `m${serial}`,
    ...(['offer', 'refuse', 'retarget', 'cancel', 'deadline'].includes(wish.event) ? {} : { epoch }),
  }) as TaskEvent

test('whatever happens, the ledger is what step() says, and the disk what was committed', (t) => {
  const open = openLedger(t)
  let serial = 0
  const model = new Map<string, Task>()
  let durable = new Map<string, Task>()
  const forget = () => {
    model.clear()
    for (const [id, task] of durable) model.set(id, task)
  }
  const compare = (mine: readonly string[]) => {
    for (const id of mine) assert.deepEqual(open.ledger.get(id)?.task ?? null, model.get(id) ?? null)
    const owned = [...model.values()].filter(({ workerId }) => workerId !== null)
    for (const worker of WORKERS) {
      const held = open.ledger.held(worker).map(({ task }) => task.id)
      assert.deepEqual(
        held.sort(),
        owned
          .filter(({ workerId }) => workerId === worker)
          .map(({ id }) => id)
          .sort(),
      )
    }
  }
  const seen = new Set<string>()

  fc.assert(
    fc.property(fc.array(action, { minLength: 40, maxLength: 120, size: 'max' }), (actions) => {
      model.clear()
      durable = new Map()
      const mine: string[] = []
      for (const act of actions) {
        serial++
        switch (act.on) {
          case 'submit': {
            const id = `t${serial}`
            mine.push(id)
            model.set(id, open.ledger.submit(id, specOf({ target: serial % 4 ? 'auto' : 'w0' }), '').task)
            break
          }
          case 'event': {
            const id = mine[act.task % Math.max(1, mine.length)]
            const task = id === undefined ? undefined : model.get(id)
            if (!id || !task) break
            const event = eventOf(act, task.epoch - act.age, serial)
            const expected = step(task, event)
            const verdict = open.ledger.apply(id, event, event.kind === 'complete' ? resultOf() : null)
            assert.equal(verdict.ok, expected.ok, `${task.phase} ${event.kind}`)
            if (expected.ok) model.set(id, expected.task)
            break
          }
          case 'commit':
            open.ledger.flush()
            durable = new Map(model)
            break
          case 'full disk':
            open.db.pragma('query_only = on')
            open.ledger.flush()
            open.db.pragma('query_only = off')
            forget()
            break
          case 'restart':
            open.reopen()
            forget()
        }
        compare(mine)
        for (const { phase } of model.values()) seen.add(phase)
      }
      // The next run starts with no task that anybody holds.
      for (const { task } of [...open.ledger.live()]) {
        if (!TERMINAL.has(task.phase)) open.ledger.apply(task.id, { kind: 'cancel' })
        open.ledger.apply(task.id, { kind: 'cancel-confirmed', epoch: task.epoch })
      }
      open.ledger.flush()
      assert.deepEqual([...open.ledger.live()], [])
    }),
    { numRuns: 60, seed: 20270101 },
  )
  assert.ok(seen.size >= 10, `phases that came up: ${[...seen].join(', ')}`)

  const twice = open.db.prepare(`select task_id from attempt where state = 'committed' group by task_id having count(*) > 1`)
  assert.deepEqual(twice.all(), [])
  const offers = open.db.prepare<[], { n: number }>(`select count(*) as n from attempt`).get()!.n
  const told = open.db.prepare<[], { n: number }>(`select count(*) as n from task_event where kind = 'offer'`).get()!.n
  assert.ok(offers > 20 && offers === told, `${offers} attempts, ${told} offers`)
  const jumps = open.db.prepare(
    `select task_id from (select task_id, epoch, row_number() over (partition by task_id order by epoch) as nth from attempt) where epoch <> nth`,
  )
  assert.deepEqual(jumps.all(), [], 'epochs rise by one')
})
