import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRtf } from '#control-plane/features/books/reading/rtf/rtf.ts'
import { rtf } from '#test/support/archive/office.ts'
import { titles, told, words } from './read.ts'

const read = (text: string) => readRtf(rtf(text))
const text = (written: string) => told(read(written))
/** Bytes as RTF writes them. */
const hex = (...bytes: number[]) => bytes.map((byte) => `\\'${byte.toString(16).padStart(2, '0')}`).join('')

test('characters in the encodings of fonts and in Unicode', () => {
  const fonts =
    '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204{\\*\\falt X}Arial CYR;}{\\f2\\fcharset128 Gothic;}{\\f3\\fcharset134 SimSun;}{\\f4\\fcharset129 Batang;}{\\f5\\fcharset136 Ming;}{\\f6\\fcharset238 CE;}{\\f7\\fcharset2 Symbol;}{\\f8\\fcharset2 Wingdings;}}'
  const cases: readonly (readonly [string, string])[] = [
    [`caf${hex(0xe9)} ${hex(0x80, 0x93)}`, 'café €“'],
    [`{\\f1 ${hex(0xcc, 0xe8, 0xf0)}} ${hex(0xcc)}`, 'Мир Ì'],
    [`\\f2 ${hex(0x93, 0xfa, 0x96, 0x7b)}`, '日本'],
    // The second byte may be a letter, a brace or a backslash.
    [`\\f2 \\'83A${hex(0x83, 0x5c)}${hex(0x83, 0x7b)}`, 'アソボ'],
    [`\\f3 ${hex(0xd6, 0xd0, 0xce, 0xc4)}`, '中文'],
    [`\\f4 ${hex(0xc7, 0xd1, 0xb1, 0xb9)}`, '한국'],
    [`\\f5 ${hex(0xa4, 0xa4, 0xa4, 0xe5)}`, '中文'],
    [`\\f6 ${hex(0xb3, 0xf3, 0x9f)}`, 'łóź'],
    ['x {\\f7 a}{\\f8 J} y', 'x α y'],
    ['\\u1044 ?\\u-10179 ?\\u-8704 ?x', 'Д😀x'],
    [`\\uc2\\u26085 ${hex(0x93, 0xfa)}x\\uc0\\u26085 x`, '日x日x'],
    ["{\\uc3 \\u228 abc}\\u228 \\'e4d", 'ääd'],
    ['\\upr{ansi}{\\*\\ud{Uni\\u228 ?}}', 'Uniä'],
    ['{\\upr{ansi}{\\*\\ud{Uni\\u228 ?}}} on', 'Uniä on'],
    ['a\\~b\\-c\\_d\\{e\\}f\\\\g', 'a bc\u2011d{e}f\\\\g'],
    ['\\ldblquote x\\rdblquote\\emdash y\\tab z', '“x”—y z'],
    ['over\r\nlines', 'overlines'],
  ].map(([written, right]) => [written!, right!])
  for (const [written, right] of cases) assert.equal(text(`${fonts}\\pard ${written}\\par`), right, written)
})

test('the code page of the document', () => {
  const document = (head: string, bytes: string) => told(readRtf(Buffer.from(`{\\rtf1\\ansi${head} ${bytes}\\par}`, 'latin1')))
  assert.equal(document('\\ansicpg1251', hex(0xc4, 0xe0)), 'Да')
  assert.equal(document('\\mac', hex(0x8a)), 'ä')
  assert.equal(document('\\ansicpg65001', hex(0xc3, 0xa4)), 'ä')
  assert.equal(document('\\ansicpg99999', hex(0xe4)), 'ä')
})

test('groups that are not the text are left out', () => {
  const others = [
    '{\\colortbl;\\red0\\green0\\blue0;}',
    '{\\*\\unknown not read {\\b nor this}}',
    '{\\header head\\par}{\\footerr foot\\par}',
    '{\\*\\listtable{\\list names}}',
    '{\\pict\\wmetafile8 0123abc}',
    '{\\object{\\*\\objdata 0102}{\\result shown}}',
    '{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt  link}}',
    '{\\v  hidden}{\\v0  seen}{\\deleted  deleted}{\\revised  inserted}',
    '\\bin5 {{{{{',
    '{\\xe index entry}{\\tc entry}{\\*\\bkmkstart name}',
  ]
  assert.equal(text(`\\pard ${others.join('')}\\par`), 'shown link seen inserted')
})

test('paragraphs, lines, pages and old line ends', () => {
  assert.equal(text('One\\line two\\par Three\\page Four\\sect Five\\\nSix'), 'One\ntwo\n\nThree\n\nFour\n\nFive\n\nSix')
})

