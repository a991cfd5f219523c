import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, OWNER } from '#control-plane/clients/client.ts'
import type { SharedWork } from '#control-plane/clients/held-permits.ts'
import { NOTHING_HELD } from '#control-plane/clients/pass-turns.ts'
import { MIN_DISK_BYTES, type Reason } from '#control-plane/scheduler/objection.ts'
import { place as placeAmong } from '#control-plane/scheduler/place.ts'
import { abilityKey, type WorkerView } from '#control-plane/scheduler/worker-view.ts'
import type { Line, Need } from '#control-plane/tasks/queue.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { AWAY_PATIENCE_MS } from '#shared/protocol/backoff.ts'
import { GIB } from '#shared/runtime/memory/bytes.ts'
import { candidatesOf, lineOf, workerOf } from '#test/support/placement/fleet.ts'

const place = (lines: readonly Line[], workers: readonly WorkerView[]) => placeAmong(lines, candidatesOf(workers))

const placed = (lines: readonly Line[], workers: readonly WorkerView[]) =>
  place(lines, workers).placements.map(({ taskId, workerId }) => `${taskId} ${workerId}`)
const guest = (source: string): Client => ({ source, name: source, id: `address:${source}`, isOwner: false })
const why = (worker: WorkerView, need: Partial<Need> = {}) => {
  const { placements, unplaced } = place([lineOf([1], need)], [worker])
  assert.deepEqual(placements, [])
  assert.equal(unplaced.length, 1)
  const [verdict] = unplaced[0]!.why
  return [verdict!.reason, verdict!.forGood, unplaced[0]!.hopeless]
}

test('every reason not to use a machine is returned, and whether waiting could help', () => {
  const key = abilityKey('svc-engine', '', 'tts')
  const none = { permits: 0, resident: true, loadMs: 0, msPerUnit: 1, memoryBytes: 0 }
  const table: [reason: Reason, forGood: boolean, view: Partial<WorkerView>, need?: Partial<Need>][] = [
    ['removed', true, { revoked: true, enabled: false, consented: false, session: null }],
    ['disabled', true, { enabled: false, consented: false }],
    ['not approved', true, { consented: false, session: null }],
    ['not the chosen machine', true, {}, { target: 'w1' }],
    ['its recording stays on this machine', true, {}, { staysHere: true }],
    ['not among the machines of this person', true, {}, { machines: ['w1'] }],
    ['cannot run it', true, { abilities: new Map() }],
    ['cannot run it', true, {}, { engine: 'other' }],
    ['cannot run it', true, {}, { operation: 'asr' }],
    ['cannot run it', true, {}, { cloning: true }],
    ['cannot run it', true, {}, { excluded: ['w0'] }],
    ['has another version of the model', true, {}, { modelDigest: 'aa' }],
    ['does not have the voice', true, {}, { speaks: { voices: ['bella'], language: '' } }],
    ['does not speak the language', true, {}, { speaks: { voices: [], language: 'de' } }],
    ['cannot run it', true, {}, { excluded: ['w0'], target: 'w0' }],
    ['offline', false, { session: null, awayMs: AWAY_PATIENCE_MS }],
    ['offline', true, { session: null, awayMs: AWAY_PATIENCE_MS + 1 }],
    ['not responding', false, { session: 'stale' }],
    ['drained', false, { drained: true, draining: true }],
    ['shutting down', false, { draining: true }],
    ['paused after repeated failures', false, { breakers: new Map([['svc-engine:', 'none']]) }],
    ['not enough disk space', false, { freeDiskBytes: MIN_DISK_BYTES - 1 }],
    ['busy', false, { cooling: true }],
    ['busy', false, { held: new Map([['svc-engine', 1]]) }],
    ['busy', false, { abilities: new Map([[key, none]]) }],
  ]
  for (const [reason, forGood, view, need] of table) assert.deepEqual(why(workerOf('w0', view), need), [reason, forGood, forGood], reason)
})

test('a task with a reference recording goes only to engines that can clone', () => {
  const ability = { permits: 1, resident: true, loadMs: 0, msPerUnit: 1, memoryBytes: 0 }
  const abilities = (cloning: boolean) => new Map([[abilityKey('svc-engine', '', 'tts'), { ...ability, cloning }]])
  const workers = [workerOf('w0', { abilities: abilities(false) }), workerOf('w1', { abilities: abilities(true), backlogMs: 100_000 })]
  assert.deepEqual(placed([lineOf([1], { cloning: true })], workers), ['t1 w1'])
  assert.deepEqual(placed([lineOf([1])], workers), ['t1 w0'])
})

