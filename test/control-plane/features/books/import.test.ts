import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { createCovers } from '#control-plane/features/books/cover/covers.ts'
import { manuscriptOf } from '#control-plane/features/books/import/import.rules.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { epubEntries, navItem } from '#test/support/archive/epub.ts'
import { hostileArchives } from '#test/support/archive/hostile.ts'
import { pdf } from '#test/support/archive/pdf.ts'
import { type RawEntry, rawZip } from '#test/support/archive/raw-zip.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const world = sharedWorld({ withoutAgent: true })

async function importFile(name: string, content: string | Uint8Array, fields: Readonly<Record<string, string>> = {}) {
  const { post } = await world()
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([Buffer.from(content as string)]), name)
  return post('/audiobook/import', form)
}
/** Files left in the folders of uploads, and the processes that read books. */
async function remains() {
  const { dataDir } = await world()
  const uploads = ['spool', 'uploads'].flatMap((name) => (existsSync(join(dataDir, name)) ? readdirSync(join(dataDir, name)) : []))
  const children = readdirSync('/proc').filter((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').includes('longform/reading/child.ts') && isOurs(name, dataDir)
    } catch {
      return false
    }
  })
  return { uploads: uploads.filter((name) => name.startsWith('upload-')), children }
}
const isOurs = (pid: string, dataDir: string) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(dataDir)

function part(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([size, named, check])
}
/** A black picture; `pixels`: compressed content in its place. */
function png(width: number, height: number, pixels = deflateSync(Buffer.alloc((width + 1) * height))): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8 // bits of grey
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([start, part('IHDR', header), part('IDAT', pixels), part('IEND', Buffer.alloc(0))])
}
const goodBook = (others: readonly RawEntry[] = []) =>
  epubEntries([{ name: 'a.xhtml', body: '<h1>One</h1><p>Hello [pause] there.</p>' }], {
    nav: navItem('One', 'a.xhtml'),
    manifest: '<item id="c" properties="cover-image" href="cover.png" media-type="image/png"/>',
    others: [{ name: 'OPS/cover.png', content: png(600, 800) }, ...others],
  })
const protectedText: RawEntry = {
  name: 'META-INF/encryption.xml',
  content:
    '<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData><e:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/><e:CipherData><e:CipherReference URI="OPS/a.xhtml"/></e:CipherData></e:EncryptedData></encryption>',
}

test('books of each kind become manuscripts', async () => {
  const text = (await importFile('Book.TXT', 'Chapter 1\n\nHello.\n\nChapter 2\n\nWorld.')).json()
  assert.equal(text.text, '# Chapter 1\n\nHello.\n\n# Chapter 2\n\nWorld.')
  assert.equal(text.chapters, 2)
  const markdown = await importFile('book.md', '# One\n\nHello *you*.')
  assert.equal(markdown.json().text, '# One\n\nHello you.')
  assert.equal((await importFile('book.unknown', 'Plain.')).json().text, 'Plain.')
  const lines = [
    { text: 'Large', y: 550, size: 20 },
    { text: 'A page of a book in a PDF.', y: 500 },
  ]
  assert.equal((await importFile('book.pdf', pdf([lines]))).json().text, '# Large\n\nA page of a book in a PDF.')
  const epub = await importFile('book.epub', rawZip(goodBook()))
  assert.equal(epub.status, 200, epub.body.toString())
  const { cover, ...book } = epub.json()
  assert.deepEqual(book, {
    text: '# One\n\nHello \\[pause] there.',
    chapters: 1,
    title: 'A Book',
    author: null,
    language: null,
    parts: [{ title: 'One', included: true, why: null }],
    skipped: [],
    notices: [],
  })
  assert.deepEqual(readFileSync(cover), png(600, 800))
  assert.match(basename(cover), /^[0-9a-f]{12}\.png$/)
  assert.equal(statSync(cover).mode & 0o777, 0o600)
})

