// A book on two machines: both work on it, its bytes are those of one machine, and a machine that dies costs what it was speaking.
import assert from 'node:assert/strict'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventOf, openBook, render, script } from '#test/scenarios/longform/book-client.ts'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { tasksOf } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld()

test('two machines share a book, one of them may die, and its bytes are those of one', async (t) => {
  const world = await open()
  await world.post('/workers/enabled', { enabled: true })
  const box = await world.machine('box')
  await world.approve(box)
  const cache = join(world.dataDir, 'longform_cache')
  const files = () => readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  /** The inode of each finished segment: one that is made again has another. */
  const segments = () =>
    new Map(
      files().flatMap(({ parentPath, name }) => {
        const inode = /^[0-9a-f]{64}$/.test(name) ? statSync(join(parentPath, name), { throwIfNoEntry: false })?.ino : undefined
        return inode === undefined ? [] : [[name, inode] as const]
      }),
    )
  // Half a second of waiting for each part, so that one machine alone has no permits left for most of the tasks.
  const requestOf = (paragraphs: number) => ({ text: script(2, paragraphs), format: 'mp3', engine: 'tone', num_step: 16 })
  const prepared = async (target: string) => {
    await world.post('/workers/target', { target })
    for (const entry of files()) rmSync(join(entry.parentPath, entry.name))
    const before = new Set((await tasksOf(world)).map(({ task_id }) => task_id))
    return async () => (await tasksOf(world)).filter(({ task_id }) => !before.has(task_id))
  }
  /** A segment that is cached and whose file is gone is made when its chapter is put together: one after the other. */
  const rendered = async (target: string, paragraphs = 8) => {
    const tasks = await prepared(target)
    const done = (await render(world, '/audiobook', requestOf(paragraphs))).at(-1)!
    assert.equal(done.type, 'done', JSON.stringify(done))
    const machines = new Set((await tasks()).flatMap(({ attempts }) => attempts.map(({ worker_id }) => worker_id)))
    return { machines, bytes: (await world.get(`/audio/${done['output']}`)).body }
  }
  const both = await rendered('auto')
  assert.deepEqual([...both.machines].toSorted(), ['local', box.workerId].toSorted())
  const one = await rendered(box.workerId)
  assert.ok(one.bytes.equals(both.bytes))

  const tasks = await prepared('auto')
  const release = slowHosts(t, box.program)
  release.hold()
  // Another text: nothing of it was ever cached, so as many tasks as both machines have permits begin at once, and more wait.
  const { events } = await openBook(world, '/audiobook', requestOf(20))
  const lostOf = ({ attempts }: Awaited<ReturnType<typeof tasks>>[number]) =>
    attempts.filter(({ worker_id, state }) => worker_id === box.workerId && state !== 'committed')
  const isLosing = async () => (await tasks()).some((task) => task.state === 'running' && lostOf(task).length > 0)
  await eventually(async () => segments().size > 0 && (await isLosing()))
  const finished = segments()
  await box.program.end('SIGKILL')
  release()
  const done = await eventOf(events, 'done')
  const bytes = (await world.get(`/audio/${done['output']}`)).body
  const after = segments()
  assert.ok(finished.size > 0)
  for (const [key, inode] of finished) assert.equal(after.get(key), inode, 'a finished segment was made again')
  const all = await tasks()
  for (const task of all) assert.equal(task.attempts.length, 1 + lostOf(task).length, JSON.stringify(task))
  assert.ok(all.some((task) => lostOf(task).length > 0))
  assert.ok((await rendered('local', 20)).bytes.equals(bytes))
  await world.remove(box)
  await world.post('/workers/enabled', { enabled: false })
})
