// The files of a book with a read-along EPUB on disks that are full, when it is cancelled, and after a kill: all files, or none.
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import type { ChapterFile } from '#control-plane/features/books/assembly/chapter-files.ts'
import { createPublishBook, type MadeChapter, removeBookFiles } from '#control-plane/features/books/assembly/publish-book.ts'
import { createReadalong } from '#control-plane/features/books/readalong/readalong.ts'
import type { BookManifest } from '#control-plane/features/books/render/manifest.ts'
import type { Rendering } from '#control-plane/features/books/render/renderer.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { bookStage, ffmpeg, largePicture, never, options, RATE, talk } from '#test/control-plane/media/book/stage.ts'
import { mayMount, smallDisk } from '#test/support/chaos/small-disk.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const { book, withoutPrograms, at } = bookStage()
const skip = !ffmpeg ? 'ffmpeg is not on PATH' : !mayMount && 'mounting is not permitted'
const FORMATS = ['m4b', 'mp3'] as const
type Format = (typeof FORMATS)[number]

const rendering = { ready: async () => {}, again: () => {} } as unknown as Rendering
const manifest = { kind: 'audiobook', title: 'A book', language: 'en', output: { readalong: true, cover: 'large', metadata: {} } }
const chapterFiles = new Map<Format, ReturnType<typeof encoded>>()
/** The sound of every chapter, and a cover: made once for each format. */
function chapterFile(format: Format) {
  const known = chapterFiles.get(format) ?? encoded(format)
  chapterFiles.set(format, known)
  return known
}
async function encoded(format: Format) {
  writeFileSync(at('large.png'), largePicture())
  const codec = format === 'm4b' ? 'aac' : 'mp3'
  return await (format === 'm4b' ? book : withoutPrograms).encodeChapter(talk(0.4), options(at(codec), { codec }), never)
}

/** Three chapters of two segments. `reading` is called before each segment is read for its place. */
async function published(
  format: Format,
  audioFolder: string,
  signal: AbortSignal,
  reading: (count: number) => void = () => {},
  record: (name: string, seconds: number) => void = () => {},
) {
  const { path, ...file } = await chapterFile(format)
  const segment = { written: 'Some words.', endsParagraph: true, gapMs: 0, speaker: { gainDb: 0 } }
  const chapter = (index: number) => ({ index, title: `Part ${index}`, segments: ['a', 'b'].map((key) => ({ ...segment, key })) })
  const made = [0, 1, 2].map((index) => ({ chapter: chapter(index), file: { ...file, path } as unknown as ChapterFile }))
  let reads = 0
  const cache = {
    read: async () => {
      reading(++reads)
      return { pcm: Buffer.alloc(RATE / 5, 'a tone'), sampleRate: RATE }
    },
  }
  const bookMedia = format === 'm4b' ? book : withoutPrograms
  const publish = createPublishBook({
    bookMedia,
    readalong: createReadalong({ cache, bookMedia }),
    coverOf: () => ({ path: at('large.png'), type: 'png' }),
    audioFolder,
    clock: systemClock,
  })
  const request = { manifest: manifest as unknown as BookManifest, made: made as unknown as MadeChapter[] }
  return publish({ jobId: '0123', format, rendering, sampleRate: RATE, record, ...request }, signal)
}

test('a disk that is full while the EPUB is written is STORAGE_FULL, and keeps neither the EPUB nor the book', { skip }, async (t) => {
  const cases = [
    ['no file for a part', 'size=32m,nr_inodes=3', 'm4b'],
    ['full in the middle of the EPUB', 'size=5m', 'm4b'],
    ['no file for the EPUB of an MP3', 'size=32m,nr_inodes=2', 'mp3'],
    ['full in the middle of the EPUB of an MP3', 'size=5m', 'mp3'],
  ] as const
  for (const [name, disk, format] of cases) {
    const folder = smallDisk(t, disk)
    let reads = 0
    await assert.rejects(
      published(format, folder, never, (count) => {
        reads = count
      }),
      (error: { code?: string; message: string }) => error.code === 'STORAGE_FULL' && /disk of the studio/.test(error.message),
      name,
    )
    assert.ok(reads > 0, `${name}: the book was complete before`)
    assert.deepEqual(readdirSync(folder), [], name)
  }
})

test('a book that is cancelled while its EPUB is written leaves no file', { skip: ffmpeg ? false : 'ffmpeg is not on PATH' }, async (t) => {
  // After the first part of an M4B; before the archive of an MP3, which has no parts.
  for (const [format, moment] of [
    ['m4b', 3],
    ['mp3', 6],
  ] as const) {
    const folder = temporaryFolder(t)
    const cancel = new AbortController()
    const result = published(format, folder, cancel.signal, (count) => {
      if (count === moment) cancel.abort(new Error('cancelled by a client'))
    })
    await assert.rejects(result, /cancelled by a client/)
    assert.deepEqual(readdirSync(folder), [])
    const { name, epub } = await published(format, folder, never)
    assert.deepEqual(readdirSync(folder), [epub, name].toSorted())
    removeBookFiles(folder, [{ kind: 'story', job_id: '0123' }])
    assert.deepEqual(readdirSync(folder), [epub, name].toSorted())
    removeBookFiles(folder, [{ kind: 'audiobook', job_id: '0123' }])
    assert.deepEqual(readdirSync(folder), [])
  }
})

test('a finished book that cannot be recorded leaves no file', { skip: ffmpeg ? false : 'ffmpeg is not on PATH' }, async (t) => {
  for (const format of FORMATS) {
    const folder = temporaryFolder(t)
    const seen: string[] = []
    const record = (name: string) => {
      seen.push(...readdirSync(folder))
      throw new Failure('STORAGE_FULL', `The disk is full: ${name}.`)
    }
    await assert.rejects(
      published(format, folder, never, () => {}, record),
      { code: 'STORAGE_FULL' },
    )
    assert.equal(seen.length, 2, 'the book and its EPUB were there')
    assert.deepEqual(readdirSync(folder), [])
  }
})
