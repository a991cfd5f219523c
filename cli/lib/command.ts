// The command interface: its arguments, its environment and its exit status.
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { guess } from './nearest.ts'

/** The folder of the repository; commands that run its tools run them there. */
export const ROOT = join(import.meta.dirname, '../..')

/** The modules of a package are JavaScript, and those of a checkout are TypeScript. */
const isPackage = import.meta.filename.endsWith('.js')
/** True if the program runs from the program folder. An image of a container is a version of its own, and says so with this variable. */
export const isPackaged = (env: Environment): boolean => isPackage && env['VOICE_STUDIO_IN_IMAGE'] !== '1'

export type Environment = Readonly<Record<string, string | undefined>>
export type Terminal = {
  readonly env: Environment
  readonly cwd: string
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable & { readonly isTTY?: boolean }
  /** Progress and notices; --quiet drops them. */
  readonly errors: Writable & { readonly isTTY?: boolean }
  /** Questions, and sentences that --quiet keeps. Absent: `errors`. */
  readonly alerts?: Writable
  /** False: no person can answer a question. Absent: if the input is a terminal. */
  readonly mayAsk?: boolean
  /** True with --json, where the output is one document. */
  readonly json?: boolean
  /** Choices of a profile, where the arguments make none. */
  readonly defaults?: { readonly voice?: string | undefined; readonly language?: string | undefined }
  /** With --json: the output is a stream from now on, each line a document. */
  readonly stream?: () => void
  /** Aborts on the first Ctrl-C or SIGTERM. A command that never calls it keeps the default: the process ends at once. */
  readonly interrupted: () => AbortSignal
  /** Calls `last` before Ctrl-C or SIGTERM ends the process of a command that does not wait for them. Returns the way to undo that. */
  readonly beforeEnd?: (last: () => void) => () => void
}

/** Resolves to the exit status: 0 for success, 1 for failure. A thrown error becomes another one (answer/exit.ts). */
export type CommandRun = (args: readonly string[], terminal: Terminal) => Promise<number>
export type Command = {
  readonly name: string
  readonly group: 'everyday' | 'borrow' | 'lend' | 'maintain' | 'develop'
  /** The words after `./studio` on the command line. */
  readonly usage: string
  readonly line: string
  /** Whole command lines, which help shows first. */
  readonly examples?: readonly string[]
  readonly options?: readonly (readonly [flag: string, meaning: string])[]
  /** True for a command that prints lines only: with --json they are `lines`. The others print a value. */
  readonly printsLines?: true
  readonly load: () => Promise<{ readonly run: CommandRun }>
}

/** The end of a request. `value` is printed with --json, `lines` without. */
export type Outcome = { readonly value: unknown; readonly lines: readonly string[] }

/** True if a person can answer a question. */
export const canAsk = ({ mayAsk, input }: Terminal): boolean => mayAsk ?? input.isTTY === true

export const print = ({ value, lines }: Outcome, json: boolean | undefined, output: Writable): void =>
  void output.write(json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''))

/** The command line is invalid. The message says what to write instead. */
export class Misuse extends Error {}

/** Strict `parseArgs` of node:util; its errors become a Misuse with a sentence of ours. */
export function parseArguments<const T extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const flag = /--?[\w-]+/.exec(message)?.[0] ?? ''
    const known = Object.keys(options).map((name) => `--${name}`)
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new Misuse(`Unknown option '${flag}'.${guess(flag, known)}`)
    if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
      throw new Misuse(
        /argument (missing|is ambiguous)/.test(message) ? `The option ${flag} needs a value.` : `The option ${flag} takes no value.`,
      )
    throw new Misuse(message)
  }
}

/** Throws for any argument. `name`: the command as the user typed it. */
export function refuseArguments(name: string, [unexpected]: readonly string[]): void {
  if (unexpected !== undefined) throw new Misuse(`Unexpected argument '${unexpected}'. ${name} takes none.`)
}

/** Error for a word that is none of the `verbs` of a command, or a missing one. */
export function unknownVerb(name: string, word: string | undefined, verbs: readonly string[]): Misuse {
  const all = `The ${name} commands are: ${verbs.join(', ')}.`
  if (word === undefined) return new Misuse(`A word after '${name}' is missing. ${all}`)
  return new Misuse(`Unknown ${name} command '${word}'.${guess(word, verbs)} ${all}`)
}
