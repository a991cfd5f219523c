// Generations that are cancelled or killed: nothing is lost, and the track is the same as without the stop.
import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { corpus, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { allEnded, hostsOf, isAlive } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld, type World } from '#test/support/world/world.ts'
import { eventsOfTask, preparedDub, typesOf } from './dub-client.ts'

const LINES = [
  { id: 1, start: 0.2, end: 2, text: 'The committee met in the old town hall.', speed: 1 },
  { id: 2, start: 2.2, end: 4, text: 'Everybody was asked what they thought of it.', speed: 1.1 },
  { id: 3, start: 4.2, end: 5.9, text: 'There was no answer.', speed: 1 },
]
const ASKED = { segments: LINES, language: 'English', language_code: 'en', num_step: 8 }

async function started(world: World, id: string): Promise<string> {
  const reply = await world.post(`/dub/generate/${id}`, ASKED)
  assert.equal(reply.status, 200, reply.body.toString())
  return reply.json().task_id
}
async function digestOf(world: World, id: string): Promise<string> {
  const { path } = (await world.get(`/dub/tracks/${id}`)).json().tracks.en
  return (await openBlocks(path)).digest
}

const open = sharedWorld({ remote: true })

test('a cancelled generation says so, and one that is killed gives the same track', withPrograms, async (t) => {
  const world = await open()
  const path = await corpus('plain.mp4')
  const { id } = await preparedDub(world, path, 'film.mp4', { job_id: 'stopped' })

  const held = slowHosts(t, world.studio)
  const cancelled = await started(world, id)
  held.hold()
  assert.deepEqual((await world.post(`/dub/abort/${id}`)).json(), { aborted: true, had_active_procs: true })
  const last = (await eventsOfTask(world, cancelled)).at(-1)!
  assert.equal(last.type, 'cancelled')
  assert.ok(last['segments_processed'] >= 0 && last['segments_processed'] < LINES.length)
  assert.equal((await world.get(`/jobs/${cancelled}`)).json().status, 'cancelled')
  held()
  await allEnded(world)

  // A process of an engine dies, and then the studio.
  const slow = slowHosts(t, world.studio)
  const task = await started(world, id)
  slow.hold()
  const host = await eventually(() => hostsOf(world.studio).filter(isAlive).at(-1))
  process.kill(host, 'SIGKILL')
  await world.restart('SIGKILL')
  slow()
  const events = await eventsOfTask(world, task)
  assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events))
  assert.equal(typesOf(events).filter((type) => type === 'error').length, 0)
  const resumed = await digestOf(world, id)

  // The same film without any of the earlier speech.
  await world.delete(`/dub/history/${id}`)
  for (const name of readdirSync(join(world.dataDir, 'dub_store', 'files')))
    rmSync(join(world.dataDir, 'dub_store', 'files', name), { recursive: true, force: true })
  await preparedDub(world, path, 'film.mp4', { job_id: 'fresh' })
  const undisturbed = await eventsOfTask(world, await started(world, 'fresh'))
  assert.equal(undisturbed.at(-1)!.type, 'done')
  assert.equal(await digestOf(world, 'fresh'), resumed)
})
