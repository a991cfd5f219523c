// Converts uploaded recordings to mono WAV at the requested rate, off the event loop. WAV needs no program, every other format needs
// ffmpeg. An invalid file is refused with the reason and has no other effect.

import { open, rm, writeFile } from 'node:fs/promises'
import { createTurns } from '#control-plane/clients/turns.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type Cutting, createCutter, PART_CUTTING } from './cutting.ts'
import { startDecoder } from './ffmpeg/decoder.ts'
import { NO_SOUND, refusedFile } from './ffmpeg/refused-file.ts'
import { FOR_RECOGNITION, IN_PARTS, type RecordingFormat, tooLong, tooShort } from './recording.ts'
import { createReusedThreads, type ReusedThreads } from './threads/reused-threads.ts'
import type { ToWavReader, WavReading } from './wav-reader.ts'

/** `remark`: a sentence about sound that the file lacks; null for a whole one. */
type Remarked = { readonly remark: string | null }
export type ConvertedRecording = Remarked & { readonly wav: Buffer; readonly seconds: number }
/** One part of a long recording, as a file beside the upload. */
export type Part = { readonly path: string /** Seconds. */; readonly from: number; readonly seconds: number }
export type RecordingParts = Remarked & { readonly parts: readonly Part[]; readonly seconds: number; readonly remove: () => Promise<void> }
export type Intake = {
  /** Throws BAD_REQUEST for a file that cannot be read, EXECUTION_TIMEOUT, and the reason of the signal. The file is not changed. */
  readonly read: (path: string, signal: AbortSignal, wanted?: RecordingFormat) => Promise<ConvertedRecording>
  /** Same as `read` for a recording that is too long for one task, cut at quiet moments. The caller removes the parts. */
  readonly split: (path: string, signal: AbortSignal, cutting?: Cutting) => Promise<RecordingParts>
}

/** Without a piece of the result. How long all of it takes depends on its length, and on what else the machine does. */
const QUIET_MS = 120_000
/** Concurrent conversions of one client; each may hold 64 MiB in memory. */
const PER_CLIENT = 2

type Deps = {
  /** Null without ffmpeg. Asked for each recording. */
  readonly ffmpegPath: () => string | null
  readonly clock: Clock
  /** The disk that parts use together with uploads: ten hours of sound may be a small upload. */
  readonly budget: { readonly open: () => { readonly take: (bytes: number) => Promise<void>; readonly release: () => void } }
}

export function createIntake({ ffmpegPath, clock, budget }: Deps): Intake {
  const inTurn = createTurns({ perClient: PER_CLIENT, what: 'recordings that are converted' })
  const readers = createReusedThreads(new URL('./wav-reader.ts', import.meta.url), 'wav-reader', clock)

  /** s16le at the requested rate, piece by piece while the file is read. Returns the remark at the end. */
  async function* convert(path: string, signal: AbortSignal, wanted: RecordingFormat): AsyncGenerator<Uint8Array, string | null> {
    signal.throwIfAborted()
    const first = await firstBytes(path)
    signal.throwIfAborted()
    if (first.length === 0) throw refusal('the file is empty')
    const ffmpeg = ffmpegPath()
    if (first.toString('latin1', 0, 4) === 'RIFF' && first.toString('latin1', 8, 12) === 'WAVE') {
      const reading = yield* readInThread(readers, path, signal, wanted)
      if ('end' in reading) return reading.end.missing < MIN_MISSING_SECONDS ? null : cutOff(reading.end.missing)
      // ffmpeg reads more kinds of WAV.
      if (ffmpeg === null || !/is not supported/.test(reading.refused)) throw refusal(reading.refused)
    }
    if (ffmpeg === null)
      throw refusal(`the file is no WAV, and ffmpeg, which reads everything else, is not on this machine; ${COMMAND} setup installs it`)
    return yield* decode(ffmpeg, path, signal, wanted)
  }

  /** Same as `inTurn`, with the pieces of the conversion, and its remark once they have ended. Ends a conversion that stands still. */
  const converted = <T>(
    path: string,
    wanted: RecordingFormat,
    signal: AbortSignal,
    work: (pieces: AsyncGenerator<Uint8Array>) => Promise<T>,
  ): Promise<T & Remarked> =>
    inTurn(signal, async () => {
      const late = new AbortController()
      const end = () =>
        late.abort(new Failure('EXECUTION_TIMEOUT', `The recording could not be converted: nothing came for ${QUIET_MS / 1000} seconds.`))
      let forget = clock.after(QUIET_MS, end)
      let remark: string | null = null
      async function* pieces() {
        async function* remarked() {
          remark = yield* convert(path, AbortSignal.any([signal, late.signal]), wanted)
        }
        for await (const piece of remarked()) {
          forget()
          yield piece
          forget = clock.after(QUIET_MS, end)
        }
      }
      try {
        return { ...(await work(pieces())), remark }
      } finally {
        forget()
      }
    })

  return {
    read: (path, signal, wanted = FOR_RECOGNITION) =>
      converted(path, wanted, signal, async (pieces) => {
        const read: Uint8Array[] = []
        for await (const piece of pieces) read.push(piece)
        const all = Buffer.concat(read)
        const pcm = all.subarray(0, all.length - (all.length % 2))
        if (pcm.length === 0) throw silent()
        const seconds = pcm.length / 2 / wanted.sampleRate
        if (seconds < wanted.shortestSeconds) throw refusal(tooShort(wanted))
        return { wav: toWav(pcm, wanted), seconds }
      }),

    split: (path, signal, cutting = PART_CUTTING) =>
      converted(path, IN_PARTS, signal, async (pieces) => {
        const cutter = createCutter(cutting)
        const parts: Part[] = []
        const share = budget.open()
        let samples = 0
        const keep = async (pcm: Buffer) => {
          const part = {
            path: `${path}.part${parts.length}`,
            from: samples / cutting.sampleRate,
            seconds: pcm.length / 2 / cutting.sampleRate,
          }
          await share.take(pcm.length)
          parts.push(part)
          samples += pcm.length / 2
          await writeFile(part.path, toWav(pcm, IN_PARTS), { mode: 0o600 }).catch((cause: unknown) => {
            throw new Failure('STORAGE_FULL', 'The recording could not be written to the disk of the studio.', { cause })
          })
        }
        const remove = async () => {
          await Promise.all(parts.map((part) => rm(part.path, { force: true })))
          share.release()
        }
        try {
          for await (const piece of pieces) for (const part of cutter.push(piece)) await keep(part)
          const last = cutter.flush()
          if (last.length > 0) await keep(last)
          if (parts.length === 0) throw silent()
          return { parts, seconds: samples / cutting.sampleRate, remove }
        } catch (error) {
          await remove()
          throw error
        }
      }),
  }
}

