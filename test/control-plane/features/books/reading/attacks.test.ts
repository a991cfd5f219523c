// Books that are built to cost or to confuse: each is read within its limits, or refused with a sentence. The expensive ones are in test/long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEpub } from '#control-plane/features/books/reading/epub/epub.ts'
import { elementsIn, parseMarkup } from '#control-plane/features/books/reading/markup/markup.ts'
import { readPages } from '#control-plane/features/books/reading/pdf/pages.ts'
import { readPdf } from '#control-plane/features/books/reading/pdf/pdf.ts'
import { BookLine } from '#control-plane/features/books/reading/reply.schema.ts'
import { readPictureHeader } from '#control-plane/media/picture/picture-header.ts'
import { type EpubDocument, epubEntries, navItem, navPoint } from '#test/support/archive/epub.ts'
import { pdf } from '#test/support/archive/pdf.ts'
import { offOf, readOf } from '#test/support/archive/read-chapters.ts'

function read(documents: readonly EpubDocument[], options: Parameters<typeof epubEntries>[1] = {}) {
  const files = new Map(
    epubEntries(documents, options).map(({ name, content }) => [String(name).toLowerCase(), Buffer.from(content as string)]),
  )
  return readEpub({ names: [...files.keys()], read: (name) => files.get(name) ?? null })
}
const one: EpubDocument = { name: 'a.xhtml', body: '<p>Text.</p>' }
const TEXT = [{ title: '', text: 'Text.' }]

test('a table of contents that names itself or is deeper than a tree is read once', () => {
  const self = navItem('Self', 'nav.xhtml', `<ol>${navItem('A', 'a.xhtml')}${navItem('Self', 'nav.xhtml#x')}</ol>`)
  const named = read([one], { nav: self, spine: '<itemref idref="nav"/>' })
  assert.deepEqual(readOf(named), [{ title: 'A', text: 'Text.' }])
  assert.deepEqual(offOf(named), [{ title: 'Self', text: '1. Self\n1. A\n2. Self', why: 'A table of contents is not read.' }])
  const cycle = navPoint('Self', 'toc.ncx', navPoint('A', 'a.xhtml', navPoint('Self', 'toc.ncx')))
  assert.deepEqual(readOf(read([one], { ncx: cycle, spine: '<itemref idref="ncx"/>' })), [{ title: 'A', text: 'Text.' }])
  const deep = '<navPoint><navLabel><text>x</text></navLabel><content src="a.xhtml"/>'.repeat(2000) + '</navPoint>'.repeat(2000)
  assert.equal(read([one], { ncx: deep }).chapters.filter(({ text }) => text !== '').length, 1)
})

test('a spine of 20,000 items that are missing or the same reads each document once', () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `m${at}`)
  const manifest = names.map((name) => `<item id="${name}" href="${name}.xhtml"/>`).join('')
  const book = read([one], { manifest, spine: names.map((name) => `<itemref idref="${name}"/><itemref idref="d0"/>`).join('') })
  assert.deepEqual(readOf(book), TEXT)
  assert.equal(book.notices.length, 500)
})

test('pictures, archives and PDF in the spine are not read as text', () => {
  const others = ['PK\u0003\u0004', '%PDF-1.7', 'GIF89a', `RIFF\0\0`, 'any\0thing'].map((head, at) => ({
    name: `o${at}.bin`,
    body: Buffer.from(`${head}${'<p>noise</p>'.repeat(20)}`, 'latin1'),
  }))
  const book = read([one, ...others])
  assert.deepEqual(readOf(book), TEXT)
  assert.deepEqual(
    book.skipped.map(({ why }) => why),
    Array(5).fill('It is not a text.'),
  )
})

test('what a reader writes fits the schema of its lines, for long names in the archive too', () => {
  const { skipped } = read([one, { name: `${'n'.repeat(400)}.xhtml`, body: '<p>x</p>', linear: 'no' }])
  for (const part of skipped) assert.ok(BookLine.safeParse({ type: 'skipped', ...part }).success)
  assert.equal(skipped.length, 1)
})

test('more parts than a function takes arguments are read', () => {
  const notes = '<aside epub:type="footnote">n</aside>'.repeat(130_000)
  const book = read([{ name: 'a.xhtml', body: `<p>Text.</p>${notes}` }])
  assert.deepEqual([readOf(book), offOf(book).length, book.skipped.length], [TEXT, 1, 1])
  const lines = Array.from({ length: 130_000 }, (_, at) => ({ text: 'word', x: 50, y: 500 - at * 12, width: 20, size: 10 }))
  assert.equal(readPages([{ height: 600, runs: [] }, ...[lines].map((runs) => ({ height: 600, runs }))], []).chapters.length, 1)
  const deep = parseMarkup(`${'<div>'.repeat(300)}${'<b>x</b>'.repeat(130_000)}<br></div>`)
  assert.equal([...elementsIn(deep)].length < 1000, true)
})

test('counts that a PDF claims cost nothing', async () => {
  const honest = pdf([[{ text: 'A page of a PDF with text.', y: 500 }]]).toString('latin1')
  const claims = (count: string) => readPdf(Buffer.from(honest.replace('/Count 1 ', `/Count ${count} `), 'latin1'))
  assert.equal((await claims('999999999')).chapters[0]?.text, 'A page of a PDF with text.')
  await assert.rejects(claims('-5'), /it says that it has no pages/)
})

test('a picture with four inks is told from one with three', () => {
  const jpeg = (parts: number) =>
    Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 8 + 3 * parts, 8, 0, 60, 0, 40, parts, ...Array<number>(3 * parts).fill(1)])
  assert.deepEqual(readPictureHeader(jpeg(3)), { type: 'jpeg', width: 40, height: 60 })
  assert.equal(readPictureHeader(jpeg(4))?.isForPrint, true)
})