test('a task that names the digest of its model goes only to machines with that model', () => {
  const ability = { permits: 1, resident: true, loadMs: 0, msPerUnit: 1, memoryBytes: 0 }
  const having = (modelDigest: string) => ({ abilities: new Map([[abilityKey('svc-engine', '', 'tts'), { ...ability, modelDigest }]]) })
  const workers = [workerOf('w0', having('aa')), workerOf('w1', { ...having('bb'), backlogMs: 100_000 })]
  assert.deepEqual(placed([lineOf([1], { modelDigest: 'bb' })], workers), ['t1 w1'])
  assert.deepEqual(placed([lineOf([1])], workers), ['t1 w0'])
})

test('a task goes only to machines that have its voices, or else speak its language', () => {
  const ability = { permits: 1, resident: true, loadMs: 0, msPerUnit: 1, memoryBytes: 0 }
  const having = (voices: readonly string[], languages: readonly string[]) => ({
    abilities: new Map([[abilityKey('svc-engine', '', 'tts'), { ...ability, voices: new Set(voices), languages: new Set(languages) }]]),
  })
  const workers = [
    workerOf('w0', having(['bella'], ['en'])),
    workerOf('w1', { ...having(['bella', 'emma'], ['en', 'de']), backlogMs: 100_000 }),
    workerOf('w2', { ...having([], ['*']), backlogMs: 200_000 }),
  ]
  const on = (voices: readonly string[], language = '') => placed([lineOf([1], { speaks: { voices, language } })], workers)
  assert.deepEqual([on(['bella']), on(['bella', 'emma']), on(['other'])], [['t1 w0'], ['t1 w1'], []])
  assert.deepEqual([on([], 'en'), on([], 'de'), on([], 'fr')], [['t1 w0'], ['t1 w1'], ['t1 w2']])
  // Of one pass: equal in everything else.
  const lines = [lineOf([1], { speaks: { voices: ['emma'], language: '' } }), lineOf([2], { speaks: { voices: ['bella'], language: '' } })]
  assert.deepEqual(placed(lines, workers).toSorted(), ['t1 w1', 't2 w0'])
})

test('a task with a private recording goes only to the machine of the studio', () => {
  const workers = [workerOf('w0'), workerOf(LOCAL, { backlogMs: 100_000 })]
  assert.deepEqual(placed([lineOf([1], { staysHere: true })], workers), [`t1 ${LOCAL}`])
  assert.deepEqual(placed([lineOf([1])], workers), ['t1 w0'])
})

test('a task of a person goes only to the machines of that person, also of many and when it names another one', () => {
  const many = Array.from({ length: 300 }, (_, at) => workerOf(`w${at}`))
  const need = (machines: readonly string[], more: Partial<Need> = {}) => ({ machines, ...more })
  assert.deepEqual(placed([lineOf([1], need(['w299']))], many), ['t1 w299'])
  assert.deepEqual(placed([lineOf([1, 2], need(['w7', 'w8', 'unknown'], { excluded: ['w7'] }))], many), ['t1 w8'])
  const { placements, unplaced } = place([lineOf([1], need(['w7'], { target: 'w8' }))], many)
  assert.deepEqual([placements, unplaced[0]!.hopeless], [[], true])
  assert.equal(place([lineOf([1], need([]))], many).unplaced[0]!.hopeless, true)
  assert.deepEqual(placed([lineOf([1], need(['w7'])), lineOf([2])], [workerOf('w7'), workerOf('w8')]), ['t1 w7', 't2 w8'])
})

test('without machines a task is hopeless', () => {
  assert.deepEqual(
    place([lineOf([1])], []).unplaced.map(({ why, hopeless }) => [why, hopeless]),
    [[[], true]],
  )
})

test('one machine that may return keeps a task waiting', () => {
  const { unplaced } = place([lineOf([1])], [workerOf('w0', { consented: false }), workerOf('w1', { session: null, awayMs: 1 })])
  assert.equal(unplaced[0]!.hopeless, false)
})

