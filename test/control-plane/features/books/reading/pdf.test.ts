import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPages } from '#control-plane/features/books/reading/pdf/pages.ts'
import { readPdf } from '#control-plane/features/books/reading/pdf/pdf.ts'
import { type PdfLine, pdf } from '#test/support/archive/pdf.ts'
import { readOf } from '#test/support/archive/read-chapters.ts'

const paragraph = (from: number, ...lines: string[]): PdfLine[] => lines.map((text, at) => ({ text, y: from - at * 12 }))
const page = (number: number, ...lines: PdfLine[]): PdfLine[] => [
  { text: `A Running Head ${number}`, y: 580 },
  ...lines,
  { text: `${number}`, x: 200, y: 20 },
]

test('lines become paragraphs, without hyphens, running heads and page numbers', async () => {
  const book = await readPdf(
    pdf([
      page(
        1,
        ...paragraph(500, 'The extra-', 'ordinary well-', 'known house stood on', 'the hill.'),
        ...paragraph(400, 'A well-known [pause] and an extraordinary place.'),
      ),
      page(2, ...paragraph(500, 'Second page of this book.')),
      page(3, ...paragraph(500, 'Third page of this book.')),
    ]),
  )
  const text = book.chapters.map((chapter) => chapter.text).join('\n\n')
  assert.equal(
    text,
    'The extraordinary well-known house stood on the hill.\n\nA well-known \\[pause] and an extraordinary place. Second page of this book. Third page of this book.',
  )
  assert.match(book.skipped[0]?.why ?? '', /^6 running heads and page numbers/)
  assert.deepEqual([book.title, book.author], ['A PDF', 'Ann'])
})

test('chapters come from the outline, else from lines in large type', async () => {
  const pages = [
    [{ text: 'One', y: 550, size: 20 }, ...paragraph(500, 'The first chapter of the book.')],
    [...paragraph(500, 'It goes on here for a while.')],
    [{ text: 'Two', y: 550, size: 20 }, ...paragraph(500, 'The second chapter of the book.')],
  ]
  const outline = [
    { title: 'Chapter One', page: 0 },
    { title: 'Chapter Two', page: 2 },
  ]
  const texts = ['The first chapter of the book. It goes on here for a while.', 'The second chapter of the book.']
  const read = async (options: Parameters<typeof pdf>[1]) => readOf(await readPdf(pdf(pages, options)))
  assert.deepEqual(await read({ outline }), [
    { title: 'Chapter One', text: texts[0] },
    { title: 'Chapter Two', text: texts[1] },
  ])
  assert.deepEqual(await read({}), [
    { title: 'One', text: texts[0] },
    { title: 'Two', text: texts[1] },
  ])
})

test('ligatures are replaced, raised note marks dropped, and characters without meaning reported', () => {
  const run = (text: string, x: number, width: number, size = 10, y = 300) => ({ text, x, y, width, size })
  const { chapters, notices } = readPages(
    [{ height: 600, runs: [run('ﬁne', 50, 15), run('12', 65, 5, 6, 303), run('words ½ \ue001', 75, 40)] }],
    [],
  )
  assert.equal(chapters[0]?.text, 'fine words ½ \ue001')
  assert.match(notices[0] ?? '', /^1 characters/)
})

test('two columns are read one after the other, in any order of the file, and notes at the foot are left out', () => {
  const run = (text: string, x: number, y: number, width = 180, size = 10) => ({ text, x, y, width, size })
  const column = (x: number, ...texts: string[]) => texts.map((text, at) => run(text, x, 500 - 12 * at))
  const left = column(50, 'The left column', 'is read first,', 'and all of it', 'before the', 'other one, and')
  const right = column(270, 'the right column', 'follows it,', 'line by line', 'to the end', 'of the page.')
  const [title, end] = [
    run('A line across the whole page is read before both of them.', 50, 530, 400),
    run('A last line across the page.', 50, 400, 400),
  ]
  const notes = [run('1 A note of the left column', 50, 90, 180, 8), run('that has two lines.', 50, 80, 180, 8)]
  const byRows = [title, ...left.flatMap((each, at) => [each, right[at]!]), end, ...notes]
  const byColumns = [title, ...left, ...right, end, ...notes]
  for (const runs of [byRows, byColumns]) {
    const { chapters, skipped } = readPages([{ height: 600, runs }], [])
    assert.match(
      chapters[0]!.text,
      /^A line across .* of them\.\s+The left column is read first, and all of it before the other one, and the right column follows it, line by line to the end of the page\.\s+A last line across the page\.$/,
    )
    assert.match(skipped[0]!.why, /^2 lines of notes/)
  }
  const small = [...left, run('A caption without a mark, which is text.', 50, 90, 180, 8)]
  assert.match(readPages([{ height: 600, runs: small }], []).chapters[0]!.text, /which is text\.$/)
})

