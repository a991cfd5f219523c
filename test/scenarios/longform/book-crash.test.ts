// The studio dies while it writes the files of a book, or has no room for them: nothing is lost, and nothing is left behind.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { coveredByDisk, mayMount } from '#test/support/chaos/small-disk.ts'
import { tasksOf } from '#test/support/world/tasks.ts'
import { sharedWorld } from '#test/support/world/world.ts'
import { namesOf, render, script } from './book-client.ts'
import { killedAtStages } from './kills/book.ts'

const open = sharedWorld()

// A file of the cache and one of the outputs; test/long/units/kills.test.ts has every kind of file.
test('after a kill at a stage a book has the same bytes, and no unfinished file stays', async () =>
  killedAtStages(await open(), ['segment', 'sound']))

test('a book that does not fit on the disk is refused before it starts', {
  skip: mayMount ? false : 'mounting is not permitted here',
}, async (t) => {
  const world = await open()
  const before = { tasks: await tasksOf(world), jobs: (await world.get('/audiobook/jobs')).json().jobs }
  const uncover = coveredByDisk(t, join(world.dataDir, 'longform_cache'), 'size=200m')
  const events = await render(world, '/audiobook', { text: script(1, 2), format: 'mp3' })
  uncover()
  const [only] = events
  assert.deepEqual([namesOf(events), only!['error_class']], [['error'], 'STORAGE_FULL'])
  assert.match(only!['error'], /needs about \d+ MB .* and 0 MB are free\. Free some space, then resume it\./)
  const { jobs } = (await world.get('/audiobook/jobs')).json()
  assert.deepEqual([jobs.length, jobs[0].status], [before.jobs.length + 1, 'failed'])
  assert.deepEqual(await tasksOf(world), before.tasks)
})