test('a pinned task goes to its machine even when others are free, and also when it failed there', () => {
  const workers = [workerOf('w0', { msPerUnit: 1 }), workerOf('w1', { backlogMs: 100_000 })]
  assert.deepEqual(placed([lineOf([1], { target: 'w1', avoided: ['w1'] })], workers), ['t1 w1'])
})

test('a machine that failed the task is avoided while another one could run it, now or later', () => {
  const line = [lineOf([1], { avoided: ['w0'] })]
  const w0 = workerOf('w0', { msPerUnit: 1 })
  assert.deepEqual(placed(line, [w0, workerOf('w1', { backlogMs: 100_000 })]), ['t1 w1'])
  const busy = place(line, [w0, workerOf('w1', { draining: true })])
  assert.deepEqual(
    busy.unplaced.map(({ why, hopeless }) => [why.map(({ workerId, reason }) => `${workerId} ${reason}`), hopeless]),
    [[['w0 failed it before', 'w1 shutting down'], false]],
  )
  assert.deepEqual(placed(line, [w0, workerOf('w1', { consented: false })]), ['t1 w0'])
  assert.deepEqual(placed(line, [w0, workerOf('w1', { session: null, awayMs: 1_000 })]), ['t1 w0'], 'one that is away is not waited for')
  assert.deepEqual(placed([lineOf([1], { avoided: ['w0', 'w1'] })], [w0, workerOf('w1', { draining: true })]), ['t1 w0'])
})

test('a paused machine does not hold a task that another machine failed, and is paused only for its model', () => {
  const paused = { breakers: new Map([['svc-engine:', 'none' as const]]) }
  const w0 = workerOf('w0')
  assert.deepEqual(placed([lineOf([1], { avoided: ['w0'] })], [w0, workerOf('w1', paused)]), ['t1 w0'])
  assert.deepEqual(placed([lineOf([1], { model: 'large' })], [workerOf('w1', paused)]), ['t1 w1'])
})

test('one task tests a machine that was paused, however many lines and permits there are', () => {
  const testing = workerOf('w0', { permits: 9, breakers: new Map([['svc-engine:', 'one']]) })
  const { placements, unplaced } = place([lineOf([2, 3]), lineOf([1], { avoided: ['w9'] })], [testing])
  assert.deepEqual(placements, [{ taskId: 't1', workerId: 'w0' }])
  assert.deepEqual(
    unplaced.map(({ why }) => why.map(({ reason }) => reason)),
    [['paused after repeated failures']],
  )
})

test('a model is not loaded without enough memory, and the missing amount is returned', () => {
  const shortfall = (view: Parameters<typeof workerOf>[1]) => place([lineOf([1])], [workerOf('w0', view)]).unplaced[0]?.why[0]?.shortfall
  const large = { memoryBytes: 2 * GIB, freeMemoryBytes: 0.4 * GIB }
  assert.equal(shortfall({ ...large, resident: false }), 'needs 2.0 GiB of memory, 0.4 GiB is free')
  assert.equal(shortfall({ ...large, resident: true }), undefined, 'it is loaded already')
  assert.equal(shortfall({ ...large, resident: false, freeMemoryBytes: 2 * GIB }), undefined)
  assert.equal(shortfall({ ...large, resident: false, freeMemoryBytes: 0 }), undefined, 'the free amount is unknown')
  assert.equal(shortfall({ freeDiskBytes: 1 }), 'needs 256 MiB of disk space, 0 MiB is free')
  assert.equal(shortfall({ freeDiskBytes: MIN_DISK_BYTES }), undefined)
  assert.equal(shortfall({ freeDiskBytes: 0 }), undefined, 'the free amount is unknown')
})

test('a wildcard ability covers models without an ability of their own', () => {
  assert.deepEqual(placed([lineOf([1], { model: 'large' })], [workerOf('w0')]), ['t1 w0'])
})

test('interactive tasks go first, then the oldest, across all lines', () => {
  const lines = [lineOf([5], {}, 1), lineOf([1, 6]), lineOf([2], { avoided: ['w9'] })]
  assert.deepEqual(placed(lines, [workerOf('w0', { permits: 2 }), workerOf('w1', { permits: 2 })]), ['t1 w0', 't2 w1', 't6 w0', 't5 w1'])
  assert.deepEqual(placed(lines, [workerOf('w0', { permits: 2 })]), ['t1 w0', 't2 w0'])
})

