import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_BOOK } from '#control-plane/web/pages/audiobook/book.ts'
import {
  chaptersOf,
  cutChapter,
  marked,
  markOf,
  rolesOf,
  textOf,
  voiced,
  withChapter,
} from '#control-plane/web/pages/audiobook/manuscript.ts'
import { bookRequest, reportOf } from '#control-plane/web/pages/audiobook/render.ts'

const titles = (text: string) => chaptersOf(text).map(({ title }) => title)

test('a manuscript is cut at its titles, and joined again to the letter', () => {
  assert.deepEqual(titles('No title at all.'), [''])
  assert.deepEqual(titles('\n\n# One\ntext\n# Two\n## deeper\n#No title'), ['One', 'Two'])
  assert.deepEqual(titles('Before.\n# One\n'), ['', 'One'])
  for (const text of ['', '# A', '\n # A\n# B\r\n\n# \nC', 'x\n# A\n# A']) assert.equal(textOf(chaptersOf(text)), text)
})

test('an edited chapter keeps what was typed, and the next title still begins a line', () => {
  let chapters = chaptersOf('# One\na\n# Two\nb\n')
  for (const letter of 'Storm') {
    const text = chapters[0]!.text + letter
    chapters = withChapter(chapters, 0, text, text.length).chapters
  }
  assert.equal(chapters[0]!.text, '# One\na\nStorm')
  assert.equal(textOf(chapters), '# One\na\nStorm\n# Two\nb\n')
  const emptied = withChapter(chapters, 0, '', 0).chapters
  assert.equal(textOf(emptied), '# Two\nb\n')
})

test('a title that is written into a chapter begins one when its line is finished, and the cursor follows', () => {
  const chapters = chaptersOf('# One\na\n\nb\n# Two\nc\n')
  const written = withChapter(chapters, 0, '# One\na\n# New\nb\n', 14)
  assert.equal(written.chapters.length, 2, 'the line is still being written')
  const finished = withChapter(written.chapters, 0, '# One\na\n# New\n\nb\n', 14)
  assert.deepEqual(finished, {
    chapters: [
      { title: 'One', text: '# One\na\n' },
      { title: 'New', text: '# New\n\nb\n' },
      { title: 'Two', text: '# Two\nc\n' },
    ],
    ...{ index: 1, cursor: 6 },
  })
  assert.deepEqual(
    cutChapter(written.chapters, 0).map(({ title }) => title),
    ['One', 'New', 'Two'],
  )
  assert.deepEqual(cutChapter(chapters, 1), chapters)
})

test('marks are written around the selection, and the cast is read from the plan', () => {
  assert.deepEqual(marked('say Wits now', 4, 8, 'say'), { text: 'say [[Wits|]] now', cursor: 11 })
  assert.deepEqual(marked('ab', 1, 1, 'pause'), { text: 'a [pause 500ms]b', cursor: 15 })
  assert.deepEqual(voiced('ab', 1, 'Mara'), { text: 'a[voice:Mara] b', cursor: 14 })
  assert.deepEqual([markOf({ name: 'Mara', voice_id: 'p1' }), markOf({ name: 'Mara [old]', voice_id: 'p2' })], ['Mara', 'p2'])
  const span = (voice: string | null, text = 'x') => ({ voice_id: voice, text })
  const chapters = [{ char_count: 1, spans: [span('Mara'), span(null), span('Mara'), span('Cole', ' ')] }]
  assert.deepEqual(rolesOf({ chapters }), [
    { voice: '', parts: 1 },
    { voice: 'Mara', parts: 2 },
  ])
})

test('a request has what was chosen, and a report what the events say', () => {
  const book = {
    ...NO_BOOK,
    chapters: chaptersOf('# A\n'),
    cast: { Mara: 'p1', Cole: '' },
    sayAs: [
      { term: ' a ', say: 'b' },
      { term: '', say: 'c' },
    ],
  }
  const { voice_map, lexicon, keep_running } = bookRequest(book)
  assert.deepEqual([voice_map, lexicon, keep_running], [{ Mara: 'p1' }, { a: 'b' }, true])
  const events = [
    { type: 'chapter_error', index: 1, title: 'B', error: 'No memory.' },
    { type: 'chapter', index: 0, title: 'A', duration_s: 2, warning: 'Listen.' },
    { type: 'done', readalong: 'x.epub' },
  ]
  assert.deepEqual(reportOf(events.map((one) => ({ payload: JSON.stringify(one) }))), {
    chapters: [
      { index: 0, title: 'A', seconds: 2, warning: 'Listen.', error: '' },
      { index: 1, title: 'B', seconds: 0, warning: '', error: 'No memory.' },
    ],
    ...{ remarks: [], readAlong: 'x.epub', error: '' },
  })
})
