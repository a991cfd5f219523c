import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { UnreadableBook } from '#control-plane/features/books/reading/book.ts'
import { decodeBook, decodeText } from '#control-plane/features/books/reading/text/decode.ts'
import { readMarkdown } from '#control-plane/features/books/reading/text/markdown.ts'
import { readPlainText } from '#control-plane/features/books/reading/text/plain.ts'
import { parseScript } from '#shared/text/script/script.ts'
import { offOf, readOf } from '#test/support/archive/read-chapters.ts'

const RUSSIAN =
  'Глава первая. Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. Всё смешалось в доме. '
/** Windows-1251 has the Russian letters in the order of Unicode. */
const inWindows1251 = (text: string) =>
  Uint8Array.from(text, (character) => {
    const code = character.codePointAt(0)!
    return code < 128 ? code : code === 0x451 ? 0xb8 : code - 0x410 + 0xc0
  })
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

test('the encoding of a text is found by mark, strict UTF-8, zero bytes, declaration or statistics', () => {
  const text = 'Der Fuß, naïve – “ok”'
  assert.equal(decodeText(Buffer.from(`\ufeff${text}`)).text, text)
  assert.deepEqual(decodeText(Buffer.from(text)), { text, encoding: 'utf-8' })
  assert.equal(decodeText(Buffer.from(`\ufeff${text}`, 'utf16le')).text, text)
  assert.equal(decodeText(utf16be(`\ufeff${text}`)).text, text)
  assert.equal(decodeText(Buffer.from(text.repeat(5), 'utf16le')).text, text.repeat(5))
  assert.equal(decodeText(utf16be(text.repeat(5))).text, text.repeat(5))
  assert.equal(decodeText(inWindows1251(RUSSIAN.repeat(3))).text, RUSSIAN.repeat(3))
  assert.equal(decodeText(inWindows1251(RUSSIAN), 'utf-8').text, RUSSIAN, 'a wrong declaration is not used')
  assert.equal(decodeText(inWindows1251(RUSSIAN), 'windows-1251').text, RUSSIAN)
  assert.equal(decodeText(Uint8Array.of(0x63, 0x61, 0x66, 0xe9)).text, 'café')
  assert.equal(decodeText(Uint8Array.of(0x63, 0xe9), 'no such encoding').text, 'cé')
})

test('a file that is no text is refused, and a text with a few strange bytes is not', () => {
  const tone = Buffer.from(Int16Array.from({ length: 8_000 }, (_, at) => Math.round(9_000 * Math.sin(at / 7))).buffer)
  const quiet = Buffer.from(Int16Array.from({ length: 8_000 }, (_, at) => at % 11).buffer)
  for (const samples of [tone, quiet, Buffer.alloc(16_000)])
    assert.throws(() => decodeBook(Buffer.concat([Buffer.from('RIFF....WAVEfmt '), samples])), UnreadableBook)
  const text = 'One line.\f\x1b[1mBold\x1b[0m\ttab\r\n\x1a\0'
  assert.equal(decodeBook(Buffer.from(text)), text)
  assert.equal(decodeBook(inWindows1251(RUSSIAN)), RUSSIAN)
  assert.equal(decodeBook(Buffer.from(`\ufeff${RUSSIAN}`, 'utf16le')), RUSSIAN)
})

test('short lines that begin with a chapter word are chapters, with each kind of line end', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['Preface words.', '', 'CHAPTER I. The Start', '', 'One.', '', 'Chapter 2', 'Two.', '', 'Epilogue', '', 'Three.'].join(end)
    assert.deepEqual(readOf(readPlainText(text)), [
      { title: '', text: 'Preface words.' },
      { title: 'CHAPTER I. The Start', text: 'One.' },
      { title: 'Chapter 2', text: 'Two.' },
      { title: 'Epilogue', text: 'Three.' },
    ])
  }
  const titles = (...lines: string[]) => readPlainText(lines.join('\n\n')).chapters.map(({ title }) => title)
  assert.deepEqual(titles('Kapitel 1', 'a', 'Глава 2', 'b', '第三章 归来', 'c'), ['Kapitel 1', 'Глава 2', '第三章 归来'])
  assert.deepEqual(titles('Part of it was true.', 'a', 'Booked for today', 'b', `Chapter ${'long '.repeat(20)}`), [''])
  const wrapped = 'He came to\nbook the room\nand left.'
  assert.deepEqual(readOf(readPlainText(wrapped)), [{ title: '', text: wrapped }])
})

test('a table of contents is not read, and every chapter keeps its text', () => {
  const contents = 'Contents\n\nChapter 1 ..... 5\nChapter 2 ..... 9\nChapter 3 ..... 12\n\n'
  const book = readPlainText(`${contents}Chapter 1\n\nOne.\n\nChapter 2\n\nTwo.\n\nChapter 3\n\nThree.`)
  assert.deepEqual(readOf(book), [
    { title: 'Chapter 1', text: 'One.' },
    { title: 'Chapter 2', text: 'Two.' },
    { title: 'Chapter 3', text: 'Three.' },
  ])
  assert.deepEqual(offOf(book), [
    { title: 'Contents', text: 'Chapter 1 ..... 5\n\nChapter 2 ..... 9\n\nChapter 3 ..... 12', why: 'A table of contents is not read.' },
  ])
  assert.deepEqual(readOf(readPlainText('Part 1\n\nChapter 1\n\nOne.')), [
    { title: 'Part 1', text: '' },
    { title: 'Chapter 1', text: 'One.' },
  ])
})

