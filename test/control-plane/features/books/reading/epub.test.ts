import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEpub } from '#control-plane/features/books/reading/epub/epub.ts'
import { resolveHref } from '#control-plane/features/books/reading/epub/href.ts'
import { elementsIn, parseMarkup, textIn } from '#control-plane/features/books/reading/markup/markup.ts'
import { type EpubDocument, epubEntries, navItem, navPoint, xhtml } from '#test/support/archive/epub.ts'
import type { RawEntry } from '#test/support/archive/raw-zip.ts'
import { offOf, readOf } from '#test/support/archive/read-chapters.ts'

function filesOf(entries: readonly RawEntry[]) {
  const files = new Map(entries.map(({ name, content }) => [String(name).normalize('NFC').toLowerCase(), Buffer.from(content as string)]))
  return { names: [...files.keys()], read: (name: string) => files.get(name) ?? null }
}
const read = (documents: readonly EpubDocument[], options: Parameters<typeof epubEntries>[1] = {}) =>
  readEpub(filesOf(epubEntries(documents, options)))
const textOf = (body: string | Uint8Array) =>
  read([{ name: 'a.xhtml', body }])
    .chapters.map(({ title, text }) => (title === '' ? text : `${title}: ${text}`))
    .join('\n\n')
const document = (name: string, body: string): EpubDocument => ({ name, body })

test('references are decoded once and stay inside the archive', () => {
  const cases: readonly (readonly [string, string, string | null])[] = [
    ['ops/a.xhtml', 'My%20File.xhtml#p%C3%A9', 'ops/my file.xhtml'],
    ['ops/a.xhtml', '../Text/b.xhtml', 'text/b.xhtml'],
    ['ops/a.xhtml', '../../../../etc/passwd', 'etc/passwd'],
    ['ops/a.xhtml', '/b.xhtml', 'b.xhtml'],
    ['ops/a.xhtml', './x/../b.xhtml', 'ops/b.xhtml'],
    ['ops/a.xhtml', '#here', 'ops/a.xhtml'],
    ['ops/a.xhtml', 'caf\u0065\u0301.xhtml', 'ops/caf\u00e9.xhtml'],
    ['ops/a.xhtml', '100%.xhtml', 'ops/100%.xhtml'],
    ['ops/a.xhtml', '%2520.xhtml', 'ops/%20.xhtml'],
    ['ops/a.xhtml', 'https://example.org/b.xhtml', null],
    ['ops/a.xhtml', 'file:///etc/passwd', null],
  ]
  for (const [base, href, path] of cases) assert.equal(resolveHref(base, href)?.path ?? null, path, href)
  assert.equal(resolveHref('a', 'b#p%C3%A9')?.fragment, 'pé')
})

test('chapters begin where the contents say, in the order of the spine, and nothing is lost', () => {
  const book = read(
    [
      document('My File.xhtml', '<h1>One</h1><p>First.</p>'),
      document('split.xhtml', '<p>Goes on.</p>'),
      document('many.xhtml', '<h2 id="two">Two</h2><p>Second.</p><h2 id="three">3</h2><p>Third.</p><p id="three">Again.</p>'),
      { name: 'aside.xhtml', body: '<p>Aside.</p>', linear: 'no' },
    ],
    {
      metadata:
        '<dc:title>The Title</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator><dc:language>en-GB</dc:language><meta name="cover" content="c"/>',
      manifest: '<item id="c" href="Cover.jpg" media-type="image/jpeg"/>',
      nav: navItem('One', 'My%20File.xhtml') + navItem('Two', 'many.xhtml#two') + navItem('Three', '../OPS/many.xhtml#three'),
      others: [{ name: 'OPS/Cover.jpg', content: 'x' }],
      spine: '<itemref idref="d0"/><itemref idref="d1"/>',
    },
  )
  assert.deepEqual(readOf(book), [
    { title: 'One', text: 'First.\n\nGoes on.' },
    { title: 'Two', text: 'Second.' },
    { title: 'Three', text: '## 3\n\nThird.\n\nAgain.' },
  ])
  assert.deepEqual([book.title, book.author, book.language, book.cover], ['The Title', 'Ann, Bob', 'en-GB', 'ops/cover.jpg'])
  assert.deepEqual(book.skipped, [{ title: 'Aside.', why: 'It is outside of the order of reading.', place: 'ops/aside.xhtml: Aside.' }])
})

