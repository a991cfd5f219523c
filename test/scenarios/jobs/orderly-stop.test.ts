// An orderly stop (Ctrl-C) during work: jobs pause and go on after the next start, with clients that are still connected.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, openWorld } from '#test/support/world/world.ts'
import { eventOf, openBook, script } from '../longform/book-client.ts'

const ASYNC = { prefer: 'respond-async' }
const TEXT = Array.from({ length: 120 }, (_, at) => `Sentence number ${at + 1} of a text that takes its time to be spoken.`).join(' ')

/** Ctrl-C in a terminal: the program and every program below it in its process group get the signal. */
function interrupt(program: number): void {
  const all = readdirSync('/proc').flatMap((name) => {
    try {
      // After the name in brackets: state, parent, process group.
      const [, parent, group] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
      return [{ pid: Number(name), parent: Number(parent), group: Number(group) }]
    } catch {
      return []
    }
  })
  const { group } = all.find(({ pid }) => pid === program)!
  const below = (pid: number): number[] => [pid, ...all.filter(({ parent }) => parent === pid).flatMap((one) => below(one.pid))]
  for (const pid of below(program)) if (all.find((one) => one.pid === pid)?.group === group) process.kill(pid, 'SIGINT')
}

test('speech and books that were started go on after an orderly stop, and nothing of them is lost', async (t) => {
  const world = await openWorld(t)
  const take = { text: TEXT, seed: 3 }
  const plain = await world.send('POST', '/generate', form(take))
  assert.equal(plain.status, 200, String(plain.body))
  const job = async (id: string) => (await world.get(`/jobs/${id}`)).json()
  const ended = (id: string) => eventually(async () => (await job(id)).finished_at !== null && job(id))

  const slow = slowHosts(t, world.studio)
  const started = await world.send('POST', '/generate', form(take), ASYNC)
  const id: string = started.json().id
  const book = await openBook(world, '/audiobook', { text: script(2, 2), format: 'mp3', keep_running: true })
  const { job_id: bookId } = await eventOf(book.events, 'started')
  await eventually(async () => (await job(id)).progress > 0)
  slow.hold()
  // Clients that keep the server from closing: two that listen to the take and to speech, and one that follows the job.
  const listening = world.get(`/jobs/${id}/audio`).catch((error: unknown) => String(error))
  const waiting = world.send('POST', '/v1/audio/speech', { input: TEXT, response_format: 'wav' }).catch((error: unknown) => String(error))
  const following = world.get(`/tasks/stream/${id}`).catch((error: unknown) => String(error))
  await eventually(async () => (await world.get('/workers/tasks?limit=9&always=true')).json().tasks.length > 2)

  interrupt(world.studio.pid)
  assert.equal(await world.studio.ended, 0)
  slow()
  await Promise.all([listening, waiting, following])
  await world.restart()
  const [row, kept] = [await ended(id), await ended(bookId)]
  assert.deepEqual([row.status, row.error, kept.status, kept.error], ['done', null, 'done', null])
  const takes: { seed: number; duration_seconds: number }[] = (await world.get('/history')).json()
  const [second, first] = takes.filter(({ seed }) => seed === take.seed)
  assert.equal(second!.duration_seconds, first!.duration_seconds, 'no sentence is missing')
  const { events } = (await world.get(`/jobs/${id}/events`)).json()
  assert.match(events.at(-1).payload, /"dropped_chunks":0/)
})
