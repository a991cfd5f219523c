// Chapters, covers and a running book encoder for tests.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import type { BookChapter, BookMetadata, ChapterOptions, ChapterSource, EncodedChapter } from '#control-plane/media/book/book.ts'
import { createBookMedia } from '#control-plane/media/book/book-media.ts'
import { createMedia } from '#control-plane/media/encode.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { silentLog } from '#shared/runtime/log.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { speech } from '#test/shared/audio/signal.ts'

export const RATE = 24_000
export const ffmpeg = findProgram('ffmpeg', process.env['PATH'])
const ffprobe = findProgram('ffprobe', process.env['PATH'])
export const withPrograms = { skip: ffmpeg && ffprobe ? false : 'ffmpeg or ffprobe is not on PATH' }
export const never = new AbortController().signal

/** A PNG picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='

/** A PNG picture of about 3 MB, which no compression makes smaller. */
export function largePicture(): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(1000, 0)
  header.writeUInt32BE(1000, 4)
  header.set([8, 2], 8)
  const rows = deflateSync(Buffer.alloc(1000 * 3001), { level: 0 })
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

/** A folder and a book encoder for all tests of a file. `withoutPrograms` is a machine without ffmpeg. */
export function bookStage() {
  const folder = mkdtempSync(join(tmpdir(), 'book-'))
  const media = createMedia({ log: silentLog, clock: systemClock, ffmpegPath: () => ffmpeg, threads: 1, spoolFolder: folder })
  const deps = { media, clock: systemClock, atOnce: 2 }
  before(() => media.start())
  after(async () => {
    await media.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const cover = { path: join(folder, 'cover.png'), type: 'png' as const }
  writeFileSync(cover.path, Buffer.from(PIXEL, 'base64'))
  return {
    folder,
    cover,
    media,
    book: createBookMedia({ ...deps, ffmpegPath: () => ffmpeg, ffprobePath: () => ffprobe }),
    withoutPrograms: createBookMedia({ ...deps, ffmpegPath: () => null, ffprobePath: () => null }),
    at: (name: string) => join(folder, name),
    files: () => readdirSync(folder).toSorted(),
  }
}

export function sourceOf(samples: Float32Array, sampleRate = RATE): ChapterSource {
  const pcm = toS16(samples)
  async function* open() {
    for (let at = 0; at < pcm.length; at += 20_001) yield pcm.subarray(at, at + 20_001)
  }
  return { sampleRate, open, histogram: null, truePeak: null }
}
export const talk = (seconds: number, seed = 1): ChapterSource => sourceOf(speech(seconds, RATE, seed))

export const options = (to: string, more: Partial<ChapterOptions> = {}): ChapterOptions => ({
  codec: 'aac',
  kbps: 64,
  preset: 'none',
  mark: null,
  to,
  ...more,
})
export const METADATA: BookMetadata = {
  title: 'The River',
  author: 'A. Writer',
  narrator: 'Slt',
  year: '2026',
  description: 'Two lines;\nof = text # here \\',
  series: 'Rivers 1',
  language: 'eng',
  comment: 'The speech in this file is synthetic.',
}
/** The same encoded file as `count` chapters. */
export const repeated = (file: EncodedChapter, count: number, titleOf = (at: number) => `Part ${at + 1}`): BookChapter[] =>
  Array.from({ length: count }, (_, at) => ({ title: titleOf(at), file }))

export type Probed = {
  readonly format: { readonly duration: string; readonly tags: Record<string, string> }
  readonly chapters: readonly { readonly start_time: string; readonly end_time: string; readonly tags: { readonly title: string } }[]
  readonly streams: readonly { readonly disposition: { readonly attached_pic: number }; readonly tags?: Record<string, string> }[]
}
export const probe = (path: string): Probed =>
  JSON.parse(
    execFileSync(ffprobe!, ['-loglevel', 'error', '-print_format', 'json', '-show_format', '-show_streams', '-show_chapters', path], {
      encoding: 'utf8',
      maxBuffer: 2 ** 24,
    }),
  )
export const bytesOf = (path: string): Buffer => readFileSync(path)
