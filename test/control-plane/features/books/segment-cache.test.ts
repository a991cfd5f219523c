import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createBookStore } from '#control-plane/features/books/book/book.store.ts'
import { createSegmentStore } from '#control-plane/features/books/cache/segment.store.ts'
import { createSegmentCache, type SegmentOrigin } from '#control-plane/features/books/cache/segment-cache.ts'
import { createWithdrawals } from '#control-plane/features/books/cache/withdrawals.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { mayMount, smallDisk } from '#test/support/chaos/small-disk.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const key = (letter: string) => letter.repeat(64)
const sound = (value: number) => ({ sampleRate: 16_000, pcm: Buffer.alloc(200, value) })
const FILE_BYTES = 248
const origin = (more: Partial<SegmentOrigin> = {}): SegmentOrigin => ({
  isDoubtful: false,
  recording: null,
  isWithdrawn: () => false,
  ...more,
})
const never = new AbortController().signal

function open(t: TestContext, mostBytes = 1e9) {
  const folder = temporaryFolder(t)
  const db = openTestDatabase(join(folder, 'studio.db'))
  t.after(() => db.close())
  let now = 1
  const cache = createSegmentCache({ folder, store: createSegmentStore({ db }), limit: async () => mostBytes, clock: { now: () => now++ } })
  return { cache, db, folder, books: createBookStore({ db }), pathOf: (name: string) => join(folder, name.slice(0, 2), name) }
}

test('a segment is read back; a damaged or missing file is a miss and loses its row', async (t) => {
  const { cache, pathOf } = open(t)
  await cache.add(key('a'), sound(1), origin({ isDoubtful: true }))
  await cache.add(key('b'), sound(2), origin())
  assert.deepEqual(await cache.read(key('a')), sound(1))
  assert.deepEqual(await cache.find([key('a'), key('c')]), new Map([[key('a'), { samples: 100, sampleRate: 16_000, isDoubtful: true }]]))
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(FILE_BYTES), Buffer.from('VSSEG001')]) {
    await cache.add(key('a'), sound(1), origin())
    writeFileSync(pathOf(key('a')), bytes)
    assert.equal(await cache.read(key('a')), null)
    assert.equal((await cache.find([key('a')])).size, 0)
    assert.ok(!existsSync(pathOf(key('a'))))
  }
  assert.equal(cache.bytes(), FILE_BYTES)
})

test('a segment that arrives while its missing file is looked for stays', async (t) => {
  const { cache, pathOf } = open(t)
  for (let round = 0; round < 50; round++) {
    await cache.add(key('a'), sound(1), origin())
    rmSync(pathOf(key('a')))
    let isOver = false
    const arrival = cache.add(key('a'), sound(1), origin()).finally(() => {
      isOver = true
    })
    // As other books of equal text: each looks for the file again and again.
    const reads: Promise<unknown>[] = []
    while (!isOver) {
      reads.push(cache.read(key('a')))
      await nextTurn()
    }
    await Promise.all([arrival, ...reads])
    assert.deepEqual([(await cache.find([key('a')])).size, existsSync(pathOf(key('a')))], [1, true], `round ${round}`)
  }
  assert.equal(cache.bytes(), FILE_BYTES)
})

test('the least recently used segments go first, and those of an unfinished book stay', async (t) => {
  const { cache, books } = open(t, 3 * FILE_BYTES)
  books.add({ job_id: 'book', kind: 'story', title: '', manifest: 'm', total_chapters: 1, created_at: 1, project: '', cover: '' }, null)
  for (const letter of ['a', 'b', 'c']) await cache.add(key(letter), sound(1), origin())
  await cache.pin('book', [key('b')])
  await cache.used([key('a')])
  await cache.add(key('d'), sound(1), origin())
  const left = async () =>
    [...(await cache.find(['a', 'b', 'c', 'd', 'e', 'f'].map(key))).keys()]
      .map((name) => name[0])
      .sort()
      .join('')
  assert.equal(await left(), 'abd')
  for (const letter of ['e', 'f']) await cache.add(key(letter), sound(1), origin())
  assert.equal(await left(), 'bef')
  books.remove('book')
  for (const letter of ['a', 'c']) await cache.add(key(letter), sound(1), origin())
  assert.equal(await left(), 'acf')
  assert.equal(cache.bytes(), 3 * FILE_BYTES)
})

test('a disk that refuses a file leaves neither file nor row', async (t) => {
  const { cache, pathOf, folder } = open(t)
  mkdirSync(pathOf(key('a')), { recursive: true }) // a folder where the file belongs: the rename fails
  await assert.rejects(cache.add(key('a'), sound(1), origin()))
  assert.equal((await cache.find([key('a')])).size, 0)
  assert.deepEqual(readdirSync(join(folder, 'aa')), [key('a')])
})

