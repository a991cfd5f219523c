// Books that stop: the client leaves, or the studio is killed. What is finished stays, and the file is the same as without the stop.
import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { allEnded, hostsOf, isAlive } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld, type World } from '#test/support/world/world.ts'
import { eventOf, namesOf, openBook, render, script } from './book-client.ts'

const open = sharedWorld()
const output = async (world: World, name: string) => (await world.get(`/audio/${name}`)).body
/** Those among the given jobs that can be resumed, with their states. */
const resumable = async (world: World, ...ids: string[]) =>
  ((await world.get('/audiobook/jobs')).json().jobs as { job_id: string; status: string }[])
    .filter(({ job_id }) => ids.includes(job_id))
    .map(({ job_id, status }) => [job_id, status])
const jobOf = async (world: World, id: string) => (await world.get(`/jobs/${id}`)).json()

/** Removes all rendered sound, so that the next book is spoken. */
function forget(world: World): void {
  for (const entry of readdirSync(join(world.dataDir, 'longform_cache'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) rmSync(join(entry.parentPath, entry.name))
}
async function renderedAfresh(world: World, request: object): Promise<Buffer> {
  forget(world)
  const events = await render(world, '/audiobook', request)
  assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events.at(-1)))
  return output(world, events.at(-1)!['output'])
}

test('after a disconnect and a kill a stopped book is resumed with the same bytes, and one that keeps running goes on', async (t) => {
  const world = await open()
  const request = { text: script(2, 4), format: 'mp3' }
  forget(world)

  // The client leaves.
  const release = slowHosts(t, world.studio)
  const left = await openBook(world, '/audiobook', request)
  const { job_id: id } = await eventOf(left.events, 'started')
  release.hold()
  left.leave()
  await eventually(async () => (await jobOf(world, id)).status === 'cancelled')
  await allEnded(world)
  const { events } = (await world.get(`/jobs/${id}/events`)).json()
  const stopped = JSON.parse(events.at(-1).payload)
  assert.deepEqual([stopped.type, stopped.total], ['stopped', 2])
  assert.deepEqual(await resumable(world, id), [[id, 'cancelled']])
  release()

  // Resumed, and a second book that needs no client; an engine process dies, and then the studio.
  const slow = slowHosts(t, world.studio)
  const second = await openBook(world, `/audiobook/resume/${id}`)
  const { job_id: secondId } = await eventOf(second.events, 'started')
  assert.notEqual(secondId, id)
  slow.hold()
  const host = await eventually(() => hostsOf(world.studio).filter(isAlive).at(-1))
  const kept = await openBook(world, '/audiobook', {
    text: script(2, 2).replaceAll('travellers', 'pilgrims'),
    format: 'mp3',
    keep_running: true,
  })
  const { job_id: keptId } = await eventOf(kept.events, 'started')
  kept.leave()
  assert.equal((await world.post(`/audiobook/resume/${keptId}`)).status, 409)
  process.kill(host, 'SIGKILL')
  await world.restart('SIGKILL')
  slow()
  second.leave()
  assert.deepEqual(await resumable(world, id, secondId, keptId), [[secondId, 'interrupted']])

  const followed = (await world.get(`/tasks/stream/${keptId}`)).body.toString()
  const frames = followed
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => JSON.parse(frame.slice('data: '.length)))
  assert.deepEqual(
    namesOf(frames).filter((type) => type !== 'routing_notice'),
    ['started', 'chapter', 'chapter', 'assembling', 'done'],
  )
  assert.equal((await jobOf(world, keptId)).status, 'done')

  const last = await render(world, `/audiobook/resume/${secondId}`)
  assert.equal(last.at(-1)!.type, 'done', JSON.stringify(last.at(-1)))
  assert.deepEqual(await resumable(world, id, secondId, keptId), [])
  assert.equal((await world.post(`/audiobook/resume/${secondId}`)).status, 404)
  const resumed = await output(world, last.at(-1)!['output'])
  assert.ok((await renderedAfresh(world, request)).equals(resumed), 'the bytes are those of a rendering without a stop')
})

test('a book that keeps running can be cancelled', async (t) => {
  const world = await open()
  const held = slowHosts(t, world.studio)
  const { events } = await openBook(world, '/audiobook', { text: script(3, 6), format: 'mp3', keep_running: true })
  const { job_id: id } = await eventOf(events, 'started')
  held.hold()
  assert.equal((await world.post(`/tasks/cancel/${id}`)).status, 200)
  assert.equal((await eventOf(events, 'stopped'))['total'], 3)
  await allEnded(world)
  held()
})
