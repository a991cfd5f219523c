// Takes as files in the formats of players. MP3 is made here while it is sent; for the other formats ffmpeg makes the whole file first.
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createPlaces } from '#control-plane/clients/places.ts'
import type { Content } from '#control-plane/http/contract/respond.ts'
import type { Media } from '#control-plane/media/encode.ts'
import { type TranscodeFormat, transcode } from '#control-plane/media/ffmpeg/transcode.ts'
import { planWav } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn, isFileName } from '#shared/runtime/file.ts'
import { TAKE_FORMATS, type TakeFormat } from '../history.contract.ts'
import type { History } from '../history.store.ts'
import { takeFileName } from './file-name.rules.ts'

export type TakeDownloads = ReturnType<typeof createTakeDownloads>
type Deps = {
  readonly history: Pick<History, 'soundOf'>
  readonly media: Pick<Media, 'encode'>
  /** Null without ffmpeg. Asked for each file. */
  readonly ffmpegPath: () => string | null
  readonly clock: Clock
  readonly audioFolder: string
  /** For files that are being made; a start of the studio empties it. */
  readonly folder: string
}

/** Conversions of one client at the same time. */
const PER_CLIENT = 4
const HEAD_BYTES = 64 * 1024
const MP3_KBPS = 160
type MadeByProgram = Exclude<TakeFormat, 'wav' | 'mp3'>
const MADE: Readonly<Record<MadeByProgram, { readonly format: TranscodeFormat; readonly kbps: number; readonly type: string }>> = {
  flac: { format: 'flac', kbps: 0, type: 'audio/flac' },
  opus: { format: 'ogg', kbps: 64, type: 'audio/ogg' },
  m4a: { format: 'm4a', kbps: 128, type: 'audio/mp4' },
}

export function createTakeDownloads({ history, media, ffmpegPath, clock, audioFolder, folder }: Deps) {
  const places = createPlaces({ perClient: PER_CLIENT, what: 'files of takes that are made' })

  /** Throws NOT_FOUND. */
  function soundOf(id: string): { readonly text: string; readonly path: string } {
    const take = history.soundOf(id)
    if (take === null || !isFileName(take.audio_path)) throw missing()
    return { text: take.text, path: fileIn(audioFolder, take.audio_path) }
  }

  /** The file has no name on the disk any more when it is sent, so nothing is left of a request that ends early. */
  async function made(path: string, wanted: MadeByProgram, signal: AbortSignal) {
    const program = ffmpegPath()
    if (program === null)
      throw new Failure('PROGRAM_MISSING', `This format needs ffmpeg, which is not on this machine. ${COMMAND} setup installs it.`)
    const { format, kbps, type } = MADE[wanted]
    const own = await mkdtemp(join(folder, 'take-')) // 0700
    try {
      const to = fileIn(own, `take.${wanted}`)
      await transcode({ program, from: path, to, format, kbps }, clock, signal)
      const file = await open(to)
      const { size } = await file.stat()
      return { type, length: size, body: file.createReadStream() }
    } finally {
      await rm(own, { recursive: true, force: true })
    }
  }

  async function mp3(path: string, signal: AbortSignal) {
    const { start, end, sampleRate } = await samplesOf(path)
    const source = end > start ? createReadStream(path, { start, end: end - 1 }) : emptySource()
    const request = { sampleRate, source, mark: null, effects: null, master: false, signal }
    const { contentType, body } = await media.encode({ ...request, format: 'mp3', bitrateKbps: MP3_KBPS })
    return { type: contentType, body }
  }

  return {
    /** Formats that this machine can make now. */
    formats: (): TakeFormat[] => TAKE_FORMATS.filter((format) => !(format in MADE) || ffmpegPath() !== null),
    /**
     * Throws NOT_FOUND, PROGRAM_MISSING, QUEUE_FULL, BAD_REQUEST for a file that is no take of this studio, what `transcode` throws, and the
     * reason of the signal.
     */
    async read(id: string, format: TakeFormat, signal: AbortSignal): Promise<Content> {
      const { text, path } = soundOf(id)
      const file = { name: takeFileName(text, format), disposition: 'attachment' } as const
      const cache = 'no-cache'
      if (format === 'wav') return { type: 'audio/wav', ...(await whole(path)), file, cache }
      if (format === 'mp3') return { ...(await mp3(path, signal)), file, cache }
      return { ...(await places.hold(() => made(path, format, signal))), file, cache }
    },
  }
}

const missing = (cause?: unknown) => new Failure('NOT_FOUND', 'This take or its file does not exist.', { cause })

async function* emptySource(): AsyncGenerator<Uint8Array> {}

/** Throws NOT_FOUND. */
async function whole(path: string) {
  const file = await open(path).catch((error) => {
    throw missing(error)
  })
  const { size } = await file.stat()
  return { length: size, body: file.createReadStream() }
}

/** Place of the samples in a file that the studio wrote. Throws NOT_FOUND, BAD_REQUEST for any other file. */
async function samplesOf(path: string) {
  const file = await open(path).catch((error) => {
    throw missing(error)
  })
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0)
    const { start, end, sampleRate, channels, frameBytes } = planWav(head.subarray(0, bytesRead), (await file.stat()).size)
    if (channels !== 1 || frameBytes !== 2) throw new RangeError('not mono with 16 bits')
    return { start, end, sampleRate }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new Failure('BAD_REQUEST', 'The file of this take was not written by this studio. Download it as WAV.', { cause })
  } finally {
    await file.close()
  }
}
