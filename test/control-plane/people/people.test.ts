// People and their keys: what each change ends, what the database keeps, and how many there may be.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { createPeople, MOST_KEYS, MOST_PEOPLE } from '#control-plane/people/people.ts'
import { openPeople } from '#control-plane/people/people-access.store.ts'
import type { NewSignIn } from '#control-plane/people/person.rules.ts'
import { NO_LIMITS, type PersonRole } from '#shared/protocol/access/person.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'

const DAY_MS = 24 * 3600_000

function open(t: TestContext) {
  const opened = openLedger(t)
  const deps = { ...opened, random }
  const people = createPeople(deps)
  const add = (name: string, role: PersonRole = 'create', expiresAt: number | null = null) =>
    people.add({ name, kind: 'person', role, limits: NO_LIMITS }, expiresAt)
  return { ...opened, deps, people, add }
}

test('a key is shown once, and the database has its digest only', async (t) => {
  const { people, add, db } = open(t)
  const { key, person, keys } = await add('Ada')
  assert.match(key, /^svk_[A-Za-z0-9_-]{43}$/)
  const [row] = db.prepare('select * from person_key').all() as Record<string, unknown>[]
  assert.equal(row!['digest'], createHash('sha256').update(key).digest('hex'))
  assert.equal(row!['begins'], key.slice(0, 8))
  assert.ok(
    !JSON.stringify([db.prepare('select * from person').all(), row, db.prepare('select * from audit').all()]).includes(key.slice(8)),
  )
  const sender = people.find(key)!
  assert.deepEqual([sender.id, sender.keyId, sender.role(), sender.ended.aborted], [person.id, keys[0]!.id, 'create', false])
  assert.equal(people.find(`${key}x`), null)
  assert.equal(people.find(key), sender, 'one sender for all requests of a key')
})

test('a restart reads people and keys, and its keys work again', async (t) => {
  const { deps, add, people } = open(t)
  const { key, person } = await add('Ada', 'operate')
  const again = createPeople(deps)
  assert.equal(again.find(key)?.role(), 'operate')
  await people.end(person.id)
  assert.equal(createPeople(deps).find(key), null)
  assert.deepEqual(
    createPeople(deps)
      .list(true)
      .map(({ person: { name }, keys }) => [name, keys.length]),
    [['Ada', 0]],
  )
})

test('ending a key, a person or a right ends what was opened with it, and nothing else', async (t) => {
  const { people, add } = open(t)
  const ada = await add('Ada', 'own')
  const bob = await add('Bob')
  const second = await people.addKey(ada.person.id, { label: 'phone', expiresAt: null })
  const [one, two, other] = [people.find(ada.key)!, people.find(second.key)!, people.find(bob.key)!]
  await people.endKey(ada.person.id, one.keyId!)
  assert.deepEqual([one.ended.aborted, two.ended.aborted], [true, false])
  assert.equal(people.find(ada.key), null)
  await people.change(ada.person.id, { name: 'Ada L', limits: { tasks_at_once: 2 } })
  assert.equal(two.ended.aborted, false, 'limits end nothing')
  await people.change(ada.person.id, { role: 'create' })
  assert.equal(two.ended.aborted, true)
  const lower = people.find(second.key)!
  assert.deepEqual([lower.role(), lower.ended.aborted], ['create', false], 'the key itself stays')
  await people.change(ada.person.id, { role: 'operate' })
  assert.deepEqual([lower.role(), lower.ended.aborted], ['operate', false], 'a higher role counts at once')
  await people.end(ada.person.id)
  assert.equal(lower.ended.aborted, true)
  assert.equal(people.find(second.key), null)
  assert.equal(other.ended.aborted, false)
  await assert.rejects(people.end(ada.person.id), { code: 'NOT_FOUND' })
  await assert.rejects(people.addKey(ada.person.id, { label: '', expiresAt: null }), { code: 'NOT_FOUND' })
})

test('a key ends at its expiry, also one that is far away, and after a restart', async (t) => {
  const { people, add, clock, deps } = open(t)
  const { key } = await add('Ada', 'create', clock.now() + 100 * DAY_MS)
  const sender = people.find(key)!
  clock.advance(100 * DAY_MS - 1)
  assert.deepEqual([sender.ended.aborted, people.find(key) !== null], [false, true])
  clock.advance(1)
  assert.deepEqual([sender.ended.aborted, people.find(key)], [true, null])
  assert.equal(createPeople(deps).find(key), null)
  const bob = await add('Bob', 'create', clock.now() + DAY_MS)
  const jumped = people.find(bob.key)!
  clock.jump(DAY_MS)
  assert.equal(people.find(bob.key), null, 'a wall clock that was set forward')
  assert.equal(jumped.ended.aborted, true)
})

