// Runs programs for a command, always in the folder of the repository.

import { spawn } from '#shared/runtime/child/process.ts'
import { signalChild } from '#shared/runtime/program.ts'
import { type Environment, ROOT } from './command.ts'

type Options = { readonly env: Environment; readonly signal: AbortSignal }
type Captured = Options & {
  /** Bytes of output that are kept, the last ones. */
  readonly kept?: number
}

/** Runs a program on this terminal. Resolves to its exit status once it has ended, also after an interruption; 127 if it cannot start. */
export async function runProgram(program: string, args: readonly string[], { env, signal }: Options): Promise<number> {
  const { code } = await finished(spawn(program, args, { cwd: ROOT, env, stdio: 'inherit' }), signal)
  return code
}

/** Runs a program without a terminal. `text` is everything it printed, in order of arrival, or the end of it. */
export function captureProgram(
  program: string,
  args: readonly string[],
  { env, signal, kept }: Captured,
): Promise<{ code: number; text: string }> {
  return finished(spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] }), signal, kept)
}

function finished(
  child: ReturnType<typeof spawn>,
  signal: AbortSignal,
  kept = Number.POSITIVE_INFINITY,
): Promise<{ code: number; text: string }> {
  const pieces: Buffer[] = []
  let bytes = 0
  const keep = (piece: Buffer) => {
    pieces.push(piece)
    bytes += piece.length
    while (bytes - pieces[0]!.length >= kept) bytes -= pieces.shift()!.length
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  // Ctrl-C on a terminal reaches the child anyway; this also covers a signal that was sent to this process alone.
  const stop = () => signalChild(child, 'SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  return new Promise((resolve) => {
    const settle = (code: number, note = '') => {
      signal.removeEventListener('abort', stop)
      const all = Buffer.concat(pieces)
      resolve({ code, text: all.subarray(Math.max(0, all.length - kept)).toString() + note })
    }
    child.once('error', (error) => settle(127, error.message))
    child.once('close', (code) => settle(code ?? 1))
  })
}
