// A program of ours as a real child process whose output is recorded and can be awaited.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { childEnvironment } from '#shared/runtime/child/environment.ts'

/** A test, or another owner that runs `run` at its end. */
export type Ending = { readonly after: (run: () => unknown) => void }
export const ROOT = join(import.meta.dirname, '../../..')
export type Program = {
  readonly child: ChildProcess
  readonly pid: number
  /** Everything written so far, standard output and error together. */
  readonly output: () => string
  /** The JSON log lines so far. */
  readonly lines: () => Record<string, unknown>[]
  /** Resolves when `pattern` matches the output after `from` characters; rejects when the process ends first or time is up. */
  readonly says: (pattern: RegExp, options?: { readonly from?: number; readonly ms?: number }) => Promise<RegExpMatchArray>
  readonly signal: (signal: NodeJS.Signals) => void
  /** Resolves with the exit status when the process ends by itself. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Sends the signal and resolves with the exit status, or with the signal that ended it. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | NodeJS.Signals>
}

/** False if the process has ended: one that a list names may end before it gets the signal. */
export function signalIfAlive(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** For what surely comes: generous, because a machine that runs other tests may stand still for a minute. Wine needs more. In milliseconds. */
export const MAX_WAIT_MS = Number(process.env['VOICE_STUDIO_TEST_WAIT'] ?? 180_000)

type StartOptions = {
  /** The program `node`; by default the one that runs the tests. */
  readonly node?: string
  /** Limit of open files, hard and soft. */
  readonly openFiles?: number
  /** The folder that it runs in; by default the root of the project. */
  readonly cwd?: string
  /** Runs on a pseudo-terminal, with `script` of util-linux. The arguments must not contain blanks. */
  readonly terminal?: boolean
}

/** Killed at the end of the test if it still runs. The environment is exactly `env` plus the variables every program needs. */
export function startProgram(
  t: Ending,
  args: readonly string[],
  env: Record<string, string | undefined>,
  { node = process.execPath, openFiles, cwd = ROOT, terminal = false }: StartOptions = {},
): Program {
  const plain = [node, ...args]
  const command = terminal ? ['script', '-qfec', plain.join(' '), '/dev/null'] : plain
  const [program = '', ...rest] =
    openFiles === undefined ? command : ['/bin/sh', '-c', 'ulimit -n "$0" && exec "$@"', String(openFiles), ...command]
  const child = spawn(program, rest, {
    cwd,
    env: { ...childEnvironment(process.env), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let watchers: (() => void)[] = []
  const hear = (bytes: Buffer) => {
    text += bytes.toString()
    for (const watch of watchers) watch()
  }
  child.stdout!.on('data', hear)
  child.stderr!.on('data', hear)
  const ended = once(child, 'exit').then(([code, signal]) => (signal ?? code) as number | NodeJS.Signals)
  ended.then(() => {
    for (const watch of watchers) watch()
  })
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    pid: child.pid!,
    output: () => text,
    lines: () =>
      text.split('\n').flatMap((line) => {
        try {
          return line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []
        } catch {
          return [] // an incomplete line
        }
      }),
    says(pattern, { from = 0, ms = MAX_WAIT_MS } = {}) {
      return new Promise((resolve, reject) => {
        const stop = () => {
          clearTimeout(timer)
          watchers = watchers.filter((watch) => watch !== look)
        }
        const look = () => {
          const match = text.slice(from).match(pattern)
          if (match) {
            stop()
            resolve(match)
          } else if (child.exitCode !== null || child.signalCode !== null) {
            stop()
            reject(new Error(`ended (${child.exitCode ?? child.signalCode}) before it printed ${pattern}:\n${text}`))
          }
        }
        const timer = setTimeout(() => {
          stop()
          reject(new Error(`did not print ${pattern} within ${ms} ms:\n${text.slice(-4000)}`))
        }, ms)
        watchers.push(look)
        look()
      })
    },
    signal: (signal) => void child.kill(signal),
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return ended
    },
    ended,
  }
}

const TICKS_PER_SECOND = 100
/**
 * Processor time of all threads of a process so far, in seconds; 0 when it has ended. Unlike the time of a clock it does not depend on what
 * else the machine does. Needs /proc.
 */
export const cpuSeconds = (pid: number): number => secondsIn(`/proc/${pid}/stat`)
/** The same for the main thread of this process alone. */
export const mainThreadSeconds = (): number => secondsIn(`/proc/self/task/${process.pid}/stat`)

function secondsIn(path: string): number {
  try {
    const fields = readFileSync(path, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}
/** Processor time of this process, for work that a test does itself. */
export function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
