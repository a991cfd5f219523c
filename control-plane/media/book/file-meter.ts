// Loudness and true peak of an encoded chapter while it is written: ffmpeg decodes the frames as they come, and a media thread measures them.

import { Failure } from '#shared/protocol/failure.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { lowerPriority } from '#shared/runtime/program.ts'
import type { Media } from '../encode.ts'
import type { Measured } from '../threads/messages.ts'
import type { ChapterCodec } from './book.ts'

const KEPT_TEXT_BYTES = 2048

type Deps = { readonly media: Pick<Media, 'measure'>; readonly program: string; readonly codec: ChapterCodec }
type Running = {
  readonly write: (frames: Uint8Array) => Promise<void>
  readonly finish: () => Promise<Measured>
  readonly close: () => Promise<void>
}

/** Call `close` in every case; `finish` ends the measurement. Throws WORKER_FAILED for frames that ffmpeg cannot read, and the reason of the signal. */
export function createFileMeter(deps: Deps, signal: AbortSignal) {
  let running: Running | null = null
  const early: Uint8Array[] = []
  return {
    /** Resolves when ffmpeg has taken the frames. `sampleRate`: Hz of the frames; 0 before the first one is complete. */
    async push(frames: Uint8Array, sampleRate: number): Promise<void> {
      early.push(frames)
      if (sampleRate === 0) return
      running ??= start(deps, sampleRate, signal)
      for (const each of early.splice(0)) await running.write(each)
    },
    async finish(): Promise<Measured> {
      if (!running) throw new RangeError('a chapter without frames cannot be measured')
      return await running.finish()
    },
    close: async (): Promise<void> => running?.close(),
  }
}

function start({ media, program, codec }: Deps, sampleRate: number, signal: AbortSignal): Running {
  const input = ['-protocol_whitelist', 'pipe', '-f', codec, '-i', 'pipe:0']
  const output = ['-map', '0:a:0', '-ac', '1', '-ar', String(sampleRate), '-f', 's16le', 'pipe:1']
  const child = spawnGroup(program, ['-hide_banner', '-loglevel', 'error', ...input, ...output], { stdio: ['pipe', 'pipe', 'pipe'] })
  lowerPriority(child.pid)
  const errors = lastText(child.stderr, KEPT_TEXT_BYTES)
  child.stdin.on('error', () => {}) // The end of the child reports it.
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', () => child.stdin.destroy()) // Lets a pending write return.
    child.once('close', (code) => resolve(code === 0))
  })
  const kill = () => {
    killGroup(child)
    child.stdout.destroy()
  }
  signal.addEventListener('abort', kill, { once: true })
  const measuring = media.measure({ sampleRate, source: child.stdout, mark: null, signal })
  let failure: unknown = null
  measuring.catch((error: unknown) => {
    failure = error
    kill() // Nothing reads its output any more.
  })
  return {
    write: (frames) => new Promise((resolve) => void child.stdin.write(frames, () => resolve())),
    async finish() {
      child.stdin.end()
      const isWhole = await ended
      signal.throwIfAborted()
      if (failure !== null) throw failure
      if (child.pid === undefined) throw new Failure('PROGRAM_MISSING', 'The program ffmpeg cannot be started.')
      if (!isWhole) throw new Failure('WORKER_FAILED', 'ffmpeg could not read an encoded chapter.', { cause: new Error(errors()) })
      return await measuring
    },
    async close() {
      signal.removeEventListener('abort', kill)
      kill()
      await ended
    },
  }
}
