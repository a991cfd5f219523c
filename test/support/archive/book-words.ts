// Compares what is read of a generated book with the words that a reader sees, which this file takes out of the pages in its own way.
import assert from 'node:assert/strict'
import { NOTES, type Notes } from '#control-plane/features/books/reading/chapters/notes-setting.ts'
import { readEpub } from '#control-plane/features/books/reading/epub/epub.ts'
import { epubEntries } from './epub.ts'
import { BLOCK_FORMS, type GeneratedBook, generateBook, PAGE_FORMS, type Plan, TITLE_FORMS } from './generated-books.ts'

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

/** Throws an AssertionError for a word that is lost, and for one that is read and is no text. */
export function compareBook(plan: Plan, notes: Notes): void {
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

/** A book for each form of titles, blocks and pages; blocks with each setting of notes. */
export const everyForm = (): { readonly plan: Plan; readonly notes: Notes }[] => [
  ...[...TITLE_FORMS.keys()].map((title) =>
    formOf(
      [
        [title, []],
        [0, []],
      ],
      [],
      'omit',
    ),
  ),
  ...[...BLOCK_FORMS.keys()].flatMap((block) =>
    NOTES.map((notes) =>
      formOf(
        [
          [1, [block]],
          [0, []],
        ],
        [],
        notes,
      ),
    ),
  ),
  ...[...PAGE_FORMS.keys()].map((page) =>
    formOf(
      [
        [0, [0]],
        [1, []],
      ],
      [page],
      'omit',
    ),
  ),
]
const formOf = (chapters: Plan['chapters'], pages: Plan['pages'], notes: Notes) => ({ plan: { chapters, pages }, notes })