test('raised note marks are dropped, also larger ones, and a note goes on at the foot of the next page', () => {
  const run = (text: string, x: number, y: number, size = 10) => ({ text, x, y, width: text.length * 5, size })
  const words = ['The text of a page that is longer', 'than all of its notes together, so that', 'its size is that of the book, and']
  const text = (left: number) => words.map((each, at) => run(each, left, 500 - 12 * at))
  const pages = [
    [
      ...text(50),
      run('12', 216, 479, 8),
      run('1 A note that does not end at the end of', 60, 100, 8),
      run('a page, because its last line goes on', 50, 90, 8),
    ],
    // The margins of left and right pages differ.
    [...text(80), run('at the foot of the next page.', 80, 90, 8)],
    [...text(50), run('a caption of a picture, which is read.', 50, 90, 8)],
  ]
  const { chapters, skipped } = readPages(
    pages.map((runs) => ({ height: 600, runs })),
    [],
  )
  const page = words.join(' ')
  assert.equal(chapters[0]!.text, `${page} ${page} ${page}\n\na caption of a picture, which is read.`)
  assert.match(skipped[0]!.why, /^3 lines of notes/)
})

test('small text at the foot of a page is read unless it continues the note before in every respect', () => {
  const run = (text: string, x: number, y: number, size = 10) => ({ text, x, y, width: text.length * 5, size })
  const words = ['The text of a page that is longer', 'than all of its notes together, so that', 'its size is that of the book, and']
  const text = words.map((each, at) => run(each, 50, 500 - 12 * at))
  const read = (note: string, next: ReturnType<typeof run>) => {
    const pages = [
      [...text, run(note, 50, 90, 8)],
      [...text, next],
    ]
    return readPages(
      pages.map((runs) => ({ height: 600, runs })),
      [],
    ).chapters[0]!.text
  }
  const full = '1 A note which is as wide as the text of'
  const caption = (start: string, x = 50, size = 8) => run(`${start} picture of a lamp`, x, 90, size)
  assert.doesNotMatch(read(full, caption('a')), /lamp/)
  for (const [note, next, why] of [
    ['1 See https://example.org/notes', caption('a'), 'an address ends before the end of its line'],
    ['1 A note that ends at the end of a line.', caption('a'), 'a full stop'],
    [full, caption('A'), 'a capital'],
    [full, caption('a', 90), 'another left edge'],
    [full, caption('a', 50, 6.5), 'another size'],
  ] as const)
    assert.match(read(note, next), /lamp/, why)
})

test('scans, protected, damaged and endless files are refused with a reason', async () => {
  await assert.rejects(readPdf(pdf([[], [], [{ text: 'x', y: 300 }]])), /scan/)
  await assert.rejects(readPdf(Buffer.from('not a PDF')), /damaged/)
  const encrypted = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >> /ID [<41><41>]`
  await assert.rejects(readPdf(pdf([paragraph(500, 'This text cannot be read by anyone.')], { trailer: encrypted })), /password/)
  const cyclic = await readPdf(pdf([paragraph(500, 'The only page of a tree with a cycle.')], { isCyclic: true })).catch(
    (error: Error) => error,
  )
  assert.match(cyclic instanceof Error ? cyclic.message : cyclic.chapters[0]!.text, /only page|damaged|scan/)
})

test('500 pages are read', async () => {
  const book = await readPdf(
    pdf(Array.from({ length: 500 }, (_, at) => page(at + 1, ...paragraph(300, `This is the text of page ${at + 1}.`)))),
  )
  assert.match(book.chapters[0]!.text, /text of page 1\. .*text of page 500\.$/s)
})