test('an NCX gives the chapters of a book without navigation, and headings those of a book without contents', () => {
  const documents = [document('a.xhtml', '<h1>A</h1><p>a</p><h2>A.1</h2><p>more</p>'), document('b.xhtml', '<h1>B</h1><p>b</p>')]
  const nested = navPoint('First', 'a.xhtml', navPoint('Section', 'a.xhtml#x')) + navPoint('B', 'b.xhtml')
  assert.deepEqual(
    read(documents, { ncx: nested }).chapters.map(({ title }) => title),
    ['First', 'B'],
  )
  assert.deepEqual(readOf(read(documents)), [
    { title: 'A', text: 'a' },
    { title: 'A.1', text: 'more' },
    { title: 'B', text: 'b' },
  ])
})

test('notes, marks of notes and pages, contents and hidden parts are not read, and larger parts are listed', () => {
  const notes = [
    '<p>Word<a epub:type="noteref" href="#n1">1</a> two<sup><a href="#n2">2</a></sup> three<a href="n.xhtml#n3"><sup>*</sup></a> x<sup>2</sup>.</p>',
    '<p>un<span epub:type="pagebreak" title="12">12</span>broken <span role="doc-pagebreak">13</span></p>',
    '<aside epub:type="footnote" id="n1"><p>A note.</p></aside><section role="doc-endnotes"><h2>Notes</h2><p>n</p></section>',
    '<p hidden="">h</p><p aria-hidden="true">h</p><p style="display: none">h</p><script>code()</script>',
  ].join('')
  const book = read([document('a.xhtml', notes), document('c.xhtml', '<p>Copyright</p>')], {
    guide: '<guide><reference type="copyright-page" href="c.xhtml"/></guide>',
  })
  assert.deepEqual(readOf(book), [{ title: '', text: 'Word two three x2.\n\nunbroken' }])
  assert.deepEqual(offOf(book), [
    { title: 'Copyright', text: 'Copyright', why: 'The copyright page is not read.' },
    { title: 'Notes', text: 'A note.\n\n## Notes\n\nn', why: 'Footnotes are not read.' },
  ])
  assert.deepEqual(book.skipped, [
    { title: 'Copyright', why: 'The copyright page is not read.', place: 'ops/c.xhtml: Copyright' },
    { title: 'Notes', why: 'Footnotes are not read.', place: 'A note.' },
    { title: 'h', why: 'It is hidden from programs that read aloud.', place: 'ops/a.xhtml' },
    { title: '', why: 'Page numbers that are not read: 2.' },
    { title: '', why: 'Marks of notes that are not read: 3.' },
  ])
})

test('inline elements add no blanks, blocks do, and pictures speak only alone', () => {
  assert.equal(
    textOf('<p><span class="drop">O</span>nce <b>up</b>on\n a time</p><div>next<div>inner</div>after</div>'),
    'Once upon a time\n\nnext\n\ninner\n\nafter',
  )
  assert.equal(
    textOf('<p>so\u00adft zero\u200bwidth</p><p><img alt="A wide map"/></p><p><img alt="map.png"/></p><p>x <img alt="not this one"/></p>'),
    'soft zerowidth\n\nA wide map\n\nx',
  )
  assert.equal(textOf('<p>one<br/>two</p><table><tr><td>a</td><td>b</td></tr></table>'), 'one\ntwo\n\n| a | b |')
  assert.equal(
    textOf('<p><ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>と<ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby></p>'),
    '[[漢字|かんじ]]と[[東京|とうきょう]]',
  )
  assert.equal(textOf('<p># 7 costs [pause] \\ 3</p><p>أهلاً بالعالم ‏</p>'), '\\# 7 costs \\[pause] \\\\ 3\n\nأهلاً بالعالم ‏')
})

