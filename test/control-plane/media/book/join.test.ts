import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { type IChapter, parseFile } from 'music-metadata'
import type { BookFormat, EncodedChapter } from '#control-plane/media/book/book.ts'
import { createBookMedia } from '#control-plane/media/book/book-media.ts'
import { objectionToBook } from '#control-plane/media/book/check.ts'
import { textOf, titleOf } from '#control-plane/media/book/tags.rules.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { programFolder } from '#test/support/world/programs.ts'
import { eventually } from '#test/support/world/world.ts'
import { bookStage, bytesOf, ffmpeg, METADATA, never, options, probe, repeated, talk, withPrograms } from './stage.ts'

const stage = bookStage()
const { book, withoutPrograms, cover, at, files } = stage
const encoded = new Map<BookFormat, EncodedChapter>()
before(async () => {
  encoded.set('mp3', await withoutPrograms.encodeChapter(talk(0.4), options(at('short.mp3'), { codec: 'mp3' }), never))
  if (ffmpeg) encoded.set('m4b', await book.encodeChapter(talk(0.4), options(at('short.aac')), never))
})

for (const format of ['m4b', 'mp3'] as const) {
  for (const count of [3, 256, 300]) {
    test(`ffprobe and music-metadata agree on ${count} chapters, cover and tags of ${format}`, withPrograms, async () => {
      const to = at(`book-${count}.${format}`)
      const file = encoded.get(format)!
      const joined = await book.join(repeated(file, count), METADATA, cover, { format, to }, never)
      assert.ok(Math.abs(joined.seconds - count * file.seconds) < 1e-6)
      assert.equal(joined.bytes, bytesOf(to).length)

      const probed = probe(to)
      const { format: parsed, common } = await parseFile(to, { includeChapters: true, duration: true })
      assert.equal(probed.chapters.length, count)
      assert.equal(parsed.chapters?.length, count)
      for (const [index, chapter] of probed.chapters.entries()) {
        assert.equal(chapter.tags.title, `Part ${index + 1}`)
        assert.ok(Math.abs(Number(chapter.start_time) - index * file.seconds) < 0.05, `chapter ${index} starts at ${chapter.start_time}`)
        assert.ok(Math.abs(Number(chapter.end_time) - (index + 1) * file.seconds) < 0.05, `chapter ${index} ends at ${chapter.end_time}`)
        const other: IChapter = parsed.chapters![index]!
        assert.equal(other.title, `Part ${index + 1}`)
        const start = other.start / (other.timeScale ?? 1)
        assert.ok(Math.abs(start - index * file.seconds) < 0.05, `music-metadata: chapter ${index} starts at ${start}`)
      }
      assert.ok(Math.abs(parsed.duration! - joined.seconds) < 0.2 + 0.002 * joined.seconds)
      assert.ok(probed.streams.some(({ disposition }) => disposition.attached_pic === 1))
      assert.deepEqual(Buffer.from(common.picture![0]!.data), bytesOf(cover.path))
      const { title, album, artist, albumartist, composer, year, genre } = common
      assert.deepEqual(
        { title, album, artist, albumartist, composer, year, genre },
        {
          title: 'The River',
          album: 'The River',
          artist: 'A. Writer',
          albumartist: 'A. Writer',
          composer: ['Slt'],
          year: 2026,
          genre: ['Audiobook'],
        },
      )
      assert.equal(probed.format.tags['comment'], METADATA.comment)
      assert.equal(probed.format.tags['description'], METADATA.description)
      assert.equal(bytesOf(to).includes('chpl'), format === 'm4b' && count <= 255)
    })
  }

  test(`equal inputs give equal bytes, and hostile titles stay titles in ${format}`, withPrograms, async () => {
    const titles = [
      'a=b;c#d\\e',
      '[CHAPTER]\nSTART=0\ntitle=other',
      '\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627',
      '\u{1f600}'.repeat(300),
      'x'.repeat(10_000),
      'a\u0000b',
      '',
      '\ud800 half',
    ]
    const chapters = repeated(encoded.get(format)!, titles.length, (index) => titles[index]!)
    const metadata = { ...METADATA, title: '=;#\\\n\u0000\u{1f600}'.repeat(500), author: ';FFMETADATA1', language: 'x y' }
    for (const name of ['one', 'two']) await book.join(chapters, metadata, cover, { format, to: at(`${name}.${format}`) }, never)
    assert.deepEqual(bytesOf(at(`one.${format}`)), bytesOf(at(`two.${format}`)))
    const probed = probe(at(`one.${format}`))
    assert.deepEqual(
      probed.chapters.map(({ tags }) => tags.title),
      titles.map((title, index) => titleOf(title) || `Chapter ${index + 1}`),
    )
    assert.equal(probed.format.tags['title'], titleOf(metadata.title))
    assert.equal(probed.format.tags['artist'], ';FFMETADATA1')
    const { format: parsed } = await parseFile(at(`one.${format}`), { includeChapters: true })
    assert.deepEqual(
      parsed.chapters!.map(({ title }) => title),
      titles.map((title, index) => titleOf(title) || `Chapter ${index + 1}`),
    )
  })
}

