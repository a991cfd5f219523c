// Runs the tailscale program of this machine. The arguments are fixed lists, no shell is involved, and time and output are bounded.
import { execFile } from '#shared/runtime/child/process.ts'

export type RunTailscale = (args: readonly string[]) => Promise<Ran>
/** `text`: the output; for a failure, the end of the error output. */
export type Ran = { readonly ok: boolean; readonly text: string }

/** Starting to serve asks the server of the tailnet, which answers slowly sometimes. */
const TIMEOUT_MS = 15_000
/** A large tailnet has thousands of peers in its status. */
const OUTPUT_BYTES = 16 * 1024 * 1024
const ERROR_CHARS = 300

/** `path`: of the program. Never rejects. */
export const createRunTailscale =
  (path: string): RunTailscale =>
  (args) =>
    new Promise((resolve) => {
      const options = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_BYTES } as const
      const child = execFile(path, args, options, (error, output, errors) => {
        if (!error) return resolve({ ok: true, text: output })
        const reason = error.killed ? `tailscale did not answer within ${TIMEOUT_MS / 1000} s.` : plain(errors) || plain(error.message)
        resolve({ ok: false, text: reason })
      })
      // It asks questions when its input is a terminal, and waits when it is a pipe that stays open.
      child.stdin?.end()
      child.stdin?.on('error', () => {})
    })

/** One line without control characters. */
const plain = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, ERROR_CHARS)