test('broken documents are read as a browser reads them', () => {
  assert.equal(textOf('<p>a&nbsp;b &eacute; &unknown; &amp;amp;</p>').replaceAll('\u00a0', ' '), 'a b é &amp;')
  const broken = '<html><head><title/></head><body><p>One<p>Two & three<br>four <i>five</p></body></html>'
  assert.equal(textOf(broken), 'One\n\nTwo & three\nfour five')
  assert.equal(textOf(Buffer.from(`\ufeff${xhtml('<p>UTF-16 ü</p>').replace('UTF-8', 'UTF-16')}`, 'utf16le')), 'UTF-16 ü')
  const russian = 'Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива. '.repeat(3)
  const bytes = Uint8Array.from(xhtml(`<p>${russian}</p>`), (character) => {
    const code = character.codePointAt(0)!
    return code < 128 ? code : code - 0x410 + 0xc0
  })
  assert.equal(textOf(bytes), russian.trim())
})

test('deep trees and declared entities cost nothing', () => {
  const deep = (body: string) => `${'<div>'.repeat(20_000)}${body}${'</div>'.repeat(20_000)}`
  assert.equal(textOf(deep('deep')), 'deep')
  assert.equal(textIn(parseMarkup(`${deep('deep')}<br>`)).trim(), 'deep', 'also as HTML')
  const bomb = `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]><html><body><p>x&b;&f;y</p></body></html>`
  assert.equal(textOf(bomb), 'xy')
  assert.equal([...elementsIn(parseMarkup('<a/><b>'))].length > 0, true)
})

test('5,000 chapters are read', () => {
  const documents = Array.from({ length: 5000 }, (_, at) => document(`c${at}.xhtml`, `<p>Text ${at}.</p>`))
  const book = read(documents, { nav: documents.map(({ name }, at) => navItem(`Chapter ${at}`, name)).join('') })
  assert.equal(book.chapters.length, 5000)
  assert.deepEqual(readOf(book).at(-1), { title: 'Chapter 4999', text: 'Text 4999.' })
})

const encryption = (algorithm: string, uri: string): RawEntry => ({
  name: 'META-INF/encryption.xml',
  content: `<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="${uri}"/></enc:CipherData></enc:EncryptedData></encryption>`,
})

test('a protected book is refused; obfuscated fonts and a list of rights are not protection', () => {
  const documents = [document('a.xhtml', '<p>Text</p>')]
  const aes = 'http://www.w3.org/2001/04/xmlenc#aes128-cbc'
  assert.throws(() => read(documents, { others: [encryption(aes, 'OPS/a.xhtml')] }), /protected/)
  const rights = { name: 'META-INF/rights.xml', content: '<rights/>' }
  for (const other of [encryption('http://www.idpf.org/2008/embedding', 'OPS/font.otf'), encryption(aes, 'OPS/font.otf')])
    assert.equal(read(documents, { others: [other, rights] }).chapters[0]?.text, 'Text')
})

test('archives that are no books are refused, and missing documents are reported', () => {
  assert.throws(() => readEpub(filesOf([{ name: 'a.txt', content: 'x' }])), /not an EPUB/)
  assert.throws(() => read([]), /empty/)
  const missing = epubEntries([document('a.xhtml', '<p>Text</p>'), document('gone.xhtml', '')]).filter(
    ({ name }) => name !== 'OPS/gone.xhtml',
  )
  assert.deepEqual(readEpub(filesOf(missing)).notices, ['A document of the book is missing: ops/gone.xhtml.'])
})
