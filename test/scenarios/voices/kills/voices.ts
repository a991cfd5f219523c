// A studio that is killed while voices change: every event that a client saw has its row after the restart, what was answered is there, and
// nothing is there twice. The kill comes after an event, which is between the row of one change and the next ones.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { bundleForm } from '#test/support/archive/bundle.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { form, listenEvents } from '#test/support/world/http.ts'
import { eventually, type Reply, type World } from '#test/support/world/world.ts'

type Row = {
  readonly id: string
  readonly name: string
  readonly is_locked: 0 | 1
  readonly origin: string
  readonly ref_audio_path: string
}
const voice = (name: string, hz: number) => form({ name, ref_text: 'Hello.', ref_audio: spokenWav({ seconds: 1, hz }) })
/** Events after which the studio is killed. */
export const ALL_KILLS = [1, 3, 6]

/** One round for each number of events after which the studio is killed. */
export async function killedAfterEvents(t: TestContext, world: World, kills: readonly number[]): Promise<void> {
  const ok = (reply: Reply): Reply => {
    assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
    return reply
  }
  const rowsNow = async (): Promise<Row[]> => ok(await world.get('/profiles')).json()
  const source = ok(await world.post('/profiles', voice('Source', 150))).json().id
  const take = ok(await world.post('/generate', form({ text: 'A take of some words.', engine: 'tone', profile_id: source })))
  const history_id = take.headers.get('x-audio-id')!
  const bundle = new Uint8Array(ok(await world.post(`/marketplace/export/${source}`)).body)

  for (const [round, kill] of kills.entries()) {
    const idOf = async (data: FormData) => ok(await world.post('/profiles', data)).json().id as string
    const [locked, unlocked, removed] = [
      await idOf(voice(`Locked ${round}`, 200 + round)),
      await idOf(voice(`Unlocked ${round}`, 220 + round)),
      await idOf(voice(`Removed ${round}`, 240 + round)),
    ]
    ok(await world.post(`/profiles/${unlocked}/lock`, form({ history_id })))
    const clip = ok(await world.post('/gallery/upload', form({ name: 'Clip', audio: spokenWav({ seconds: 1, hz: 260 + round }) }))).json()
      .id
    const before = new Set((await rowsNow()).map(({ id }) => id))
    const events = await listenEvents(t, world.url, 'profiles')

    const answered = new Map<string, unknown>()
    const change = async (name: string, reply: Promise<Reply>) => {
      const { status, json } = await reply
      if (status === 200) answered.set(name, json())
    }
    const changes = Promise.allSettled([
      change('created', world.post('/profiles', voice(`Created ${round}`, 280 + round))),
      change('locked', world.post(`/profiles/${locked}/lock`, form({ history_id }))),
      change('unlocked', world.post(`/profiles/${unlocked}/unlock`)),
      change('removed', world.delete(`/profiles/${removed}`)),
      change('imported', world.post('/marketplace/import', bundleForm(bundle, 'voice.svcbundle'))),
      change('toProfile', world.post(`/gallery/voices/${clip}/to-profile`)),
      change('toProfileAgain', world.post(`/gallery/voices/${clip}/to-profile`)),
    ])
    await eventually(() => events.length >= kill)
    await world.studio.end('SIGKILL')
    await changes
    await world.restart()

    const rows = new Map((await rowsNow()).map((row) => [row.id, row]))
    for (const { action, id = '' } of events) {
      const row = rows.get(id)
      assert.equal(row !== undefined, action !== 'deleted', `${action} ${id}`)
      if (action === 'locked' || action === 'unlocked') assert.equal(row!.is_locked, action === 'locked' ? 1 : 0, `${action} ${id}`)
    }
    const added = [...rows.values()].filter(({ id }) => !before.has(id))
    const named = (name: string) => added.filter((row) => row.name === name)
    assert.ok(named(`Created ${round}`).length <= 1 && named('Source').length <= 1, JSON.stringify(added))
    if (answered.has('created')) assert.equal(named(`Created ${round}`).length, 1)
    if (answered.has('imported')) assert.equal(named('Source').length, 1)
    if (answered.has('removed')) assert.equal(rows.has(removed), false)
    if (answered.has('locked')) assert.equal(rows.get(locked)!.is_locked, 1)
    if (answered.has('unlocked')) assert.equal(rows.get(unlocked)!.is_locked, 0)
    for (const { id } of added) ok(await world.get(`/profiles/${id}/audio`))

    // The same request again finds the row that the killed one may have made.
    const again = ok(await world.post(`/gallery/voices/${clip}/to-profile`)).json()
    for (const name of ['toProfile', 'toProfileAgain']) if (answered.has(name)) assert.deepEqual(answered.get(name), again)
    assert.deepEqual(
      (await rowsNow()).filter(({ origin }) => origin === `gallery:${clip}`).map(({ id }) => id),
      [again.profile_id],
    )
    ok(await world.delete(`/profiles/${removed}`))
    assert.equal((await world.get(`/profiles/${removed}`)).status, 404)
  }
}
