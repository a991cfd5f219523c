import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createHistory } from '#control-plane/features/base/library/history.store.ts'
import type { Database } from '#control-plane/store/database.ts'
import { createMakers } from '#control-plane/store/sqlite/made-by.ts'
import { type ClientId, OWNER_ID } from '#shared/protocol/access/client.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

/** The texts of a take that these tests do not look at. */
const TEXTS = {
  text: '',
  mode: 'design',
  language: 'Auto',
  instruct: '',
  profile_id: '',
  engine: '',
  voice: '',
  notice: '',
  routing: '' as const,
}

type Parts = Omit<Parameters<typeof createHistory>[0], 'db' | 'makers' | 'clock' | 'binFolder'>
function historyIn(t: TestContext, db: Database, parts: Parts) {
  const clock = createFakeClock()
  const binFolder = temporaryFolder(t)
  return createHistory({ db, makers: createMakers({ db, clock }), clock, binFolder, ...parts })
}

test('the times of earlier versions are listed with two decimals', (t) => {
  const audioFolder = temporaryFolder(t)
  const history = historyIn(t, openLedger(t).db, { random, audioFolder, cap: () => 0 })
  writeFileSync(join(audioFolder, 'a.wav'), '')
  const times = [0.123456789, 0.29, 12.3049, 7]
  for (const [at, generation_time] of times.entries())
    history.add({ ...TEXTS, id: `take${at}`, audio_path: 'a.wav', duration_seconds: 1, generation_time, seed: 1 })
  assert.deepEqual(
    history.list(null).map(({ generation_time }) => generation_time),
    [7, 12.3, 0.29, 0.12],
  )
})

