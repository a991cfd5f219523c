// The answer of a command with --json: one document on standard output, for success and for failure. docs/cli.md describes it.
import { Writable } from 'node:stream'
import { z } from 'zod'
import { sentenceOf } from '#cli/views/failure.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { Misuse, type Terminal } from '../command.ts'
import { EXIT, exitStatusFor } from './exit.ts'

/** The code of the studio that refused a request, which is finer than that of the Failure. */
const OfStudio = z.object({ code: z.string().max(64) })
type AnswerError = {
  /** A code of docs/errors.md, INVALID_ARGUMENTS, INTERRUPTED, FAILED, or that of the operating system, such as ENOSPC. */
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly exit_status: number
}
/** `ok` is true if the exit status is 0. `data` of a failure: what was made or found until then. */
export type JsonAnswer =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly error: AnswerError; readonly data?: unknown }

export function jsonErrorFor(error: unknown): AnswerError {
  const [message = '', ...rest] = sentenceOf(error).split(/\n\s*/)
  const hint = rest.join(' ')
  return { code: codeOf(error), message, ...(hint !== '' && { hint }), exit_status: exitStatusFor(error) }
}

function codeOf(error: unknown): string {
  if (error instanceof Misuse) return 'INVALID_ARGUMENTS'
  if (error instanceof Failure) return OfStudio.safeParse(error.detail).data?.code ?? error.code
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : 'FAILED'
}

export const INTERRUPTED: AnswerError = {
  code: 'INTERRUPTED',
  message: 'The command was interrupted.',
  exit_status: EXIT.interrupted,
}

/** Characters of messages that are kept to explain a failure. */
const KEPT_CHARS = 4_000

/** A terminal that collects the output of a command, and the envelope around it. `printsLines`: the command prints lines for a person. */
export function createCollector(real: Terminal, printsLines: boolean) {
  const pieces: Buffer[] = []
  let remarks = ''
  let isStream = false
  const output = new Writable({
    write(piece: Buffer, _encoding, done) {
      if (isStream) real.output.write(piece, () => done())
      else {
        pieces.push(piece)
        done()
      }
    },
  })
  const errors = new Writable({
    write(piece: Buffer, _encoding, done) {
      remarks = (remarks + piece.toString()).slice(-KEPT_CHARS)
      // As text, so that control characters are shown and not obeyed.
      real.errors.write(piece.toString(), () => done())
    },
  })
  const terminal: Terminal = {
    ...real,
    output,
    errors,
    alerts: errors,
    mayAsk: false,
    json: true,
    stream: () => {
      isStream = true
    },
  }
  /** The value that the command printed; undefined for none. */
  function printed(): unknown {
    const text = Buffer.concat(pieces).toString()
    if (text === '') return undefined
    if (!printsLines)
      try {
        const value: unknown = JSON.parse(text)
        return value
      } catch {
        // A page of help.
      }
    return { lines: text.replace(/\n$/, '').split('\n') }
  }
  return {
    terminal,
    /** Writes the document. `error`: null for the exit status 0, `undefined` for a command that returned another one without an error. */
    answer(status: number, error: AnswerError | null | undefined): void {
      const data = printed()
      const sentence = remarks.trim().replace(/^studio: /, '')
      const failed = error ?? {
        code: 'FAILED',
        message: sentence === '' ? `The command ended with the exit status ${status}.` : sentence,
        exit_status: status,
      }
      const answer: JsonAnswer =
        status === EXIT.done ? { ok: true, data: data ?? null } : { ok: false, error: failed, ...(data !== undefined && { data }) }
      if (!isStream || error) real.output.write(`${JSON.stringify(answer)}\n`)
    },
  }
}
