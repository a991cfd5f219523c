// HTML and FictionBook.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFb2 } from '#control-plane/features/books/reading/fb2/fb2.ts'
import { readHtml } from '#control-plane/features/books/reading/html/html.ts'
import { declaredEncoding } from '#control-plane/features/books/reading/markup/encoding.ts'
import { parseMarkup, textIn } from '#control-plane/features/books/reading/markup/markup.ts'
import { decodeBook } from '#control-plane/features/books/reading/text/decode.ts'
import { fb2 } from '#test/support/archive/office.ts'
import { titles, told, words } from './read.ts'

const section = (title: string, inside: string) => `<section><title><p>${title}</p></title>${inside}</section>`

test('the language, the authors, the title and a picture of HTML', () => {
  const book = readHtml(
    '<!DOCTYPE html><html lang="de-AT"><head><title>The &amp; Book</title><meta name="Author" content="Ann"><meta name="dc.creator" content="Bob"></head><body><p><img src="data:image/png;base64,AAEC"><h1>One</h1><p>Alpha &amp; beta.<script>var x</script></body></html>',
  )
  assert.deepEqual([book.title, book.author, book.language, book.picture], ['The & Book', 'Ann, Bob', 'de-AT', 'AAEC'])
  assert.equal(told(book), '# One\n\nAlpha & beta.')
  assert.equal(readHtml('<p>Text.</p><img src="data:image/png;base64,AAEC">').picture, null)
  assert.equal(words(readHtml('Just <b>words</b>')), 'Just words')
})

test('a page inside of a form is read, a question to the reader and text that is never shown are not', () => {
  const page = `<h1>One</h1><p>${'Some words. '.repeat(40)}</p>`
  const inForm = readHtml(
    `<body><form action="/page"><input value="Find"><button>Go</button>${page}<select><option>A</option></select></form></body>`,
  )
  assert.equal(words(inForm), words(readHtml(page)))
  const asked = readHtml('<h1>One</h1><p>Read.</p><form><p>Your name</p><input></form>')
  assert.equal(words(asked), words(readHtml('<h1>One</h1><p>Read.</p>')))
  assert.match(JSON.stringify(asked.skipped), /Your name/)
  const unseen = '<noscript>n</noscript><datalist><option>d</option></datalist><dialog><p>g</p></dialog><p style="visibility:hidden">v</p>'
  assert.equal(words(readHtml(`<p>Read.</p>${unseen}<dialog open><p>Shown.</p></dialog>`)), 'Read. Shown.')
})

test('the title of a heading that is as long as a book is made of its start', () => {
  const text = `<h1>${'word '.repeat(400_000)}</h1><p>x</p>`
  const began = performance.now()
  const book = readHtml(text)
  assert.ok(performance.now() - began < 20_000)
  assert.ok(titles(book).every((title) => title.length <= 200))
})

test('chapters of documents without a table of contents', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['<h2>One</h2><p>x</p><h3>In</h3><p>y</p><h2>Two</h2><p>z</p>', ['One', 'Two']],
    ['<h1>The Book</h1><h2>One</h2><p>x</p><h2>Two</h2><p>y</p>', ['One', 'Two']],
    [
      '<h1>Part I</h1><h2>One</h2><p>x</p><h2>Two</h2><p>y</p><h1>Part II</h1><h2>Three</h2><p>z</p>',
      ['Part I', 'One', 'Two', 'Part II', 'Three'],
    ],
    ['<h1>Night</h1><h2>Chapter 1</h2><p>x</p><h1>Day</h1><h2>Chapter 2</h2><p>y</p>', ['Night', 'Chapter 1', 'Day', 'Chapter 2']],
    ['<p>Chapter 1</p><p>x</p><p>Chapter 2</p><p>y</p>', ['Chapter 1', 'Chapter 2']],
    [
      '<p>Contents</p><p>Chapter 1</p><p>Chapter 2</p><p>Chapter 3</p><p>Chapter 1</p><p>x</p><p>Chapter 2</p><p>y</p><p>Chapter 3</p><p>z</p>',
      ['Chapter 1', 'Chapter 2', 'Chapter 3'],
    ],
    ['<p>No heading at all.</p><p>Chapter and verse were given.</p>', ['']],
    ['<h1>Only</h1><p>x</p>', ['Only']],
  ]
  for (const [body, right] of cases)
    assert.deepEqual(
      titles(readHtml(`<html><body>${body}</body></html>`)).filter((title, at) => title !== '' || at === 0),
      right,
      body,
    )
})

