// One small book in each format that the studio reads, through the real server.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { epubEntries, navItem } from '#test/support/archive/epub.ts'
import { docxEntries, docxParagraph, fb2, flatOdt, odtEntries, rtf } from '#test/support/archive/office.ts'
import { pdf } from '#test/support/archive/pdf.ts'
import { rawZip } from '#test/support/archive/raw-zip.ts'
import { sharedWorld } from '#test/support/world/world.ts'
import { words } from './read.ts'

const world = sharedWorld({ withoutAgent: true })

async function importFile(name: string, content: string | Uint8Array) {
  const { post } = await world()
  const form = new FormData()
  form.set('file', new Blob([Buffer.from(content as string)]), name)
  return post('/audiobook/import', form)
}

/** The book: chapters with a title and one paragraph. */
const BOOK = [
  ['Chapter 1', 'The mill stood by the river for a hundred years.'],
  ['Chapter 2', 'In the third winter the water froze.'],
] as const
const each = (write: (title: string, text: string) => string) => BOOK.map(([title, text]) => write(title, text)).join('')
const html = each((title, text) => `<h1>${title}</h1><p>${text}</p>`)
const word = each((title, text) => docxParagraph(title, 'Heading1') + docxParagraph(text))
const openDocument = each((title, text) => `<text:h text:outline-level="1">${title}</text:h><text:p>${text}</text:p>`)
const fiction = fb2(`<body>${each((title, text) => `<section><title><p>${title}</p></title><p>${text}</p></section>`)}</body>`)
const rich = rtf(each((title, text) => `\\pard\\outlinelevel0 ${title}\\par\\pard ${text}\\par`))
const epub = epubEntries(
  BOOK.map(([title, text], at) => ({ name: `${at}.xhtml`, body: `<h1>${title}</h1><p>${text}</p>` })),
  { nav: BOOK.map(([title], at) => navItem(title, `${at}.xhtml`)).join('') },
)
const pages = BOOK.map(([title, text]) => [
  { text: title, y: 550, size: 20 },
  { text, y: 500 },
])

/** Name of a file -> its content. */
const FILES: readonly (readonly [string, string | Uint8Array])[] = [
  ['book.txt', each((title, text) => `${title}\n\n${text}\n\n`)],
  ['book.md', each((title, text) => `# ${title}\n\n${text}\n\n`)],
  ['book.html', `<!DOCTYPE html><html><head><title>Mill</title></head><body>${html}</body></html>`],
  ['book.epub', rawZip(epub)],
  ['book.pdf', pdf(pages)],
  ['book.fb2', fiction],
  ['book.docx', rawZip(docxEntries(word))],
  ['book.odt', rawZip(odtEntries(openDocument))],
  ['book.rtf', rich],
  // The content counts more than the name.
  ['book.fb2.zip', rawZip([{ name: 'Book.FB2', content: fiction, isDeflated: true }])],
  ['book.fodt', flatOdt(openDocument)],
  ['book.doc', rich],
  ['book.txt', rawZip(docxEntries(word))],
  ['book', rawZip(odtEntries(openDocument))],
  ['book.xml', fiction],
  ['book.htm', Buffer.from(`\ufeff<html><body>${html}</body></html>`, 'utf16le')],
]

test('the same book in every format has the same chapters', async () => {
  for (const [name, content] of FILES) {
    const reply = await importFile(name, content)
    assert.equal(reply.status, 200, `${name}: ${reply.body.toString().slice(0, 300)}`)
    const { text, chapters } = reply.json()
    assert.equal(chapters, 2, name)
    const titles = [...text.matchAll(/^# (.*)$/gm)].map(([, title]) => title)
    assert.deepEqual(titles, ['Chapter 1', 'Chapter 2'], name)
    assert.equal(words({ chapters: [{ title: '', text, included: true }] }), BOOK.flat().join(' '), name)
  }
})

function png(): Buffer {
  const part = (name: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
    const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    size.writeUInt32BE(content.length)
    check.writeUInt32BE(crc32(named))
    return Buffer.concat([size, named, check])
  }
  const header = Buffer.from([0, 0, 0, 4, 0, 0, 0, 6, 8, 0, 0, 0, 0])
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([start, part('IHDR', header), part('IDAT', deflateSync(Buffer.alloc(5 * 6))), part('IEND', Buffer.alloc(0))])
}

test('the cover of every format is stored', async () => {
  const picture = png()
  const base64 = picture.toString('base64')
  const drawing = '<w:r><w:drawing><a:blip r:embed="rId7"/></w:drawing></w:r>'
  const relations = '<Relationship Id="rId7" Type="image" Target="media/a.png"/>'
  const frame = '<text:p><draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame></text:p>'
  const coverPage = '<coverpage><image l:href="#c"/></coverpage>'
  const files: readonly (readonly [string, string | Uint8Array])[] = [
    ['book.html', `<html><body><img src="data:image/png;base64,${base64}">${html}</body></html>`],
    [
      'book.fb2',
      fb2('<body><section><p>Text.</p></section></body>', coverPage).replace(
        '</FictionBook>',
        `<binary id="c">${base64}</binary></FictionBook>`,
      ),
    ],
    [
      'book.docx',
      rawZip(docxEntries(docxParagraph(drawing) + word, { relations, others: [{ name: 'word/media/a.png', content: picture }] })),
    ],
    ['book.odt', rawZip(odtEntries(frame + openDocument, { others: [{ name: 'Pictures/a.png', content: picture }] }))],
    ['book.rtf', rtf(`{\\pict\\pngblip ${picture.toString('hex')}}\\par Text.\\par`)],
  ]
  for (const [name, content] of files) {
    const reply = await importFile(name, content)
    assert.equal(reply.status, 200, `${name}: ${reply.body.toString().slice(0, 300)}`)
    const { cover, notices } = reply.json()
    assert.deepEqual(notices, [], name)
    assert.deepEqual(readFileSync(cover), picture, name)
  }
  const broken = (await importFile('book.rtf', rtf('{\\pict\\pngblip 0102}\\par Text.\\par'))).json()
  assert.equal(broken.cover, null)
  assert.match(broken.notices[0], /cover of the book could not be used/)
})

test('damaged and hostile documents are refused with a sentence', async () => {
  const deep = `${'<w:tbl><w:tr><w:tc>'.repeat(50_000)}${docxParagraph('Text.')}`
  const files: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['book.docx', 'not a zip file', /archive cannot be read/],
    ['book.docx', rawZip(docxEntries('<w:p>')), /damaged/],
    ['book.docx', rawZip(docxEntries(deep)), /damaged/],
    ['book.odt', rawZip(odtEntries('<text:p>')), /damaged/],
    ['book.rtf', Buffer.from(`{\\rtf1${'{'.repeat(1_000_000)}`), /nested too deeply/],
    ['book.fb2', fb2('<body></body>'), /no text/],
    ['book.html', '<html><body><script>only</script></body></html>', /no text/],
    [
      'bomb.docx',
      rawZip(docxEntries('', { others: [{ name: 'word/x.xml', content: Buffer.alloc(26.3e6, 0x20), isDeflated: true }] })),
      /too large/,
    ],
  ]
  for (const [name, content, why] of files) {
    const reply = await importFile(name, content)
    assert.equal(reply.status, 400, `${name}: ${reply.body.toString().slice(0, 200)}`)
    assert.match(reply.json().detail, why, name)
  }
})
