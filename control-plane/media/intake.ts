// Recordings on their way in: whatever somebody sends becomes mono WAV at the wanted rate, away from the event loop. WAV needs no program, anything
// else needs ffmpeg. What is wrong with a file is told to whoever sent it; no file can be worse than a refusal.
import { open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { startDecoder } from './ffmpeg-decoder.ts'
import { FOR_HEARING, tooLong, tooShort, type Wanted } from './recording.ts'
import type { WavReading } from './wav-reader.ts'

export type Recording = { readonly wav: Buffer; readonly seconds: number }
export type Intake = {
  /** Throws BAD_REQUEST for what cannot be read, EXECUTION_TIMEOUT, and the reason of the signal. The file stays where it is. */
  readonly read: (path: string, signal: AbortSignal, wanted?: Wanted) => Promise<Recording>
}

const CONVERSION_MS = 120_000
/** Conversions under way; each may hold a whole recording. */
const AT_ONCE = 2

export function createIntake({ ffmpegPath, clock }: { readonly ffmpegPath: string | null; readonly clock: Clock }): Intake {
  let running = 0
  const waiting: (() => void)[] = []
  async function inTurn<T>(convert: () => Promise<T>): Promise<T> {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await convert()
    } finally {
      // The place goes to the next in line rather than back.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  async function convert(path: string, signal: AbortSignal, wanted: Wanted): Promise<Buffer> {
    signal.throwIfAborted()
    const first = await firstBytes(path)
    signal.throwIfAborted()
    if (first.length === 0) throw refusal('the file is empty')
    if (first.toString('latin1', 0, 4) === 'RIFF' && first.toString('latin1', 8, 12) === 'WAVE') {
      const reading = await readInThread(path, signal, wanted)
      if ('pcm' in reading) return Buffer.from(reading.pcm.buffer)
      // Kinds of WAV that are rare here are common there.
      if (ffmpegPath === null || !/is not supported/.test(reading.refused)) throw refusal(reading.refused)
    }
    if (ffmpegPath === null)
      throw refusal('the file is no WAV, and ffmpeg, which reads everything else, is not on this machine; ./studio setup installs it')
    return decode(ffmpegPath, path, signal, wanted)
  }

  return {
    read: (path, signal, wanted = FOR_HEARING) =>
      inTurn(async () => {
        const late = new AbortController()
        const forget = clock.after(CONVERSION_MS, () =>
          late.abort(new Failure('EXECUTION_TIMEOUT', 'the recording could not be converted within two minutes')),
        )
        try {
          const pcm = await convert(path, AbortSignal.any([signal, late.signal]), wanted)
          if (pcm.length === 0) throw refusal('there is no sound in the recording')
          const samples = pcm.length / 2
          const seconds = samples / wanted.sampleRate
          if (seconds < wanted.shortestSeconds) throw refusal(tooShort(wanted))
          const header = wavHeader({ sampleRate: wanted.sampleRate, channels: 1, samples })
          return { wav: Buffer.concat([header, pcm]), seconds }
        } finally {
          forget()
        }
      }),
  }
}

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

function readInThread(path: string, signal: AbortSignal, wanted: Wanted): Promise<WavReading> {
  const thread = new Worker(new URL('./wav-reader.ts', import.meta.url), { workerData: { path, wanted } })
  return new Promise<WavReading>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    thread.once('message', resolve)
    thread.once('error', (cause) => reject(new Failure('UNKNOWN', `a recording could not be read: ${String(cause)}`, { cause })))
    thread.once('exit', () => {
      signal.removeEventListener('abort', stop)
      reject(new Failure('UNKNOWN', 'the thread that read a recording ended early'))
    })
  }).finally(() => thread.terminate())
}

async function decode(program: string, path: string, signal: AbortSignal, wanted: Wanted): Promise<Buffer> {
  const decoder = startDecoder(program, path, wanted.sampleRate)
  const mostBytes = wanted.longestSeconds * wanted.sampleRate * 2
  const stop = () => decoder.kill()
  signal.addEventListener('abort', stop, { once: true })
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of decoder.output) {
      size += piece.length
      if (size > mostBytes) throw refusal(tooLong(wanted))
      pieces.push(piece)
    }
    const { ok, text } = await decoder.ended
    signal.throwIfAborted()
    if (!ok) throw refusal(`ffmpeg cannot read it (${text})`)
    return Buffer.concat(pieces).subarray(0, size - (size % 2))
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    decoder.kill()
    await decoder.ended
  }
}