test('encodings that markup names are believed where the bytes do not say it', () => {
  const russian = Buffer.concat([
    Buffer.from('<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"></head><body><p>'),
    Buffer.from([0xcc, 0xe8, 0xf0]),
    Buffer.from('</p></body></html>'),
  ])
  assert.equal(words(readHtml(decodeBook(russian, declaredEncoding(russian)))), 'Мир')
  const xml = Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="koi8-r"?><FictionBook><body><section><p>'),
    Buffer.from([0xed, 0xc9, 0xd2]),
    Buffer.from('</p></section></body></FictionBook>'),
  ])
  assert.equal(words(readFb2(decodeBook(xml, declaredEncoding(xml)))), 'Мир')
})

test('sections, verse, quotations, breaks, tables and pictures of FictionBook', () => {
  const body = [
    '<body><title><p>Ann</p><p>The Book</p></title><epigraph><p>Motto.</p><text-author>Bob</text-author></epigraph>',
    section(
      'One</p><p>The Start',
      '<epigraph><p>Small motto.</p></epigraph><p>First <emphasis>words</emphasis><sup>th</sup>.</p><empty-line/><p>Second.</p>' +
        '<poem><title><p>Song</p></title><stanza><v>Roses are red,</v><v>violets blue.</v></stanza><stanza><v>Third line.</v></stanza><text-author>Poet</text-author></poem>' +
        '<subtitle>* * *</subtitle><cite><p>Quoted.</p></cite><subtitle>Small heading</subtitle>' +
        '<table><tr><th>a</th><td>b</td></tr></table><image l:href="#p" alt="A mill on a hill"/><p>Third.</p>'.repeat(1) +
        '<p>x</p>'.repeat(8),
    ),
    section('Two', '<section><p>Untitled inside.</p></section>'),
    '</body>',
  ].join('')
  const book = readFb2(fb2(body))
  assert.match(told(book), /Roses are red,\nviolets blue\.\n\n/)
  const text = words(book)
  for (const part of [
    'Motto. Bob',
    'One',
    'The Start',
    'Small motto.',
    'First wordsth. Second.',
    'Song',
    'Third line.',
    'Poet',
    'Quoted.',
    'Small heading',
    'a b',
    'A mill on a hill',
    'Third.',
    'Two',
    'Untitled inside.',
  ])
    assert.ok(text.includes(part), `${part} in ${text}`)
  assert.ok(titles(book).some((title) => title.includes('One') && title.includes('The Start')))
})

test('notes of FictionBook stand apart, and its description names the book', () => {
  const about =
    '<author><first-name>Ann</first-name><middle-name>B.</middle-name><last-name>Carr</last-name></author><author><nickname>dee</nickname></author><book-title>The Book</book-title><lang>ru</lang><coverpage><image l:href="#c.jpg"/></coverpage>'
  const body = section('One', '<p>Text<a l:href="#n1" type="note">[1]</a> goes on.</p>')
  const notes = `<body name="notes"><title><p>Notes</p></title><section id="n1"><title><p>1</p></title><p>The note.</p></section></body><binary id="c.jpg" content-type="image/jpeg">AAEC\nAwQF</binary>`
  const book = readFb2(fb2(`<body>${body}</body>${notes}`, about))
  assert.deepEqual([book.title, book.author, book.language, book.picture], ['The Book', 'Ann B. Carr, dee', 'ru', 'AAECAwQF'])
  assert.equal(told(book), '# One\n\nText goes on.')
  assert.match(JSON.stringify(book.skipped), /otes are not read/)
})

test('mistakes in the markup of FictionBook are read over and named, and a book without one is refused', () => {
  const book = readFb2(fb2(`<body>${section('One', '<p>A & B &unknown; <b>bold</i> end.</p><p>Next.')}</body>`))
  assert.match(words(book), /A & B .*bold.* end\. Next\./)
  assert.match(book.notices[0] ?? '', /mistakes in its markup/)
  assert.throws(() => readFb2('<html/>'), /not an FB2 book/)
})

test('empty lines are scene breaks only where they are few', () => {
  const few = readFb2(fb2(`<body>${section('One', `${'<p>a b.</p>'.repeat(20)}<empty-line/><p>c.</p>`)}</body>`))
  const many = readFb2(fb2(`<body>${section('One', '<p>a b.</p><empty-line/>'.repeat(20))}</body>`))
  assert.ok(!told(many).includes('* * *'))
  assert.equal(words(few).match(/a b/g)?.length, 20)
})

test('an ampersand that stands for itself hides nothing up to the next semicolon', () => {
  const tree = parseMarkup('<html><body><p>Tom & Jerry left.</p><p>Ann saw; they ran.</p></body></html>')
  assert.equal(textIn(tree), 'Tom & Jerry left.Ann saw; they ran.')
  assert.equal(textIn(parseMarkup('<p>a&nbsp;b&unknown;c &amp; d</p>')), 'a\u00a0bc & d')
})
