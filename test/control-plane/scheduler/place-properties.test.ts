import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Client, OWNER, STUDIO_CLIENT } from '#control-plane/clients/client.ts'
import { createCandidates } from '#control-plane/scheduler/candidates.ts'
import { MIN_DISK_BYTES, type Reason } from '#control-plane/scheduler/objection.ts'
import { place as placeAmong } from '#control-plane/scheduler/place.ts'
import { type Ability, abilityKey, abilityOf, type WorkerView } from '#control-plane/scheduler/worker-view.ts'
import type { Line, Need } from '#control-plane/tasks/queue.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { candidatesOf, lineOf, workerOf } from '#test/support/placement/fleet.ts'
import { placeOneByOne } from '#test/support/placement/one-by-one.ts'

const place = (lines: readonly Line[], workers: readonly WorkerView[]) => placeAmong(lines, candidatesOf(workers))

const IDS = ['w0', 'w1', 'w2', LOCAL] as const
const ENGINES = ['svc-engine', 'tone'] as const
const ability: fc.Arbitrary<Ability> = fc.record({
  permits: fc.nat(4),
  resident: fc.boolean(),
  loadMs: fc.nat(5_000),
  msPerUnit: fc.nat(20),
  memoryBytes: fc.constantFrom(0, 0, 1000),
  cloning: fc.boolean(),
  modelDigest: fc.constantFrom('', 'aa', 'bb'),
})
const mostly = fc.constantFrom(true, true, true, false)
const worker = (id: string): fc.Arbitrary<WorkerView> =>
  fc
    .record({
      enabled: mostly,
      revoked: mostly.map((yes) => !yes),
      quarantined: mostly.map((yes) => !yes),
      consented: mostly,
      drained: mostly.map((yes) => !yes),
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
      freeDiskBytes: fc.constantFrom(0, 1, MIN_DISK_BYTES, MIN_DISK_BYTES),
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
/** Needs of tasks that few machines may run. */
const demanding = fc
  .tuple(need, fc.boolean(), fc.boolean(), fc.constantFrom(undefined, 'aa', 'bb'))
  .map(([one, cloning, staysHere, modelDigest]) => ({ ...one, cloning, staysHere, ...(modelDigest && { modelDigest }) }))
const guest = (source: string, name = source): Client => ({ source, name, id: `address:${source}`, isOwner: false })
const client = fc.constantFrom(STUDIO_CLIENT, STUDIO_CLIENT, guest('a', 'a 1'), guest('a', 'a 2'), guest('b'), OWNER)
const queueOf = (need: fc.Arbitrary<Partial<Need>>): fc.Arbitrary<Line[]> =>
  fc
    .array(fc.record({ need, priority: fc.constantFrom<0 | 1>(0, 1), count: fc.integer({ min: 1, max: 6 }), size: fc.nat(500), client }), {
      maxLength: 5,
    })
    .map((lines) => {
      let seq = 0
      const serial = (count: number) => Array.from({ length: count }, () => ++seq)
      return lines.map((line) => lineOf(serial(line.count), line.need, line.priority, line.size, line.client))
    })

const queue = queueOf(need)

const lineFor = (lines: readonly Line[], taskId: string) => lines.find(({ waiting }) => waiting.has(taskId))!
/** Everything but permits and what was given away: said again, in other words than the code has for it. */
const mayRun = (view: WorkerView, { need }: Line) =>
  view.session === 'ready' &&
  [view.enabled, view.consented, !view.revoked, !view.quarantined, !view.drained, !view.draining, !view.cooling].every(Boolean) &&
  ['auto', view.id].includes(need.target) &&
  !need.excluded.includes(view.id) &&
  view.breakers.get(`${need.engine}:${need.model}`) !== 'none' &&
  [0, MIN_DISK_BYTES].includes(view.freeDiskBytes) &&
  fits(view, abilityOf(view, need))
const fits = (view: WorkerView, ability: Ability | undefined) =>
  ability !== undefined && (ability.resident || ability.memoryBytes === 0 || view.freeMemoryBytes !== 999)
/** Permits that each client may use: from three on, the last one is for a client that has no task running. */
const leastUsable = (permits: number) => (permits >= 3 ? permits - 1 : permits)
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

test('every task that is not placed has a reason, and no permit that it could use stays idle, but for one of several', () => {
  check((lines, workers) => {
    const { placements, unplaced } = place(lines, workers)
    const done = new Set(placements.map(({ taskId }) => taskId))
    for (const line of lines) {
      const left = [...line.waiting.keys()].filter((id) => !done.has(id))
      const told = unplaced.find((one) => one.line === line)
      assert.equal(told !== undefined, left.length > 0)
      if (!told) continue
      assert.deepEqual(told.why.map(({ workerId }) => workerId).sort(), [...IDS].sort(), 'each machine has its reason')
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
          (view.held.get(line.need.engine) ?? 0) + given.length < leastUsable(abilityOf(view, line.need)!.permits)
        const { reason }: { reason: Reason } = told.why.find(({ workerId }) => workerId === view.id)!
        if (free) assert.deepEqual([reason, line.need.avoided.includes(view.id)], ['failed it before', true])
      }
    }
  })
})

const byWorker = (a: { workerId: string }, b: { workerId: string }) => (a.workerId < b.workerId ? -1 : 1)
const decisionOf = ({ placements, unplaced }: ReturnType<typeof place>) => ({
  placements,
  unplaced: unplaced.map(({ line, why, hopeless }) => ({ line, why: [...why].sort(byWorker), hopeless })),
})

test('columns choose the same as judging every worker for every task', () => {
  fc.assert(
    fc.property(queueOf(fc.oneof(need, demanding)), fleet, (lines, workers) => {
      assert.deepEqual(decisionOf(place(lines, workers)), decisionOf(placeOneByOne(lines, workers)))
    }),
    { numRuns: 3_000, seed: 42 },
  )
})

test('a large fleet gives the same, with many equal machines and tasks of every size', () => {
  const several = fc.record({
    permits: fc.integer({ min: 1, max: 3 }),
    msPerUnit: fc.constantFrom(5, 10, 10, 10),
    resident: mostly,
    loadMs: fc.constant(500),
    backlogMs: fc.constantFrom(0, 0, 100, 1_000),
    transferMs: fc.constantFrom(0, 0, 0.5),
    priority: fc.constantFrom(50, 50, 60),
    enabled: mostly,
    breakers: fc.constantFrom(new Map(), new Map(), new Map([['svc-engine:', 'one' as const]])),
  })
  const sizes = fc.array(fc.constantFrom(0, 1, 100, 1_000), { minLength: 1, maxLength: 200 })
  const barred = fc.subarray(['w0', 'w1', 'w130'])
  fc.assert(
    fc.property(
      fc.array(several, { minLength: 128, maxLength: 200, size: 'max' }),
      fc.array(fc.tuple(sizes, barred), { maxLength: 3 }),
      (wishes, tasks) => {
        const workers = wishes.map((wish, index) => workerOf(`w${index}`, wish))
        let seq = 0
        const lines = tasks.map(([units, avoided]): Line => {
          const waiting = units.map((size) => ({ id: `t${++seq}`, seq, size }))
          return { ...lineOf([], { avoided }), waiting: new Map(waiting.map((one) => [one.id, one])) }
        })
        assert.deepEqual(place(lines, workers).placements, placeOneByOne(lines, workers).placements)
      },
    ),
    { numRuns: 60, seed: 42 },
  )
})

test('columns that were changed row by row are those of the new fleet', () => {
  const change = fc.record({ lines: queueOf(fc.oneof(need, demanding)), at: fc.nat(3), workers: fleet, isRemoved: fc.boolean() })
  fc.assert(
    fc.property(fleet, fc.array(change, { minLength: 1, maxLength: 8 }), (first, changes) => {
      const { candidates, put, remove } = createCandidates()
      const now = new Map<string, WorkerView>(first.map((view) => [view.id, view]))
      for (const view of first) put(view)
      for (const { lines, at, workers, isRemoved } of changes) {
        const view = workers[at]!
        if (isRemoved) now.delete(view.id)
        else now.set(view.id, view)
        isRemoved ? remove(view.id) : put(view)
        const [columns, simple] = [placeAmong(lines, candidates), placeOneByOne(lines, candidates.views())]
        assert.deepEqual(decisionOf(columns), decisionOf(simple))
        assert.deepEqual(new Set(candidates.views()), new Set(now.values()))
      }
    }),
    { numRuns: 500, seed: 42 },
  )
})

test('a worker that is read again and may no longer run it does not get it', () => {
  const { candidates, put } = createCandidates((_slot, id) => {
    if (id === 'w0') put(workerOf('w0', { consented: false }))
  })
  for (const id of ['w0', 'w1']) put(workerOf(id, { backlogMs: id === 'w0' ? 0 : 100 }))
  assert.deepEqual(placeAmong([lineOf([1])], candidates).placements, [{ taskId: 't1', workerId: 'w1' }])
})

test('fleets and needs beyond what is kept give the same', () => {
  const { candidates, put } = createCandidates()
  for (let i = 0; i < 100; i++) put(workerOf(`w${i}`, { backlogMs: 1_000 - i }))
  for (let i = 0; i < 200; i++) assert.equal(placeAmong([lineOf([1], { model: `m${i}` })], candidates).placements[0]!.workerId, 'w99')
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
