// Books of the kinds that readers of books get wrong, one a case, with all that is read and all that is switched off.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notes } from '#control-plane/features/books/reading/chapters/notes-setting.ts'
import { readEpub } from '#control-plane/features/books/reading/epub/epub.ts'
import { epubEntries, navItem, navPoint } from '#test/support/archive/epub.ts'
import { offOf, readOf } from '#test/support/archive/read-chapters.ts'

type Pages = Readonly<Record<string, string>>
type Contents = { readonly nav?: string; readonly ncx?: string; readonly guide?: string }

function read(pages: Pages, contents: Contents = {}, notes: Notes = 'omit') {
  const entries = epubEntries(
    Object.entries(pages).map(([name, body]) => ({ name, body })),
    contents,
  )
  const files = new Map(entries.map(({ name, content }) => [String(name).toLowerCase(), Buffer.from(content as string)]))
  return readEpub({ names: [...files.keys()], read: (name) => files.get(name) ?? null }, notes)
}
/** A number at the start of a paragraph may be escaped: it is no list item. */
const withoutEscapes = (text: string) => text.replaceAll(/^\\(?=\d)/gm, '')
/** Chapters as a manuscript, in which those that are switched off have a mark. */
const shown = (...args: Parameters<typeof read>): string[] =>
  read(...args).chapters.map(
    ({ title, text, included }) => `${included ? '' : '[skip] '}${title} | ${withoutEscapes(text).replaceAll('\n\n', ' ¶ ')}`,
  )
const listed = (...titles: string[]): Contents => ({ nav: titles.map((title, at) => navItem(title, `${'abcdef'[at]}.xhtml`)).join('') })

test('a title takes only the headings that it says, and a heading that says more is the title', () => {
  const cases: readonly (readonly [listed: string, page: string, title: string, text: string])[] = [
    ['I', '<h1>I</h1><h2>Incident at the mill</h2><p>Alpha.</p>', 'I: Incident at the mill', 'Alpha.'],
    ['V', '<h1>V</h1><h2>The vanishing visitors</h2><p>Alpha.</p>', 'V: The vanishing visitors', 'Alpha.'],
    ['May', '<h1>May</h1><h2>Maybe not</h2><h2>Mayors</h2><p>Gamma.</p>', 'May', '## Maybe not\n\n## Mayors\n\nGamma.'],
    [
      'One',
      '<h1>One</h1><h2>The river was one thing.</h2><h2>The rain came.</h2>',
      'One',
      '## The river was one thing.\n\n## The rain came.',
    ],
    ['Chapter 1', '<h1>Chapter 1: In which it is sold</h1><p>A.</p>', 'Chapter 1: In which it is sold', 'A.'],
    ['Chapter 1', '<h1>Chapter 1. The Flood</h1><p>A.</p>', 'Chapter 1. The Flood', 'A.'],
    ['Chapter 1', '<h2>Chapter 1</h2><h3>In which it is sold.</h3><p>A.</p>', 'Chapter 1: In which it is sold.', 'A.'],
    ['2. The Calm', '<h2>2</h2><h3>The Calm</h3><p class="epigraph">Motto.</p>', '2. The Calm', 'Motto.'],
    ['3. The Calm', '<h2>The Calm</h2><p>A.</p>', '3. The Calm', 'A.'],
    ['I: The Arrival', '<hgroup><h2>I</h2><p>The Arrival</p></hgroup><p>A.</p>', 'I: The Arrival', 'A.'],
    ['The Mill', '<h1>THE MILL!</h1><p>A.</p>', 'The Mill', 'A.'],
    ['The Mill', '<h1>The Miller</h1><p>A.</p>', 'The Mill', '## The Miller\n\nA.'],
    ['Chapter 2', '<h1><span>Chapter 2</span><span>The Calm</span></h1><p>A.</p>', 'Chapter 2: The Calm', 'A.'],
    ['Chapter 2', '<h1>Chapter 2<br/>The Calm</h1><p>A.</p>', 'Chapter 2: The Calm', 'A.'],
    ['Storm', '<h1><span class="big">S</span><span>TORM</span></h1><p>A.</p>', 'Storm', 'A.'],
    ['雪国', '<h1><ruby>雪<rt>ゆき</rt></ruby>国</h1><p>A.</p>', '雪国', 'A.'],
    ['Mix', '<h1>Mix</h1><h2>The bowl</h2><p>A.</p>', 'Mix', '## The bowl\n\nA.'],
    ['Part One', '<h1>Part One</h1>', 'Part One', ''],
    ['Storm', '<h1><a href="nav.xhtml#r1">1</a> Storm</h1><p>A.</p>', '1 Storm', 'A.'],
    ['The Storm', '<h1>Chapter 1<br/>The Storm</h1><p>A.</p>', 'Chapter 1: The Storm', 'A.'],
    ['The Storm', '<h2>IV</h2><h3>The Storm</h3><p>A.</p>', 'IV: The Storm', 'A.'],
    ['Long', `<h1>Long ${'and longer '.repeat(30)}</h1>`, 'Long', `## Long ${'and longer '.repeat(30).trim()}`],
  ]
  for (const [name, page, title, text] of cases)
    assert.deepEqual(readOf(read({ 'a.xhtml': page }, listed(name))), [{ title, text }], `${name}: ${page.slice(0, 80)}`)
})

