// Writes the sound of a media file as a WAV file: completely or not at all.
import { open, rename, rm } from 'node:fs/promises'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { startDecoder } from './decoder.ts'
import { NO_SOUND, refusedFile } from './refused-file.ts'
import { limitWork } from './work-limit.ts'

const LIMIT_MS = 120_000
const HEADER_BYTES = 44

export type Extraction = {
  readonly program: string
  readonly from: string
  readonly to: string
  readonly sampleRate: number
  readonly longestSeconds: number
}

/** Mono, 16 bit. Throws BAD_REQUEST for a file that cannot be read, EXECUTION_TIMEOUT, what `programFault` returns, the error of the disk, and the reason of the signal. */
export async function extractAudio({ program, from, to, sampleRate, longestSeconds }: Extraction, clock: Clock, signal: AbortSignal) {
  signal.throwIfAborted()
  const temporary = `${to}.new`
  const file = await open(temporary, 'w', 0o600)
  const decoder = startDecoder(program, from, sampleRate)
  let late: Failure | null = null
  const limit = limitWork({ pid: decoder.pid, limitMs: LIMIT_MS }, clock, () => {
    late = new Failure('EXECUTION_TIMEOUT', `ffmpeg hung, or did not finish within ${LIMIT_MS / 1000} seconds of work.`)
    decoder.kill()
  })
  signal.addEventListener('abort', decoder.kill, { once: true })
  let bytes = 0
  try {
    await file.write(wavHeader({ sampleRate, channels: 1, samples: 0 }))
    for await (const piece of decoder.output) {
      limit.moved()
      bytes += piece.length
      if (bytes > longestSeconds * sampleRate * 2)
        throw new Failure('BAD_REQUEST', `It has more than ${longestSeconds / 3600} hours of sound.`)
      await file.writeFile(piece) // not write, which may write a part
    }
    const { ok, text, fault } = await decoder.ended
    signal.throwIfAborted()
    if (late) throw late
    if (fault) throw fault
    if (!ok) throw refusedFile('file', text)
    if (bytes === 0) throw new Failure('BAD_REQUEST', NO_SOUND)
    await file.write(wavHeader({ sampleRate, channels: 1, samples: Math.floor(bytes / 2) }), 0, HEADER_BYTES, 0)
    await file.close()
    await rename(temporary, to)
  } catch (error) {
    await file.close().catch(() => {})
    await rm(temporary, { force: true })
    signal.throwIfAborted()
    throw late ?? error
  } finally {
    limit.stop()
    signal.removeEventListener('abort', decoder.kill)
    decoder.kill()
    await decoder.ended
  }
}