test('parts that are not read are switched off in the text and listed, and notes go where the request or the setting wants them', async () => {
  const { put } = await world()
  const book = rawZip(
    epubEntries(
      [
        { name: 'a.xhtml', body: '<h1>One</h1><p>Alpha<a href="#n1">[1]</a> end.</p><p id="n1">1. A note.</p><p>Omega.</p>' },
        { name: 'c.xhtml', body: '<h1>[skip] Two</h1><p>Read.</p>' },
        { name: 'b.xhtml', body: '<h1>Index</h1><p>mill, 3, 7</p>' },
      ],
      { nav: navItem('One', 'a.xhtml') + navItem('[skip] Two', 'c.xhtml') + navItem('Index', 'b.xhtml') },
    ),
  )
  const usual = (await importFile('a.epub', book)).json()
  assert.match(
    usual.text,
    /^# One\n\nAlpha end\.\n\nOmega\.\n\n# (?:\(|\\\[)skip[)\]] Two\n\nRead\.\n\n# \[skip\] Index\n\n.*3, 7\n\n# \[skip\] Notes\n/s,
  )
  assert.deepEqual(usual.skipped, [
    { title: 'Index', why: 'An index is not read.', place: 'ops/b.xhtml: Index' },
    { title: 'Notes', why: 'Footnotes are not read.', place: 'One' },
    { title: '', why: 'Marks of notes that are not read: 1.' },
  ])
  const inline = (await importFile('a.epub', book, { notes: 'inline' })).json()
  assert.match(inline.text, /^# One\n\nAlpha end\.\n\n\S{0,2}1\S? A note\.\n\nOmega\./)
  assert.equal((await importFile('a.epub', book, { notes: 'loud' })).status, 422)
  assert.equal((await put('/api/settings/values/longform.notes', { value: 'end' })).status, 200)
  const end = (await importFile('a.epub', book)).json()
  assert.match(end.text, /^# One\n\nAlpha end\.\n\nOmega\.\n\n\* \* \*\n\n\S{0,2}1\S? A note\.\n\n# (?:\(|\\\[)skip[)\]]/)
  assert.equal((await importFile('a.epub', book, { notes: 'omit' })).json().text, usual.text)
  assert.equal((await put('/api/settings/values/longform.notes', { value: 'omit' })).status, 200)
})

test('chapters that a reader switches off are marked in the manuscript, with their reasons beside it', async () => {
  const chapter = (title: string, text: string, more: { included?: boolean; why?: string | null } = {}) => ({
    ...{ title, text, included: true, why: null },
    ...more,
  })
  const { text, parts } = await manuscriptOf({
    chapters: [
      chapter('', 'A page.', { included: false, why: 'A short page is not read.' }),
      chapter('Contents', 'One, two.', { included: false, why: 'A table of contents is not read.' }),
      chapter('Part I', ''),
      chapter('[skip] One', '\\- Words.', { included: true, why: null }),
    ],
  })
  assert.equal(text, '# [skip] Untitled part\n\nA page.\n\n# [skip] Contents\n\nOne, two.\n\n# Part I\n\n# \\[skip] One\n\n\\- Words.')
  assert.deepEqual(parts, [
    { title: 'Untitled part', included: false, why: 'A short page is not read.' },
    { title: 'Contents', included: false, why: 'A table of contents is not read.' },
    { title: '[skip] One', included: true, why: null },
  ])
  const { post } = await world()
  const plan = (await post('/audiobook/plan', { text })).json()
  assert.deepEqual(
    plan.chapters.map(({ title, included }: { title: string; included: boolean }) => [title, included]),
    [
      ['Untitled part', false],
      ['Contents', false],
      ['[skip] One', true],
    ],
  )
})

test('the manuscript of a book can be planned', async () => {
  const { post } = await world()
  const { text } = (await importFile('book.epub', rawZip(goodBook()))).json()
  const plan = (await post('/audiobook/plan', { text })).json()
  assert.deepEqual(
    plan.chapters.map((chapter: { title: string }) => chapter.title),
    ['One'],
  )
  assert.equal(plan.chapters[0].spans[0].text, 'Hello [pause] there.')
})

test('files that are no books are refused, and leave neither files nor processes', async () => {
  const refusals: readonly (readonly [string, string, string | Uint8Array, RegExp])[] = [
    ['empty', 'a.txt', '', /empty/],
    ['without words', 'a.txt', ' \n\n . \n', /no text/],
    ['over 64 MB', 'a.txt', Buffer.alloc(64 * 1024 ** 2 + 1, 0x61), /larger than 64 MB/],
    ['no archive', 'a.epub', 'not a zip file', /archive cannot be read/],
    [
      'a chapter of 26 MB, one more than an entry may have',
      'a.epub',
      rawZip(goodBook([{ name: 'OPS/big.xhtml', content: Buffer.alloc(26.3e6, 0x61), isDeflated: true }])),
      /too large/,
    ],
    ['no package', 'a.epub', rawZip([{ name: 'a.xhtml', content: 'x' }]), /not an EPUB/],
    ['protected', 'a.epub', rawZip(goodBook([protectedText])), /protected/],
    ['no text', 'a.epub', rawZip(epubEntries([{ name: 'a.xhtml', body: '<p><img src="x.png"/></p>' }])), /no text/],
    ['a scan', 'a.pdf', pdf([[], []]), /scan/],
    ['no text but marks', 'a.md', '# \n\n***\n\n![](a.png)\n', /no text/],
    ['a longer manuscript', 'a.txt', 'word '.repeat(2_000_000), /Split it/],
  ]
  for (const [what, name, content, why] of refusals) {
    const reply = await importFile(name, content)
    assert.equal(reply.status, 400, `${what}: ${reply.body.toString().slice(0, 200)}`)
    assert.match(reply.json().detail, why, what)
  }
  const { uploads, children } = await remains()
  assert.deepEqual([uploads, children], [[], []])
})

test('hostile archives are refused, and nothing is written outside of their folder', async () => {
  const wanted = goodBook().find(({ name }) => name === 'OPS/book.opf')!
  const some = hostileArchives(goodBook(), wanted).filter(({ name }) =>
    /parent folder$|symbolic|same name in capitals|size that is too large/.test(name),
  )
  assert.equal(some.length, 4)
  for (const { name, bytes } of some) assert.equal((await importFile('a.epub', bytes)).status, 400, name)
  assert.equal(existsSync(join((await world()).dataDir, 'escaped.json')), false)
})

test('a cover that cannot be used is reported, and the book is read', async () => {
  const book = goodBook().map((entry) => (entry.name === 'OPS/cover.png' ? { ...entry, content: png(5000, 5000) } : entry))
  const reply = (await importFile('a.epub', rawZip(book))).json()
  assert.equal(reply.cover, null)
  assert.match(reply.notices[0], /cover .* more than 16 megapixels/)
})

test('covers are JPEG or PNG of limited size, and only stored ones are found again', async () => {
  const { post, dataDir } = await world()
  const send = (bytes: Uint8Array<ArrayBuffer>, name = 'cover.png') => {
    const form = new FormData()
    form.set('cover', new Blob([bytes]), name)
    return post('/audiobook/cover', form)
  }
  const kept = await send(new Uint8Array(png(100, 100)), '../../evil.exe')
  assert.equal(kept.status, 200)
  const { path } = kept.json()
  assert.match(path, /^\/.*\/[0-9a-f]{12}\.png$/)
  const inks = await send(Uint8Array.from([0xff, 0xd8, 0xff, 0xc0, 0, 20, 8, 0, 60, 0, 40, 4, ...Array<number>(12).fill(1)]))
  assert.equal(inks.status, 400)
  assert.match(inks.json().detail, /CMYK.*Save it as RGB/)
  for (const bytes of [Buffer.alloc(0), Buffer.from('GIF89a'), png(4001, 4000), png(10, 10, Buffer.alloc(8 * 1024 ** 2))])
    assert.equal((await send(new Uint8Array(bytes))).status, 400)
  const skip = findProgram('ffmpeg', process.env['PATH']) === null
  for (const pixels of [Buffer.from('garbage'.repeat(500)), Buffer.alloc(0)]) {
    const damaged = await send(new Uint8Array(png(3999, 4000, pixels)))
    assert.equal(damaged.status, skip ? 200 : 400)
    if (!skip) assert.equal(damaged.json().detail, 'The cover cannot be used: it is damaged.')
  }
  const covers = createCovers({ folder: join(dataDir, 'covers'), ffmpegPath: () => null, clock: systemClock, random: systemRandom })
  assert.equal(covers.coverAt(path), path)
  assert.equal(covers.coverAt(`/elsewhere/${basename(path)}`), path)
  for (const other of ['/etc/passwd', '', '../studio.db', '0123456789ab.png', `${path}/..`])
    assert.equal(covers.coverAt(other), null, other)
})