test('nested contents in one file make chapters, with parts above them', () => {
  const body =
    '<h1 id="p">Part One</h1><h2 id="c1">Chapter 1</h2><p>A.</p><h2 id="c2">Chapter 2</h2><h3 id="n2">In which it rains</h3><p>B.</p><h3 id="s">Noon</h3><p>C.</p>'
  const inner = [
    navItem('Chapter 1', 'a.xhtml#c1'),
    navItem('Chapter 2', 'a.xhtml#c2', `<ol>${navItem('In which it rains', 'a.xhtml#n2')}${navItem('Noon', 'a.xhtml#s')}</ol>`),
    navItem('Gone', 'a.xhtml#gone'),
  ].join('')
  assert.deepEqual(shown({ 'a.xhtml': body }, { nav: navItem('Part One', 'a.xhtml', `<ol>${inner}</ol>`) }), [
    'Part One | ',
    'Chapter 1 | A.',
    'Chapter 2: In which it rains | B.',
    'Noon | C.',
  ])
  const ncx = navPoint('Part One', 'a.xhtml', navPoint('Chapter 1', 'a.xhtml'))
  assert.deepEqual(shown({ 'a.xhtml': '<p>A.</p>' }, { ncx }), ['Part One | ', 'Chapter 1 | A.'])
  const headings = '<h1>Part One</h1><h2>The Storm</h2><p>A.</p><h2>Chapter 2</h2><h2>The Calm</h2><p>B.</p>'
  assert.deepEqual(shown({ 'a.xhtml': headings }), ['Part One | ', 'The Storm | A.', 'Chapter 2: The Calm | B.'])
})

