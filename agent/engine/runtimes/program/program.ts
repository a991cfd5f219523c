// A program of this machine as part of an engine: arguments as a list, text over standard input, never a shell. It lives no longer than
// the run that needs it.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { Failure } from '#shared/protocol/failure.ts'

const COMPLAINT_CHARS = 300

export type ProgramRun = {
  readonly program: string
  /** The Debian package that brings it. */
  readonly package: string
  readonly args: readonly string[]
  readonly input: string
  readonly signal: AbortSignal
  /** It opens /dev/stdin by name, which a socket (and that is what it would get) refuses: it is given a pipe. */
  readonly wantsPipe?: boolean
}
/** Constant: the program and its arguments are words of their own, never part of it. */
const THROUGH_PIPE = 'cat | "$0" "$@"'
const NOT_FOUND = 127

export const programMissing = (program: string, from: string): Failure =>
  new Failure('MODEL_NOT_INSTALLED', `${program} is not installed on this machine: run ./studio setup, or install the package ${from}`)

/**
 * What the program writes, piece by piece and no faster than it is read. Leaving the iteration or aborting `signal` kills it.
 * Failures: MODEL_NOT_INSTALLED, WORKER_FAILED with the first line of its complaint; an abort is thrown as it is.
 */
export async function* programOutput({
  program,
  package: from,
  args,
  input,
  signal,
  wantsPipe = false,
}: ProgramRun): AsyncGenerator<Buffer> {
  signal.throwIfAborted()
  // The environment of the host is passed on as it is: the agent chose it.
  // It leads a group of its own, so that what it started ends with it.
  const [command, words] = wantsPipe ? ['/bin/sh', ['-c', THROUGH_PIPE, program, ...args]] : [program, args]
  const child: ChildProcessWithoutNullStreams = spawn(command, words, { detached: true })
  let isOver = false
  const kill = () => {
    if (isOver || child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Already gone.
    }
  }
  signal.addEventListener('abort', kill, { once: true })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = `${complaint}${text}`.slice(0, COMPLAINT_CHARS)
  })
  const ended = new Promise<{ status: number | null; error: NodeJS.ErrnoException | null }>((resolve) => {
    child.on('error', (error) => resolve({ status: null, error }))
    child.on('close', (status) => {
      isOver = true
      resolve({ status, error: null })
    })
  })
  // A program that leaves before it has read everything says why by its status.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  try {
    for await (const piece of child.stdout) yield piece as Buffer
    const { status, error } = await ended
    signal.throwIfAborted()
    if (error?.code === 'ENOENT' || (wantsPipe && status === NOT_FOUND)) throw programMissing(program, from)
    if (error || status !== 0) {
      throw new Failure('WORKER_FAILED', `${program} failed: ${complaint.split('\n')[0] || (error?.message ?? `status ${status}`)}`)
    }
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
  }
}

/** All of it as text. WORKER_FAILED when it writes more than `limit` bytes. */
export async function programText(run: ProgramRun, limit: number): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of programOutput(run)) {
    bytes += piece.length
    if (bytes > limit) throw new Failure('WORKER_FAILED', `${run.program} wrote more than ${limit} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