test('headings are found by the names of styles, their levels and the levels of paragraphs; the information names the book', () => {
  const head = `{\\stylesheet{\\ql Normal;}{\\s1\\sbasedon0 heading 1;}{\\s2\\outlinelevel0 Kapitel;}{\\s3\\sbasedon1 Eigene;}{\\s4\\sbasedon4 Kreis;}{\\s5 Title;}{\\*\\cs10 heading 1;}}{\\info{\\title The ${hex(0xdc)}ber Book}{\\author Ann}{\\operator Bob}}`
  const body =
    '\\pard\\s5 The Book\\par\\pard\\s1 One\\par\\pard First.\\par\\pard\\s2 Two\\par\\pard\\s4 Second.\\par\\pard\\s3 Three\\par\\pard Third.\\par\\pard\\outlinelevel0 The End\\par\\pard\\outlinelevel1 Deeper\\par\\pard Fourth.\\par'
  const book = read(`${head}\\deflang1031\\lang1045 ${body}`)
  assert.deepEqual([book.title, book.author, book.language], ['The Über Book', 'Ann', 'pl'])
  assert.deepEqual(titles(book), ['One', 'Two', 'Three', 'The End'])
})

test('notes stand apart from the text, in the forms of several programs', () => {
  const forms = [
    'Text{\\super\\chftn}{\\footnote\\pard {\\super\\chftn} The note.\\par} goes on.\\par End.\\par',
    'Text{\\super\\chftn}{\\*\\footnote\\chftn\\~\\pard The note.\\par} goes on.\\par End.\\par',
    'Text{\\super\\chftn {\\footnote\\ftnalt\\pard The {\\footnote nested} note.}} goes on.\\par End.\\par',
  ]
  for (const form of forms) {
    const book = read(`\\pard ${form}`)
    assert.equal(words(book), 'Text goes on. End.', form)
    assert.match(JSON.stringify(book.skipped), /otes are not read/)
  }
})

test('tables, lists and text boxes', () => {
  const row = (one: string, two: string) => `\\trowd\\cellx1\\cellx2\\pard\\intbl ${one}\\cell ${two}\\cell\\row`
  assert.equal(words(read(`\\pard Start.\\par${row('a', 'b')}${row('c', 'd\\par e')}\\pard End.\\par`)), 'Start. a b c d e End.')
  const lists =
    '\\pard{\\listtext\\u8226 ?\\tab}first\\par\\pard{\\pntext 2.\\tab}second\\par\\pard\\fi-360 3.\\tab third\\par\\pard\\fi-360\\tab hanging\\par\\pard In 1999\\tab plain\\par'
  const book = read(lists)
  assert.equal(words(book), 'first second third hanging In 1999 plain')
  assert.match(told(book), /^- first\n2\. second\n3\. third\n\nhanging\n\n/)
  const box = '{\\shp{\\*\\shpinst{\\sp{\\sn name}{\\sv value}}{\\shptxt\\pard In the box.\\par}}{\\shprslt{\\*\\do In the box.}}}'
  assert.equal(words(read(`\\pard Before ${box}and after.\\par`)), 'Before and after. In the box.')
})

test('a picture before the first words is the cover', () => {
  const picture = '{\\*\\shppict{\\pict\\pngblip\\picw1\n00010203\n0405}}{\\nonshppict{\\pict\\wmetafile8 00}}'
  assert.equal(read(`\\pard ${picture}\\par Text.\\par`).picture, 'AAECAwQF')
  assert.equal(read('\\pard {\\pict\\jpegblip\\bin3 \u0001\u0002\u0003}\\par Text.\\par').picture, 'AQID')
  assert.equal(read(`\\pard Text.\\par ${picture}`).picture, null)
})

test('files that are no RTF, or damaged, are refused or read as far as they go', () => {
  assert.throws(() => readRtf(Buffer.from('{not rtf}')), /not an RTF document/)
  assert.throws(() => readRtf(Buffer.from(`{\\rtf1 ${'{'.repeat(1_000_000)}`)), /nested too deeply.*save it again/)
  assert.equal(text('\\pard Open {group'), 'Open group')
  assert.equal(told(readRtf(Buffer.from('{\\rtf1 One.\\par}}}}} Two.\\par'))), 'One.\n\nTwo.')
  assert.equal(text("\\pard a\\'zz\\'"), 'a')
  assert.equal(text('\\pard x\\bin999999999999 yz'), 'x')
})
