// The kept list of profiles equals the stored rows after every kind of change, also while it is made, and when it is too large to be kept.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEncodedList } from '#control-plane/features/voices/profiles/list/encoded-list.ts'
import type { NewRow } from '#control-plane/features/voices/profiles/store/profile.ts'
import { publicRow } from '#control-plane/features/voices/profiles/store/public-row.ts'
import { voiceProfile } from '#test/support/builders/voice-profile.ts'
import { openStage, type VoiceStage } from './stage.ts'

const FILE = { digest: 'a'.repeat(64), bytes: 1_000 }
const OTHER = { digest: 'b'.repeat(64), bytes: 2_000 }
const said = {
  ...{ text: 'I agree.', audioDigest: FILE.digest, audioBytes: 5_000, audioName: 'a.wav', refDigest: FILE.digest },
  ...{ method: 'recorded' as const, checks: {}, recordedAt: 5 },
}
const reference = { ref: OTHER, original: null, name: 'b.wav', text: 'Words.', quality: {}, madeWith: null }
const row = (id: string, fields: Partial<NewRow> = {}) =>
  voiceProfile({ id, name: `Ада ${id}`, refDigest: FILE.digest, refBytes: 1, refName: 'a.wav', ...fields })
const READERS = ['watch', 'slice', 'find', 'byOrigin', 'list', 'untranscribed', 'count', 'bytes', 'statementOf', 'names', 'withdrawn']
/** Functions that write other tables. */
const ELSEWHERE = ['endWithdrawal']

const stored = ({ store }: VoiceStage) => JSON.parse(JSON.stringify(store.list().map((one) => publicRow(one, store.statementOf(one.id)))))
/** In one transaction, which is faster. */
const addMany = ({ db, store }: VoiceStage, count: number) =>
  db.transaction(() => {
    for (let at = 0; at < count; at++) store.add(row(`p${at}`), null)
  })()
async function listed(list: ReturnType<typeof createEncodedList>): Promise<unknown> {
  const body = await list.body()
  const pieces: Uint8Array[] = []
  for await (const piece of body instanceof Uint8Array ? [body] : body) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString('utf8'))
}

test('the kept list equals the stored rows after each change that the store can make', async (t) => {
  const stage = openStage(t)
  const { store } = stage
  const list = createEncodedList({ store })
  assert.deepEqual(await listed(list), [])
  for (const id of ['one', 'two', 'three']) store.add(row(id), id === 'two' ? said : null)
  const changes = {
    add: () => store.add(row('four', { personality: 'x"\n', staysHere: true }), said),
    update: () => store.update('one', { name: 'Renamed', staysHere: true }, 2),
    replaceReference: () => store.replaceReference('two', reference, 3),
    state: () => store.state('two', said, () => true),
    setChecks: () => store.setChecks('two', FILE.digest, { words: 0.5 }),
    lock: () => store.lock('two', { ...FILE, text: 'A take.', seed: 7, source: 'take' }, 4),
    unlock: () => store.unlock('two', 5),
    revoke: () => store.revoke('two', 6),
    setImage: () => store.setImage('three', FILE.digest, 7),
    setHosted: () => store.setHosted('three', 'far-away', 8),
    setQuality: () => store.setQuality('three', FILE.digest, { seconds: 3 }),
    addTranscript: () => store.addTranscript('three', FILE.digest, 'Words.', 9),
    addSample: () => {
      store.add(row('designed', { kind: 'design', instruct: 'male', refDigest: null }), null)
      return store.addSample('designed', 'male', reference, 10)
    },
    remove: () => store.remove('one'),
  }
  assert.deepEqual(
    Object.keys(changes).sort(),
    Object.keys(store)
      .filter((name) => ![...READERS, ...ELSEWHERE].includes(name))
      .sort(),
  )
  for (const [name, change] of Object.entries(changes)) {
    const before = stored(stage)
    assert.deepEqual(await listed(list), before, `before ${name}`)
    assert.notEqual(change(), false, name)
    assert.notDeepEqual(stored(stage), before, `${name} changes a row`)
    assert.deepEqual(await listed(list), stored(stage), name)
  }
  assert.equal(await list.body(), await list.body(), 'the same bytes until the next change')
})

test('a list that is asked for while another one is made has the changes from before its request', async (t) => {
  const stage = openStage(t)
  const { store } = stage
  addMany(stage, 450)
  const list = createEncodedList({ store })
  const first = listed(list)
  // The first slice has been read: one of its rows changes, one of it and one of a later slice are removed, and one is new.
  store.update('p5', { name: 'Changed' }, 2)
  store.remove('p6')
  store.remove('p440')
  store.add(row('new'), null)
  const second = listed(list)
  const waiting = Array.from({ length: 40 }, async (_, at) => {
    await new Promise((resolve) => setImmediate(resolve))
    store.update(`p${at + 20}`, { name: `Changed ${at}` }, 3)
    const names = ((await listed(list)) as { id: string; name: string }[]).filter(({ id }) => id === `p${at + 20}`)
    assert.deepEqual(
      names.map(({ name }) => name),
      [`Changed ${at}`],
    )
  })
  assert.deepEqual(
    ((await second) as { id: string }[]).slice(0, 2).map(({ id }) => id),
    ['new', 'p449'],
  )
  await Promise.all([first, ...waiting])
  assert.deepEqual(await listed(list), stored(stage))
})

test('a list above the limit is not kept, and is kept again when rows were deleted', async (t) => {
  const stage = openStage(t)
  const { store } = stage
  addMany(stage, 250)
  const list = createEncodedList({ store, mostBytes: 100_000 })
  for (const _ of [1, 2]) {
    assert.equal((await list.body()) instanceof Uint8Array, false)
    assert.deepEqual(await listed(list), stored(stage))
  }
  stage.db.transaction(() => {
    for (let at = 0; at < 200; at++) store.remove(`p${at}`)
  })()
  assert.deepEqual(await listed(list), stored(stage))
  assert.equal((await list.body()) instanceof Uint8Array, true)
  store.add(row('large', { description: 'x'.repeat(100_000) }), null)
  assert.deepEqual(await listed(list), stored(stage))
  assert.equal((await list.body()) instanceof Uint8Array, false)
})
