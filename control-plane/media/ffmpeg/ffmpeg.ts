// Encodes the formats that need ffmpeg, with one child for each stream.
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { lowerPriority } from '#shared/runtime/program.ts'

export type FfmpegFormat = 'opus' | 'aac' | 'flac'
export type FfmpegEnd = { readonly ok: boolean; readonly text: string }
export type Ffmpeg = {
  /** Resolves when ffmpeg has accepted `bytes`; false when it accepts no more. */
  readonly write: (bytes: Uint8Array) => Promise<boolean>
  readonly end: () => void
  readonly output: AsyncIterator<Uint8Array>
  /** Never rejects. `text` is the end of the error output. */
  readonly ended: Promise<FfmpegEnd>
  readonly kill: () => void
}

const KEPT_TEXT_BYTES = 2048
// The default Ogg page waits for a second of audio.
const ARGUMENTS: Readonly<Record<FfmpegFormat, (kbps: number) => readonly string[]>> = {
  opus: (kbps) => ['-c:a', 'libopus', '-b:a', `${kbps}k`, '-page_duration', '20000', '-f', 'ogg'],
  // Without the flag the name and version of the encoder are in the first frame.
  aac: (kbps) => ['-c:a', 'aac', '-b:a', `${kbps}k`, '-flags:a', '+bitexact', '-f', 'adts'],
  flac: () => ['-c:a', 'flac', '-f', 'flac'],
}
// Without these, ffmpeg reads a second or more of input before it writes anything. The `nobuffer` flag, often recommended with them,
// would drop the first 40 ms of audio.
const AT_ONCE = ['-probesize', '32', '-analyzeduration', '0']

/** Encodes s16le mono at `sampleRate`. `ended` reports both a failed start and a failed run. */
export function startFfmpeg(path: string, format: FfmpegFormat, sampleRate: number, kbps: number): Ffmpeg {
  const input = [...AT_ONCE, '-f', 's16le', '-ar', String(sampleRate), '-ac', '1', '-i', 'pipe:0']
  const child = spawnGroup(path, [
    '-hide_banner',
    '-nostdin',
    '-loglevel',
    'error',
    ...input,
    ...ARGUMENTS[format](kbps),
    '-flush_packets',
    '1',
    'pipe:1',
  ])
  lowerPriority(child.pid)
  const errors = lastText(child.stderr, KEPT_TEXT_BYTES)
  child.stdin.on('error', () => {}) // `ended` reports a child that exited.
  const ended = new Promise<FfmpegEnd>((resolve) => {
    child.once('error', (error) => resolve({ ok: false, text: error.message }))
    child.once('exit', () => child.stdin.destroy()) // Lets a pending write return.
    child.once('close', (code) => resolve({ ok: code === 0, text: errors().trim() }))
  })
  return {
    write: (bytes) => new Promise((resolve) => child.stdin.write(bytes, (error) => resolve(!error))),
    end: () => child.stdin.end(),
    output: child.stdout[Symbol.asyncIterator](),
    ended,
    kill: () => {
      killGroup(child)
      child.stdout.destroy()
    },
  }
}
