// Projects through HTTP and the socket of events: shapes, limits, refusals, events, and a kill.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { jsonIn, studio } from '#test/support/world/cli.ts'
import { listenEvents } from '#test/support/world/http.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const STATE_BYTES = 16 * 1024 * 1024
/** A state whose JSON has exactly this many bytes. */
const stateOf = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })

const open = sharedWorld({ withoutAgent: true, env: { PATH: '/nowhere' } })

test('projects', async (t) => {
  const world = await open()
  const events = await listenEvents(t, world.url, 'projects')
  const create = async (fields: Record<string, unknown> = {}): Promise<string> =>
    (await world.post('/projects', { name: 'Book', state: {}, ...fields })).json().id
  const list = async () => (await world.get('/projects')).json()

  await t.test('a project is created, listed without its state, read, replaced, renamed and deleted', async () => {
    assert.deepEqual(await list(), [])
    const state = { segments: [{ text: 'Hallo', start: 0.5 }], deep: { a: [null, true] } }
    const fields = { name: '  Dub of a film ', video_path: '/films/a.mp4', audio_path: null, duration: 61.5, state }
    const created = await world.post('/projects', fields)
    assert.equal(created.status, 200)
    const { id, name, created_at } = created.json()
    assert.deepEqual(Object.keys(created.json()).sort(), ['created_at', 'id', 'name'])
    assert.match(id, /^[0-9a-f]{8}$/)
    assert.equal(name, fields.name, 'a creation does not trim')
    const row = { id, name, video_path: '/films/a.mp4', duration: 61.5, created_at, updated_at: created_at }
    assert.deepEqual(await list(), [row])
    const read = await world.get(`/projects/${id}`)
    assert.deepEqual(read.json(), { ...row, audio_path: null, state, state_json: JSON.stringify(state) })

    const second = await create({ name: 'Second' })
    const replaced = await world.put(`/projects/${id}`, { name: 'Dub', state: { a: 1 } })
    assert.deepEqual([replaced.status, Object.keys(replaced.json()).sort()], [200, ['id', 'name', 'updated_at']])
    const { updated_at } = replaced.json()
    assert.ok(updated_at >= created_at)
    const empty = { video_path: null, audio_path: null, duration: null }
    assert.deepEqual((await world.get(`/projects/${id}`)).json(), {
      ...{ id, name: 'Dub', ...empty, created_at, updated_at },
      ...{ state: { a: 1 }, state_json: '{"a":1}' },
    })
    assert.deepEqual(
      (await list()).map((one: { id: string }) => one.id),
      [id, second],
      'the last changed one first',
    )
    const renamed = await world.patch(`/projects/${second}`, { name: '  Two\t' })
    assert.deepEqual({ ...renamed.json(), updated_at: 0 }, { id: second, name: 'Two', updated_at: 0 })
    assert.deepEqual((await list())[0].id, second)
    for (let again = 0; again < 2; again++)
      for (const gone of [id, second]) {
        const reply = await world.delete(`/projects/${gone}`)
        assert.deepEqual([reply.status, reply.json()], [200, { deleted: gone }])
      }
    assert.deepEqual(await list(), [])
    const seen = await eventually(() => events.length >= 6 && events)
    assert.deepEqual(
      seen.map(({ ts: _, ...event }) => event),
      [
        { kind: 'projects', action: 'created', id },
        { kind: 'projects', action: 'created', id: second },
        { kind: 'projects', action: 'updated', id },
        { kind: 'projects', action: 'renamed', id: second },
        { kind: 'projects', action: 'deleted', id },
        { kind: 'projects', action: 'deleted', id: second },
      ],
    )
  })

  await t.test('a state of 16 MiB is stored; one byte more is refused with the limit', async () => {
    const exact = stateOf(STATE_BYTES)
    const id = await create({ state: exact })
    const { state_json, state } = (await world.get(`/projects/${id}`)).json()
    assert.deepEqual([state_json.length, state.text.length], [STATE_BYTES, exact.text.length])
    const beyond = stateOf(STATE_BYTES + 1)
    for (const reply of [
      await world.post('/projects', { name: 'x', state: beyond }),
      await world.put(`/projects/${id}`, { name: 'x', state: beyond }),
    ]) {
      assert.equal(reply.status, 413)
      assert.match(reply.json().detail, /16777217 bytes as JSON and may have 16777216/)
    }
    assert.equal((await world.post('/projects', { name: 'x', state: stateOf(STATE_BYTES + 2 ** 21) })).status, 413)
    assert.equal((await world.patch(`/projects/${id}`, { name: 'x'.repeat(2 ** 20) })).status, 413, 'other bodies keep their limit')
    assert.equal((await list())[0].name, 'Book')
    assert.ok((await world.get('/projects')).body.length < 1000)
    await world.delete(`/projects/${id}`)
  })

  await t.test(
    'of many large requests at the same time, four are in work and the others are told to wait; slow ones hold nothing',
    async () => {
      const { hostname, port } = new URL(world.url)
      const head = `POST /projects HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${STATE_BYTES}\r\n\r\n{`
      const slow = Array.from({ length: 40 }, () => connect(Number(port), hostname).on('error', () => {}))
      await Promise.all(slow.map((socket) => once(socket, 'connect')))
      for (const socket of slow) socket.write(head)
      const large = () => world.post('/projects', { name: 'large', state: stateOf(2 ** 21) })
      assert.equal((await large()).status, 200)
      const replies = await eventually(async () => {
        const all = await Promise.all(Array.from({ length: 12 }, large))
        return all.some(({ status }) => status === 429) && all
      })
      assert.ok(replies.filter(({ status }) => status === 200).length >= 4)
      const refused = replies.find(({ status }) => status === 429)!
      assert.match(refused.json().detail, /at most 4 places for large requests/)
      assert.ok(refused.headers.get('retry-after'))
      assert.equal((await world.post('/projects', { name: 'small', state: {} })).status, 200)
      for (const socket of slow) socket.destroy()
      for (const { id } of await list()) await world.delete(`/projects/${id}`)
    },
  )

  await t.test('refusals name the field; unknown ids are 404', async () => {
    const state = {}
    for (const [body, field] of [
      [{ state }, 'name'],
      [{ name: 'x' }, 'state'],
      [{ name: null, state }, 'name'],
      [{ name: 'x', state: [] }, 'state'],
      [{ name: 'x', state: 'text' }, 'state'],
      [{ name: 'x', state: null }, 'state'],
      [{ name: 'x', state, duration: 'long' }, 'duration'],
      [{ name: 'x', state, video_path: 5 }, 'video_path'],
      [{ name: 'a\0b', state }, 'name'],
      [{ name: 'x', state, audio_path: '/a\0' }, 'audio_path'],
      [{ name: 'x'.repeat(1001), state }, 'name'],
    ] as const) {
      const reply = await world.post('/projects', body)
      assert.equal(reply.status, 422, JSON.stringify(body).slice(0, 100))
      assert.equal(reply.json().detail[0].loc[1], field)
    }
    let deep: unknown = {}
    for (let level = 0; level < 100; level++) deep = { deep }
    assert.equal((await world.post('/projects', { name: 'x', state: deep })).status, 422)
    for (const id of ['00000000', 'x', '..%2f..', '%00', "' or 1=1"]) {
      for (const reply of [
        await world.get(`/projects/${id}`),
        await world.put(`/projects/${id}`, { name: 'x', state }),
        await world.patch(`/projects/${id}`, { name: 'x' }),
      ]) {
        assert.equal(reply.status, 404, id)
        assert.equal(reply.json().detail, 'Project not found')
      }
    }
    const id = await create()
    for (const name of ['', '   ', '\t\n']) assert.equal((await world.patch(`/projects/${id}`, { name })).status, 400)
    assert.equal((await world.patch(`/projects/${id}`, {})).status, 422)
    assert.equal((await world.get(`/projects/${'x'.repeat(65)}`)).status, 422)
    const foreign = { origin: 'https://other.example' }
    for (const [method, path] of [
      ['GET', '/projects'],
      ['POST', '/projects'],
      ['GET', `/projects/${id}`],
      ['PUT', `/projects/${id}`],
      ['PATCH', `/projects/${id}`],
      ['DELETE', `/projects/${id}`],
    ] as const) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : { name: 'x', state }
      assert.equal((await world.send(method, path, body, foreign)).status, 403, `${method} from another site`)
      assert.equal((await world.send(method, path, body, { 'x-forwarded-for': '192.0.2.1' })).status, 401, `${method} through a proxy`)
    }
    assert.equal((await list()).length, 1)
  })

  await t.test('the command line lists, renames and deletes', async () => {
    for (const { id } of await list()) await world.delete(`/projects/${id}`)
    const id = await create({ name: 'A book', state: stateOf(100_000) })
    const env = { STUDIO_PORT: new URL(world.url).port, STUDIO_HOST: '127.0.0.1' }
    const run = async (...args: string[]) => {
      const { code, output, errors } = await studio(['projects', ...args], { env })
      assert.deepEqual([code, errors], [0, ''])
      return output
    }
    await run('rename', id, 'The same book')
    assert.deepEqual(jsonIn(await run('--json')), await list())
    assert.match(await run(), new RegExp(`^${id} .* The same book$`, 'm'))
    await run('remove', id, '--yes')
    assert.deepEqual(await list(), [])
  })

  await t.test('an answered write survives a kill, and a damaged state does not hide its project', async () => {
    const state = { kept: 'yes' }
    const ids = [await create({ state }), await create({ state })]
    await world.studio.end('SIGKILL')
    const db = new Sqlite(join(world.dataDir, 'studio.db'))
    db.prepare('update studio_projects set state_json = ? where id = ?').run('{"cut', ids[1])
    db.close()
    await world.restart()
    assert.deepEqual((await world.get(`/projects/${ids[0]}`)).json().state, state)
    const damaged = (await world.get(`/projects/${ids[1]}`)).json()
    assert.deepEqual([damaged.state, damaged.state_json], [{}, '{"cut'])
  })
})
