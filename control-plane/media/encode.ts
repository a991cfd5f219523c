// Audio that leaves the studio: effects, mastering and the provenance mark, then the requested format, while the audio is still being
// made. The expensive work runs in media threads and ffmpeg children; the event loop only moves bytes.

import type { Level } from '#shared/audio/master/chapter.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Service } from '#shared/runtime/service.ts'
import { type AudioSpool, createAudioSpool } from './audio-spool.ts'
import { type Delivery, encodeWith } from './ffmpeg/delivery.ts'
import { type FfmpegFormat, startFfmpeg } from './ffmpeg/ffmpeg.ts'
import { FLAC_HEADER_BYTES, withFlacLength } from './ffmpeg/flac-length.ts'
import type { MediaLane } from './threads/lane.ts'
import type { Measured } from './threads/messages.ts'
import { createMediaPool, type MediaPool } from './threads/pool.ts'

export type AudioFormat = 'mp3' | 'wav' | 'pcm' | FfmpegFormat
export type EncodeRequest = {
  readonly format: AudioFormat
  /** Hz of the source. */
  readonly sampleRate: number
  /** Hz of the result. Default: that of the source. */
  readonly outputRate?: number
  /** s16le mono in pieces of any size. Read only while there is room; its `return` is called when the reader stops early. */
  readonly source: AsyncIterable<Uint8Array>
  readonly mark: { readonly key: Uint8Array; readonly payload: number } | null
  /** An effect preset, or null for none. */
  readonly effects: string | null
  readonly master: boolean
  /** Gain and true-peak limiter of a chapter, in place of `master`. */
  readonly level?: Level
  /** True if loudness and true peak of the result are measured. Default: false. */
  readonly isMeasured?: boolean
  readonly signal: AbortSignal
  readonly bitrateKbps?: number
}
export type Encoded = {
  readonly contentType: string
  readonly extension: string
  /** Known for WAV and FLAC only, which are complete before their first byte: their headers state the length. */
  readonly contentLength: number | null
  /** Reason why the result is WAV and not the requested format, or null. */
  readonly standIn: string | null
  /** Loudness and true peak before lossy encoding, once the body is read; null without `isMeasured`. */
  readonly measured: () => Measured | null
  /** Can be read once. Throws the error of the source (as a Failure), the reason of the signal, or WORKER_FAILED when ffmpeg dies. */
  readonly body: AsyncIterable<Uint8Array>
}
export type Encoder = {
  /** Resolves with the first bytes and rejects with an error before them. Ends when the body is read or abandoned, or with the signal. */
  readonly encode: (request: EncodeRequest) => Promise<Encoded>
  /** Loudness and true peak of the source, after `level` when it is there. Throws as the body of `encode`. */
  readonly measure: (request: MeasureRequest) => Promise<Measured>
}
export type Media = Service &
  Encoder & {
    /** The same in threads that run when engines and listeners leave a processor free. For sound that is made in hours. */
    readonly background: Encoder
  }
export type MeasureRequest = Pick<EncodeRequest, 'sampleRate' | 'outputRate' | 'source' | 'mark' | 'level' | 'signal'>
export type MediaParts = {
  readonly log: Log
  readonly clock: Clock
  /** Null without ffmpeg. Asked for each stream. */
  readonly ffmpegPath: () => string | null
  readonly threads: number
  /** A private folder for audio that is not yet sent. */
  readonly spoolFolder: string
}

const TYPES: Readonly<Record<AudioFormat, { readonly contentType: string; readonly extension: string; readonly kbps: number }>> = {
  mp3: { contentType: 'audio/mpeg', extension: 'mp3', kbps: 128 },
  opus: { contentType: 'audio/ogg', extension: 'opus', kbps: 64 },
  aac: { contentType: 'audio/aac', extension: 'aac', kbps: 96 },
  flac: { contentType: 'audio/flac', extension: 'flac', kbps: 0 },
  wav: { contentType: 'audio/wav', extension: 'wav', kbps: 0 },
  pcm: { contentType: 'audio/pcm', extension: 'pcm', kbps: 0 },
}
/** Larger WAV and FLAC files are refused. */
export const MAX_SENT_WAV_BYTES = 2 ** 30

