// Multipart forms: text fields, and files that are streamed to a private folder, which is deleted with the request. Everything is limited.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Failure } from '#shared/protocol/failure.ts'
import { isDiskError } from '#shared/runtime/file.ts'
import { invalid } from './validation.ts'

/** A file in a private folder, which is deleted when the handler has settled; see `Content.readsUploads`. */
export type Upload = {
  readonly filename: string
  readonly path: string
  readonly size: number
  /** SHA-256 as lower-case hex; absent where uploads are not hashed. */
  readonly digest?: string
}
type Form = {
  /**
   * A name that ends in `[]` may be repeated: its values are a list. Of any other repeated field the last value counts. A file that the
   * contract does not name as one is dropped; its field is then the name of that file, so that validation reports it.
   */
  readonly fields: Record<string, string | string[] | { readonly filename: string }>
  readonly uploads: Record<string, Upload>
}

/** Limit for a file that is streamed to disk. */
export const UPLOAD_BYTES = 512 * 1024 * 1024
/** Limit for one text field. */
export const FIELD_BYTES = 1024 * 1024
/** Limit for the files of a form whose contract names fewer. */
export const USUAL_FILES = 2
/** Limit for all text fields of a form together; they are in memory. */
const FIELDS_BYTES = 4 * 1024 * 1024
/** Bytes for the lines between the parts, and for files that the contract does not name and that are dropped. */
const FRAME_BYTES = 1024 * 1024

/** Folder for streamed files, and the disk budget of all forms there. */
export type UploadDisk = {
  readonly folder: string
  readonly budget: { readonly open: () => UploadShare }
  /** Limit for one file. Default `UPLOAD_BYTES`. */
  readonly fileBytes?: number
  /** Compute the digest of each file while it arrives. */
  readonly isHashed?: true
}
type UploadShare = {
  /** Rejects like `take` if this many bytes cannot follow; takes nothing. */
  readonly expect: (bytes: number) => Promise<void>
  readonly take: (bytes: number) => Promise<void>
  readonly release: () => void
}

export type OpenForm = Form & { readonly close: () => Promise<void> }

type Rules = {
  readonly fileNames: readonly string[]
  /** Files are streamed there; null for a form without files. */
  readonly disk: UploadDisk | null
  /** Limit for one file. */
  readonly fileBytes?: number | undefined
  /** Fields of `fileNames` that a client may leave out. */
  readonly mayOmit?: readonly string[] | undefined
  /** A field whose values are all kept; of another one the last value counts. */
  readonly isList?: (name: string) => boolean
  /** Called when the text fields need more memory than the body of a usual request. May throw. */
  readonly isLarge?: () => void
}

/** The longest body of a form with these files. */
export const formBytes = (files: number, fileBytes: number): number => files * fileBytes + FIELDS_BYTES + FRAME_BYTES

/** The caller must close the form, also after an error. */
export async function readForm(
  request: FastifyRequest,
  { fileNames, disk, fileBytes, mayOmit = [], isList = () => false, isLarge = () => {} }: Rules,
): Promise<OpenForm> {
  if (!request.isMultipart())
    throw invalid([{ type: 'form_type', loc: ['body'], msg: 'Send the fields as multipart/form-data', input: null }])
  const fields: Form['fields'] = {}
  const uploads: Record<string, Upload> = {}
  /** Names of files that were sent as text. */
  const texts: string[] = []
  const own = disk === null ? null : await mkdtemp(join(disk.folder, 'upload-')) // 0700
  const share = disk?.budget.open()
  let fieldBytes = 0
  const close = async () => {
    if (own !== null) await rm(own, { recursive: true, force: true })
    share?.release()
  }
  const mostBytes = fileBytes ?? disk?.fileBytes ?? UPLOAD_BYTES
  try {
    // Refused before gigabytes were sent; a length that is not announced is found while they arrive.
    await share?.expect(Number(request.headers['content-length'] ?? 0))
    // The parser would wait for the end of a request that was cut off before it listened.
    if (request.raw.destroyed) throw new Failure('CANCELLED', 'The client disconnected.')
    const limits = { fileSize: mostBytes, files: Math.max(USUAL_FILES, fileNames.length) }
    for await (const part of request.parts(own === null ? {} : { limits })) {
      if (part.type === 'field') {
        if (part.fieldnameTruncated || part.valueTruncated) throw new Failure('BODY_TOO_LARGE', `The field ${part.fieldname} is too long.`)
        const wasLarge = fieldBytes > FIELD_BYTES
        fieldBytes += Buffer.byteLength(String(part.value))
        if (fieldBytes > FIELD_BYTES && !wasLarge) isLarge()
        if (fieldBytes > FIELDS_BYTES) throw new Failure('BODY_TOO_LARGE', 'The text fields of the form are too long together.')
        if (fileNames.includes(part.fieldname)) {
          // Clients send an empty text for a file that they leave out.
          if (part.value !== '') texts.push(part.fieldname)
          continue
        }
        const text = String(part.value)
        const earlier = Object.hasOwn(fields, part.fieldname) ? fields[part.fieldname] : null
        const value = isList(part.fieldname) ? [...(Array.isArray(earlier) ? earlier : []), text] : text
        Object.defineProperty(fields, part.fieldname, { value, enumerable: true, configurable: true })
        continue
      }
      if (own === null || !share || !fileNames.includes(part.fieldname)) {
        for await (const _ of part.file); // read and dropped, so that the parts after it are reached
        Object.defineProperty(fields, part.fieldname, { value: { filename: part.filename ?? '' }, enumerable: true, configurable: true })
        continue
      }
      const path = join(own, String(Object.keys(uploads).length))
      uploads[part.fieldname] = await stream(part, path, share, mostBytes, disk?.isHashed === true)
    }
    // Browsers send an empty file for an unused file input.
    const isSent = (name: string) => uploads[name] !== undefined && (uploads[name].size > 0 || uploads[name].filename !== '')
    const missing = fileNames.filter((name) => !mayOmit.includes(name) && !isSent(name) && !texts.includes(name))
    if (missing.length + texts.length > 0)
      throw invalid([
        ...missing.map((name) => ({ type: 'missing', loc: ['body', name], msg: 'Field required', input: null })),
        ...texts.map((name) => ({ type: 'value_error', loc: ['body', name], msg: 'Send this field as a file', input: null })),
      ])
    return { fields, uploads, close }
  } catch (error) {
    await close()
    throw failureOf(error, request)
  }
}

