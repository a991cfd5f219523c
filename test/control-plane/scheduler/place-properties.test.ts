import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Ability,
  abilityKey,
  abilityOf,
  LEAST_DISK_BYTES,
  place,
  type Reason,
  type WorkerView,
} from '#control-plane/scheduler/place.ts'
import type { Line } from '#control-plane/tasks/queue.ts'
import { lineOf } from './fleet.ts'

const IDS = ['w0', 'w1', 'w2', 'w3'] as const
const ENGINES = ['svc-engine', 'tone'] as const
const ability: fc.Arbitrary<Ability> = fc.record({
  permits: fc.nat(4),
  resident: fc.boolean(),
  loadMs: fc.nat(5_000),
  msPerUnit: fc.nat(20),
  memoryBytes: fc.constantFrom(0, 0, 1000),
})
const mostly = fc.constantFrom(true, true, true, false)
const worker = (id: string): fc.Arbitrary<WorkerView> =>
  fc
    .record({
      enabled: mostly,
      revoked: mostly.map((yes) => !yes),
      quarantined: mostly.map((yes) => !yes),
      consented: mostly,
      draining: mostly.map((yes) => !yes),
      session: fc.constantFrom('ready' as const, 'ready' as const, 'stale' as const, null),
      awayMs: fc.constantFrom(0, 60_000),
      cooling: mostly.map((yes) => !yes),
      priority: fc.nat(100),
      svc: fc.option(ability),
      tone: fc.option(ability),
      held: fc.dictionary(fc.constantFrom(...ENGINES), fc.nat(3)),
      backlogMs: fc.nat(10_000),
      transferMs: fc.nat(100),
      breakers: fc.constantFrom(
        new Map(),
        new Map(),
        new Map([
          ['svc-engine:', 'none' as const],
          ['tone:m', 'one' as const],
        ]),
      ),
      freeMemoryBytes: fc.constantFrom(0, 999, 1000),
      freeDiskBytes: fc.constantFrom(0, 1, LEAST_DISK_BYTES, LEAST_DISK_BYTES),
    })
    .map(({ svc, tone, held, ...view }) => ({
      ...view,
      id,
      held: new Map(Object.entries(held)),
      abilities: new Map([
        ...(svc ? [[abilityKey('svc-engine', '', 'tts'), svc] as const] : []),
        ...(tone ? [[abilityKey('tone', 'm', 'tts'), tone] as const] : []),
      ]),
    }))
const fleet = fc.tuple(...IDS.map(worker))
const need = fc.record({
  engine: fc.constantFrom(...ENGINES),
  model: fc.constantFrom('', 'm'),
  target: fc.constantFrom('auto', 'auto', ...IDS),
  excluded: fc.subarray([...IDS], { maxLength: 1 }),
  avoided: fc.subarray([...IDS], { maxLength: 2 }),
})
const queue: fc.Arbitrary<Line[]> = fc
  .array(fc.record({ need, priority: fc.constantFrom<0 | 1>(0, 1), count: fc.integer({ min: 1, max: 6 }), size: fc.nat(500) }), {
    maxLength: 5,
  })
  .map((lines) => {
    let seq = 0
    const serial = (count: number) => Array.from({ length: count }, () => ++seq)
    return lines.map((line) => lineOf(serial(line.count), line.need, line.priority, line.size))
  })

const lineFor = (lines: readonly Line[], taskId: string) => lines.find(({ waiting }) => waiting.has(taskId))!
/** Everything but permits and what was given away: said again, in other words than the code has for it. */
const mayRun = (view: WorkerView, { need }: Line) =>
  view.session === 'ready' &&
  [view.enabled, view.consented, !view.revoked, !view.quarantined, !view.draining, !view.cooling].every(Boolean) &&
  ['auto', view.id].includes(need.target) &&
  !need.excluded.includes(view.id) &&
  view.breakers.get(`${need.engine}:${need.model}`) !== 'none' &&
  [0, LEAST_DISK_BYTES].includes(view.freeDiskBytes) &&
  fits(view, abilityOf(view, need))
const fits = (view: WorkerView, ability: Ability | undefined) =>
  ability !== undefined && (ability.resident || ability.memoryBytes === 0 || view.freeMemoryBytes !== 999)
/** Its breaker lets one through. */
const isTested = (view: WorkerView, { need }: Line) => view.breakers.get(`${need.engine}:${need.model}`) === 'one'

const check = (property: (lines: Line[], workers: WorkerView[]) => void) =>
  fc.assert(fc.property(queue, fleet, property), { numRuns: 500, seed: 42 })

test('no task is placed twice or where it may not run, and no permit is used twice', () => {
  check((lines, workers) => {
    const { placements } = place(lines, workers)
    assert.equal(new Set(placements.map(({ taskId }) => taskId)).size, placements.length)
    const used = new Map<string, number>()
    for (const { taskId, workerId } of placements) {
      const line = lineFor(lines, taskId)
      const view = workers.find(({ id }) => id === workerId)!
      assert.ok(mayRun(view, line))
      const key = `${workerId} ${line.need.engine}`
      used.set(key, (used.get(key) ?? view.held.get(line.need.engine) ?? 0) + 1)
      assert.ok(used.get(key)! <= abilityOf(view, line.need)!.permits)
    }
    for (const view of workers) {
      const probes = placements.filter(({ taskId, workerId }) => workerId === view.id && isTested(view, lineFor(lines, taskId)))
      assert.ok(probes.length <= 1, 'one task tests a machine')
    }
  })
})

test('every task that is not placed has a reason, and no permit that it could use stays idle', () => {
  check((lines, workers) => {
    const { placements, unplaced } = place(lines, workers)
    const done = new Set(placements.map(({ taskId }) => taskId))
    for (const line of lines) {
      const left = [...line.waiting.keys()].filter((id) => !done.has(id))
      const told = unplaced.find((one) => one.line === line)
      assert.equal(told !== undefined, left.length > 0)
      if (!told) continue
      assert.deepEqual(told.why.map(({ workerId }) => workerId).sort(), [...IDS], 'each machine has its reason')
      assert.equal(
        told.hopeless,
        told.why.every(({ forGood }) => forGood),
      )
      for (const view of workers) {
        const given = placements.filter(
          ({ taskId, workerId }) => workerId === view.id && lineFor(lines, taskId).need.engine === line.need.engine,
        )
        const isProbed = given.some(({ taskId }) => isTested(view, lineFor(lines, taskId)))
        const free =
          mayRun(view, line) &&
          !(isTested(view, line) && isProbed) &&
          (view.held.get(line.need.engine) ?? 0) + given.length < abilityOf(view, line.need)!.permits
        const { reason }: { reason: Reason } = told.why.find(({ workerId }) => workerId === view.id)!
        if (free) assert.deepEqual([reason, line.need.avoided.includes(view.id)], ['failed it before', true])
      }
    }
  })
})

test('in its line the oldest always goes first', () => {
  check((lines, workers) => {
    const done = new Set(place(lines, workers).placements.map(({ taskId }) => taskId))
    for (const { waiting } of lines) {
      const ids = [...waiting.keys()]
      assert.deepEqual(
        ids.filter((id) => done.has(id)),
        ids.slice(0, ids.filter((id) => done.has(id)).length),
      )
    }
  })
})

test('equal inputs give equal answers, and inputs are not changed', () => {
  check((lines, workers) => {
    const before = structuredClone(lines)
    assert.deepEqual(place(lines, workers), place(lines, workers))
    assert.deepEqual(lines, before)
  })
})
