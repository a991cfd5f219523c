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
