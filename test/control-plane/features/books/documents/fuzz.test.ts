// Random bytes and mutated documents end in a book or in a refusal, and the cost of large ones grows with their size.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ReadBook, UnreadableBook } from '#control-plane/features/books/reading/book.ts'
import { readFb2 } from '#control-plane/features/books/reading/fb2/fb2.ts'
import { readHtml } from '#control-plane/features/books/reading/html/html.ts'
import { readFlatOdt } from '#control-plane/features/books/reading/odt/odt.ts'
import { BookLine } from '#control-plane/features/books/reading/reply.schema.ts'
import { readRtf } from '#control-plane/features/books/reading/rtf/rtf.ts'
import { docxEntries, docxParagraph, fb2, flatOdt, rtf } from '#test/support/archive/office.ts'
import { docx } from './read.ts'

const DOCUMENT = String(docxEntries('').find(({ name }) => name === 'word/document.xml')!.content)
const docxOf = (body: string) => DOCUMENT.replace('<w:body>', `<w:body>${body}`)
const readWord = (document: string) => docx([{ name: 'word/document.xml', content: document }])

const NOTE =
  '<text:note text:id="n"><text:note-citation>1</text:note-citation><text:note-body><text:p>Note.</text:p></text:note-body></text:note>'
/** A reader, a document of its format, and pieces that mean something in it. */
const FORMATS: readonly {
  readonly name: string
  readonly read: (text: string) => ReadBook
  readonly seed: string
  readonly pieces: readonly string[]
}[] = [
  {
    name: 'rtf',
    read: (text) => readRtf(Buffer.from(text, 'latin1')),
    seed: rtf(
      "{\\fonttbl{\\f0\\fcharset128 A;}}{\\stylesheet{\\s1 heading 1;}}{\\info{\\title T}}\\pard\\s1 One\\par\\pard\\f0 \\'83A\\u228 ?{\\footnote\\pard Note.\\par}\\par\\trowd\\intbl a\\cell\\row{\\pict\\pngblip 00}",
    ).toString('latin1'),
    pieces: [
      '{',
      '}',
      '\\',
      '\\par',
      '\\u',
      "\\'",
      '\\bin',
      '\\*',
      '\\cell',
      '\\row',
      '\\footnote',
      '\\uc9',
      '\\upr',
      '\\ud',
      '-1',
      '99999999999',
      '\\pict',
      '\\f',
      '\\s',
    ],
  },
  {
    name: 'docx',
    read: readWord,
    seed: docxOf(
      `${docxParagraph('One', 'Heading1')}<w:tbl><w:tr><w:tc>${docxParagraph('a')}</w:tc></w:tr></w:tbl><w:p><w:r><w:footnoteReference w:id="1"/><w:fldChar/></w:r></w:p>`,
    ),
    pieces: [
      '<w:p>',
      '</w:p>',
      '<w:tbl>',
      '<w:sdt>',
      '<w:r>',
      '<w:t>x</w:t>',
      '<mc:AlternateContent>',
      '<w:txbxContent>',
      '<w:del>',
      '&',
      '<',
      'w:val="-1"',
      '<w:ruby/>',
    ],
  },
  {
    name: 'odt',
    read: readFlatOdt,
    seed: flatOdt(
      `<text:h text:outline-level="1">One</text:h><text:list><text:list-item><text:p>a${NOTE}</text:p></text:list-item></text:list><table:table/>`,
    ),
    pieces: [
      '<text:p>',
      '</text:p>',
      '<text:list>',
      '<text:h>',
      '<text:s text:c="-1"/>',
      '<draw:frame>',
      '<text:note>',
      '&',
      '<',
      'text:outline-level="99"',
      '<table:table-row/>',
    ],
  },
  {
    name: 'fb2',
    read: readFb2,
    seed: fb2(
      '<body><section><title><p>One</p></title><p>a<a type="note" l:href="#n">1</a></p><poem><stanza><v>x</v></stanza></poem></section></body><body name="notes"><section id="n"><p>b</p></section></body>',
    ),
    pieces: [
      '<section>',
      '</section>',
      '<p>',
      '<title>',
      '<poem>',
      '<v>',
      '<empty-line/>',
      '<binary>',
      '&',
      '<',
      '<body>',
      '<image/>',
      '<a>',
    ],
  },
  {
    name: 'html',
    read: readHtml,
    seed: '<!DOCTYPE html><html><head><title>T</title></head><body><h1>One</h1><p>a<sup><a href="#n">1</a></sup></p><table><tr><td>x</table></body></html>',
    pieces: [
      '<p>',
      '</p>',
      '<h1>',
      '<h6>',
      '<table>',
      '<svg>',
      '<template>',
      '<br>',
      '&',
      '<',
      '<!--',
      '<img alt="a b">',
      '<aside id="n">',
    ],
  },
]

