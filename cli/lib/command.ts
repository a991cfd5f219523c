// What a command is, and all it may touch of the world it was started in.
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
  /** Aborts on the first Ctrl-C or SIGTERM. Commands that never ask keep the default: the process ends at once. */
  readonly interrupted: () => AbortSignal
}

/** Resolves to the exit status: 0 done, 1 failed. Misuse is thrown and becomes 2. */
export type Run = (args: readonly string[], terminal: Terminal) => Promise<number>
export type Command = {
  readonly name: string
  /** What follows `./studio` on the command line. */
  readonly usage: string
  readonly line: string
  readonly options?: readonly (readonly [flag: string, meaning: string])[]
  readonly load: () => Promise<{ readonly run: Run }>
}

/** The command line cannot be obeyed as it stands; the message says what to write instead. */
export class Misuse extends Error {}

/** node:util's parseArgs, strict, with its complaints turned into Misuse. */
export function parse<const T extends ParseArgsConfig['options']>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new Misuse(error instanceof Error ? error.message : String(error))
  }
}
