// The history of takes: the list, the cap, restarts, and the files.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createHistory } from '#control-plane/features/base/library/history.store.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { createMakers } from '#control-plane/store/sqlite/made-by.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { form, request } from '#test/support/world/http.ts'
import { sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

type Row = { id: string; audio_path: string; starred: number; created_at: number }

const open = sharedWorld()

test('history', async (t) => {
  const world = await open()
  await world.delete('/history') // of earlier files
  const outputs = join(world.dataDir, 'outputs')
  const list = async (): Promise<Row[]> => (await world.get('/history')).json()
  const take = async (text: string): Promise<string> =>
    (await world.send('POST', '/generate', form({ text, engine: 'tone' }))).headers.get('x-audio-id')!
  const fileOf = (id: string) => join(outputs, `${id}.wav`)

  await t.test('lists the newest take first and survives a restart', async () => {
    const ids = [await take('one'), await take('two'), await take('three')]
    const rows = await list()
    const { takes, audio_seconds, active_days, by_mode } = (await world.get('/stats/usage')).json()
    assert.deepEqual([takes, active_days, by_mode], [3, 1, [{ name: 'design', count: 3 }]])
    assert.ok(audio_seconds > 0)
    assert.deepEqual(
      rows.map(({ id }) => id),
      ids.toReversed(),
    )
    await world.restart()
    assert.deepEqual(await list(), rows)
  })

  await t.test('the chosen retention holds from the next take on', async () => {
    assert.equal((await world.put('/api/settings/history-retention', { cap: 3 })).status, 200)
    const before = await list()
    const id = await take('four')
    assert.deepEqual(
      (await list()).map((row) => row.id),
      [id, ...before.slice(0, 2).map((row) => row.id)],
    )
    await world.put('/api/settings/history-retention', { cap: 200 })
  })

  await t.test('a take that starred takes leave no room for can be heard until the next one', async () => {
    const [first] = await list()
    await world.put(`/history/${first!.id}/starred`, { starred: true })
    await world.put('/api/settings/history-retention', { cap: 1 })
    const made = await world.send('POST', '/generate', form({ text: 'no room', engine: 'tone' }))
    const path = `/audio/${made.headers.get('x-audio-path')}`
    assert.deepEqual([made.status, (await world.get(path)).body.equals(made.body)], [200, true])
    const next = await take('no room either')
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      [next, first!.id],
    )
    assert.equal((await world.get(path)).status, 404)
    await world.put('/api/settings/history-retention', { cap: 200 })
    await world.put(`/history/${first!.id}/starred`, { starred: false })
    await take('five')
  })

  await t.test('a star is set and removed; an unknown take is a 404', async () => {
    const { id } = (await list())[1]!
    for (const starred of [true, false, true]) {
      const reply = await world.put(`/history/${id}/starred`, { starred })
      assert.deepEqual([reply.status, reply.json()], [200, { id, starred }])
      assert.equal((await list())[1]!.starred, starred ? 1 : 0)
    }
    assert.equal((await world.put('/history/00000000/starred', { starred: true })).status, 404)
    for (const body of [{}, { starred: 2 }, { starred: 'maybe' }, { starred: null }])
      assert.equal((await world.put(`/history/${id}/starred`, body)).status, 422, JSON.stringify(body))
  })

  await t.test('the file of a take is served in full and in ranges', async () => {
    const { id, audio_path } = (await list())[0]!
    const whole = await world.get(`/audio/${audio_path}`)
    assert.deepEqual([whole.status, whole.headers.get('content-type')], [200, 'audio/wav'])
    assert.equal(whole.headers.get('accept-ranges'), 'bytes')
    assert.equal(whole.headers.get('x-content-type-options'), 'nosniff')
    assert.equal((await world.get('/nothing')).headers.get('x-content-type-options'), 'nosniff')
    const size = whole.body.length
    for (const [range, from, to] of [
      ['bytes=0-99', 0, 99],
      ['bytes=44-', 44, size - 1],
      ['bytes=-10', size - 10, size - 1],
    ] as const) {
      const part = await world.send('GET', `/audio/${audio_path}`, undefined, { range })
      assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes ${from}-${to}/${size}`])
      assert.ok(part.body.equals(whole.body.subarray(from, to + 1)), range)
    }
    const beyond = await world.send('GET', `/audio/${audio_path}`, undefined, { range: `bytes=${size}-` })
    assert.equal(beyond.status, 416)
    assert.ok(existsSync(fileOf(id)))
  })

  await t.test('only files of takes are served', async () => {
    writeFileSync(join(outputs, '.hidden.wav'), 'x')
    for (const name of [
      'nothing.wav',
      '.hidden.wav',
      '..%2fstudio.db',
      '%2e%2e%2fstudio.db',
      '..%5cstudio.db',
      'a%00.wav',
      '',
      '%2fetc%2fpasswd',
    ]) {
      const reply = await request(`${world.url}/audio/${name}`)
      assert.equal(reply.status, 404, `${name}: ${reply.status} ${reply.body}`)
    }
    assert.equal((await request(`${world.url}/audio/../studio.db`)).status, 404)
    rmSync(join(outputs, '.hidden.wav'))
    // A link could lead to any file of this user.
    symlinkSync(join(world.dataDir, 'studio.db'), join(outputs, 'link.wav'))
    mkdirSync(join(outputs, 'folder.wav'))
    for (const name of ['link.wav', 'folder.wav']) {
      for (const method of ['GET', 'HEAD'])
        assert.equal((await request(`${world.url}/audio/${name}`, { method })).status, 404, `${method} ${name}`)
      rmSync(join(outputs, name), { recursive: true })
    }
  })

  await t.test('reading a row whose file is missing removes the row', async () => {
    const before = await list()
    rmSync(fileOf(before[2]!.id))
    assert.deepEqual(await list(), before.slice(0, 2))
  })

  await t.test('removing a take removes its file; removing a missing take is not an error', async () => {
    const { id } = (await list())[0]!
    for (let again = 0; again < 2; again++) {
      const reply = await world.delete(`/history/${id}`)
      assert.deepEqual([reply.status, reply.json()], [200, { deleted: true }])
    }
    assert.ok(!existsSync(fileOf(id)))
    assert.equal((await world.get(`/audio/${id}.wav`)).status, 404)
  })

  await t.test('clearing removes all takes, including starred ones', async () => {
    const [starred] = await list()
    assert.equal(starred!.starred, 1)
    const reply = await world.delete('/history')
    assert.deepEqual([reply.status, reply.json()], [200, { cleared: true }])
    assert.deepEqual(await list(), [])
    assert.ok(!existsSync(fileOf(starred!.id)))
  })
})

function openHistory(t: TestContext, cap: number) {
  const folder = temporaryFolder(t)
  const db = openDatabase(join(folder, 'studio.db'))
  t.after(() => db.close())
  const history = createHistory({ db, makers: createMakers({ db, clock }), clock, random, audioFolder: folder, cap: () => cap })
  const add = (id: string, audio_path = `${id}.wav`) => {
    writeFileSync(join(folder, audio_path), 'RIFF')
    const rest = {
      text: '',
      mode: 'design',
      language: 'Auto',
      instruct: '',
      profile_id: '',
      duration_seconds: 1,
      generation_time: 1,
      seed: 0,
      engine: 'tone',
      voice: '',
      notice: '',
      routing: '' as const,
    }
    history.add({ id, audio_path, ...rest })
  }
  return {
    history,
    add,
    ids: () => history.list(null).map(({ id }) => id),
    hasFile: (name: string) => existsSync(join(folder, `${name}.wav`)),
  }
}
const numbered = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => String(from - i))

test('the list has the newest fifty takes and all starred takes', (t) => {
  const { history, add, ids } = openHistory(t, 0)
  for (let i = 1; i <= 60; i++) add(String(i))
  assert.deepEqual(ids(), numbered(60, 11))
  for (const id of ['3', '30']) assert.equal(history.star(id, true), true)
  assert.deepEqual(ids(), [...numbered(60, 11), '3'])
})

test('beyond the cap the oldest unstarred takes and their files are removed; starred takes count and stay', (t) => {
  const { history, add, ids, hasFile } = openHistory(t, 3)
  add('1')
  history.star('1', true)
  for (const id of ['2', '3', '4']) add(id)
  assert.deepEqual(ids(), ['4', '3', '1'])
  assert.deepEqual([hasFile('1'), hasFile('2'), hasFile('3')], [true, false, true])
  for (const id of ['3', '4']) history.star(id, true)
  add('5')
  assert.deepEqual(ids(), ['5', '4', '3', '1'], 'starred takes fill the cap: the newest take stays until the next one')
  add('6')
  assert.deepEqual(ids(), ['6', '4', '3', '1'])
  assert.equal(hasFile('5'), false)
})

test('a file is removed together with the last take that refers to it', (t) => {
  const { history, add, hasFile } = openHistory(t, 0)
  add('1', 'shared.wav')
  add('2', 'shared.wav')
  history.remove('1')
  assert.ok(hasFile('shared'))
  history.remove('2')
  assert.ok(!hasFile('shared'))
})