/** The last part of a name that a client sent, which may contain folders of its system. At most 255 UTF-16 units. */
export const bareName = (filename: string): string =>
  filename
    .split(/[/\\]/)
    .at(-1)!
    .replaceAll(/[\x00-\x1f\x7f]/g, '')
    .slice(0, 255)

/** Stores bytes that arrived in another way than a form as an upload. Throws STORAGE_FULL. The caller must close it. */
export async function keepUpload(
  { folder, budget }: UploadDisk,
  bytes: Uint8Array,
  filename: string,
): Promise<{ readonly upload: Upload; readonly close: () => Promise<void> }> {
  const own = await mkdtemp(join(folder, 'upload-')) // 0700
  const share = budget.open()
  const close = async () => {
    await rm(own, { recursive: true, force: true })
    share.release()
  }
  try {
    const path = join(own, '0')
    await share.take(bytes.length)
    await writeFile(path, bytes, { mode: 0o600 }).catch((cause: unknown) => {
      throw new Failure('STORAGE_FULL', 'The upload could not be written to the disk of the studio.', { cause })
    })
    return { upload: { filename, path, size: bytes.length }, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function stream(part: MultipartFile, path: string, share: UploadShare, mostBytes: number, isHashed: boolean): Promise<Upload> {
  const hash = isHashed ? createHash('sha256') : null
  async function* taken(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      await share.take(piece.length)
      hash?.update(piece)
      yield piece
    }
  }
  try {
    const file = createWriteStream(path, { mode: 0o600 })
    await pipeline(part.file, taken, file)
    if (!part.file.truncated)
      return { filename: part.filename ?? '', path, size: file.bytesWritten, ...(hash && { digest: hash.digest('hex') }) }
  } catch (error) {
    part.file.resume() // The rest is read and dropped, so that the client can read the response.
    if (!isDiskError(error)) throw error
    throw new Failure('STORAGE_FULL', 'The upload could not be written to the disk of the studio.', { cause: error })
  }
  throw new Failure('BODY_TOO_LARGE', `The file ${part.fieldname} is larger than ${limitText(mostBytes)}.`, {
    values: { limit: limitText(mostBytes) },
  })
}

/** A limit as a short text, in the unit in which it is a round number. */
export function limitText(bytes: number): string {
  for (const [unit, size] of UNITS) if (bytes >= size && bytes % (size / 4) === 0) return `${bytes / size} ${unit}`
  return `${bytes.toLocaleString('en')} bytes`
}
const UNITS = [
  ['GB', 1e9],
  ['GiB', 1024 ** 3],
  ['MB', 1e6],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
] as const

/** The parser reports a malformed form as a plain error without a code or a status, between the parts and in the middle of one. */
function failureOf(error: unknown, { raw }: FastifyRequest): unknown {
  if (error instanceof Failure) return error
  if (raw.destroyed && !raw.complete) return new Failure('CANCELLED', 'The client disconnected.', { cause: error })
  const { code, statusCode, message, name } = error as Error & { code?: string; statusCode?: number }
  if (name !== 'Error' || code !== undefined || statusCode !== undefined) return error
  return new Failure('BAD_REQUEST', `The form cannot be read: ${message}.`, { cause: error })
}
