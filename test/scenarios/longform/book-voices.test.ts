// Books with the voice of a person: when it is deleted or its statement is revoked, no sound with it is kept or used again.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { form } from '#test/support/world/http.ts'
import { allEnded } from '#test/support/world/tasks.ts'
import { sharedWorld, type World } from '#test/support/world/world.ts'
import { type BookEvent, eventOf, openBook, render, script } from './book-client.ts'

const open = sharedWorld()

async function voice(world: World, hz: number): Promise<string> {
  const reply = await world.post('/profiles', form({ name: `Voice of ${hz} Hz`, ref_audio: spokenWav({ hz }), ref_text: 'Said before.' }))
  assert.equal(reply.status, 200, reply.body.toString())
  return reply.json().id
}
const cached = (world: World): string[] =>
  readdirSync(join(world.dataDir, 'longform_cache'), { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [entry.name] : [],
  )
const book = (id: string | null, more: object = {}) => ({ text: script(1, 2), engine: 'tone', format: 'mp3', default_voice: id, ...more })

test('the sound of a voice goes with its statement and with its profile, and other sound stays', async () => {
  const world = await open()
  const there = new Set(cached(world))
  const added = () => cached(world).filter((name) => !there.has(name))
  await render(world, '/audiobook', book(null))
  const others = added().toSorted()
  assert.ok(others.length > 0)
  const [ann, bob] = [await voice(world, 330), await voice(world, 550)]
  for (const id of [ann, bob]) {
    const events = await render(world, '/audiobook', book(id))
    assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events.at(-1)))
  }
  assert.equal(added().length, 3 * others.length)

  const statement = form({ consent_text: 'I agree.', consent_audio: spokenWav({ seconds: 2 }) })
  assert.equal((await world.post(`/profiles/${ann}/consent`, statement)).status, 200)
  assert.equal((await world.delete(`/profiles/${ann}/consent`)).status, 200)
  assert.equal(added().length, 2 * others.length)
  const again = await render(world, '/audiobook', book(ann))
  assert.deepEqual(
    again.filter(({ type }) => type === 'chapter').map((event) => [event['cached'], event['cached_segments']]),
    [[false, 0]],
  )

  for (const id of [ann, bob]) assert.equal((await world.delete(`/profiles/${id}`)).status, 200)
  assert.deepEqual(added().toSorted(), others)
})

test('a voice that is deleted in the middle of its book ends the book, and leaves none of its sound', async (t) => {
  const world = await open()
  await world.delete('/history')
  const before = cached(world).toSorted()
  const id = await voice(world, 440)
  const release = slowHosts(t, world.studio)
  const { events } = await openBook(world, '/audiobook', book(id, { text: script(2, 12) }))
  await eventOf(events, 'started')
  release.hold()
  assert.equal((await world.delete(`/profiles/${id}`)).status, 200)
  release()
  const rest: BookEvent[] = []
  for await (const event of events) rest.push(event)
  const seen = rest.filter(({ type }) => type !== 'routing_notice').map(({ type, error_class }) => [type, error_class])
  const failure = 'INPUT_UNAVAILABLE'
  assert.deepEqual(seen, [
    ['chapter_error', failure],
    ['chapter_error', failure],
    ['error', failure],
  ])
  await allEnded(world)
  assert.deepEqual(cached(world).toSorted(), before)
})
