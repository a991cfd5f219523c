// Every run of ffmpeg and ffprobe on a film: arguments that limit what a foreign file can do, limits of the operating system, progress,
// and the end of the process group when the run is aborted, stalls or takes too long.
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { saysDiskFull } from '#control-plane/media/ffmpeg/decoder.ts'
import { type ProgramEnd, programFault } from '#control-plane/media/ffmpeg/program-fault.ts'
import { refusedFile } from '#control-plane/media/ffmpeg/refused-file.ts'
import { limitWork, STALL_MS } from '#control-plane/media/ffmpeg/work-limit.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { findProgram, lowerPriority } from '#shared/runtime/program.ts'
import { createProgressReader } from './progress.ts'

export type GuardedRun = {
  /** Absolute path of ffmpeg or ffprobe. */
  readonly program: string
  /** A private folder of this run, the current folder of the program. All names in `args` are ASCII names of files in it. */
  readonly folder: string
  readonly args: readonly string[]
  /** Takes standard output, piece by piece; the next one is read when it resolves. What it throws ends the run. */
  readonly take?: (piece: Buffer) => Promise<void> | void
  /** Microseconds of the result so far, while it grows. */
  readonly progress?: (microseconds: number) => void
  /** A file in the folder whose growth counts as progress. */
  readonly watched?: string
  /** Longest time of work, as `limitWork` counts it. */
  readonly limitMs: number
  /** The most bytes of one file that the program may write. */
  readonly roomBytes: number
}

const MAX_ADDRESS_BYTES = 8 * 1024 ** 3
const MIN_ROOM_BYTES = 1024 * 1024
const KEPT_TEXT_BYTES = 4096
/** Folders of util-linux. Its programs are optional: macOS has none of them. */
const SYSTEM_PATH = '/usr/bin:/bin:/usr/local/bin'
const PROGRESS_PIPE = 3

/**
 * Resolves when the program has ended well. Throws BAD_REQUEST with the reason of the program, what `programFault` returns for one that did not run or was
 * killed from outside, EXECUTION_TIMEOUT for a stalled or slow run, STORAGE_FULL, what `take` throws, and the reason of the signal. The process group has
 * ended when this settles.
 */
export async function runGuarded(run: GuardedRun, clock: Clock, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const child = start(run)
  lowerPriority(child.pid)
  let reason: unknown = null
  const stop = (why: unknown) => {
    reason ??= why
    killGroup(child)
  }
  const abort = () => stop(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const seconds = Math.round(run.limitMs / 1000)
  const watched = run.watched === undefined ? undefined : join(run.folder, run.watched)
  const watch = limitWork({ pid: child.pid, limitMs: run.limitMs, watched }, clock, (why) => {
    const stalled = `The film was not processed: ffmpeg made no progress for ${STALL_MS / 1000} seconds.`
    stop(new Failure('EXECUTION_TIMEOUT', why === 'late' ? `The film was not processed within ${seconds} seconds of work.` : stalled))
  })
  const reader = createProgressReader((microseconds) => {
    watch.moved()
    run.progress?.(microseconds)
  })
  const progressPipe = child.stdio[PROGRESS_PIPE]
  if (progressPipe && 'on' in progressPipe) {
    progressPipe.on('data', reader.push)
    progressPipe.on('error', () => {})
  }
  const errors = lastText(child.stderr, KEPT_TEXT_BYTES)
  const closed = new Promise<{ code: number | null; by: NodeJS.Signals | null }>((resolve) => {
    child.once('error', () => resolve({ code: null, by: null }))
    child.once('close', (code, by) => resolve({ code, by }))
  })
  try {
    if (child.stdout) {
      try {
        for await (const piece of child.stdout) {
          watch.moved()
          await run.take?.(piece as Buffer)
        }
      } catch (error) {
        stop(error)
      }
    }
    const { code, by } = await closed
    if (reason !== null) throw reason
    if (code === 0 && !saysDiskFull(errors())) return
    throw failureOf({ pid: child.pid, code, by, text: errors() })
  } finally {
    signal.removeEventListener('abort', abort)
    watch.stop()
    killGroup(child)
    await closed
  }
}

function start({ program, folder, args, roomBytes }: GuardedRun): ChildProcess {
  const [command, ...rest] = [...confinement(roomBytes), program, ...args]
  return spawnGroup(command!, rest, {
    cwd: folder,
    // Libraries that render subtitles look for fonts in the settings of a user and keep a cache of them.
    env: { PATH: SYSTEM_PATH, LC_ALL: 'C', HOME: folder, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
}

/** The programs that limit memory and file sizes, and end the child with the studio. Each replaces itself by the next one. */
function confinement(roomBytes: number): string[] {
  const setpriv = findProgram('setpriv', SYSTEM_PATH)
  const prlimit = findProgram('prlimit', SYSTEM_PATH)
  const fileBytes = Math.max(MIN_ROOM_BYTES, Math.floor(roomBytes))
  return [
    ...(setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL', '--']),
    ...(prlimit === null ? [] : [prlimit, `--as=${MAX_ADDRESS_BYTES}`, `--fsize=${fileBytes}`, '--core=0', '--']),
  ]
}

function failureOf(end: ProgramEnd): Failure {
  const { by, text } = end
  if (by === 'SIGXFSZ' || saysDiskFull(text))
    return new Failure('STORAGE_FULL', 'The film could not be written to the disk of the studio. Free some space, then start again.')
  const fault = programFault('ffmpeg', end)
  if (fault) return fault
  const stopped = by === null ? '' : ` ffmpeg was ended by ${by}.`
  const { code, message, cause } = refusedFile('film', text)
  return new Failure(code, `${message}${stopped}`, { cause })
}

/** The name of the foreign file in the folder of a run. */
export const SOURCE = 'source'
