// A book on two machines: both work on it, and its bytes are those of one machine.
import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tasksOf } from '#test/support/world/tasks.ts'
import { openWorld } from '#test/support/world/world.ts'
import { render, script } from './book-client.ts'

test('two machines share a book, and its bytes are those of one', async (t) => {
  const world = await openWorld(t, { remote: true })
  const box = await world.machine('box')
  await world.approve(box)
  // Half a second of waiting for each part, so that one machine alone has no permits left for most of the tasks.
  const request = { text: script(2, 8), format: 'mp3', engine: 'tone', num_step: 512 }
  const rendered = async (target: string) => {
    await world.post('/workers/target', { target })
    for (const entry of readdirSync(join(world.dataDir, 'longform_cache'), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) rmSync(join(entry.parentPath, entry.name))
    const before = new Set((await tasksOf(world)).map(({ task_id }) => task_id))
    const done = (await render(world, '/audiobook', request)).at(-1)!
    assert.equal(done.type, 'done', JSON.stringify(done))
    const tasks = (await tasksOf(world)).filter(({ task_id }) => !before.has(task_id))
    const machines = new Set(tasks.flatMap(({ attempts }) => attempts.map(({ worker_id }) => worker_id)))
    return { machines, bytes: (await world.get(`/audio/${done['output']}`)).body }
  }
  const both = await rendered('auto')
  assert.deepEqual([...both.machines].toSorted(), ['local', box.workerId].toSorted())
  const one = await rendered(box.workerId)
  assert.ok(one.bytes.equals(both.bytes))
})
