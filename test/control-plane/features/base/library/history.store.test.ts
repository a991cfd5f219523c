import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createHistory } from '#control-plane/features/base/library/history.store.ts'
import type { Database } from '#control-plane/store/database.ts'
import { createMakers } from '#control-plane/store/sqlite/made-by.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
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

type Parts = Omit<Parameters<typeof createHistory>[0], 'db' | 'makers' | 'clock'>
function historyIn(db: Database, parts: Parts) {
  const clock = createFakeClock()
  return createHistory({ db, makers: createMakers({ db, clock }), clock, ...parts })
}

test('the times of earlier versions are listed with two decimals', (t) => {
  const audioFolder = temporaryFolder(t)
  const history = historyIn(openLedger(t).db, { random, audioFolder, cap: () => 0 })
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
    const history = historyIn(db, { random, audioFolder, cap: () => 0 })
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
  const history = historyIn(db, { random, audioFolder, cap: () => 20 })
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
  const history = historyIn(db, { random, audioFolder, cap: () => 0 })
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
  const open = () => historyIn(db, { random: drawn, audioFolder: temporaryFolder(t), cap: () => 0 })
  const history = open()
  const first = history.newId(OWNER_ID)
  history.add({ ...TEXTS, id: first, audio_path: `${first}.wav`, duration_seconds: 1, generation_time: 1, seed: 1 })
  assert.deepEqual([first, history.newId(OWNER_ID)], ['aaaaaaaa', 'bbbbbbbb'], 'one is planned')
  assert.equal(open().newId(OWNER_ID), 'bbbbbbbb', 'after a restart the stored ones are known')
  assert.equal(history.newId(OWNER_ID), 'cccccccc')
})