test('without ffmpeg the book becomes MP3 and says so', async () => {
  assert.deepEqual(book.plan('mp3'), { format: 'mp3', codec: 'mp3', notice: null })
  const plan = withoutPrograms.plan('m4b')
  assert.deepEqual([plan.format, plan.codec], ['mp3', 'mp3'])
  assert.match(plan.notice!, /becomes MP3/)
  const { format } = await withoutPrograms.join(
    repeated(encoded.get('mp3')!, 2),
    METADATA,
    null,
    { format: 'mp3', to: at('plain.mp3') },
    never,
  )
  assert.equal(format, 'mp3')
  const { format: parsed } = await parseFile(at('plain.mp3'), { includeChapters: true })
  assert.equal(parsed.chapters?.length, 2)
})

test('a book without chapters, with unequal ones, or without ffmpeg is refused', async () => {
  const mp3 = encoded.get('mp3')!
  const joining = (chapters: Parameters<typeof book.join>[0], format: BookFormat = 'mp3') =>
    withoutPrograms.join(chapters, METADATA, null, { format, to: at('refused') }, never)
  await assert.rejects(joining([]), { code: 'BAD_REQUEST' })
  await assert.rejects(joining([...repeated(mp3, 1), ...repeated({ ...mp3, sampleRate: 16_000 }, 1)]), RangeError)
  await assert.rejects(joining(repeated(mp3, 1), 'm4b'), { code: 'PROGRAM_MISSING' })
  assert.ok(!existsSync(at('refused')) && !existsSync(at('refused.new')))
})

test('cancelling ends the child and leaves no file', withPrograms, async () => {
  const controller = new AbortController()
  // Writes its process id, then waits for as long as it lives.
  const folder = programFolder(at('waiting'), { ffmpeg: `echo $$ > ${at('pid')}.new; mv ${at('pid')}.new ${at('pid')}; exec sleep 1000` }, [
    'sleep',
    'mv',
  ])
  const waiting = createBookMedia({
    media: stage.media,
    clock: systemClock,
    atOnce: 1,
    ffmpegPath: () => `${folder}/ffmpeg`,
    ffprobePath: () => null,
  })
  const before = files()
  const joining = waiting.join(
    repeated(encoded.get('m4b')!, 300),
    METADATA,
    null,
    { format: 'm4b', to: at('cancelled.m4b') },
    controller.signal,
  )
  joining.catch(() => {})
  const pid = Number(await eventually(() => existsSync(at('pid')) && readFileSync(at('pid'), 'utf8')))
  controller.abort(new Error('the listener is gone'))
  await assert.rejects(joining, /listener is gone/)
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  assert.deepEqual(
    files().filter((name) => name !== 'pid'),
    before,
  )
})

test('a file that is not as planned is refused with the difference', () => {
  const plan = { chapters: 2, seconds: 10, hasCover: false }
  const good = { chapters: [{ end_time: '5' }, { end_time: '10.02' }], format: { duration: '10.1' }, streams: [{}] }
  assert.equal(objectionToBook(good, plan), null)
  assert.match(objectionToBook({ ...good, chapters: good.chapters.slice(1) }, plan)!, /1 chapters instead of 2/)
  assert.match(objectionToBook({ ...good, chapters: [{}, { end_time: '9.9' }] }, plan)!, /last chapter ends at 9.9/)
  assert.match(objectionToBook({ ...good, chapters: [{}, {}] }, plan)!, /NaN/)
  assert.match(objectionToBook({ ...good, format: { duration: '9' } }, plan)!, /has 9 s/)
  assert.match(objectionToBook({}, { ...plan, chapters: 0, hasCover: true })!, /NaN/)
  assert.match(objectionToBook(good, { ...plan, hasCover: true })!, /no cover/)
})

test('titles are one line that fits into the old chapter list, and texts keep their lines', () => {
  assert.equal(titleOf(' a\r\n\u0000b\u2028c '), 'a b c')
  assert.equal([...titleOf('x'.repeat(10_000))].length, 200)
  assert.equal(titleOf('\u{1f600}'.repeat(300)), '\u{1f600}'.repeat(63))
  assert.equal(textOf(' a\r\nb\u0007c\rd '), 'a\nb c\nd')
})