test('a line that must wait does not hold up the others', () => {
  assert.deepEqual(placed([lineOf([1], { engine: 'other' }), lineOf([2], {}, 1)], [workerOf('w0')]), ['t2 w0'])
})

test('the machine that will have finished first is chosen', () => {
  const near = workerOf('near', { msPerUnit: 20 }) // 2,000 ms for 100 characters
  assert.deepEqual(placed([lineOf([1])], [near, workerOf('fast', { msPerUnit: 5 })]), ['t1 fast'])
  assert.deepEqual(placed([lineOf([1])], [near, workerOf('fast', { msPerUnit: 5, resident: false })]), ['t1 near'], 'it would have to load')
  assert.deepEqual(placed([lineOf([1])], [near, workerOf('fast', { msPerUnit: 5, backlogMs: 1_600 })]), ['t1 near'], 'others wait there')
  assert.deepEqual(placed([lineOf([1])], [near, workerOf('fast', { msPerUnit: 5, transferMs: 1_600 })]), ['t1 near'], 'it is far away')
  assert.deepEqual(placed([lineOf([1])], [near, workerOf('same', { msPerUnit: 20, priority: 51 })]), ['t1 same'], 'the owner prefers it')
})

test('a placement counts as work of its machine within the pass', () => {
  const workers = [workerOf('w0', { permits: 9 }), workerOf('w1', { permits: 9, msPerUnit: 15 })]
  assert.deepEqual(placed([lineOf([1, 2, 3])], workers), ['t1 w0', 't2 w1', 't3 w0'])
})

test('a decision over ten thousand waiting tasks costs as much as over ten', () => {
  const work = (count: number) => {
    let steps = 0
    const line = lineOf(Array.from({ length: count }, (_, index) => index + 1))
    const counted = {
      *values() {
        for (const waiting of line.waiting.values()) {
          steps++
          yield waiting
        }
      },
    }
    const { placements } = place([{ ...line, waiting: counted as unknown as Line['waiting'] }], [workerOf('w0', { permits: 4 })])
    assert.equal(placements.length, 3)
    return steps
  }
  assert.equal(work(10_000), work(10))
})

test('a thousand tasks of one client delay the single task of another by one turn', () => {
  const [a, b] = [guest('a'), guest('b')]
  const crowd = lineOf(
    Array.from({ length: 1_000 }, (_, at) => at + 1),
    {},
    0,
    100,
    a,
  )
  const single = lineOf([2_000], {}, 0, 100, b)
  assert.deepEqual(placed([crowd, single], [workerOf('w0', { permits: 2 })]), ['t1 w0', 't2000 w0'])
  // What runs already counts: then the other one is next.
  const running = { ...NOTHING_HELD, running: (sharer: string) => (sharer === 'a' ? 3 : 0) }
  assert.equal(placeAmong([crowd, single], candidatesOf([workerOf('w0')]), running).placements[0]?.taskId, 't2000')
})

test('of a machine with several permits the last one is for a client that has nothing running, and those who wait are told it is busy', () => {
  const [a, b, c] = [guest('a'), guest('b'), guest('c')]
  const [one, two] = [lineOf([1, 2, 3, 4, 5, 6], {}, 0, 100, a), lineOf([7, 8], {}, 0, 100, b)]
  assert.deepEqual(placed([one], [workerOf('w0', { permits: 4 })]).length, 3)
  assert.deepEqual(placed([one], [workerOf('w0', { permits: 2 })]).length, 2, 'there is none to spare')
  const holding = { ...NOTHING_HELD, holds: ({ client }: SharedWork) => client !== c }
  const busy = workerOf('w0', { permits: 4, held: new Map([['svc-engine', 3]]) })
  const { placements, unplaced } = placeAmong([one, two, lineOf([9], {}, 0, 100, c)], candidatesOf([busy]), holding)
  assert.deepEqual(placements, [{ taskId: 't9', workerId: 'w0' }])
  assert.deepEqual(
    unplaced.map(({ why }) => why[0]!.reason),
    ['busy', 'busy'],
  )
})

test('the owner goes before others, and interactive tasks before those of the owner that may wait', () => {
  const order = placed(
    [lineOf([1], {}, 0, 100, guest('a')), lineOf([2], {}, 0, 100, OWNER), lineOf([3], {}, 1, 100, OWNER)],
    [workerOf('w0', { permits: 2 })],
  )
  assert.deepEqual(order, ['t2 w0', 't1 w0'])
})