test('marks of notes are not read in any form, and numbers of the text are', () => {
  const one = (body: string) => readOf(read({ 'a.xhtml': `<p>${body}</p>` }))[0]?.text
  const marks = [
    ...[
      '<sup><a href="#n1">1</a></sup>',
      '<a href="#n1"><sup>[1]</sup></a>',
      '<a href="#n1">[1]</a>',
      '<a href="#x" class="noteref">1</a>',
    ],
    ...['<span class="super"><a href="n.xhtml#n5">5</a></span>', '<sup>6</sup>', '<a href="#n7">*</a>', '<a href="#n8">†</a>', '[9]'],
    ...[
      '<a href="#x" epub:type="noteref">ix</a>',
      '<span class="footnote-ref">3</span>',
      ' <a href="#fn12">(12)</a>',
      '<sup><a href="#a">a</a></sup>',
    ],
    ...[
      '<span style="vertical-align: super">4</span>',
      '<a href="#Footnote_1" class="fnanchor">[1]</a>',
      '<a href="n.xhtml#n2"><span><small>2</small></span></a>',
    ],
  ]
  for (const mark of marks) assert.equal(one(`Alpha${mark} end.`), 'Alpha end.', mark)
  const kept: readonly (readonly [string, string])[] = [
    ['x<sup>2</sup> and 5 km<sup>2</sup>, sin<sup>2</sup>, the 10<sup>th</sup>, 10<sup>3</sup>', 'x2 and 5 km2, sin2, the 10th, 103'],
    ['see chapter <a href="c.xhtml#ch4">4</a> and page <a href="#p12">12</a>', 'see chapter 4 and page 12'],
    ['the year <a href="y.xhtml">1984</a>, [sic], a[1]', 'the year 1984, \\[sic], a\\[1]'],
    ['<a href="#top">I</a> said', 'I said'],
    ['see Fig.<a href="#fig4">4</a> and <code>array[0]</code>, list<tt>[12]</tt>', 'see Fig.4 and array\\[0], list\\[12]'],
  ]
  for (const [body, text] of kept) assert.equal(one(body), text)
})

test('page numbers are not read, and a class for page breaks takes no heading', () => {
  const book = read({
    'a.xhtml':
      '<h1 class="page-break pb">I</h1><p><span class="pagenum" id="Page_3">[Pg 3]</span>The riv<span epub:type="pagebreak">4</span>er <span class="pagenum"><a id="Page_5">[5]</a></span>rose.[Pg 6]</p>',
  })
  assert.deepEqual(readOf(book), [{ title: 'I', text: 'The river rose.' }])
  assert.deepEqual(book.skipped, [{ title: '', why: 'Page numbers that are not read: 4.' }])
})

const NOTED: Pages = {
  'a.xhtml':
    '<h1>One</h1><p>Alpha<a href="#n1" id="r1">1</a> end.</p><p>Bravo<a href="b.xhtml#n2">[2]</a> end.</p><p id="n1"><a href="#r1">1</a> First note.</p>',
  'b.xhtml': '<h1>Notes</h1><p id="n2">2. Second note.</p><p>It goes on.</p><p id="n3">3. Third note.</p>',
}

test('notes are left out, read behind their paragraph, or at the end of their chapter', () => {
  const contents = listed('One', 'Notes')
  assert.deepEqual(shown(NOTED, contents), [
    'One | Alpha end. ¶ Bravo end.',
    '[skip] Notes | 2. Second note. ¶ It goes on. ¶ 3. Third note.',
    '[skip] Notes | ## One ¶ First note.',
  ])
  assert.equal(shown(NOTED, contents, 'inline')[0], 'One | Alpha end. ¶ First note. ¶ Bravo end. ¶ 2. Second note. ¶ It goes on.')
  assert.equal(shown(NOTED, contents, 'end')[0], 'One | Alpha end. ¶ Bravo end. ¶ * * * ¶ First note. ¶ 2. Second note. ¶ It goes on.')
  const row = '<table><tr><td>Alpha<div class="footnote">a note</div></td><td>Bravo</td></tr></table>'
  assert.deepEqual(shown({ 'a.xhtml': row }), [' | | Alpha | Bravo |', '[skip] Notes | a note'])
  assert.deepEqual(shown({ 'a.xhtml': '<h1><ruby>雪<rt>ゆき</rt></ruby>国</h1><p>A.</p>' }), ['雪国 | A.'])
  const sentence = '<p>Alpha <span epub:type="footnote">a note</span>goes on.</p>'
  assert.deepEqual(shown({ 'a.xhtml': sentence }), [' | Alpha goes on.', '[skip] Notes | a note'])
})

test('a paragraph that a link names is a note only if it looks like one', () => {
  const body = '<p>Alpha<a href="#later">*</a> end.</p><p id="later">Later that day it rained.</p>'
  assert.deepEqual(shown({ 'a.xhtml': body }), [' | Alpha end. ¶ Later that day it rained.'])
})