test('a key is replaced with an overlap, after which the old one ends by itself', async (t) => {
  const { people, add, clock } = open(t)
  const { key, person, keys } = await add('Ada')
  const old = people.find(key)!
  const next = await people.addKey(person.id, { label: '', expiresAt: null, replaces: { id: keys[0]!.id, endsIn: 3600 } })
  clock.advance(3600_000 - 1)
  assert.deepEqual([old.ended.aborted, people.find(key) !== null, people.find(next.key) !== null], [false, true, true])
  clock.advance(1)
  assert.deepEqual([old.ended.aborted, people.find(key), people.find(next.key) !== null], [true, null, true])
  const last = await people.addKey(person.id, { label: '', expiresAt: null, replaces: { id: next.row.id, endsIn: 0 } })
  assert.deepEqual([people.find(next.key), people.find(last.key) !== null], [null, true])
  await assert.rejects(people.addKey(person.id, { label: '', expiresAt: null, replaces: { id: next.row.id, endsIn: 0 } }), {
    code: 'NOT_FOUND',
  })
})

test('an overlap never extends the life of a key', async (t) => {
  const { people, add, clock } = open(t)
  const { key, person, keys } = await add('Ada', 'create', clock.now() + 1000)
  await people.addKey(person.id, { label: '', expiresAt: null, replaces: { id: keys[0]!.id, endsIn: 3600 } })
  clock.advance(1000)
  assert.equal(people.find(key), null)
})

test('keys are listed newest first, also when an older one was used last', async (t) => {
  const { people, add, clock } = open(t)
  const { person, key, keys } = await add('Reader')
  clock.advance(1_000)
  const { row } = await people.addKey(person.id, { label: '', expiresAt: null })
  people.find(key)
  assert.deepEqual(
    people.read(person.id)!.keys.map(({ id }) => id),
    [row.id, keys[0]!.id],
  )
})

test('names are unique among people that have not ended, also in another case', async (t) => {
  const { people, add } = open(t)
  const { person } = await add('Ada Byte')
  for (const name of ['Ada Byte', 'ada  byte', 'ＡＤＡ byte']) await assert.rejects(add(name), { code: 'CONFLICT' }, name)
  const bob = await add('Bob')
  await assert.rejects(people.change(bob.person.id, { name: 'ADA BYTE' }), { code: 'CONFLICT' })
  await people.change(person.id, { name: 'ada byte' })
  await people.end(person.id)
  await add('Ada Byte')
  assert.equal(people.list().length, 2)
})

test('a name and an identity go from one person to another in one batch', async (t) => {
  const { people, deps } = open(t)
  const add = (name: string, email: string) =>
    people.add({ name, kind: 'person', role: 'create', limits: NO_LIMITS, signIn: { email } }, null)
  const [ada, bob] = [await add('Ada', 'ada@example.org'), await add('Bob', 'bob@example.org')]
  const [one, other] = [ada.person.id, bob.person.id]
  await Promise.all([
    people.change(other, { name: 'Someone', signIn: null }),
    people.change(one, { name: 'Bob', signIn: { email: 'bob@example.org' } }),
    people.change(other, { name: 'Ada', signIn: { email: 'ada@example.org' } }),
  ])
  await Promise.all([
    people.change(other, { role: 'listen' }),
    people.end(one),
    people.change(other, { name: 'Bob', signIn: { email: 'bob@example.org' } }),
  ])
  const stored = createPeople(deps).list(true)
  assert.deepEqual(
    stored.map(({ person: { id, name, sign_in_email, role } }) => [id, name, sign_in_email, role]),
    [
      [other, 'Bob', 'bob@example.org', 'listen'],
      [one, 'Bob', 'bob@example.org', 'create'],
    ],
  )
})

test('the last use of a key is written once a minute, and with later changes', async (t) => {
  const { people, add, clock, db, commits } = open(t)
  const { key, keys } = await add('Ada')
  const stored = async () => {
    await commits.settled()
    return db.prepare('select used_at from person_key where id = ?').pluck().get(keys[0]!.id)
  }
  assert.equal(await stored(), null)
  const first = clock.now()
  people.find(key)
  assert.equal(await stored(), first)
  clock.advance(59_000)
  people.find(key)
  assert.equal(await stored(), first)
  clock.advance(1_000)
  people.find(key)
  assert.equal(await stored(), first + 60_000)
})

test('a full disk leaves people as they were', async (t) => {
  const { people, add, db } = open(t)
  const { key, person } = await add('Ada')
  db.pragma('query_only = on')
  await assert.rejects(people.end(person.id), { code: 'STORAGE_FULL' })
  await assert.rejects(add('Bob'), { code: 'STORAGE_FULL' })
  db.pragma('query_only = off')
  assert.ok(people.find(key))
  assert.deepEqual(
    people.list().map(({ person: { name } }) => name),
    ['Ada'],
  )
  assert.equal(db.prepare('select count(*) from person').pluck().get(), 1)
})

