// The books of the page, joined from four lists, and the state of a manuscript as programs may have written it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentFrom } from '#control-plane/web/pages/audiobook/content.ts'
import { nextChapter } from '#control-plane/web/pages/audiobook/listen.ts'
import { piecesOf } from '#control-plane/web/pages/audiobook/pieces.ts'
import { editorOf, type Lists, shelfOf } from '#control-plane/web/pages/audiobook-shelf/shelf.ts'

const project = (id: string, name: string, at: number) =>
  ({ id, name, kind: 'book', revision: 1, video_path: null, duration: null, created_at: at, updated_at: at }) as Lists['projects'][number]
const file = { type: 'audiobook', duration_s: 9, chapters: 2, size_bytes: 1 } as const
const finished = (job_id: string, title: string, created_at: number, of?: string) =>
  ({ ...file, job_id, title, created_at, output: `${job_id}.m4b`, ...(of && { project: of }) }) as Lists['finished'][number]
const rest = { type: 'audiobook', status: 'failed', title: 'Stopped', total_chapters: 3, chapters_done: 1 } as const
const stopped = (job_id: string, created_at: number, of: string) =>
  ({ ...rest, job_id, created_at, project: of }) as Lists['stopped'][number]
const running = (id: string, of: string) =>
  ({ id, type: 'audiobook', created_at: 50, meta_json: JSON.stringify({ title: 'Runs', project: of }) }) as Lists['running'][number]

test('a book is one entry with its newest file, what needs the person comes first, and at most three go on', () => {
  const shelf = shelfOf({
    projects: [project('p1', 'One', 9), project('p2', 'Two', 8), project('p3', 'Three', 7), project('p4', 'Four', 6)],
    running: [running('j5', 'p2')],
    stopped: [stopped('j6', 5, 'p3')],
    finished: [
      finished('j2', 'One', 4, 'p1'),
      finished('j1', 'One', 3, 'p1'),
      finished('j0', 'Old', 2),
      finished('j9', 'Gone', 1, 'deleted'),
    ],
  })
  assert.deepEqual(
    shelf.goOn.map(({ title }) => title),
    ['Three', 'Two', 'Four'],
  )
  assert.deepEqual(shelf.others, [])
  assert.deepEqual(
    shelf.finished.map((one) => [one.title, one.earlier, editorOf(one)]),
    [
      ['One', 1, '#/audiobook/p1'],
      ['Old', 0, ''],
      ['Gone', 0, ''],
    ],
  )
  const drafts = [4, 3, 2, 1].map((at) => project(`d${at}`, `Draft ${at}`, at))
  const many = shelfOf({ projects: drafts, running: [], stopped: [], finished: [] })
  assert.deepEqual([many.goOn.map(({ title }) => title), many.others.length], [['Draft 4', 'Draft 3', 'Draft 2'], 1])
})

test('a book that stopped and was finished since does not wait', () => {
  const lists = { projects: [project('p', 'Book', 1)], running: [], stopped: [stopped('a', 2, 'p')] }
  assert.equal(shelfOf({ ...lists, finished: [finished('b', 'Book', 3, 'p')] }).goOn.length, 0)
  assert.equal(shelfOf({ ...lists, finished: [finished('a', 'Book', 2, 'p')] }).goOn.length, 1, 'chapters of the finished book failed')
})

test('any state is a manuscript, and reading it again changes nothing', () => {
  const usual = contentFrom(null)
  for (const state of [
    7,
    [],
    { text: 7, cast: 'no', sayAs: { a: 1 }, pauses: { a: -1, b: 'x' }, skipped: [null], format: 'exe', loudness: 'loud' },
  ])
    assert.deepEqual({ ...contentFrom(state), skipped: [], cast: {} }, usual)
  const book = contentFrom({
    text: '# A',
    cast: { Mara: 'v1' },
    pauses: { sentence: 100 },
    format: 'mp3',
    sayAs: [{ term: 'a', say: 'b' }],
  })
  assert.equal(JSON.stringify(contentFrom(JSON.parse(JSON.stringify(book)))), JSON.stringify(book))
})

test('the text of a book of 40 hours fits into a project', () => {
  // 15.5 characters a second, in a script of which each character has three bytes.
  const text = '灯'.repeat(40 * 3600 * 15.5)
  assert.ok(Buffer.byteLength(JSON.stringify(contentFrom({ text }))) < 16 * 1024 ** 2)
})

test('a strip has a piece for each chapter as long as it sounds, and listening skips a chapter that failed', () => {
  const chapter = (index: number, seconds: number, error = '') => ({ index, seconds, error, title: '', warning: '' })
  const made = [chapter(0, 10), chapter(1, 0, 'no voice')]
  assert.deepEqual(piecesOf({ made, total: 4, lengths: [9, 20, 40], progress: 0.25 }), [
    { seconds: 10, share: 1, isFailed: false },
    { seconds: 20, share: 1, isFailed: true },
    { seconds: 40, share: 0.0625, isFailed: false },
    { seconds: 60, share: 0, isFailed: false },
  ])
  assert.deepEqual(piecesOf({ made: [], total: 0, lengths: [], progress: 0 }), [])
  assert.equal(nextChapter({ chapters: [...made, chapter(2, 5)] }, 0)?.index, 2)
  assert.equal(nextChapter({ chapters: made }, 0), null)
})
