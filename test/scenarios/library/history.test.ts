// The history of takes: the list, the cap, restarts, and the files.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createHistory } from '#control-plane/features/base/library/history.store.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { createMakers } from '#control-plane/store/sqlite/made-by.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { form, request } from '#test/support/world/http.ts'
import { eventually, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

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

  await t.test('takes are read page by page, by words and by stars', async () => {
    const ids = [await take('A brown fox'), await take('The LAZY dog'), await take('dog and fox, 100 %_')]
    await world.put(`/history/${ids[1]}/starred`, { starred: true })
    const rows = await list()
    const page = async (query: string) => {
      const reply = await world.get(`/history?${query}`)
      assert.equal(reply.status, 200, String(reply.body))
      return reply.json().map(({ id }: Row) => id)
    }
    const all = rows.map(({ id }) => id)
    for (const [query, expected] of [
      ['limit=2', all.slice(0, 2)],
      ['limit=200', all],
      [`limit=2&before=${all[1]}`, all.slice(2, 4)],
      [`before=${all.at(-1)}`, []],
      ['q=', all],
      ['q=DOG', [ids[2], ids[1]]],
      ['q=fox%20%20dog', [ids[2]]],
      ['q=100%20%25_', [ids[2]]],
      [`q=dog&before=${ids[2]}`, [ids[1]]],
      ['q=dog&starred=false', [ids[2]]],
      ["q=';drop%20table%20generation_history", []],
      ['starred=1&limit=1', [ids[1]]],
      ['starred=true', rows.filter(({ starred }) => starred).map(({ id }) => id)],
      ['unknown=1', all],
    ] as const)
      assert.deepEqual(await page(query), expected, query)
    for (const [query, status] of [
      ['limit=0', 422],
      ['limit=201', 422],
      ['limit=-1', 422],
      ['limit=1.5', 422],
      ['limit=', 422],
      ['limit=1e9', 422],
      ['limit=NaN', 422],
      ['starred=', 422],
      ['starred=maybe', 422],
      ['before=', 422],
      [`before=${'a'.repeat(65)}`, 422],
      ['before=00000000', 404],
      ['before=%27%20or%201=1', 404],
      [`q=${'a'.repeat(201)}`, 422],
      ['limit=1&limit=2', 422],
      ['q=%00', 200],
      ['q=%ED%A0%80', 200],
    ] as const)
      assert.equal((await world.get(`/history?${query}`)).status, status, query)
    const { takes, starred, cap, next_removes } = (await world.get('/history/counts')).json()
    assert.deepEqual([takes, starred, cap, next_removes], [rows.length, rows.filter((row) => row.starred).length, 200, 0])
    for (const id of ids) await world.delete(`/history/${id}`)
  })

  await t.test('a take is downloaded in every format, named after its text', async () => {
    const id = await take('[voice:x] ../Grüße: "an" alle? <b>.\n\u202eZwei')
    const download = (query: string) => world.get(`/history/${id}/file${query}`)
    const { formats } = (await world.get('/history/counts')).json()
    const whole = await world.get(`/audio/${id}.wav`)
    for (const [format, type, magic] of [
      ['wav', 'audio/wav', /^RIFF/],
      ['mp3', 'audio/mpeg', /^\xff[\xf2-\xfb]/],
      ['flac', 'audio/flac', /^fLaC/],
      ['opus', 'audio/ogg', /^OggS/],
      ['m4a', 'audio/mp4', /^....ftypM4A/s],
    ] as const) {
      const reply = await download(`?format=${format}`)
      if (!formats.includes(format)) {
        assert.equal(reply.status, 503, format)
        assert.match(reply.json().detail, /needs ffmpeg/)
        continue
      }
      assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, type])
      assert.match(reply.body.subarray(0, 16).toString('latin1'), magic, format)
      assert.equal(
        reply.headers.get('content-disposition'),
        `attachment; filename="Gr_e an alle b Zwei.${format}"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20an%20alle%20b%20Zwei.${format}`,
      )
      if (format === 'wav') assert.ok(reply.body.equals(whole.body))
      else assert.ok(reply.body.length < whole.body.length && reply.body.length > 500, `${format}: ${reply.body.length}`)
    }
    assert.ok((await download('')).body.equals(whole.body))
    for (const query of ['?format=', '?format=exe', '?format=mp3&format=wav']) assert.equal((await download(query)).status, 422, query)
    assert.equal((await world.get('/history/00000000/file?format=mp3')).status, 404)
    for (const format of formats)
      assert.equal((await request(`${world.url}/history/${id}/file?format=${format}`, { method: 'HEAD' })).status, 200)
    writeFileSync(fileOf(id), 'not a sound')
    for (const format of formats.slice(1)) {
      const { status } = await download(`?format=${format}`)
      assert.ok(status >= 400 && status < 500, `${format}: ${status}`)
    }
    await world.delete(`/history/${id}`)
  })

  await t.test('a deleted take comes back as it was, until the studio starts again', async () => {
    const before = await list()
    const { id } = before[1]!
    const sound = (await world.get(`/audio/${id}.wav`)).body
    await world.delete(`/history/${id}`)
    assert.deepEqual([(await list()).length, (await world.get(`/audio/${id}.wav`)).status], [before.length - 1, 404])
    for (let again = 0; again < 2; again++) {
      const reply = await world.post(`/history/${id}/undelete`)
      assert.deepEqual([reply.status, reply.json()], [200, { id, restored: true }])
    }
    assert.deepEqual(await list(), before)
    assert.ok((await world.get(`/audio/${id}.wav`)).body.equals(sound))
    assert.equal((await world.post('/history/00000000/undelete')).status, 404)
    assert.deepEqual((await world.get(`/history/${id}`)).json(), before[1])
    assert.equal((await world.get('/history/00000000')).status, 404)

    // All of them, and all without a star.
    await world.delete('/history?keep_starred=true')
    assert.deepEqual(
      await list(),
      before.filter(({ starred }) => starred),
    )
    await world.delete('/history')
    assert.deepEqual(await list(), [])
    assert.deepEqual((await world.post('/history/undelete')).json(), { restored: before.length })
    assert.deepEqual((await world.post('/history/undelete')).json(), { restored: 0 })
    assert.deepEqual(await list(), before)

    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const gone = await take('for the bin')
      await world.delete(`/history/${gone}`)
      await world.restart(signal)
      assert.equal((await world.post(`/history/${gone}/undelete`)).status, 404)
      assert.deepEqual(await list(), before)
      const binned = () => readdirSync(join(world.dataDir, 'bin', 'takes'))
      await eventually(async () => binned().length === 0)
      assert.ok(!existsSync(fileOf(gone)))
    }
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
  const binFolder = join(folder, 'bin')
  const history = createHistory({ db, makers: createMakers({ db, clock }), clock, random, audioFolder: folder, binFolder, cap: () => cap })
  t.after(() => history.bin.stop())
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