function bookOrRefusal(read: () => ReadBook): void {
  let book: ReadBook
  try {
    book = read()
  } catch (error) {
    assert.ok(error instanceof UnreadableBook, String((error as Error).stack))
    return
  }
  const { title, author, language, cover, chapters, skipped } = book
  assert.ok(
    BookLine.safeParse({ type: 'about', title, author, language, cover }).success,
    JSON.stringify({ title, author, language, cover }),
  )
  for (const chapter of chapters) assert.ok(BookLine.safeParse({ type: 'chapter', ...chapter }).success)
  for (const part of skipped) assert.ok(BookLine.safeParse({ type: 'skipped', ...part }).success)
}

for (const { name, read, seed, pieces } of FORMATS)
  test(`random and mutated ${name} documents are a book or a refusal`, () => {
    const noise = fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 }))
    const edit = fc.record({ at: fc.nat(seed.length), cut: fc.nat(40), put: noise })
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        const mutated = edits.reduce((text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut), seed)
        bookOrRefusal(() => read(mutated))
      }),
      { numRuns: 200 },
    )
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 60 }), (parts) => bookOrRefusal(() => read(parts.join('')))),
      { numRuns: 100 },
    )
  })

test('documents that are built to cost are read within their size, or refused', () => {
  const many = 120_000
  const times = (text: string, count = many) => text.repeat(count)
  const nested = (open: string, close: string, inside: string) => times(open, 5_000) + inside + times(close, 5_000)
  const books: readonly (readonly [string, () => ReadBook])[] = [
    ['rtf: groups', () => readRtf(rtf(times('{\\b x}')))],
    ['rtf: cells without rows', () => readRtf(rtf(times('a\\cell ')))],
    ['rtf: characters in hexadecimal', () => readRtf(rtf(times("\\'e4")))],
    ['rtf: a long name of a style', () => readRtf(rtf(`{\\stylesheet{\\s1 ${times('x')};}}${times('\\s1 a\\par')}`))],
    ['docx: runs', () => readWord(docxOf(`<w:p>${times('<w:r><w:t>x</w:t></w:r>')}</w:p>`))],
    ['docx: paragraphs that are joined', () => readWord(docxOf(times(docxParagraph('x', '', '<w:rPr><w:del/></w:rPr>'), 20_000)))],
    ['docx: tables', () => readWord(docxOf(nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', docxParagraph('x'))))],
    ['docx: drawings', () => readWord(docxOf(`<w:p><w:r><w:drawing>${times('<a:x/>')}</w:drawing></w:r></w:p>`))],
    [
      'docx: text boxes',
      () => readWord(docxOf(nested('<w:p><w:r><w:drawing><w:txbxContent>', '</w:txbxContent></w:drawing></w:r></w:p>', '<w:p/>'))),
    ],
    ['docx: controls', () => readWord(docxOf(nested('<w:sdt><w:sdtContent>', '</w:sdtContent></w:sdt>', docxParagraph('x'))))],
    [
      'odt: lists',
      () => readFlatOdt(flatOdt(nested('<text:list><text:list-item>', '</text:list-item></text:list>', '<text:p>x</text:p>'))),
    ],
    ['odt: blanks', () => readFlatOdt(flatOdt(`<text:p>x${times('<text:s text:c="999999999"/>')}y</text:p>`))],
    ['fb2: sections', () => readFb2(fb2(`<body>${nested('<section>', '</section>', '<p>x</p>')}</body>`))],
    ['fb2: lines of verse', () => readFb2(fb2(`<body><section><poem><stanza>${times('<v>x</v>')}</stanza></poem></section></body>`))],
    ['fb2: open elements', () => readFb2(`<FictionBook><body>${times('<p><emphasis>', 10_000)}`)],
    ['fb2: end tags', () => readFb2(fb2(`<body><section><p>x${times('</b>')}</p></section></body>`))],
    ['html: elements', () => readHtml(`<body>${times('<p>x', 60_000)}`)],
    ['html: headings', () => readHtml(`<body>${times('<h1>x</h1>', 30_000)}`)],
  ]
  for (const [name, read] of books) {
    const start = performance.now()
    bookOrRefusal(read)
    // Seconds on a busy machine; a cost that grows with the square of the size takes minutes.
    assert.ok(performance.now() - start < 30_000, name)
  }
})
