// Books that are built to use up time or memory: the process that reads them answers with a book or a sentence within its limits, and is gone.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { createReaderProcess } from '#control-plane/features/books/import/reader-process.ts'
import { INDEX_NAME } from '#control-plane/features/books/reading/kind.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog } from '#shared/runtime/log.ts'
import { type EpubDocument, epubEntries, navItem } from '#test/support/archive/epub.ts'
import { pdf } from '#test/support/archive/pdf.ts'
import type { RawEntry } from '#test/support/archive/raw-zip.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

type Attack = readonly [name: string, file: () => readonly RawEntry[] | Buffer, chapters: number | RegExp]
const TOO_MUCH = /too much memory|longer than 120 seconds|too large to be read|text is too long/
const document = (body: string): EpubDocument => ({ name: 'a.xhtml', body })
const TEXT = '<p>Text.</p>'
const book = (options: Parameters<typeof epubEntries>[1], body = TEXT) => epubEntries([document(body)], options)
const ids = Array.from({ length: 100_000 }, (_, at) => `m${at}`)
const attributes = (quote: string) => Array.from({ length: 200_000 }, (_, at) => `a${at}=${quote}x${quote}`).join(' ')

/** A PDF of `pages` pages that share one stream of blanks of `bytes` bytes. */
function bomb(bytes: number, pages: number): Buffer {
  const packed = deflateSync(Buffer.alloc(bytes, 0x20)).toString('latin1')
  const kids = Array.from({ length: pages }, (_, at) => `${4 + at} 0 R`)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages} >>`,
    `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed}\nendstream`,
    ...kids.map(() => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Contents 3 0 R >>'),
  ]
  let file = '%PDF-1.4\n'
  const rows = objects.map((content, at) => {
    const row = `${String(file.length).padStart(10, '0')} 00000 n \n`
    file += `${at + 1} 0 obj\n${content}\nendobj\n`
    return row
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`
  return Buffer.from(file + table, 'latin1')
}
const line = (text: string, y: number) => ({ text, y })

const ATTACKS: readonly Attack[] = [
  [
    'a spine of 100,000 missing documents',
    () =>
      book({
        manifest: ids.map((id) => `<item id="${id}" href="${id}"/>`).join(''),
        spine: ids.map((id) => `<itemref idref="${id}"/>`).join(''),
      }),
    1,
  ],
  ['a spine that names one document 100,000 times', () => book({ spine: '<itemref idref="d0"/>'.repeat(100_000) }), 1],
  ['an element with 200,000 attributes', () => book({}, `<p ${attributes('"')}>Text.</p>`), 1],
  ['an element with 200,000 attributes, as HTML', () => book({}, `<p ${attributes('')}>Text.</p>`), 1],
  // The notes are a chapter of their own, which is switched off.
  ['300,000 notes', () => book({}, `${TEXT}${'<aside epub:type="footnote"><p>n</p></aside>'.repeat(300_000)}`), 2],
  [
    'a million elements 298 levels deep',
    () => book({}, `${'<div>'.repeat(298)}${'<b>x</b> '.repeat(1_000_000)}${'</div>'.repeat(298)}`),
    1,
  ],
  [
    '500,000 elements deep in the package',
    () => book({ metadata: `${'<i>'.repeat(290)}${'<b/>'.repeat(500_000)}${'</i>'.repeat(290)}` }),
    1,
  ],
  ['a table of contents of 400,000 lines', () => book({ nav: navItem('A', 'a.xhtml').repeat(400_000) }), 1],
  [
    'a document type of 20 MB',
    () => book({}, `<?xml version="1.0"?><!DOCTYPE html [${'<!ENTITY a "b">'.repeat(1_400_000)}]><html><body>${TEXT}</body></html>`),
    1,
  ],
  ['25 MB of open tags', () => book({}, `<html><body>${TEXT}${'<a '.repeat(8_000_000)}`), 1],
  ['a stream of 1 GB in a PDF', () => bomb(1024 ** 3, 1), /scan|too much memory|longer than 120 seconds|too large to be read/],
  ['100 pages of 200 MB in a PDF', () => bomb(200 * 1024 ** 2, 100), /scan|too much memory|longer than 120 seconds|too large to be read/],
  [
    '400,000 lines in one chapter of a PDF',
    () =>
      pdf(
        Array.from({ length: 9000 }, (_, page) =>
          Array.from({ length: 45 }, (_, at) => line(`Line ${at} of page ${page} says.`, 540 - 11 * at)),
        ),
      ),
    1,
  ],
]

for (const [name, make, wanted] of ATTACKS)
  test(name, async (t) => {
    const path = join(temporaryFolder(t), 'book')
    const made = make()
    if (Buffer.isBuffer(made)) writeFileSync(path, made)
    else {
      mkdirSync(path)
      const index = made.map(({ name, content }, at) => {
        const file = join(path, `${at}`)
        writeFileSync(file, content)
        return [String(name).toLowerCase(), file]
      })
      writeFileSync(join(path, INDEX_NAME), JSON.stringify(index))
    }
    const from = clock.mono()
    const reading = createReaderProcess({ clock, log: silentLog })(Buffer.isBuffer(made) ? 'pdf' : 'epub', path, AbortSignal.any([]))
    const outcome = await reading.then(
      ({ chapters }) => chapters.length,
      (error: Error) => error.message,
    )
    t.diagnostic(`${((clock.mono() - from) / 1000).toFixed(1)} s: ${outcome}`)
    // The time that a machine needs is its own matter: a limit that was reached is an answer too.
    if (typeof outcome === 'string') assert.match(outcome, typeof wanted === 'number' ? TOO_MUCH : wanted)
    else assert.equal(outcome, typeof wanted === 'number' ? wanted : null)
  })