/** Some programs announce a little more than they write. */
const MIN_MISSING_SECONDS = 0.1
/** Messages of decoders about a file that ends too early. */
const CUT = /partial file|ended prematurely|truncated/i
const cutOff = (seconds: number | null): string =>
  `The file is cut off: ${seconds === null ? 'sound' : `${seconds.toFixed(1)} s of sound`} at its end ${seconds === null ? 'is' : 'are'} missing.`

const toWav = (pcm: Buffer, { sampleRate }: RecordingFormat): Buffer =>
  Buffer.concat([wavHeader({ sampleRate, channels: 1, samples: pcm.length / 2 }), pcm])

const silent = () => new Failure('BAD_REQUEST', NO_SOUND)
const refusal = (message: string) => new Failure('BAD_REQUEST', `The recording cannot be read: ${message}.`)

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Returns how the reading ended. The thread continues when a piece has been consumed. */
async function* readInThread(
  readers: ReusedThreads,
  path: string,
  signal: AbortSignal,
  wanted: RecordingFormat,
): AsyncGenerator<Uint8Array, Exclude<WavReading, { pcm: unknown }>> {
  const thread = readers.take()
  const send = (message: ToWavReader) => thread.postMessage(message)
  let isIdle = false
  const inbox: WavReading[] = []
  let failure: Failure | null = null
  let wake = () => {}
  const fail = (message: string, cause?: unknown) => {
    failure ??= new Failure('UNKNOWN', message, { cause })
    wake()
  }
  const stop = () => wake()
  signal.addEventListener('abort', stop, { once: true })
  thread.on('message', (reading: WavReading) => {
    inbox.push(reading)
    wake()
  })
  thread.once('error', (cause) => fail(`a recording could not be read: ${String(cause)}`, cause))
  thread.once('exit', () => fail('the thread that read a recording ended early'))
  send({ path, wanted })
  try {
    for (;;) {
      signal.throwIfAborted()
      const reading = inbox.shift()
      if (reading === undefined) {
        if (failure) throw failure
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      } else if ('pcm' in reading) {
        yield reading.pcm
        send('taken')
      } else {
        isIdle = true
        return reading
      }
    }
  } finally {
    signal.removeEventListener('abort', stop)
    if (isIdle) readers.keep(thread)
    else await thread.terminate()
  }
}

async function* decode(
  program: string,
  path: string,
  signal: AbortSignal,
  wanted: RecordingFormat,
): AsyncGenerator<Uint8Array, string | null> {
  const decoder = startDecoder(program, path, wanted.sampleRate)
  const mostBytes = wanted.longestSeconds * wanted.sampleRate * 2
  const stop = () => decoder.kill()
  signal.addEventListener('abort', stop, { once: true })
  let size = 0
  try {
    for await (const piece of decoder.output) {
      size += piece.length
      if (size > mostBytes) throw refusal(tooLong(wanted))
      yield piece
    }
    const { ok, text, fault } = await decoder.ended
    signal.throwIfAborted()
    if (fault) throw fault
    if (!ok) throw refusedFile('recording', text)
    return CUT.test(text) ? cutOff(null) : null
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    decoder.kill()
    await decoder.ended
  }
}
