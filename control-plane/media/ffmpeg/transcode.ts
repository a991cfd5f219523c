// Converts the first audio track of a foreign file to another format with one ffmpeg child.
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { lowerPriority } from '#shared/runtime/program.ts'
import { safeInput, saysDiskFull } from './decoder.ts'
import { type ProgramEnd, programFault } from './program-fault.ts'
import { refusedFile } from './refused-file.ts'
import { limitWork } from './work-limit.ts'

export type TranscodeFormat = 'mp3' | 'm4a' | 'm4b' | 'flac' | 'ogg'
export type Transcode = {
  readonly program: string
  readonly from: string
  readonly to: string
  readonly format: TranscodeFormat
  readonly kbps: number
}

const LIMIT_MS = 600_000
const KEPT_TEXT_BYTES = 2048
/** Limit for one allocation of ffmpeg: a hostile header may announce any size. */
const MAX_ALLOCATED_BYTES = 64 * 1024 * 1024
const MAX_RESULT_BYTES = 1024 ** 3
const MIN_FREE_BYTES = 1024 * 1024
// Opus and not Vorbis: the encoder of Vorbis refuses many combinations of rate and bitrate.
const OUTPUTS: Readonly<Record<TranscodeFormat, readonly string[]>> = {
  mp3: ['-c:a', 'libmp3lame', '-f', 'mp3'],
  m4b: ['-c:a', 'aac', '-f', 'ipod', '-brand', 'M4B ', '-movflags', '+faststart'],
  m4a: ['-c:a', 'aac', '-f', 'ipod', '-movflags', '+faststart'],
  flac: ['-c:a', 'flac', '-f', 'flac'],
  ogg: ['-c:a', 'libopus', '-f', 'ogg'],
}

/** Throws BAD_REQUEST for a file that cannot be read, EXECUTION_TIMEOUT, STORAGE_FULL, what `programFault` returns, and the reason of the signal. */
export function transcode({ program, from, to, format, kbps }: Transcode, clock: Clock, signal: AbortSignal): Promise<void> {
  const input = ['-max_alloc', String(MAX_ALLOCATED_BYTES), '-threads', '1', ...safeInput(`file:${from}`)]
  const output = ['-map', '0:a:0', ...OUTPUTS[format], '-b:a', `${kbps}k`, '-fs', String(MAX_RESULT_BYTES), '-y', `file:${to}`]
  return convertFile({ program, args: [...input, ...output], to, limitMs: LIMIT_MS }, clock, signal)
}

export type Conversion = {
  readonly program: string
  /** Input and output, as ffmpeg takes them. */
  readonly args: readonly string[]
  /** The file that is written, which must grow. */
  readonly to: string
  /** Processor time. */
  readonly limitMs: number
  /** Called with the seconds of the output so far. */
  readonly moved?: (seconds: number) => void
}

/** One run of ffmpeg that writes a file. Throws what `transcode` throws. */
export async function convertFile({ program, args, to, limitMs, moved }: Conversion, clock: Clock, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const reported = moved ? ['-progress', 'pipe:1'] : []
  const child = spawnGroup(program, ['-hide_banner', '-nostdin', '-loglevel', 'error', ...reported, ...args], {
    stdio: ['ignore', moved ? 'pipe' : 'ignore', 'pipe'],
  })
  lowerPriority(child.pid)
  child.stdout?.on('data', (piece: Buffer) => {
    const at = /out_time_us=(\d{1,15})\n/.exec(piece.toString('latin1'))?.[1]
    if (at !== undefined) moved?.(Number(at) / 1_000_000)
  })
  let isLate = false
  const errors = lastText(child.stderr!, KEPT_TEXT_BYTES)
  const kill = () => killGroup(child)
  signal.addEventListener('abort', kill, { once: true })
  const limit = limitWork({ pid: child.pid, limitMs, watched: to }, clock, () => {
    isLate = true
    kill()
  })
  const end = await new Promise<Omit<ProgramEnd, 'pid'>>((resolve) => {
    child.once('error', ({ message }) => resolve({ code: null, by: null, text: message }))
    child.once('close', (code, by) => resolve({ code, by, text: errors() }))
  })
  limit.stop()
  signal.removeEventListener('abort', kill)
  signal.throwIfAborted()
  if (end.code === 0 && !saysDiskFull(errors())) return
  if (isLate) throw new Failure('EXECUTION_TIMEOUT', `ffmpeg hung, or did not finish within ${limitMs / 60_000} minutes of work.`)
  const fault = programFault('ffmpeg', { pid: child.pid, ...end })
  if (fault) throw fault
  const { bavail, bsize } = await statfs(dirname(to))
  if (saysDiskFull(errors()) || bavail * bsize < MIN_FREE_BYTES)
    throw new Failure('STORAGE_FULL', 'The converted file could not be written to the disk of the studio.')
  throw refusedFile('file', errors())
}
