// A finished book in another format, with ffmpeg: one file with the chapters, tags and cover of the first, or one WAV file for each chapter in a zip.
import { mkdir, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '#shared/runtime/clock.ts'
import { safeInput } from '../ffmpeg/decoder.ts'
import { probeMedia } from '../ffmpeg/ffprobe.ts'
import { convertFile } from '../ffmpeg/transcode.ts'
import { diskFull, publish } from './book-file.ts'

export type ConvertedFormat = 'm4b' | 'mp3' | 'wav'
type ZipEntry = { readonly name: string; readonly file: string }
export type BookConversion = {
  readonly ffmpeg: string
  readonly ffprobe: string
  readonly from: string
  readonly to: string
  readonly format: ConvertedFormat
  /** Name of a chapter without a title. */
  readonly untitled: string
  /** Writes a zip of files. Throws the error of the disk, and the reason of the signal. */
  readonly zip: (to: string, entries: readonly ZipEntry[], signal: AbortSignal) => Promise<void>
}

/** Processor time for a book of a hundred hours. */
const LIMIT_MS = 4 * 3600_000
const RESERVE_BYTES = 64 * 1024 * 1024
const NAME_CHARS = 80
/** The old chapter list counts in one byte. */
const MAX_OLD_CHAPTERS = 255
/** Bytes of a second, at most: MP3 and AAC as below, and WAV twice, as a file and in the zip. */
const BYTES_PER_SECOND = { mp3: 24_000, m4b: 16_000 }
const SAMPLE_BYTES = 4

const Probed = z.object({
  streams: z.array(z.object({ codec_type: z.string().optional(), sample_rate: z.string().optional() })),
  format: z.object({ duration: z.string() }),
  chapters: z.array(
    z.object({ start_time: z.string(), end_time: z.string(), tags: z.object({ title: z.string().optional() }).optional() }),
  ),
})
type Chapter = { readonly start: number; readonly end: number; readonly name: string }

/** Name of the file of a chapter: its number, and its title without what file systems refuse. Pure. */
export function chapterFileName(at: number, count: number, title: string, untitled: string): string {
  const bare = title
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}"*/:<>?\\|\u2028\u2029]+/gu, '_')
    .trim()
  const number = String(at + 1).padStart(Math.max(2, String(count).length), '0')
  return `${number} ${[...(bare || untitled)].slice(0, NAME_CHARS).join('').trim()}.wav`
}

/**
 * Writes the book to `to`, completely or not at all. `progress`: shares from 0 to 1. Throws BAD_REQUEST for a file that ffmpeg cannot read,
 * STORAGE_FULL, EXECUTION_TIMEOUT, what `programFault` returns, and the reason of the signal.
 */
export async function convertBook(
  conversion: BookConversion,
  progress: (share: number) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<number> {
  const { ffmpeg, ffprobe, from, to, format, untitled, zip } = conversion
  const probed = Probed.parse(JSON.parse(await probeMedia(ffprobe, from, clock, signal, ['-show_chapters'])))
  const seconds = Number(probed.format.duration)
  const count = probed.chapters.length
  const rate = Number(probed.streams.find(({ codec_type }) => codec_type === 'audio')?.sample_rate ?? 0)
  await requireSpace(to, seconds * (format === 'wav' ? rate * SAMPLE_BYTES : BYTES_PER_SECOND[format]))
  if (format !== 'wav')
    return publish(to, (temporary) => {
      const copied = ['-map', '0:a:0', '-map', '0:v?', '-c:v', 'copy', '-map_metadata', '0', '-map_chapters', '0']
      const chapterList = count > MAX_OLD_CHAPTERS ? '+faststart+disable_chpl' : '+faststart'
      const coded =
        format === 'mp3'
          ? ['-c:a', 'libmp3lame', '-b:a', '192k', '-id3v2_version', '3', '-f', 'mp3']
          : ['-c:a', 'aac', '-b:a', '128k', '-disposition:v', 'attached_pic', '-f', 'ipod', '-brand', 'M4B ', '-movflags', chapterList]
      const moved = (at: number) => progress(Math.min(1, at / seconds))
      const args = [...safeInput(`file:${from}`), ...copied, ...coded, '-y', `file:${temporary}`]
      return convertFile({ program: ffmpeg, args, to: temporary, limitMs: LIMIT_MS, moved }, clock, signal)
    })
  const chapters: readonly Chapter[] =
    count === 0
      ? [{ start: 0, end: seconds, name: chapterFileName(0, 1, '', untitled) }]
      : probed.chapters.map(({ start_time, end_time, tags }, at) => ({
          start: Number(start_time),
          end: Number(end_time),
          name: chapterFileName(at, count, tags?.title ?? '', untitled),
        }))
  const folder = `${to}.parts`
  await rm(folder, { recursive: true, force: true }) // of a run that was killed
  await mkdir(folder, { mode: 0o700 })
  try {
    const entries: ZipEntry[] = []
    for (const [at, { start, end, name }] of chapters.entries()) {
      const file = join(folder, `${at}.wav`)
      const cut = ['-ss', String(start), '-t', String(Math.max(0, end - start)), ...safeInput(`file:${from}`)]
      const moved = (into: number) => progress(Math.min(1, (start + into) / seconds))
      const args = [...cut, '-map', '0:a:0', '-map_chapters', '-1', '-c:a', 'pcm_s16le', '-f', 'wav', '-y', `file:${file}`]
      await convertFile({ program: ffmpeg, args, to: file, limitMs: LIMIT_MS, moved }, clock, signal)
      entries.push({ name, file })
    }
    return await publish(to, (temporary) => zip(temporary, entries, signal))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function requireSpace(to: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(to))
  if (bavail * bsize < bytes + RESERVE_BYTES) throw diskFull()
}
