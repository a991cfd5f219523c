import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Gets } from '#control-plane/web/lib/api-types.ts'
import { projectsOf } from '#control-plane/web/pages/projects/rows.ts'

test('the state of a dub says whether its lines are spoken', () => {
  const dub = (id: string, tracks: string, segments_count: number) =>
    ({ id, tracks, segments_count, filename: `${id}.mp4`, language: '', duration: 8, created_at: 0 }) as Gets['/dub/summaries'][number]
  const dubs = [dub('new', '[]', 0), dub('transcribed', '', 1), dub('spoken', '{"es":{}}', 12)]
  const states = projectsOf({ projects: [], dubs, books: [], made: [] }, () => true).map(({ state, tone }) => [state, tone])
  assert.deepEqual(states, [
    ['Draft', ''],
    ['1 line, not spoken', ''],
    ['Spoken, 12 lines', 'good'],
  ])
})

test('a manuscript that was made into a book is done, and a length of zero is not shown', () => {
  const project = (id: string, kind: string) =>
    ({ id, kind, name: id, video_path: null, duration: 0, created_at: 0, updated_at: 0 }) as Gets['/projects'][number]
  const projects = [project('draft', 'book'), project('made', 'book'), project('words', 'transcript')]
  const all = projectsOf({ projects, dubs: [], books: [], made: [{ project: 'made', duration_s: 61 }] }, () => true)
  assert.deepEqual(
    all.map(({ state, length }) => [state, length]),
    [
      ['Draft', null],
      ['Done', 61],
      ['Transcribed', null],
    ],
  )
})

test('a book that stopped is the row of its manuscript, or its own without one', () => {
  const stopped = (job_id: string, project?: string) =>
    ({
      job_id,
      type: 'audiobook',
      title: job_id,
      chapters_done: 1,
      total_chapters: 3,
      ...(project && { project }),
    }) as Gets['/audiobook/jobs']['jobs'][number]
  const projects = [{ id: 'text', kind: 'book', name: 'text', duration: 0, updated_at: 0 } as Gets['/projects'][number]]
  const books = [stopped('first', 'text'), stopped('gone', 'deleted'), stopped('alone')]
  const all = projectsOf({ projects, dubs: [], books, made: [] }, () => true)
  assert.deepEqual(
    all.map(({ id, tone }) => [id, tone]),
    [
      ['text', 'warn'],
      ['gone', 'warn'],
      ['alone', 'warn'],
    ],
  )
  assert.ok(all.every(({ state }) => state === all[0]!.state))
})
