// Projects without HTTP: a full disk, too many projects, ids that are taken, and a clock that is set back.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createProjects } from '#control-plane/features/base/library/projects/projects.service.ts'
import { createProjectStore } from '#control-plane/features/base/library/projects/projects.store.ts'
import { createBinnedRows } from '#control-plane/store/sqlite/binned-rows.ts'
import { createMakers } from '#control-plane/store/sqlite/made-by.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'

function open(t: TestContext, ids: string[] = [], mostBytes?: number) {
  const { db } = openLedger(t)
  const events: string[] = []
  let now = 1_000_000
  let count = 0
  let expire = () => {}
  const projects = createProjects({
    store: createProjectStore({ db }),
    binned: createBinnedRows({ db, table: 'studio_projects', id: 'id', kind: 'project', bytes: 'octet_length(state_json)' }),
    bin: {
      async put({ remove, forget }) {
        remove()
        expire = forget
      },
    },
    makers: createMakers({ db, clock: { now: () => now } }),
    bus: { publish: ({ action, id }) => void events.push(`${action} ${id}`) },
    clock: { now: () => now },
    ...(mostBytes !== undefined && { mostBytes }),
    random: { hex: () => ids.shift() ?? String(count++).padStart(8, '0') },
  })
  const body = (name: string, text = '') => ({ name, video_path: null, audio_path: null, duration: null, state: { text } })
  return { db, projects, body, events, expire: () => expire(), setNow: (ms: number) => (now = ms) }
}

test('a full disk refuses a change as a whole, announces nothing, and later changes succeed', (t) => {
  const { db, projects, body, events } = open(t)
  const { id } = projects.create(body('kept', 'before'), OWNER_ID)
  db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`)
  const large = body('large', 'x'.repeat(1_000_000))
  assert.throws(() => projects.create(large, OWNER_ID), { code: 'STORAGE_FULL' })
  assert.throws(() => projects.replace(id, large), { code: 'STORAGE_FULL' })
  assert.deepEqual([projects.list(null).length, projects.read(id).state], [1, { text: 'before' }])
  assert.deepEqual(events, [`created ${id}`])
  db.pragma('max_page_count = 1000000')
  assert.equal(projects.replace(id, large).name, 'large')
})

test('a save that names the revision it read is refused after another save, and a project without a kind has the fields of the specification', (t) => {
  const { projects, body } = open(t)
  const { id, revision } = projects.create({ ...body('speech', 'one'), kind: 'speech' }, OWNER_ID)
  assert.equal(revision, 1)
  assert.equal(projects.replace(id, { ...body('speech', 'two'), revision: 1 }).revision, 2)
  assert.throws(() => projects.replace(id, { ...body('speech', 'three'), revision: 1 }), { code: 'CONFLICT', message: /saved elsewhere/ })
  const { kind, state } = projects.read(id)
  assert.deepEqual([kind, state], ['speech', { text: 'two' }])
  assert.equal(projects.rename(id, 'Harbour').revision, 3)
  assert.equal(projects.replace(id, body('any')).revision, 4, 'without a revision it replaces, and keeps the kind')
  assert.throws(() => projects.replace('no', { ...body('any'), revision: 1 }), { code: 'NOT_FOUND' })
  const plain = projects.create(body('plain'), OWNER_ID)
  assert.deepEqual(Object.keys(plain), ['id', 'name', 'created_at'])
  assert.deepEqual(
    Object.keys(projects.read(plain.id)).filter((name) => name === 'kind' || name === 'revision'),
    [],
  )
})

test('a deleted project comes back for a minute, with its maker, and makes room for others', async (t) => {
  const { db, projects, body, events, expire } = open(t, [], 100)
  const guest = 'device:1' as const
  const { id } = projects.create({ ...body('a', 'x'.repeat(60)), kind: 'book' }, guest)
  await projects.remove(id)
  assert.deepEqual([projects.list(null), await projects.remove(id)], [[], { deleted: id }])
  assert.throws(() => projects.undelete(id, 'device:2'), { code: 'NOT_FOUND' })
  db.exec('delete from made_by')
  projects.undelete(id, guest)
  assert.deepEqual(projects.undelete(id, guest), { id, restored: true })
  assert.deepEqual([projects.read(id).revision, projects.list(guest).length, events.at(-1)], [1, 1, `restored ${id}`])
  await projects.remove(id)
  expire()
  assert.throws(() => projects.undelete(id, null), { code: 'NOT_FOUND' })
  const second = projects.create(body('b', 'x'.repeat(60)), OWNER_ID)
  await projects.remove(second.id)
  projects.create(body('c', 'x'.repeat(60)), OWNER_ID)
  assert.throws(() => projects.undelete(second.id, null), { code: 'NOT_FOUND' }, 'a new project needs the bytes')
})

test('more than 10,000 projects are refused, and a deleted one makes room', async (t) => {
  const { db, projects, body } = open(t, ['ffffffff'])
  db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 9999)
    insert into studio_projects (id, name, created_at, updated_at, state_json) select 'p' || i, '', 1, 1, '{}' from n`)
  const { id } = projects.create(body('the last one'), OWNER_ID)
  assert.throws(() => projects.create(body('one more'), OWNER_ID), { code: 'CONFLICT', message: /already 10000 projects/ })
  await projects.remove(id)
  assert.equal(projects.create(body('again'), OWNER_ID).name, 'again')
})

test('all states together are limited, and a project may always shrink', (t) => {
  const { projects, body } = open(t, [], 1000)
  const { id } = projects.create(body('a', 'ü'.repeat(300)), OWNER_ID)
  assert.throws(() => projects.create(body('b', 'x'.repeat(400)), OWNER_ID), { code: 'CONFLICT', message: /1000 bytes together/ })
  assert.throws(() => projects.replace(id, body('a', 'x'.repeat(1000))), { code: 'CONFLICT' })
  projects.replace(id, body('a', 'x'.repeat(500)))
  assert.equal(projects.create(body('b', 'x'.repeat(400)), OWNER_ID).name, 'b')
})

test('a new project never takes the id of another one', (t) => {
  const { projects, body } = open(t, ['aaaaaaaa', 'aaaaaaaa', 'aaaaaaaa', 'bbbbbbbb'])
  assert.deepEqual([projects.create(body('first'), OWNER_ID).id, projects.create(body('second'), OWNER_ID).id], ['aaaaaaaa', 'bbbbbbbb'])
  assert.equal(projects.read('aaaaaaaa').name, 'first')
})

test('a clock that is set back leaves every project readable', (t) => {
  const { projects, body, setNow } = open(t)
  const { id } = projects.create(body('a'), OWNER_ID)
  setNow(10)
  assert.equal(projects.rename(id, 'b').updated_at, 0.01)
  projects.create(body('c'), OWNER_ID)
  assert.deepEqual(
    projects
      .list(null)
      .map(({ name }) => name)
      .sort(),
    ['b', 'c'],
  )
})
