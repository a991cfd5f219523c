// The table of clips: searches are texts and not patterns, and every list reads an index.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { playableType } from '#control-plane/features/voices/gallery/gallery.rules.ts'
import { CLIP_LISTS, createGalleryStore, listSql, type StoredClip } from '#control-plane/features/voices/gallery/gallery.store.ts'
import { createMakers } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

function open(t: TestContext) {
  const db = openTestDatabase(join(temporaryFolder(t), 'studio.db'))
  t.after(() => db.close())
  const store = createGalleryStore({ db })
  const add = (id: string, more: Partial<StoredClip> = {}) =>
    store.add({
      id,
      name: id,
      character: '',
      category: 'import',
      description: '',
      source_type: 'upload',
      source_url: null,
      audio_digest: `audio-${id}`,
      audio_bytes: 1,
      original_digest: `original-${id}`,
      original_bytes: 1,
      original_name: 'x.wav',
      original_type: null,
      duration: 1,
      thumbnail: null,
      tags: '[]',
      is_favorite: 0,
      stays_here: 0,
      created_at: 0,
      ...more,
    })
  const idsOf = (search: string | null, category: string | null = null, limit = 50, viewer: ClientId | null = null) =>
    store.list({ search, category, limit, viewer }).map(({ id }) => id)
  return { db, store, add, idsOf }
}

test('a search is a text in any script, in which %, _ and \\ mean themselves', (t) => {
  const { store, add, idsOf } = open(t)
  add('percent', { name: '100% sure' })
  add('under', { character: 'snake_case' })
  add('back', { description: 'a\\b' })
  add('plain', { name: '100 sure', character: 'snakeXcase' })
  add('greek', { name: 'ΟΔΥΣΣΕΑΣ Ö' })
  add('composed', { name: 'Zoe\u0308' })
  assert.deepEqual(idsOf('%'), ['percent'])
  assert.deepEqual(idsOf('_'), ['under'])
  assert.deepEqual(idsOf('\\'), ['back'])
  assert.deepEqual(idsOf('100'), ['plain', 'percent'])
  assert.deepEqual(idsOf('οδυσσ'), ['greek'])
  assert.deepEqual(idsOf('ZOË'), ['composed'])
  assert.deepEqual(idsOf("' or 1=1 --"), [])
  assert.deepEqual(idsOf('100', 'other'), [])
  store.replace({ ...store.find('plain')!, name: 'changed' })
  assert.deepEqual(idsOf('100'), ['percent'])
})

test('lists are the newest first, and a category and a limit apply to them', (t) => {
  const { store, add, idsOf } = open(t)
  for (let at = 0; at < 6; at++) add(`c${at}`, { category: at % 2 ? 'odd' : 'even' })
  assert.deepEqual(idsOf(null, null, 3), ['c5', 'c4', 'c3'])
  assert.deepEqual(idsOf(null, 'even'), ['c4', 'c2', 'c0'])
  assert.deepEqual(idsOf('c', 'odd', 2), ['c5', 'c3'])
  assert.equal(store.remove(['c5', 'c4', 'unknown', 'c5']), 2)
  assert.deepEqual(idsOf(null, null, 2), ['c3', 'c2'])
})

test('clips that are hidden from a person do not count for the limit', (t) => {
  const { db, add, idsOf } = open(t)
  const makers = createMakers({ db, clock: { now: () => 0 } })
  for (let at = 0; at < 9; at++) {
    const id = `c${at}`
    if (at < 3) makers.record('clip', id, 'person:ada')
    else if (at > 3) makers.record('clip', id, 'person:bob')
    add(id, { category: at % 2 ? 'odd' : 'even' })
  }
  for (const search of [null, 'c']) {
    assert.deepEqual(idsOf(search, null, 3, 'person:ada'), ['c3', 'c2', 'c1'], 'of the owner and of Ada')
    assert.deepEqual(idsOf(search, 'even', 1, 'person:ada'), ['c2'])
    assert.deepEqual(idsOf(search, null, 2), ['c8', 'c7'])
  }
})

test('no list sorts, and no search reads a whole clip that does not match', (t) => {
  const { db } = open(t)
  const plan = (key: string) =>
    db
      .prepare<[Record<string, unknown>], { detail: string }>(`explain query plan ${listSql(key)}`)
      .all({ category: 'a', pattern: '%a%', limit: 1, viewer: 'person:ada' })
      .map(({ detail }) => detail)
      .join('; ')
  for (const key of CLIP_LISTS) assert.doesNotMatch(plan(key), /TEMP B-TREE/, key)
  assert.match(plan('category'), /USING INDEX gallery_clip_category/)
  assert.match(plan('search'), /COVERING INDEX gallery_clip_words/)
  assert.match(plan('category search'), /COVERING INDEX gallery_clip_category/)
})

test('both recordings of a clip are named as long as the clip exists', async (t) => {
  const { store, add } = open(t)
  add('a')
  add('b', { original_digest: 'original-a' })
  const names = async () => [...(await store.names(['audio-a', 'original-a', 'audio-b', 'other']))].sort()
  assert.deepEqual(await names(), ['audio-a', 'audio-b', 'original-a'])
  store.remove(['a'])
  assert.deepEqual(await names(), ['audio-b', 'original-a'])
  store.remove(['b'])
  assert.deepEqual(await names(), [])
})

test('the type of a recording comes from its bytes', () => {
  const typeOf = (...parts: (string | number[])[]) =>
    playableType(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)))))
  assert.equal(typeOf('RIFF0000WAVEfmt '), 'audio/wav')
  assert.equal(typeOf('fLaC'), 'audio/flac')
  assert.equal(typeOf('ID3'), 'audio/mpeg')
  assert.equal(typeOf([0xff, 0xfb, 0x90, 0]), 'audio/mpeg')
  assert.equal(typeOf('OggS', '.'.repeat(24), 'OpusHead'), 'audio/ogg')
  // AAC in ADTS, Theora in Ogg, MP4 and a page.
  for (const other of [typeOf([0xff, 0xf1, 0x50]), typeOf('OggS', '.'.repeat(24), '\x80theora'), typeOf('0000ftypisom'), typeOf('<html>')])
    assert.equal(other, null)
  assert.equal(playableType(new Uint8Array()), null)
})
