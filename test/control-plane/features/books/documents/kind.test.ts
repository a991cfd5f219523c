import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveKindOf, bookKindOf } from '#control-plane/features/books/import/kind.rules.ts'
import { BOOK_KINDS } from '#control-plane/features/books/reading/kind.ts'
import { Failure } from '#shared/protocol/failure.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const kind = (name: string, start: string) => bookKindOf(name, bytes(start))
function refusal(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'BAD_REQUEST')
    return error.message
  }
  return 'not refused'
}

test('the first bytes of a file decide more than its name', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['a.txt', 'Once upon a time', 'text'],
    ['a.unknown', 'Once', 'text'],
    ['a', '', 'text'],
    ['a.MD', '# One', 'markdown'],
    ['a.txt', '%PDF-1.7', 'pdf'],
    ['a.doc', '{\\rtf1\\ansi', 'rtf'],
    ['a.rtf', 'Plain text after all', 'text'],
    ['a.htm', 'A fragment', 'html'],
    ['a.doc', '<html xmlns:o="urn:schemas-microsoft-com:office:office">', 'html'],
    ['a.txt', '  <!-- saved --><!DOCTYPE html PUBLIC "x">', 'html'],
    ['a.xml', '<?xml version="1.0"?>\n<?xml-stylesheet href="a"?><html>', 'html'],
    ['a.xml', '\u00ef\u00bb\u00bf<?xml version="1.0"?><FictionBook xmlns="x">', 'fb2'],
    ['a.txt', '\u00ff\u00fe<\0F\0i\0c\0t\0i\0o\0n\0B\0o\0o\0k\0>\0', 'fb2'],
    ['a.fb2', 'damaged', 'fb2'],
    ['a.xml', '<?xml version="1.0"?><office:document office:version="1.2">', 'fodt'],
    ['a.txt', 'PK\u0003\u0004', 'archive'],
    ['a.epub', 'no archive', 'archive'],
    ['a.docx', 'no archive', 'archive'],
    // A manuscript in SSML, and a text that begins like a file of another kind.
    ['a.txt', '<?xml version="1.0"?><speak>', 'text'],
    ['a.txt', '<speak>', 'text'],
    ['a.md', '<div align="center">', 'markdown'],
    ['a.txt', 'RIFFRAFF was here', 'text'],
    ['a.txt', 'ID3 means nothing', 'text'],
    ['a.txt', 'Subject: multipart', 'text'],
  ]
  for (const [name, start, right] of cases) assert.equal(kind(name, start), right, `${name}: ${start}`)
})

test('what is not read is refused with the way out, by its name or its first bytes', () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['a.doc', '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1', /\.doc.*save it as \.docx/],
    ['a.docx', '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1', /password.*save it as \.docx/],
    ['a.xls', '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1', /Spreadsheets/],
    ['a', `${'x'.repeat(60)}BOOKMOBI`, /Kindle.*EPUB with Calibre/],
    ['a.azw3', 'anything', /Kindle.*EPUB with Calibre/],
    ['a.txt', 'AT&TFORM', /DjVu.*OCR/],
    ['a.lit', 'x', /Calibre/],
    ['a.pages', 'x', /Pages.*Export/],
    ['a.cbr', 'Rar!\u001a', /pictures/],
    ['a.rar', 'Rar!\u001a', /Unpack/],
    ['a.gz', '\u001f\u008b', /Unpack/],
    ['a.srt', '1\n00:00:01,000 --> 00:00:02,000', /Subtitles/],
    ['a.mp3', 'ID3\u0003', /Transcribe/],
    ['a.png', '\u0089PNG', /Transcribe/],
    ['a.tex', '\\documentclass{book}', /pandoc/],
    ['a.mht', 'From: <Saved>\nContent-Type: multipart/related;', /\.html/],
    ['a.xml', '<?xml version="1.0"?><book>', /XML of this kind.*pandoc/],
    ['a.txt', '<?xml version="1.0"?><w:wordDocument>', /XML of this kind/],
  ]
  for (const [name, start, why] of cases)
    assert.match(
      refusal(() => kind(name, start)),
      why,
      name,
    )
})

test('the book in an archive', () => {
  const found = (name: string, names: readonly string[], mimetype = '') => archiveKindOf(name, names, mimetype)
  assert.deepEqual(found('a.zip', ['meta-inf/container.xml']), { kind: 'epub', member: null })
  assert.deepEqual(found('a.zip', ['x'], 'application/epub+zip\n'), { kind: 'epub', member: null })
  assert.deepEqual(found('a.epub', ['x.xhtml', 'y.xhtml']), { kind: 'epub', member: null })
  assert.deepEqual(found('a', ['content.xml', 'mimetype'], 'application/vnd.oasis.opendocument.text-template'), {
    kind: 'odt',
    member: null,
  })
  assert.deepEqual(found('a', ['[content_types].xml', 'word/document.xml']), { kind: 'docx', member: null })
  assert.deepEqual(found('a.zip', ['b/book.fb2', '__macosx/book.fb2', 'c.jpg']), { kind: 'fb2', member: 'b/book.fb2' })
  assert.deepEqual(found('a.zip', ['book.rtf']), { kind: 'rtf', member: 'book.rtf' })
  const refusals: readonly (readonly [string, readonly string[], string, RegExp])[] = [
    ['a.zip', ['a.fb2', 'b.fb2'], '', /several texts.*Unpack/],
    ['a.zip', ['a.jpg'], '', /no book.*Unpack/],
    ['a.cbz', ['a.jpg'], '', /pictures/],
    ['a', ['[content_types].xml', 'xl/workbook.xml'], '', /Spreadsheets/],
    ['a', ['[content_types].xml', 'ppt/presentation.xml'], '', /Presentations/],
    ['a', ['content.xml'], 'application/vnd.oasis.opendocument.presentation', /Presentations/],
    ['a.pages', ['index/document.iwa'], '', /Pages/],
    ['a.key', ['index/document.iwa'], '', /Presentations/],
    ['a.zip', [], '', /no book/],
  ]
  for (const [name, names, mimetype, why] of refusals)
    assert.match(
      refusal(() => found(name, names, mimetype)),
      why,
      names.join(),
    )
})

test('any first bytes and any name give a kind or a refusal', () => {
  const kinds: readonly string[] = [...BOOK_KINDS, 'archive']
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % below
  }
  const starts = ['<', '<?xml', '<!--', '<!', '{\\rtf', 'PK', '%PDF-', '\u00d0\u00cf', 'ID3', 'From:', '\0', 'a']
  for (let run = 0; run < 3000; run++) {
    const start = Array.from({ length: random(6) }, () => starts[random(starts.length)]! + String.fromCharCode(random(256))).join('')
    const name = `a.${['txt', 'doc', 'epub', 'html', 'fb2', '', 'xml', 'zip'][random(8)]}`
    try {
      assert.ok(kinds.includes(kind(name, start)))
    } catch (error) {
      assert.ok(error instanceof Failure && error.code === 'BAD_REQUEST', `${name}: ${JSON.stringify(start)}: ${error}`)
    }
  }
})
