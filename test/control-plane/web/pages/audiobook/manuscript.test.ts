import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_BOOK } from '#control-plane/web/pages/audiobook/book.ts'
import {
  chaptersOf,
  cutChapter,
  isIncluded,
  marked,
  markOf,
  rolesOf,
  textOf,
  voiced,
  withChapter,
  withIncluded,
} from '#control-plane/web/pages/audiobook/manuscript.ts'
import { leftOutOf, planned, spokenLength } from '#control-plane/web/pages/audiobook/plan.ts'
import { bookRequest, reportOf } from '#control-plane/web/pages/audiobook/render.ts'
import { parseScript } from '#shared/text/script/script.ts'
import { titleLine } from '#shared/text/script/title-line.ts'

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
  assert.deepEqual(marked('ab', 1, 1, 'pause'), { text: 'a [pause 0.5 s]b', cursor: 15 })
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
  const { voice_map, lexicon, keep_running } = bookRequest(book, '')
  assert.deepEqual([voice_map, lexicon, keep_running], [{ Mara: 'p1' }, { a: 'b' }, true])
  const waits = { type: 'routing_notice', status: 'waiting', reason: 'No machine. The book waits for one.' }
  const events = [
    waits,
    { type: 'chapter_error', index: 1, title: 'B', error: 'No memory.' },
    { type: 'chapter', index: 0, title: 'A', duration_s: 2, warning: 'Listen.' },
    { type: 'done', readalong: 'x.epub' },
  ]
  assert.deepEqual(reportOf(events.map((one) => ({ payload: JSON.stringify(one) }))), {
    chapters: [
      { index: 0, title: 'A', seconds: 2, warning: 'Listen.', error: '' },
      { index: 1, title: 'B', seconds: 0, warning: '', error: 'No memory.' },
    ],
    ...{ remarks: [], readAlong: 'x.epub', error: '', total: 0 },
  })
  assert.deepEqual(reportOf([{ payload: JSON.stringify(waits) }]).remarks, [waits.reason])
})

test('a chapter is switched off by its title and on again, as the studio reads it', () => {
  for (const text of [
    'Before.\n# One\na\n# [SKIP]  Two\nb\n# [skip] [skip] 2\nx\n# \\[skip] Three\nc\n# [skip]\nd\n# \ne',
    '# A\nb',
    'Only text.',
    '\n\n# A\nb',
  ]) {
    const chapters = chaptersOf(text)
    const studio = (manuscript: string) => parseScript(manuscript).map(({ title, included }) => [title, included])
    assert.deepEqual(
      chapters.map((one) => [one.title, isIncluded(one)]),
      studio(text),
    )
    for (const [at, chapter] of chapters.entries()) {
      const others = withIncluded(chapters, at, !isIncluded(chapter))
      assert.equal(isIncluded(others[at]!), !isIncluded(chapter))
      assert.equal(others[at]!.title, chapter.title)
      assert.deepEqual(studio(textOf(others)), studio(text).with(at, [chapter.title, !isIncluded(chapter)]))
      const back = withIncluded(others, at, isIncluded(chapter))
      assert.deepEqual(studio(textOf(back)), studio(text))
      if (isIncluded(chapter)) assert.equal(back[at]!.text, chapter.text.trimStart())
      assert.deepEqual(withIncluded(chapters, at, isIncluded(chapter)), chapters)
    }
  }
  assert.deepEqual(
    chaptersOf(titleLine({ title: 'Index', included: false })).map(({ title }) => title),
    ['Index'],
  )
})

test('the length of a book is that of the chapters that are spoken, and the reasons of the import are those of the page', () => {
  const chapters = chaptersOf('# [skip] Index\na\n# One\nb\n# Part\n')
  const chapter = (place: number, words: number, minutes: number) => ({ place, words, minutes, spans: [] })
  const left_out = [
    { title: 'Index', why: 'This chapter is switched off.' },
    { title: 'Part', why: 'A title.' },
  ]
  const plan = planned({ chapters: [chapter(0, 5, 1), chapter(1, 7, 2)], left_out })
  assert.deepEqual(spokenLength(chapters, plan), { words: 7, seconds: 120, chapters: 2 })
  assert.deepEqual(
    leftOutOf({ skipped: [{ title: 'Notes', why: 'Notes are not read.' }], reasons: { Index: 'An index is not read.' } }, plan),
    [
      { title: 'Index', why: 'An index is not read.' },
      { title: 'Part', why: 'A title.' },
      { title: 'Notes', why: 'Notes are not read.' },
    ],
  )
  assert.deepEqual(bookRequest({ ...NO_BOOK, pauses: { paragraph: 800 } }, '').layout_pauses, { paragraph: 800 })
  assert.equal('layout_pauses' in bookRequest(NO_BOOK, ''), false)
})
