// The memory that reading and planning a long book take is collected.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRenderBook } from '#control-plane/features/books/assembly/render-book.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'

/** Events, in order, while a book with so many characters is rendered. */
async function rendered(characters: number): Promise<string[]> {
  const order: string[] = []
  const speaker = { id: 'v', gainDb: 0, casting: { key: 'casting' } }
  const segments = [{ key: 'k', speaker, seconds: 5, gapMs: 0 }]
  const book = { chapters: [{ title: 'One', leadMs: 0, segments }], sampleRate: 24_000, notices: [] }
  const chapters = [{ title: 'One', spans: [{ text: 'a'.repeat(characters) }] }]
  const nothing = () => {}
  const renderBook = createRenderBook({
    prepare: async () => {
      order.push('planned')
      return book as never
    },
    levels: async (prepared) => prepared,
    renderer: { render: () => ({ ready: async () => {}, again: nothing, close: async () => {} }) } as never,
    cache: { find: async () => new Map(), pin: async () => {}, unpin: nothing } as never,
    store: { addChapter: nothing, progress: nothing, finish: nothing, remove: nothing },
    files: { hold: () => nothing, prune: async () => {} } as never,
    makeChapters: async function* ([chapter]) {
      order.push('chapter')
      yield { chapter: chapter!, file: { seconds: 1, integrated: -20 } as never, failure: null }
    },
    bookMedia: { plan: () => ({ format: 'mp3', codec: 'mp3', notice: null }) },
    publishBook: async () => ({ name: 'book.mp3', epub: null, seconds: 1 }),
    freeBytes: async () => Number.MAX_SAFE_INTEGER,
    collectGarbage: () => void order.push('collected'),
    clock,
  })
  const manifest = {
    chapters,
    emptyTitles: [],
    output: { format: 'mp3', bitrateKbps: 64, loudness: null, readalong: false },
    sampling: {},
  } as never
  const context = { signal: new AbortController().signal, emit: async () => {}, report: nothing } as never
  await renderBook({ jobId: 'j', manifest, released: null }, context)
  return order
}

test('the garbage of a long book is collected before it is planned and before its first chapter', async () => {
  assert.deepEqual(await rendered(500_000), ['collected', 'planned', 'collected', 'chapter'])
})

test('a short book does not stop the process for a collection', async () => {
  assert.deepEqual(await rendered(100_000), ['planned', 'chapter'])
})