test('what surrounds the text of a book becomes chapters that are switched off', () => {
  const text = `<p>${'The river was high that spring. '.repeat(20).trim()}</p>`
  const pages = {
    'a.xhtml': '<p>Copyright © 2020 by A. Writer. All rights reserved. ISBN 978-3-16-148410-0. Printed in Norway.</p>',
    'b.xhtml': '<h1>Contents</h1><p><a href="c.xhtml">Chapter 1</a></p><p><a href="d.xhtml">Chapter 2</a></p>',
    'c.xhtml': `<h1>Chapter 1</h1>${text}`,
    'd.xhtml': '<h1>Index</h1><p>mill, 3, 7, 12–14</p><p>river, 2</p>',
    'e.xhtml': '<h1>Bibliography</h1><p>Writer, A. (2001). A Mill. Oslo.</p>',
    'f.xhtml': '<nav><a href="c.xhtml">Back to the mill</a></nav>',
  }
  const why = (contents: Contents) => offOf(read(pages, contents)).map(({ title, why: reason }) => [title, reason])
  const reasons = ['The copyright page', 'A table of contents', 'An index', 'A bibliography', 'A table of contents'].map(
    (part) => `${part} is not read.`,
  )
  assert.deepEqual(why(listed('Copyright', 'Contents', 'Chapter 1', 'Index', 'Bibliography', 'Links')), [
    ...['Copyright', 'Contents', 'Index', 'Bibliography', 'Links'].map((title, at) => [title, reasons[at]]),
  ])
  const unlisted = why({ nav: navItem('Chapter 1', 'c.xhtml') })
  assert.deepEqual(
    unlisted.map(([, reason]) => reason),
    reasons,
  )
  const story = `${Array.from({ length: 20 }, () => text).join('')}<p>© 2010 by A. Writer. All rights reserved. First published in Oslo.</p>`
  assert.deepEqual(offOf(read({ 'a.xhtml': story.slice(0, 5000), 'b.xhtml': story }, listed('One', 'Two'))), [])
  const novel = listed('Index', 'References', 'Notes')
  const prose = { 'a.xhtml': text, 'b.xhtml': text, 'c.xhtml': text }
  assert.deepEqual(offOf(read(prose, novel)), [], 'a title alone is no reason')
})

test('the frame of Project Gutenberg is switched off, with and without its classes', () => {
  const frame = (isMarked: boolean) => ({
    'a.xhtml': `<section${isMarked ? ' class="pg-boilerplate pgheader" id="pg-header"' : ''}><h2>The Project Gutenberg eBook of A Mill</h2><div>For anyone.</div><div>*** START OF THE PROJECT GUTENBERG EBOOK A MILL ***</div></section><h1>A MILL</h1><p>by A. Writer</p>`,
    'b.xhtml': '<h2>CHAPTER I.</h2><p>Text.</p><p>End of the Project Gutenberg EBook of A Mill, by A. Writer</p>',
    'c.xhtml': `<div${isMarked ? ' class="pg-boilerplate pgfooter"' : ''}><p>*** END OF THE PROJECT GUTENBERG EBOOK A MILL ***</p><p>Licence.</p></div>`,
  })
  const contents = listed('A MILL', 'CHAPTER I.', 'THE FULL LICENSE')
  for (const isMarked of [true, false]) {
    const book = read(frame(isMarked), contents)
    assert.deepEqual(readOf(book), [
      { title: 'A MILL', text: 'by A. Writer' },
      { title: 'CHAPTER I.', text: 'Text.' },
    ])
    assert.deepEqual(
      offOf(book).map(({ why }) => why),
      Array(offOf(book).length).fill('The licence around the book is not read.'),
    )
  }
})

