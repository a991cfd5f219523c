// Runs a program of the operating system for an engine: arguments as a list, text on standard input. The process ends with the run.

import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import { createLineSplitter } from '#shared/runtime/lines.ts'

const MAX_ERROR_CHARACTERS = 300

export type ProgramRun = {
  readonly program: string
  /** The Debian package that contains it. */
  readonly package: string
  readonly args: readonly string[]
  readonly input: string
  readonly signal: AbortSignal
  /** The program opens /dev/stdin by name, which fails for a socket, so its input must be a pipe. */
  readonly wantsPipe?: boolean
}
/** Constant: the program and its arguments are passed as separate words, never interpolated. */
const THROUGH_PIPE = 'cat | "$0" "$@"'
const NOT_FOUND = 127

export const programMissing = (program: string, debianPackage: string): Failure =>
  new Failure(
    'MODEL_NOT_INSTALLED',
    `The program ${program} is not installed on this machine. Run ${COMMAND} setup, or install the package ${debianPackage}.`,
  )

/**
 * Streams standard output with backpressure. Leaving the iteration or aborting `signal` kills the program. Throws MODEL_NOT_INSTALLED,
 * WORKER_FAILED with the first line of standard error, and the reason of the abort.
 */
export async function* programOutput({
  program,
  package: debianPackage,
  args,
  input,
  signal,
  wantsPipe = false,
}: ProgramRun): AsyncGenerator<Buffer> {
  signal.throwIfAborted()
  // The child inherits the environment of the host, which the agent chose.
  const [command, parameters] = wantsPipe ? ['/bin/sh', ['-c', THROUGH_PIPE, program, ...args]] : [program, args]
  const child = spawnGroup(command, parameters)
  const kill = () => killGroup(child)
  signal.addEventListener('abort', kill, { once: true })
  let firstError = ''
  const errors = createLineSplitter(MAX_ERROR_CHARACTERS, (line) => {
    firstError ||= line
  })
  child.stderr.on('data', errors.push).on('end', errors.end)
  const ended = new Promise<{ status: number | null; error: NodeJS.ErrnoException | null }>((resolve) => {
    child.on('error', (error) => resolve({ status: null, error }))
    child.on('close', (status) => resolve({ status, error: null }))
  })
  // A program may exit before it has read all input; its exit status tells why.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  try {
    for await (const piece of child.stdout) yield piece as Buffer
    const { status, error } = await ended
    signal.throwIfAborted()
    if (error?.code === 'ENOENT' || (wantsPipe && status === NOT_FOUND)) throw programMissing(program, debianPackage)
    if (error || status !== 0) {
      throw new Failure('WORKER_FAILED', `${program} failed: ${firstError || (error?.message ?? `exit status ${status}`)}.`)
    }
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
  }
}

/** The whole output as text. Throws as programOutput, and WORKER_FAILED for more than `limit` bytes. */
export async function programText(run: ProgramRun, limit: number): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of programOutput(run)) {
    bytes += piece.length
    if (bytes > limit) throw new Failure('WORKER_FAILED', `${run.program} wrote more than ${limit} bytes.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