export function createMedia({ log, clock, ffmpegPath, threads, spoolFolder }: MediaParts): Media {
  const entry = new URL('./threads/worker.ts', import.meta.url)
  const pool = createMediaPool({ log, entry, threads })
  const background = createMediaPool({ log, entry, threads, isBackground: true })

  type Delivered = Delivery & { readonly format: AudioFormat }
  const deliver = async (request: EncodeRequest, lane: MediaLane, onEnd: (end: () => void) => void): Promise<Delivered> => {
    const { format, sampleRate, outputRate = sampleRate } = request
    const openSpool = (): AudioSpool => {
      const spool = createAudioSpool(spoolFolder)
      onEnd(() => void spool.close().catch(() => {}))
      return spool
    }
    const wav = async (kept: readonly Uint8Array[], standIn: string | null): Promise<Delivered> => ({
      ...(await wavOf(lane, openSpool(), outputRate, kept, standIn)),
      format: 'wav',
    })
    if (format === 'mp3' || format === 'pcm') return { read: lane.read, standIn: null, format }
    if (format === 'wav') return wav([], null)
    const ffmpeg = ffmpegPath()
    if (ffmpeg === null) return wav([], `There is no ffmpeg on this machine to make ${format}, so WAV was sent instead.`)
    const child = startFfmpeg(ffmpeg, format, outputRate, request.bitrateKbps ?? TYPES[format].kbps)
    onEnd(child.kill)
    const outcome = await encodeWith(child, lane)
    if ('read' in outcome) return format === 'flac' ? { ...(await flacOf(outcome, openSpool())), format } : { ...outcome, format }
    log.warn({ format, err: outcome.text }, 'ffmpeg did not encode')
    return wav(outcome.kept, `The program ffmpeg could not make ${format}, because ${outcome.reason}, so WAV was sent instead.`)
  }

  const encode = async (on: MediaPool, request: EncodeRequest): Promise<Encoded> => {
    const { format, sampleRate, outputRate = sampleRate, effects, master, level = null, mark, signal } = request
    signal.throwIfAborted()
    const startedAt = clock.mono()
    const kbps = request.bitrateKbps ?? TYPES[format].kbps
    const measure = request.isMeasured ? 'also' : null
    const lane = on.open({ sampleRate, outputRate, effects, master, level, measure, mark, mp3Kbps: format === 'mp3' ? kbps : null })
    const source = request.source[Symbol.asyncIterator]()
    const ends: (() => void)[] = [lane.close, () => void Promise.resolve(source.return?.()).catch(() => {})]
    const release = () => {
      signal.removeEventListener('abort', abort)
      for (const end of ends.splice(0)) end()
    }
    const abort = () => {
      lane.close(signal.reason)
      release()
    }
    signal.addEventListener('abort', abort, { once: true })
    void pump(source, lane)
    try {
      const { read, standIn, contentLength = null, format: made } = await deliver(request, lane, (end) => ends.push(end))
      const first = await read()
      const { contentType, extension } = TYPES[made]
      log.debug({ format, standIn, firstBytesMs: Math.round(clock.mono() - startedAt) }, 'the first bytes of audio are ready')
      return { contentType, extension, contentLength, standIn, measured: lane.measured, body: bodyOf(first, read, release) }
    } catch (error) {
      release()
      throw error
    }
  }

  const measure = async (on: MediaPool, { signal, source, ...rest }: MeasureRequest): Promise<Measured> => {
    signal.throwIfAborted()
    const lane = on.open({ ...rest, effects: null, master: false, measure: 'only', mp3Kbps: null })
    const iterator = source[Symbol.asyncIterator]()
    const abort = () => lane.close(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    void pump(iterator, lane)
    try {
      while (await lane.read());
      return lane.measured()!
    } finally {
      signal.removeEventListener('abort', abort)
      lane.close()
      void Promise.resolve(iterator.return?.()).catch(() => {})
    }
  }

  const encoder = (on: MediaPool): Encoder => ({
    encode: (request) => encode(on, request),
    measure: (request) => measure(on, request),
  })
  return {
    name: pool.name,
    start() {
      void pool.start()
      void background.start()
    },
    stop: async () => void (await Promise.all([pool.stop(), background.stop()])),
    ...encoder(pool),
    background: encoder(background),
  }
}

/** Copies the source to the lane until either ends. A failure of the source becomes the failure of the lane, which the reader receives. */
async function pump(source: AsyncIterator<Uint8Array>, lane: MediaLane): Promise<void> {
  try {
    for (let next = await source.next(); !next.done; next = await source.next()) {
      if (!(await lane.write(next.value))) return
    }
    lane.end()
  } catch (error) {
    lane.close(Failure.from(error))
  }
}

/** The whole file, with its length in its header: ffmpeg cannot go back in a pipe. */
async function flacOf({ read, fed }: Delivery, spool: AudioSpool): Promise<Delivery> {
  for (let piece = await read(); piece; piece = await read()) await keepIn(spool, piece)
  const contentLength = spool.size()
  let opening = Buffer.alloc(0)
  for (let piece = await spool.read(); piece; piece = await spool.read()) {
    opening = Buffer.concat([opening, piece])
    if (opening.length >= FLAC_HEADER_BYTES) break
  }
  let first: Uint8Array | null = withFlacLength(opening, fed!() / 2)
  const next = async () => {
    const piece = first ?? (await spool.read())
    first = null
    return piece
  }
  return { read: next, standIn: null, contentLength }
}

async function keepIn(spool: AudioSpool, piece: Uint8Array): Promise<void> {
  await spool.write(piece)
  if (spool.size() > MAX_SENT_WAV_BYTES) throw new Failure('RESULT_TOO_LARGE', 'The file would be larger than 1 GiB.')
}

/** The header contains the length, so this waits for the end. `kept` was read from the lane before. */
async function wavOf(
  lane: MediaLane,
  spool: AudioSpool,
  sampleRate: number,
  kept: readonly Uint8Array[],
  standIn: string | null,
): Promise<Delivery> {
  for (const piece of kept) await spool.write(piece)
  for (let piece = await lane.read(); piece; piece = await lane.read()) await keepIn(spool, piece)
  let header: Uint8Array | null = wavHeader({ sampleRate, channels: 1, samples: spool.size() / 2 })
  const contentLength = header.length + spool.size()
  const read = async () => {
    const opening = header
    header = null
    return opening ?? (await spool.read())
  }
  return { read, standIn, contentLength }
}

// Not a generator: a generator that was never started runs no `finally`, and a client may leave before the first byte.
function bodyOf(first: Uint8Array | null, read: Delivery['read'], release: () => void): AsyncIterable<Uint8Array> {
  let opening: Uint8Array | null = first
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    try {
      const value = opening ?? (await read())
      opening = null
      if (value) return { done: false, value }
    } catch (error) {
      release()
      throw error
    }
    release()
    return { done: true, value: undefined }
  }
  const leave = async (): Promise<IteratorResult<Uint8Array>> => {
    release()
    return { done: true, value: undefined }
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: leave }) }
}