/** Takes 1 to `count`, of which the first ten are starred. All share one file unless `ownFiles`. */
const fill = (db: Database, count: number, ownFiles = false) =>
  db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into generation_history (id, seq, text, mode, language, instruct, profile_id, audio_path, duration_seconds, generation_time, seed, starred, created_at)
    select 't' || i, i, '', 'design', 'en', '', '', ${ownFiles ? "'f' || i || '.wav'" : "'a.wav'"}, 1, 1, 0, i <= 10, i from n`)

test('listing 50,000 takes costs about as much as listing 60', (t) => {
  const audioFolder = temporaryFolder(t)
  writeFileSync(join(audioFolder, 'a.wav'), '')
  const fastest = (count: number) => {
    const { db } = openLedger(t)
    const history = historyIn(t, db, { random, audioFolder, cap: () => 0 })
    fill(db, count)
    const times = Array.from({ length: 30 }, () => {
      const from = performance.now()
      assert.equal(history.list(null).length, 60)
      return performance.now() - from
    })
    return Math.min(...times)
  }
  const [few, many] = [fastest(60), fastest(50_000)]
  assert.ok(many < few * 4 + 1, `${many} ms against ${few} ms`)
})

test('a lower cap removes the surplus in parts, with its files, and keeps starred takes', async (t) => {
  const { db } = openLedger(t)
  const audioFolder = temporaryFolder(t)
  const history = historyIn(t, db, { random, audioFolder, cap: () => 20 })
  fill(db, 1000, true)
  for (const at of [5, 11, 900]) writeFileSync(join(audioFolder, `f${at}.wav`), '')
  writeFileSync(join(audioFolder, 'new.wav'), '')
  history.add({ ...TEXTS, id: 'new', audio_path: 'new.wav', duration_seconds: 1, generation_time: 1, seed: 1 })
  const count = () => db.prepare<[], number>('select count(*) from generation_history').pluck().get()!
  assert.equal(count(), 801, 'the first part')
  for (let turns = 0; turns < 10 && count() > 20; turns++) await nextTurn()
  assert.equal(count(), 20)
  assert.deepEqual(
    [existsSync(join(audioFolder, 'f5.wav')), existsSync(join(audioFolder, 'f11.wav')), existsSync(join(audioFolder, 'f900.wav'))],
    [true, false, false],
  )
  assert.ok(history.has('t10') && history.has('new') && !history.has('t11'))
})

test('clearing removes thousands of files while the studio does other work', async (t) => {
  const { db } = openLedger(t)
  const audioFolder = temporaryFolder(t)
  const history = historyIn(t, db, { random, audioFolder, cap: () => 0 })
  fill(db, 1000, true)
  for (let at = 1; at <= 1000; at++) writeFileSync(join(audioFolder, `f${at}.wav`), '')
  const cleared = history.clear()
  assert.deepEqual(history.list(null), [], 'the rows are gone at once')
  assert.ok(readdirSync(audioFolder).length > 900, 'the files follow')
  await cleared
  assert.deepEqual(readdirSync(audioFolder), [])
})

test('a new take has an id that no other take has, stored or planned', (t) => {
  const ids = ['aaaaaaaa', 'aaaaaaaa', 'bbbbbbbb', 'bbbbbbbb', 'aaaaaaaa', 'cccccccc']
  const drawn = { hex: () => ids.shift()! }
  const { db } = openLedger(t)
  const open = () => historyIn(t, db, { random: drawn, audioFolder: temporaryFolder(t), cap: () => 0 })
  const history = open()
  const first = history.newId(OWNER_ID)
  history.add({ ...TEXTS, id: first, audio_path: `${first}.wav`, duration_seconds: 1, generation_time: 1, seed: 1 })
  assert.deepEqual([first, history.newId(OWNER_ID)], ['aaaaaaaa', 'bbbbbbbb'], 'one is planned')
  assert.equal(open().newId(OWNER_ID), 'bbbbbbbb', 'after a restart the stored ones are known')
  assert.equal(history.newId(OWNER_ID), 'cccccccc')
})

test('10,000 takes are searched page by page, in any case and order of the words', async (t) => {
  const { db } = openLedger(t)
  const audioFolder = temporaryFolder(t)
  writeFileSync(join(audioFolder, 'a.wav'), '')
  const history = historyIn(t, db, { random, audioFolder, cap: () => 0 })
  fill(db, 10_000)
  db.exec("update generation_history set text = 'The LAMP of Ärger number ' || seq")
  const { signal } = new AbortController()
  const find = async (q: string, more: { before?: string; starred?: boolean; limit?: number } = {}) =>
    (await history.page({ before: null, starred: null, limit: 50, q, ...more }, null, signal))?.map(({ id }) => id)
  assert.deepEqual(await find('ärger lamp', { limit: 2 }), ['t10000', 't9999'])
  assert.deepEqual(await find('ÄRGER lamp', { limit: 2, before: 't9999' }), ['t9998', 't9997'])
  assert.deepEqual(await find('number 77'), (await find('77'))!, 'one word narrows no more than both')
  assert.deepEqual((await find('er 7', { starred: true }))!, ['t7'])
  assert.deepEqual(await find('no such words'), [])
  assert.deepEqual(await find('', { starred: true, limit: 3, before: 't10' }), ['t9', 't8', 't7'])
  assert.deepEqual((await find('', { starred: false, limit: 200 }))?.length, 200)
  assert.deepEqual(await find('', { before: 'unknown' }), undefined)
  // Other work of the studio runs meanwhile.
  const [search] = [find('nothing has these words')]
  let turns = 0
  let isDone = false
  void search.then(() => {
    isDone = true
  })
  while (!isDone) {
    await nextTurn()
    turns++
  }
  assert.ok(turns > 10, `${turns} turns`)
  const gone = new AbortController()
  const ended = history.page({ before: null, starred: null, limit: 50, q: 'none' }, null, gone.signal)
  gone.abort(new Error('the client has gone'))
  await assert.rejects(ended, /the client has gone/)
})

test('a deleted take comes back in its place with its star and its maker, and is forgotten after a minute', async (t) => {
  const { db } = openLedger(t)
  const [audioFolder, binFolder] = [temporaryFolder(t), temporaryFolder(t)]
  const clock = createFakeClock()
  const makers = createMakers({ db, clock })
  const history = createHistory({ db, makers, clock, random, audioFolder, binFolder, cap: () => 0 })
  const add = (id: string) => {
    writeFileSync(join(audioFolder, `${id}.wav`), id)
    history.add({ ...TEXTS, id, profile_id: 'voice', audio_path: `${id}.wav`, duration_seconds: 1, generation_time: 1, seed: 1 })
  }
  const ids = () => history.list(null).map(({ id }) => id)
  const guest = 'guest' as ClientId
  makers.record('take', 'b', guest)
  for (const id of ['a', 'b', 'c']) add(id)
  history.star('c', true)
  for (const id of ['b', 'c']) await history.remove(id)
  add('d')
  history.forgetVoice('voice')
  clock.advance(59_000)
  makers.forgetGone()
  assert.deepEqual(ids(), ['d', 'a'])
  assert.equal(await history.restore('c', guest), false, 'it is not one of this client')
  assert.equal(await history.restore('b', guest), true)
  assert.equal(await history.restore('c', null), true)
  assert.deepEqual(ids(), ['d', 'c', 'b', 'a'], 'in their places, also after the next take')
  assert.deepEqual([makers.makerOf('take', 'b'), makers.makerOf('take', 'c')], [guest, OWNER_ID])
  const c = history.list(null)[1]!
  assert.deepEqual([c.starred, c.profile_id], [1, ''])
  // Deleted again: the minute of the first time does not count.
  await history.remove('c')
  clock.advance(2_000)
  await nextTurn()
  assert.equal(await history.restore('c', null), true)
  await history.clear({ keepsStarred: true })
  assert.deepEqual(ids(), ['c'])
  await history.clear()
  assert.deepEqual([ids(), readdirSync(audioFolder)], [[], []])
  assert.equal(await history.restore('a', null), true, 'one of many')
  assert.equal(await history.restoreAll(), 3)
  assert.deepEqual(ids(), ['d', 'c', 'b', 'a'])
  await history.clear()
  clock.advance(60_000)
  await nextTurn()
  await history.bin.stop()
  assert.deepEqual([await history.restoreAll(), await history.restore('a', null)], [0, false])
  assert.deepEqual([readdirSync(audioFolder), readdirSync(binFolder)], [[], []])
})

test('a take that comes back has its text, its parts and their sounds, which stay meanwhile', async (t) => {
  const audioFolder = temporaryFolder(t)
  const history = historyIn(t, openLedger(t).db, { random, audioFolder, cap: () => 0 })
  const add = (id: string) => {
    writeFileSync(join(audioFolder, `${id}.wav`), id)
    const script = { text: `Text of ${id}.`, script: '{}', digests: [`sound of ${id}`] }
    history.add({ ...TEXTS, id, audio_path: `${id}.wav`, duration_seconds: 1, generation_time: 1, seed: 1, script })
  }
  for (const id of ['a', 'b']) add(id)
  const sounds = ['sound of a', 'sound of b', 'sound of c']
  await history.remove('a')
  assert.equal(history.scriptOf('a'), null)
  assert.deepEqual([...(await history.scriptDigests(sounds))].sort(), ['sound of a', 'sound of b'])
  assert.equal(await history.restore('a', null), true)
  assert.equal(history.scriptOf('a')!.text, 'Text of a.')
  await history.clear()
  assert.equal(await history.restoreAll(), 2)
  assert.deepEqual([history.scriptOf('a')!.text, history.scriptOf('b')!.text], ['Text of a.', 'Text of b.'])
  assert.deepEqual([...(await history.scriptDigests(sounds))].sort(), ['sound of a', 'sound of b'])
})

test('the counts say how many takes the next one removes', (t) => {
  const { db } = openLedger(t)
  for (const [cap, surplus] of [
    [0, 0],
    [51, 0],
    [50, 1],
    [20, 31],
    [5, 40],
  ] as const) {
    db.exec('delete from generation_history')
    fill(db, 50)
    const history = historyIn(t, db, { random, audioFolder: temporaryFolder(t), cap: () => cap })
    assert.deepEqual(history.count(null), { takes: 50, starred: 10, cap, surplus })
    if (cap === 0) continue
    history.add({ ...TEXTS, id: 'new', audio_path: 'new.wav', duration_seconds: 1, generation_time: 1, seed: 1 })
    assert.equal(history.count(null).takes, 51 - surplus)
  }
})
