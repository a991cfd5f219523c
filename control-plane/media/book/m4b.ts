// Joins encoded chapters in an MP4 audiobook with one ffmpeg child, which copies frames and encodes nothing.

import { createReadStream } from 'node:fs'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { lowerPriority } from '#shared/runtime/program.ts'
import { saysDiskFull } from '../ffmpeg/decoder.ts'
import type { BookChapter, BookMetadata, Cover } from './book.ts'
import { diskFull } from './book-file.ts'
import { bookLanguage, type ChapterMark, ffmetadata } from './tags.rules.ts'

/** The old chapter list counts in one byte, and players that prefer it would lose the rest. */
const MAX_OLD_CHAPTERS = 255
const KEPT_TEXT_BYTES = 2048
const MIN_FREE_BYTES = 1024 * 1024
const MAX_COVER_PIXELS = 16_000_000
/** Free bytes of a disk that counts as full after a refused write. */
const FULL_BYTES = 64 * 1024

export type M4bJoin = {
  readonly program: string
  readonly chapters: readonly BookChapter[]
  readonly marks: readonly ChapterMark[]
  readonly metadata: BookMetadata
  readonly cover: Cover | null
  readonly to: string
}

/** The frames of all files, one after the other. */
export async function* framesOf(chapters: readonly BookChapter[], signal: AbortSignal): AsyncGenerator<Buffer> {
  for (const { file } of chapters)
    try {
      for await (const piece of createReadStream(file.path)) {
        signal.throwIfAborted()
        yield piece as Buffer
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      throw new Failure('INPUT_UNAVAILABLE', 'A finished chapter was removed, because its voice was withdrawn. Resume the book.')
    }
}

/** Throws STORAGE_FULL, PROGRAM_MISSING, WORKER_FAILED with the reason of ffmpeg, the errors of the files, and the reason of the signal. */
export async function joinM4b(join: M4bJoin, signal: AbortSignal): Promise<void> {
  const { chapters, marks, metadata, to } = join
  const bytes = chapters.reduce((sum, { file }) => sum + file.bytes, 0)
  if ((await freeBytes(to)) < bytes + MIN_FREE_BYTES) throw diskFull()
  const tags = `${to}.tags`
  try {
    await writeFile(tags, ffmetadata(metadata, marks, chapters[0]!.file.sampleRate), { mode: 0o600 })
    await run(join, tags, signal)
  } finally {
    await rm(tags, { force: true })
  }
}

function argumentsOf({ marks, metadata, cover, to }: M4bJoin, tags: string): string[] {
  const language = bookLanguage(metadata.language)
  // ffmpeg decodes the picture once; a JPEG may have a second, larger frame behind the one that was measured.
  const picture = cover ? ['-max_pixels', String(MAX_COVER_PIXELS), '-f', `${cover.type}_pipe`, '-i', `file:${cover.path}`] : []
  const maps = ['-map', '0:a:0', ...(cover ? ['-map', '2:v:0', '-disposition:v:0', 'attached_pic'] : [])]
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', '-protocol_whitelist', 'file,pipe', '-f', 'aac', '-i', 'pipe:0'],
    ...['-f', 'ffmetadata', '-i', `file:${tags}`, ...picture, ...maps, '-map_metadata', '1', '-map_chapters', '1', '-c', 'copy'],
    ...(language ? ['-metadata:s:a:0', `language=${language}`] : []),
    // Without these, the version of ffmpeg and the time would be in the file.
    ...['-fflags', '+bitexact', '-flags', '+bitexact', '-f', 'ipod', '-brand', 'M4B '],
    ...['-movflags', marks.length > MAX_OLD_CHAPTERS ? '+faststart+disable_chpl' : '+faststart', `file:${to}`],
  ]
}

async function run(join: M4bJoin, tags: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const child = spawnGroup(join.program, argumentsOf(join, tags), { stdio: ['pipe', 'ignore', 'pipe'] })
  lowerPriority(child.pid)
  const errors = lastText(child.stderr, KEPT_TEXT_BYTES)
  child.stdin.on('error', () => {}) // The end of the child reports it.
  const kill = () => killGroup(child)
  signal.addEventListener('abort', kill, { once: true })
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', () => child.stdin.destroy()) // Lets a pending write return.
    child.once('close', resolve)
  })
  try {
    for await (const piece of framesOf(join.chapters, signal)) {
      const isAccepted = await new Promise<boolean>((resolve) => child.stdin.write(piece, (error) => resolve(!error)))
      if (!isAccepted) break
    }
    child.stdin.end()
    const code = await ended
    signal.throwIfAborted()
    if (saysDiskFull(errors()) || (await freeBytes(join.to)) < FULL_BYTES) throw diskFull()
    if (code === 0) return
    if (child.pid === undefined) throw new Failure('PROGRAM_MISSING', 'The program ffmpeg cannot be started.')
    throw new Failure('WORKER_FAILED', 'ffmpeg could not join the chapters.', { cause: new Error(errors()) })
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
    await ended
  }
}

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(path))
  return bavail * bsize
}