test('the segments of a withdrawn recording go at once, and sound that was begun before is not kept', async (t) => {
  const { cache, books, pathOf } = open(t)
  const withdrawals = createWithdrawals()
  books.add({ job_id: 'book', kind: 'story', title: '', manifest: 'm', total_chapters: 1, created_at: 1, project: '', cover: '' }, null)
  await cache.pin('book', [key('a')])
  await cache.add(key('a'), sound(1), origin({ recording: 'ann' }))
  await cache.add(key('b'), sound(2), origin({ recording: 'bob' }))
  await cache.add(key('c'), sound(3), origin())
  assert.deepEqual(cache.recordings().toSorted(), ['ann', 'bob'])
  const isWithdrawn = withdrawals.claim(['ann'])
  withdrawals.add(['ann', 'eve'])
  await cache.withdraw(['ann', 'eve'])
  assert.deepEqual([...(await cache.find(['a', 'b', 'c'].map(key))).keys()].toSorted(), [key('b'), key('c')])
  assert.ok(!existsSync(pathOf(key('a'))))
  await assert.rejects(cache.add(key('a'), sound(1), origin({ recording: 'ann', isWithdrawn })), { code: 'INPUT_UNAVAILABLE' })
  assert.ok(!existsSync(pathOf(key('a'))))
  await cache.add(key('a'), sound(1), origin({ recording: 'ann', isWithdrawn: withdrawals.claim(['ann']) }))
  assert.equal(cache.bytes(), 3 * FILE_BYTES)
})

test('files that a crash left without a row are swept, and those with a row or on their way stay', async (t) => {
  const { cache, folder, pathOf } = open(t)
  await cache.add(key('a'), sound(1), origin())
  mkdirSync(join(folder, 'bb'))
  writeFileSync(pathOf(key('b')), 'a file whose row was never written')
  writeFileSync(`${pathOf(key('a'))}.7.new`, 'half a file')
  const adding = cache.add(key('c'), sound(3), origin())
  await cache.sweep(never)
  await adding
  assert.deepEqual(readdirSync(join(folder, 'aa')), [key('a')])
  assert.deepEqual(readdirSync(join(folder, 'bb')), [])
  assert.deepEqual(await cache.read(key('c')), sound(3))
})

test('segments that are held stay in a cache that is too small for them', async (t) => {
  const { cache } = open(t, 0)
  const release = cache.hold([key('a')])
  for (const letter of ['a', 'b']) await cache.add(key(letter), sound(1), origin())
  assert.deepEqual([...(await cache.find(['a', 'b'].map(key))).keys()], [key('a')])
  release()
  await cache.add(key('c'), sound(1), origin())
  assert.equal(cache.bytes(), 0)
})

test('a segment whose row is refused leaves no file', async (t) => {
  const { cache, db, pathOf } = open(t)
  // More than the free pages of the database have room for.
  const large = origin({ recording: 'x'.repeat(1_000_000) })
  const most = db.pragma('max_page_count', { simple: true })
  db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`)
  await assert.rejects(cache.add(key('a'), sound(1), large), { code: 'STORAGE_FULL' })
  assert.ok(!existsSync(pathOf(key('a'))))
  db.pragma(`max_page_count = ${most}`)
  await cache.add(key('a'), sound(1), large)
  await assert.rejects(async () => {
    db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`)
    await cache.add(key('a'), sound(1), origin({ recording: 'y'.repeat(3_000_000) }))
  })
  assert.deepEqual(await cache.read(key('a')), sound(1), 'the file of the earlier row stays')
})

test('a full disk is STORAGE_FULL and leaves neither file nor row', {
  skip: mayMount ? false : 'mounting is not permitted here',
}, async (t) => {
  const disk = smallDisk(t, 'size=64k')
  const db = openTestDatabase(join(temporaryFolder(t), 'studio.db'))
  t.after(() => db.close())
  const cache = createSegmentCache({ folder: disk, store: createSegmentStore({ db }), limit: async () => 1e9, clock: { now: () => 1 } })
  await cache.add(key('a'), sound(1), origin())
  const large = { sampleRate: 16_000, pcm: Buffer.alloc(200_000, 1) }
  await assert.rejects(cache.add(key('b'), large, origin()), { code: 'STORAGE_FULL' })
  assert.deepEqual(readdirSync(join(disk, 'bb')), [])
  assert.deepEqual([...(await cache.find(['a', 'b'].map(key))).keys()], [key('a')])
  assert.deepEqual(await cache.read(key('a')), sound(1))
})

test('a deleted book comes back with its chapters and pins, and its manifest is kept meanwhile', async (t) => {
  const { books, db } = open(t)
  const manifest = 'a'.repeat(64)
  const book = { job_id: 'b1', kind: 'story', title: '', manifest, total_chapters: 1, created_at: 1, project: '', cover: '' } as const
  books.add(book, null)
  books.addChapter('b1', 0, 'b'.repeat(64))
  books.finish('b1', 'story_b1.mp3', 1, 2)
  db.prepare("insert into longform_pin (job_id, key) values ('b1', 'c')").run()
  const pins = () => db.prepare('select count(*) from longform_pin').pluck().get()
  const { binned } = books
  binned.remove('b1', 'first')
  assert.deepEqual([books.find('b1'), books.chapter('b1', 0), pins()], [null, null, 0])
  assert.deepEqual(await books.names([manifest]), new Set([manifest]))
  binned.restore('b1', 3)
  assert.deepEqual([books.find('b1')?.output, books.chapter('b1', 0), pins()], ['story_b1.mp3', 'b'.repeat(64), 1])
  binned.remove('b1', 'second')
  binned.forget('second')
  assert.equal((await books.names([manifest])).size, 0)
  assert.deepEqual(
    ['chapter', 'pin', 'book'].map((name) => db.prepare(`select count(*) from temp.binned_longform_${name}`).pluck().get()),
    [0, 0, 0],
  )
})
