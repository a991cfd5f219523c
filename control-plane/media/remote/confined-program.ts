// Runs a program that handles pages of strangers: no shell, an environment of its own, and limits on time, output and files. The program
// leads a process group, so that everything it starts ends with it; on Linux also what has left the group and kept its environment.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { lowerPriority } from '#shared/runtime/program.ts'
import { killMarked } from './marked-processes.ts'

export type ConfinedRun = {
  readonly program: string
  readonly args: readonly string[]
  /** A private folder: HOME, the folder for temporary files and the current folder of the program. */
  readonly home: string
  /** Folder whose files are counted, with those of `home`. */
  readonly watched: string
  /** PATH. */
  readonly path: string
  /** Further variables of its environment. */
  readonly environment?: Readonly<Record<string, string>>
  /** Receives standard output, which is then only counted and not kept. */
  readonly onOutput?: (text: string) => void
}
export type RunLimits = { readonly ms: number; readonly outputBytes: number; readonly fileBytes: number }
/** `output`: standard output. `text`: the end of standard error. */
export type RunEnd =
  | { readonly ended: 'ok' | 'failed'; readonly output: string; readonly text: string }
  | { readonly ended: 'late' | 'output' | 'files' }

const KEPT_TEXT = 2048
const WATCH_MS = 200
/** Milliseconds for the output of a program that has ended; one that left its group may hold the pipe open. */
const PIPE_MS = 1000

/** In the environment of the program and of all that it starts; the folder is private, so no other process has its value. */
const MARK = 'STUDIO_CONFINED_RUN'
let runs = 0

/** Rejects with the reason of the signal. The process group, and on Linux what left it, has received SIGKILL when this settles. */
export async function runConfined(run: ConfinedRun, limits: RunLimits, clock: Clock, signal: AbortSignal): Promise<RunEnd> {
  signal.throwIfAborted()
  const mark = `${run.home} ${++runs}`
  const child = spawnGroup(run.program, run.args, {
    cwd: run.home,
    env: { ...run.environment, PATH: run.path, HOME: run.home, TMPDIR: run.home, [MARK]: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  lowerPriority(child.pid)
  let stopped: 'late' | 'output' | 'files' | null = null
  const stop = (why: typeof stopped) => {
    stopped ??= why
    killGroup(child)
  }
  const abort = () => killGroup(child)
  signal.addEventListener('abort', abort, { once: true })
  const forgets = [clock.after(limits.ms, () => stop('late'))]
  const watch = () => {
    forgets[1] = clock.after(WATCH_MS, () => {
      void bytesIn([run.home, run.watched]).then((bytes) => {
        if (bytes > limits.fileBytes) stop('files')
        else if (child.exitCode === null && child.signalCode === null) watch()
      })
    })
  }
  watch()
  const output = collect(child, limits.outputBytes, () => stop('output'), run.onOutput)
  try {
    const code = await exitOf(child)
    await killMarked(`${MARK}=${mark}`)
    forgets.push(clock.after(PIPE_MS, () => destroyPipes(child)))
    await output.closed
    signal.throwIfAborted()
    if (stopped === null && (await bytesIn([run.home, run.watched])) > limits.fileBytes) stopped = 'files'
    if (stopped !== null) return { ended: stopped }
    return { ended: code === 0 ? 'ok' : 'failed', ...output.read() }
  } finally {
    signal.removeEventListener('abort', abort)
    for (const forget of forgets) forget()
    destroyPipes(child)
  }
}

/** Null for a signal or a program that cannot be started. */
const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', resolve)
  })

function collect(child: ChildProcess, most: number, tooMuch: () => void, onOutput?: (text: string) => void) {
  const decoder = new StringDecoder('utf8')
  const pieces: Buffer[] = []
  let bytes = 0
  child.stdout?.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > most) tooMuch()
    else if (onOutput) onOutput(decoder.write(piece))
    else pieces.push(piece)
  })
  const errors = lastText(child.stderr, KEPT_TEXT)
  const closed = Promise.all([child.stdout, child.stderr].map((pipe) => pipe && !pipe.closed && once(pipe, 'close').catch(() => {})))
  return { closed, read: () => ({ output: Buffer.concat(pieces).toString('utf8'), text: errors() }) }
}

const destroyPipes = (child: ChildProcess): void => void [child.stdout, child.stderr].map((pipe) => pipe?.destroy())

/** Sizes of all files in the folders, without following links. */
async function bytesIn(folders: readonly string[]): Promise<number> {
  let sum = 0
  for (const folder of folders) {
    const names = await readdir(folder, { recursive: true }).catch(() => [])
    const sizes = await Promise.all(
      names.map((name) =>
        lstat(join(folder, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    )
    sum += sizes.reduce((total, size) => total + size, 0)
  }
  return sum
}