test('a studio has a thousand people and a person twenty keys', async (t) => {
  const { people, add } = open(t)
  const all = await Promise.all(Array.from({ length: MOST_PEOPLE }, (_, index) => add(`Person ${index}`)))
  await assert.rejects(add('One more'), { code: 'CONFLICT' })
  const began = performance.now()
  for (const { key, person } of all) assert.equal(people.find(key)?.id, person.id)
  assert.ok(performance.now() - began < 1_000)
  const { id } = all[0]!.person
  for (let count = 1; count < MOST_KEYS; count++) await people.addKey(id, { label: '', expiresAt: null })
  await assert.rejects(people.addKey(id, { label: '', expiresAt: null }), { code: 'CONFLICT' })
  const [, oldest] = people.read(id)!.keys
  await people.addKey(id, { label: '', expiresAt: null, replaces: { id: oldest!.id, endsIn: 0 } })
  await people.end(all[1]!.person.id)
  await add('One more')
})

test('nothing is loaded before the first key, and limits are known without it', async (t) => {
  const { deps, add } = open(t)
  const { person, key } = await add('Ada')
  const opened = openPeople(deps)
  assert.deepEqual(opened.limitsOf(person.id), NO_LIMITS)
  assert.equal(opened.limitsOf('none'), null)
  assert.equal((await opened.find(key))?.id, person.id)
  await (await opened.opened()).change(person.id, { limits: { machines: ['local'], disk_bytes: 5 } })
  assert.deepEqual(opened.limitsOf(person.id), { ...NO_LIMITS, machines: ['local'], disk_bytes: 5 })
  await (await opened.opened()).end(person.id)
  assert.equal(opened.limitsOf(person.id), null)
})

test('every change is an entry of the audit log', async (t) => {
  const { people, add, db } = open(t)
  const { person, keys } = await add('Ada')
  await people.change(person.id, { role: 'listen' })
  await people.addKey(person.id, { label: '', expiresAt: null })
  await people.endKey(person.id, keys[0]!.id)
  await people.end(person.id)
  const entries = db
    .prepare('select kind, subject, detail from audit where kind like ? or kind like ? order by seq')
    .all('person%', 'key%') as Record<string, string>[]
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['person-add', 'person-change', 'key-add', 'key-end', 'person-end'],
  )
  assert.ok(entries.every(({ subject, detail }) => subject === person.id && JSON.parse(detail!).by === 'owner'))
})

test('the first account with the address of a person is bound to it, and what it opened ends with the identity', async (t) => {
  const { people, deps, db } = open(t)
  const add = (name: string, signIn: NewSignIn | null) =>
    people.add({ name, kind: 'person', role: 'create', limits: NO_LIMITS, signIn }, null)
  const issuer = 'https://id.example'
  const [one, other] = [
    { issuer, subject: '1' },
    { issuer, subject: '2' },
  ]
  const { person } = await add('Ada', { email: 'Ada@Example.org' })
  await assert.rejects(add('Bob', { email: 'ada@example.org' }), { code: 'CONFLICT' })
  // The Kelvin sign is a small k in lower case.
  await add('Kim', { email: 'kim@example.org' })
  assert.equal(await people.signIn(other, '\u212aim@example.org'), 'unknown')
  assert.equal(await people.signIn(one, null), 'unknown')
  const sender = await people.signIn(one, 'ADA@example.org')
  assert.ok(typeof sender !== 'string')
  assert.deepEqual([sender.id, sender.keyId, sender.role()], [person.id, null, 'create'])
  assert.equal(await people.signIn(one, null), sender, 'the account decides from now on, and has one signal')
  assert.equal(await people.signIn(other, 'ada@example.org'), 'other')
  await assert.rejects(add('Eve', one), { code: 'CONFLICT' })
  const again = createPeople(deps)
  assert.equal(typeof (await again.signIn(one, null)), 'object', 'also after a restart')
  await people.change(person.id, { signIn: { email: 'ada@example.org' }, role: 'operate' })
  assert.equal(sender.ended.aborted, false, 'nothing changed for it')
  // With another provider the address is bound again.
  const elsewhere = await people.signIn({ issuer: 'https://other.example', subject: '1' }, 'ada@example.org')
  assert.equal(elsewhere, sender)
  assert.equal(await people.signIn(one, null), 'unknown')
  await people.change(person.id, { role: 'listen' })
  assert.equal(sender.ended.aborted, true)
  const lower = await people.signIn({ issuer: 'https://other.example', subject: '1' }, null)
  assert.ok(typeof lower !== 'string')
  people.endSignIns()
  assert.equal(lower.ended.aborted, true)
  await people.change(person.id, { signIn: null })
  assert.equal(await people.signIn(one, 'ada@example.org'), 'unknown')
  await people.change(person.id, { signIn: one })
  const named = await people.signIn(one, null)
  assert.ok(typeof named !== 'string')
  await people.end(person.id)
  assert.deepEqual([named.ended.aborted, await people.signIn(one, 'ada@example.org')], [true, 'unknown'])
  assert.equal((db.prepare("select count(*) as n from audit where kind = 'identity-bind'").get() as { n: number }).n, 2)
})
