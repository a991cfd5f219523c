// Callers that wait for tasks, and inputs that stay in memory.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { createFolderArtifacts } from '#control-plane/store/files/folder-artifacts.ts'
import { createGroupCommit } from '#control-plane/store/group-commit.ts'
import type { Journal } from '#control-plane/store/journal.ts'
import { createHeldInputs } from '#control-plane/tasks/held-inputs.ts'
import { createLedger } from '#control-plane/tasks/ledger.ts'
import { createQueue } from '#control-plane/tasks/queue.ts'
import { createTasks } from '#control-plane/tasks/tasks.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'
import { openLedger, specOf } from '#test/support/doubles/ledger.ts'

test('a caller of many tasks keeps none of those that have ended', async (t) => {
  const { ledger, folder, clock } = openLedger(t)
  const artifacts = createFolderArtifacts(folder)
  const queue = createQueue()
  const tasks = createTasks({ ledger, queue, artifacts, clock, random, workDir: folder, waitingPerClient: { interactive: 10, batch: 10 } })
  const caller = new AbortController()
  for (let at = 0; at < 3; at++) {
    const { task } = await tasks.submit(specOf())
    const shares: number[] = []
    const outcome = tasks.outcome(task.id, caller.signal, (share) => shares.push(share))
    tasks.progressed(task.id, 0.5)
    tasks.progressed('another', 0.9)
    assert.deepEqual(shares, [0.5])
    assert.equal(getEventListeners(caller.signal, 'abort').length, 1)
    await tasks.cancel(task.id)
    assert.equal((await outcome).task.phase, 'cancelled')
    tasks.progressed(task.id, 1)
    assert.deepEqual(shares, [0.5], 'after its end')
    assert.equal(getEventListeners(caller.signal, 'abort').length, 0)
  }
  const { task } = await tasks.submit(specOf())
  const outcome = tasks.outcome(task.id, caller.signal)
  caller.abort(new Error('gone'))
  await assert.rejects(outcome, /gone/)
})

test('the last check of a task sees what changed while its idempotency key was looked up', async (t) => {
  const { ledger, folder, clock } = openLedger(t)
  const artifacts = createFolderArtifacts(folder)
  const queue = createQueue()
  const tasks = createTasks({ ledger, queue, artifacts, clock, random, workDir: folder, waitingPerClient: { interactive: 10, batch: 10 } })
  let isWithdrawn = false
  const lastCheck = () => {
    if (isWithdrawn) throw new Error('withdrawn')
  }
  const keyed = specOf({ idempotencyKey: 'k' })
  const submitted = tasks.submit(keyed, 'digest', lastCheck)
  isWithdrawn = true
  await assert.rejects(submitted, /withdrawn/)
  await assert.rejects(tasks.open(keyed, 'digest', new AbortController().signal, lastCheck), /withdrawn/)
  assert.deepEqual([...ledger.live()], [])
  isWithdrawn = false
  const { task } = await tasks.submit(keyed, 'digest', lastCheck)
  isWithdrawn = true
  assert.equal((await tasks.submit(keyed, 'digest', lastCheck)).task.id, task.id, 'a repeated request starts nothing')
})

test('an offer leaves before its batch is durable where the journal allows it, and afterwards where it does not', async (t) => {
  for (const allowsEarlyOffers of [true, false]) {
    const { journal, state, folder, clock, marks } = openLedger(t)
    let answer = () => {}
    const commit: Journal['commit'] = (_writes, { written, durable }) => {
      written()
      answer = durable
    }
    const commits = createGroupCommit({ journal: { ...journal, commit }, log, clock })
    const ledger = createLedger({ journal: { ...journal, commit, allowsEarlyOffers }, state, commits, clock, marks })
    const parts = { ledger, queue: createQueue(), artifacts: createFolderArtifacts(folder), clock, random, workDir: folder }
    const tasks = createTasks({ ...parts, waitingPerClient: { interactive: 10, batch: 10 } })
    const offered: string[] = []
    tasks.on('offer', ({ task }) => void offered.push(task.id))
    const { task } = await tasks.admit(specOf(), '')
    ledger.apply(task.id, { kind: 'offer', workerId: 'w0', attemptId: 'a' })
    await turn()
    assert.deepEqual(offered, allowsEarlyOffers ? [task.id] : [])
    if (allowsEarlyOffers) clock.advance(5) // the batch waits for the next one
    answer()
    assert.deepEqual(offered, [task.id])
  }
})

test('held inputs are read from any offset until their last holder releases them, and are limited together', async () => {
  const inputs = createHeldInputs({ read: () => assert.fail('not in memory') })
  const read = async (sha256: string, from = 0) => {
    const pieces: Buffer[] = []
    for await (const piece of inputs.read(sha256, from)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  const bytes = Buffer.from(Array.from({ length: 600_000 }, (_, at) => at % 251))
  const one = inputs.hold('audio', bytes)
  const two = inputs.hold('audio', Buffer.from(bytes))
  assert.deepEqual(one.input, { name: 'audio', size: 600_000, sha256: two.input.sha256 })
  assert.deepEqual(await read(one.input.sha256, 300_001), bytes.subarray(300_001))
  one.release()
  one.release()
  assert.equal((await read(one.input.sha256)).length, 600_000, 'the other one still holds it')
  two.release()
  assert.throws(() => inputs.read(one.input.sha256), /not in memory/)
  const many = Array.from({ length: 2 }, (_, at) => inputs.hold('audio', Buffer.alloc(32 * 1024 * 1024, at)))
  assert.throws(() => inputs.hold('audio', Buffer.alloc(1)), { code: 'QUEUE_FULL' })
  for (const { release } of many) release()
  inputs.hold('audio', Buffer.alloc(1)).release()
})
