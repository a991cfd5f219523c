// Compares what is read of generated books with the words that a reader sees, which this file takes out of the pages in its own way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NOTES, type Notes } from '#control-plane/features/books/reading/chapters/notes-setting.ts'
import { readEpub } from '#control-plane/features/books/reading/epub/epub.ts'
import { epubEntries } from '#test/support/archive/epub.ts'
import { BLOCK_FORMS, type GeneratedBook, generateBook, PAGE_FORMS, type Plan, TITLE_FORMS } from '#test/support/archive/generated-books.ts'

const BLOCK =
  /<\/?(?:p|div|h[1-6]|li|ul|ol|table|tr|td|th|section|aside|blockquote|pre|hr|br|dl|dt|dd|figure|figcaption|nav|hgroup)\b[^>]*>/g
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []

/** The words of a page in order. A letter that is a picture is a letter. */
function visibleWords(body: string): string[] {
  return wordsOf(
    body
      .replaceAll(/<p (?:hidden=""|style="display: none")>[^<]*<\/p>/g, '')
      .replaceAll(/<(?:m:)?math[^>]*alttext="([^"]*)".*?<\/(?:m:)?math>/g, ' $1 ')
      .replaceAll(/<\/?m[io]>/g, ' ')
      .replaceAll(/<img[^>]*alt="([^"]?)"\/>/g, '$1')
      .replaceAll(/<rt>.*?<\/rt>/g, '')
      .replaceAll(/\[Pg \d+\]/g, '')
      .replaceAll(/<div class="dc">Q<\/div><p>/g, '<p>Q')
      .replaceAll(BLOCK, ' ')
      .replaceAll(/<\/span><span>/g, ' ')
      .replaceAll(/<[^>]*>/g, ''),
  )
}
/** The words of a manuscript: of its readings only the characters. */
const spokenWords = (text: string): string[] => wordsOf(text.replaceAll(/\[\[([^|\]]*)\|[^\]]*\]\]/g, '$1').replaceAll('\\', ''))

function read(book: GeneratedBook, notes: Notes) {
  const entries = epubEntries(book.documents, { nav: book.nav })
  const files = new Map(entries.map(({ name, content }) => [String(name).toLowerCase(), Buffer.from(content as string)]))
  return readEpub({ names: [...files.keys()], read: (name) => files.get(name) ?? null }, notes)
}
const isNote = (word: string) => word.startsWith('zn')

function compare(plan: Plan, notes: Notes): void {
  const book = generateBook(plan)
  const { chapters, skipped } = read(book, notes)
  const spoken = chapters.filter(({ included }) => included)
  const text = book.documents.filter(({ name }) => !book.around.has(name)).flatMap(({ body }) => visibleWords(body as string))
  const around = book.documents.filter(({ name }) => book.around.has(name)).flatMap(({ body }) => visibleWords(body as string))
  const said = spoken.flatMap(({ title, text: own }) => [...spokenWords(title), ...spokenWords(own)])
  assert.deepEqual(
    said.filter((word) => !isNote(word)),
    text.filter((word) => !isNote(word)),
    'text, in order',
  )
  const notesSaid = said.filter(isNote).sort()
  const notesWritten = [...text, ...around].filter(isNote).sort()
  assert.deepEqual(notesSaid, notes === 'omit' ? [] : notesWritten, 'notes')
  const rest = [
    ...chapters.filter(({ included }) => !included).flatMap(({ title, text: own }) => [...spokenWords(title), ...spokenWords(own)]),
    ...skipped.flatMap(({ title, place = '' }) => [...wordsOf(title), ...wordsOf(place)]),
  ]
  const listed = new Set([...rest, ...said])
  assert.deepEqual(
    [...text, ...around].filter((word) => !listed.has(word)),
    [],
    'lost',
  )
  // The numbers of list items are no marks, nor are scene breaks.
  const marks = spoken.flatMap(
    ({ text: own }) =>
      own
        .replaceAll(/^(?:\d\. |- )/gm, '')
        .replaceAll('* * *', '')
        .match(/[\d*†[\]()]+/g) ?? [],
  )
  // In places where a note is read, its number may be part of it.
  if (notes === 'omit')
    assert.deepEqual(
      marks.filter((mark) => mark !== '[[' && mark !== ']]' && mark !== ']'),
      [],
      'marks',
    )
}

test('every form of title, block and page is read or listed, and nothing else is read', () => {
  for (const title of TITLE_FORMS.keys())
    compare(
      {
        chapters: [
          [title, []],
          [0, []],
        ],
        pages: [],
      },
      'omit',
    )
  for (const block of BLOCK_FORMS.keys())
    for (const notes of NOTES)
      compare(
        {
          chapters: [
            [1, [block]],
            [0, []],
          ],
          pages: [],
        },
        notes,
      )
  for (const page of PAGE_FORMS.keys())
    compare(
      {
        chapters: [
          [0, [0]],
          [1, []],
        ],
        pages: [page],
      },
      'omit',
    )
})

test('books of these forms lose no word, and no other word is read', () => {
  const block = fc.nat({ max: BLOCK_FORMS.length - 1 })
  const chapter = fc.tuple(fc.nat({ max: TITLE_FORMS.length - 1 }), fc.array(block, { maxLength: 12 }))
  const plan = fc.record({
    chapters: fc.array(chapter, { minLength: 2, maxLength: 6 }),
    pages: fc.array(fc.nat({ max: PAGE_FORMS.length - 1 }), { maxLength: 5 }),
  })
  fc.assert(fc.property(plan, fc.constantFrom(...NOTES), compare), { numRuns: 150 })
})
