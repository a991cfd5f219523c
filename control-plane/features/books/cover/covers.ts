// Covers of books: pictures in a private folder of the data folder. A path that a client sends names one of them or nothing.
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Content } from '#control-plane/http/contract/respond.ts'
import type { Upload } from '#control-plane/http/input/form.ts'
import { decodePicture } from '#control-plane/media/picture/decode-picture.ts'
import { type PictureHeader, readPictureHeader } from '#control-plane/media/picture/picture-header.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'

type Deps = {
  readonly folder: string
  /** Null without the program: then only the header of a picture is checked. */
  readonly ffmpegPath: () => string | null
  readonly clock: Clock
  readonly random: Pick<Random, 'hex'>
}
export type Covers = ReturnType<typeof createCovers>

export const COVER_BYTES = 8 * 1024 ** 2
const MAX_PIXELS = 16_000_000
/** Older ones are removed. */
const KEPT = 500
const NAME = /^[0-9a-f]{12}\.(?:jpg|png)$/
const EXTENSIONS: Readonly<Record<string, string>> = { jpeg: 'jpg', png: 'png' }
const THUMB = ['-vf', 'scale=8:8', '-pix_fmt', 'gray', '-f', 'rawvideo']
const THUMB_BYTES = 64
const refused = (why: string) => new Failure('BAD_REQUEST', `The cover cannot be used: ${why}.`)

export function createCovers({ folder: configured, ffmpegPath, clock, random }: Deps) {
  const folder = resolve(configured)

  /** Stores a picture and returns its absolute path. Throws BAD_REQUEST for another type, a damaged picture or one beyond the limits, STORAGE_FULL. */
  async function keep(bytes: Buffer, signal: AbortSignal): Promise<string> {
    if (bytes.length === 0) throw refused('the file is empty')
    if (bytes.length > COVER_BYTES) throw refused(`it is larger than ${COVER_BYTES / 1024 ** 2} MB`)
    const header = readPictureHeader(bytes)
    const extension = header && EXTENSIONS[header.type]
    if (!header || !extension) throw refused('it is neither JPEG nor PNG')
    if (header.isForPrint) throw refused('it is a CMYK picture for printing, which players show in wrong colours. Save it as RGB')
    if (header.width * header.height > MAX_PIXELS) throw refused(`it has more than ${MAX_PIXELS / 1e6} megapixels`)
    await checkPixels(header.type, bytes, signal)
    const path = fileIn(folder, `${random.hex(6)}.${extension}`)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
    } catch (cause) {
      // A full disk keeps the part that was written.
      await rm(path, { force: true })
      throw new Failure('STORAGE_FULL', 'The cover could not be written to the disk of the studio.', { cause })
    }
    await prune()
    return path
  }

  /** A header says nothing about the rest, which would fail when the book is complete. */
  async function checkPixels(type: PictureHeader['type'], picture: Buffer, signal: AbortSignal): Promise<void> {
    const program = ffmpegPath()
    if (program === null) return
    try {
      await decodePicture({ program, clock, type, picture, output: THUMB, mostBytes: THUMB_BYTES }, signal)
    } catch (error) {
      if (error instanceof Failure && error.code === 'INVALID_REQUEST') throw refused('it is damaged')
      throw error
    }
  }

  async function prune(): Promise<void> {
    const names = (await readdir(folder)).filter((name) => NAME.test(name))
    if (names.length <= KEPT) return
    const files = await Promise.all(names.map(async (name) => ({ name, at: (await stat(fileIn(folder, name))).mtimeMs })))
    const old = files.toSorted((left, right) => right.at - left.at).slice(KEPT)
    await Promise.all(old.map(({ name }) => rm(fileIn(folder, name), { force: true })))
  }

  return {
    keep,
    /** The same for an uploaded file. */
    async keepUpload({ path, size }: Pick<Upload, 'path' | 'size'>, signal: AbortSignal): Promise<string> {
      if (size > COVER_BYTES) throw refused(`it is larger than ${COVER_BYTES / 1024 ** 2} MB`)
      return keep(await readFile(path), signal)
    },
    /** The bytes of a cover. Throws NOT_FOUND. */
    async read(name: string): Promise<Content> {
      const bytes = NAME.test(name) ? await readFile(fileIn(folder, name)).catch(() => null) : null
      if (bytes === null) throw new Failure('NOT_FOUND', 'This cover does not exist. Of more than 500 covers the oldest are removed.')
      return { type: name.endsWith('.png') ? 'image/png' : 'image/jpeg', body: bytes, cache: 'immutable' }
    },
    /** The stored cover that the last part of `coverPath` names; null if there is none. Other parts are ignored. */
    coverAt(coverPath: string): string | null {
      const name = basename(coverPath)
      if (!NAME.test(name)) return null
      const path = fileIn(folder, name)
      return existsSync(path) ? path : null
    },
  }
}