test('the frame of Project Gutenberg is cut and its header used', () => {
  const book = readPlainText(
    'The Project Gutenberg eBook\n\nTitle: Walden\n\nAuthor: H. D. Thoreau\n\nLanguage: English\n\n*** START OF THE PROJECT GUTENBERG EBOOK WALDEN ***\n\nText.\n\n*** END OF THE PROJECT GUTENBERG EBOOK WALDEN ***\nLicence.',
  )
  assert.deepEqual([book.title, book.author, book.language], ['Walden', 'H. D. Thoreau', 'English'])
  assert.deepEqual(readOf(book), [{ title: '', text: 'Text.' }])
  assert.deepEqual(
    offOf(book).map(({ title, why }) => [title, why]),
    Array(2).fill(['Project Gutenberg', 'The licence around the book is not read.']),
  )
  assert.match(offOf(book)[1]!.text, /Licence\.$/)
})

test('lines of prose are joined, lines of verse kept, and lists, scene breaks and marks are recognised', () => {
  const prose =
    'The river was high that spring and the mill stood half in\nwater, so that no miller could reach the door without a boat\nand none tried.'
  const joined = prose.replaceAll('\n', ' ')
  const only = (text: string) => readOf(readPlainText(`${prose}\n\n${text}`))[0]!.text.slice(joined.length + 2)
  assert.equal(only('x').length, 1)
  const cases: readonly (readonly [string, string])[] = [
    [
      'Cold the wind\n  blows from the hill\nand the stars\nare standing still',
      'Cold the wind\nblows from the hill\nand the stars\nare standing still',
    ],
    ['- milk\n- eggs and\n  bread', '- milk\n- eggs and bread'],
    ['* milk\n* eggs', '- milk\n- eggs'],
    ['1. Wash it.\n2. Boil it.', '1. Wash it.\n2. Boil it.'],
    ['He left.\n\n* * *\n\n-----\n\nHe came.', 'He left.\n\n* * *\n\nHe came.'],
    ['The Mill\n--------\n\nHe left.\n* * *\nHe came.', 'The Mill\n\nHe left.\n\n* * *\n\nHe came.'],
    ['It froze.[1] Then[Pg 13] it\nthawed.[*]', 'It froze. Then it\nthawed.'],
    ['He was [sic] there.', 'He was \\[sic] there.'],
  ]
  for (const [text, read] of cases) assert.equal(only(text), read)
})

test('notes in brackets are left out or read where they are wanted', () => {
  const text = 'Chapter 1\n\nIt froze.[1]\n\n[Footnote 1: In the north\nof the country.]\n\nIt thawed.'
  assert.deepEqual(offOf(readPlainText(text)), [
    { title: 'Notes', text: '## Chapter 1\n\nIn the north of the country.', why: 'Footnotes are not read.' },
  ])
  assert.deepEqual(readOf(readPlainText(text, 'end')), [
    { title: 'Chapter 1', text: 'It froze.\n\nIt thawed.\n\n* * *\n\nIn the north of the country.' },
  ])
})

test('the name of a chapter in capitals below its number is a part of the title', () => {
  assert.deepEqual(readOf(readPlainText('CHAPTER I.\n\nTHE FLOOD.\n\nText.\n\nCHAPTER II.\n\nText.')), [
    { title: 'CHAPTER I. THE FLOOD.', text: 'Text.' },
    { title: 'CHAPTER II.', text: 'Text.' },
  ])
})

test('a manuscript is kept as it is', () => {
  const script = '# One\n\n[voice:Ann] Hello.\n\n# Two\n\nBye.'
  assert.equal(readPlainText(script).chapters[0]?.text, script)
  assert.equal(readMarkdown(script).chapters[0]?.text, script)
})

test('any other text says after the import what it said before', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('\\', '[', ']', '[[', '|', ' [x]', 'word', '.', 'é')), (parts) => {
      const text = parts.join('')
      const [chapter] = readPlainText(text).chapters
      const spoken = parseScript(chapter?.text ?? '')[0]?.spans.map((span) => span.text)
      assert.equal((spoken ?? []).join(''), text.trim())
    }),
  )
})

test('Markdown is read without its marks', () => {
  const book = readMarkdown(
    [
      '---\ntitle: "A Title"\nauthor: Ann\nlang: en\n---\n',
      '# One\n\nHello *big* **wide** [world](http://example.org/x) &amp; `all`[^1].<br>\n\n![a picture](a.png)\n',
      '[^1]: A note\n    goes on.\n\n```js\ncode()\n```\n\n<div>markup</div>\n\n- first\n- second\n\n| a | b |\n|---|---|\n| c | d |\n',
      '# Two\n\n> Quoted [laughter].\n\n## Deeper\n\nEnd.',
    ].join('\n'),
  )
  assert.deepEqual([book.title, book.author, book.language], ['A Title', 'Ann', 'en'])
  assert.deepEqual(readOf(book), [
    { title: 'One', text: 'Hello big wide world & all.\n\nmarkup\n\n- first\n- second\n\n| a | b |\n| c | d |' },
    { title: 'Two', text: '> Quoted \\[laughter].\n\n## Deeper\n\nEnd.' },
  ])
  assert.deepEqual(offOf(book), [{ title: 'Notes', text: '## One\n\nA note goes on.', why: 'Footnotes are not read.' }])
  assert.deepEqual(
    book.skipped.map(({ title, why }) => [title, why]),
    [
      ['Notes', 'Footnotes are not read.'],
      ['code()', 'A block of code is not read.'],
      ['', 'Marks of notes that are not read: 1.'],
    ],
  )
  const promoted = readOf(readMarkdown('## A\n\na\n\n### B\n\nb\n\n## C\n\nc'))
  assert.deepEqual(promoted, [
    { title: 'A', text: 'a\n\n## B\n\nb' },
    { title: 'C', text: 'c' },
  ])
})
