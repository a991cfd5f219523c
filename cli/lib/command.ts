// The command interface: its arguments, its environment and its exit status.
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** The folder of the repository; commands that run its tools run them there. */
export const ROOT = join(import.meta.dirname, '../..')

export type Environment = Readonly<Record<string, string | undefined>>
export type Terminal = {
  readonly env: Environment
  readonly cwd: string
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable & { readonly isTTY?: boolean }
  readonly errors: Writable
  /** Aborts on the first Ctrl-C or SIGTERM. A command that never calls it keeps the default: the process ends at once. */
  readonly interrupted: () => AbortSignal
}

/** Resolves to the exit status: 0 for success, 1 for failure. A thrown Misuse becomes 2. */
export type CommandRun = (args: readonly string[], terminal: Terminal) => Promise<number>
export type Command = {
  readonly name: string
  /** The words after `./studio` on the command line. */
  readonly usage: string
  readonly line: string
  readonly options?: readonly (readonly [flag: string, meaning: string])[]
  readonly load: () => Promise<{ readonly run: CommandRun }>
}

/** The command line is invalid. The message says what to write instead. */
export class Misuse extends Error {}

/** Strict `parseArgs` of node:util; its errors are rethrown as Misuse. */
export function parseArguments<const T extends ParseArgsConfig['options']>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new Misuse(error instanceof Error ? error.message : String(error))
  }
}