test('scene breaks of any form become one, only between paragraphs', () => {
  for (const line of ['<p>* * *</p>', '<p>***</p>', '<hr/>', '<p>⁂</p>', '<p>#</p>', '<p>~~~</p>', '<p>—</p>', '<p>◇ ◇ ◇</p>', '<p>❤️</p>'])
    assert.deepEqual(shown({ 'a.xhtml': `${line}<p>A.</p>${line}${line}<p>B.</p>${line}` }), [' | A. ¶ * * * ¶ B.'], line)
  const picture = '<p><img src="ornament2.png" alt="ornament2.png"/></p>'
  assert.deepEqual(shown({ 'a.xhtml': `<p>A.</p>${picture}<p>B.</p>` }), [' | A. ¶ * * * ¶ B.'])
  assert.deepEqual(shown({ 'a.xhtml': '<p>A.</p><p>?!</p><p>…</p><p>“—”</p>' }), [' | A. ¶ ?! ¶ … ¶ “—”'])
})

test('blocks are written with their kinds', () => {
  const one = (body: string) => readOf(read({ 'a.xhtml': body }))[0]?.text
  const cases: readonly (readonly [string, string])[] = [
    ['<p>Prose\n in lines.</p><h4>Deep</h4>', 'Prose in lines.\n\n## Deep'],
    ['<div>First.<br/><br/>Second.<br/>\n<br/>Third.</div>', 'First.\n\nSecond.\n\nThird.'],
    ['<p>Cold the wind<br/>blows</p>', 'Cold the wind\nblows'],
    ['<div class="poem"><p>Cold the wind</p><p>blows</p></div>', 'Cold the wind\nblows'],
    ['<pre>Cold the wind\n   blows\n\nEnd</pre>', 'Cold the wind\nblows\n\nEnd'],
    ['<ul><li>milk</li><li>eggs<ol start="3"><li>ten</li></ol></li></ul>', '- milk\n- eggs\n3. ten'],
    ['<ol><li><p>one</p><p>more</p></li><li>two</li></ol>', '1. one\n\nmore\n\n2. two'],
    ['<blockquote><p>Said</p><p>so<br/>often</p></blockquote>', '> Said\n\n> so\n> often'],
    ['<table><tr><th>a</th><th>b|c</th></tr><tr><td>1<br/>2</td><td><p>3</p></td></tr></table>', '| a | b/c |\n| 1 2 | 3 |'],
    ['<table><tr><td><p>Alone.</p><p>Two.</p></td></tr></table>', 'Alone.\n\nTwo.'],
    ['<p><q>Go</q></p>', '“Go”'],
    [
      '<p><math><mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac><mo>=</mo><msup><mi>x</mi><mn>2</mn></msup></math></p>',
      'a / (b + 1) = x^2',
    ],
  ]
  for (const [body, text] of cases) assert.equal(one(body), text, body)
})

test('first letters join their word: as spans, pictures and blocks of their own', () => {
  const one = (body: string) => readOf(read({ 'a.xhtml': body }))[0]?.text
  for (const letter of [
    '<p><span class="drop">T</span>',
    '<p><img src="T.png" alt="T"/>',
    '<div class="dc">T</div><p>',
    '<p><img alt="T"/></p><p>',
  ])
    assert.equal(one(`${letter}he garden</p>`), 'The garden', letter)
  assert.equal(one('<p>B</p><p>babble: to talk</p><p>cat: a pet</p>'), 'B\n\nbabble: to talk\n\ncat: a pet')
  assert.equal(one('<p><img alt="A"/> garden</p><div>I</div><p>was there.</p><p>x</p><p>y</p>'), 'A garden\n\nI was there.\n\nx\n\ny')
})

test('text that cannot be read in order is listed with its first words', () => {
  const { skipped } = read({
    'a.xhtml': '<p>A.</p><svg><title>t</title><text>Far Hills</text></svg><form><p>Your name</p></form><p aria-hidden="true">Ornate</p>',
  })
  assert.deepEqual(
    skipped.map(({ title, place }) => [title, place]),
    ['Far Hills', 'Your name', 'Ornate'].map((words) => [words, 'ops/a.xhtml']),
  )
})
