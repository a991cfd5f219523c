// The only reader of the process's environment among the commands: the terminal of this process.
import { userInfo } from 'node:os'
import { EXIT } from '#cli/lib/answer/exit.ts'
import type { Terminal } from '#cli/lib/command.ts'
import { escapeControls } from '#shared/protocol/fields/clean-text.ts'

/** Erases the line of the cursor: how a progress line begins. */
const ERASE = '\r\u001b[K'
/** Texts contain names and messages of other machines and of files, which must not command the terminal. Bytes are audio. */
const shown = (chunk: string | Uint8Array): string | Uint8Array => {
  if (typeof chunk !== 'string') return chunk
  return chunk.startsWith(ERASE) ? ERASE + escapeControls(chunk.slice(ERASE.length)) : escapeControls(chunk)
}

for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream) as (chunk: string | Uint8Array, ...rest: unknown[]) => boolean
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => write(shown(chunk), ...rest)
  // `./studio … | head` closes our output early. That alone is not a failure.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.done)
    throw error
  })
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

let interruption: AbortController | undefined
function interrupted(): AbortSignal {
  if (!interruption) {
    const abort = new AbortController()
    interruption = abort
    // `once`: a second Ctrl-C falls back to the default and ends the process.
    for (const name of SIGNALS) process.once(name, () => abort.abort(new Error('interrupted')))
  }
  return interruption.signal
}

function beforeEnd(last: () => void): () => void {
  const end = (name: (typeof SIGNALS)[number]) => {
    // The command, or the program that it has become, finishes by itself.
    if (process.listenerCount(name) > 1) return
    last()
    process.stdout.write('', () => process.exit(EXIT.interrupted))
  }
  for (const name of SIGNALS) process.on(name, end)
  return () => {
    for (const name of SIGNALS) process.off(name, end)
  }
}

export const terminal: Terminal = {
  // Services and cron may run without HOME; the system has the folder of the user.
  // On Windows the name may be Path, and only process.env itself finds it by any case.
  env: { ...process.env, PATH: process.env['PATH'], HOME: process.env['HOME'] || userInfo().homedir },
  cwd: process.cwd(),
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  interrupted,
  beforeEnd,
}

/** True if the person has stopped the command. */
export const isInterrupted = () => interruption?.signal.aborted === true
