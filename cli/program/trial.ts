// Tries a version in a child process before it is used: its version, and what it would do with the database, of which it reads a copy.
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { captureProgram } from '#cli/lib/child.ts'
import { type Environment, isPackaged, Misuse } from '#cli/lib/command.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { isRelease } from '#shared/protocol/version.ts'
import { silentEnvironment } from '#shared/runtime/child/environment.ts'
import type { ProgramRecord } from './files/tree.ts'

const TRIAL_MS = 120_000
/** Bytes of its output that are read, the last ones. */
const OUTPUT_KEPT = 64 * 1024
/** The option with which `update` answers about itself. */
export const TRY = '--try'

export const Trial = z.object({
  version: z.string().max(64),
  /** The version changes the form of the database, so that the one before cannot read it any more. */
  changesDatabase: z.boolean(),
  /** A sentence: the version cannot use the database. Null if it can. */
  objection: z.string().max(1_000).nullable(),
})
export type Trial = z.output<typeof Trial>

export const commandFileIn = (folder: string, { name }: Pick<ProgramRecord, 'name'>): string => join(folder, 'bin', `${name}.cjs`)

type Trying = { readonly folder: string; readonly program: ProgramRecord; readonly env: Environment; readonly signal: AbortSignal }

/** Throws PROGRAM_FAILED for a version that does not run. The database is not changed. */
export async function tryVersion({ folder, program, env, signal }: Trying): Promise<Trial> {
  const run = (...words: string[]) => output(words)
  const said = await run('--version')
  if (!said.split(/\s+/).includes(program.version)) throw failed(program, `it says that it is: ${said.trim().slice(0, 200)}`)
  const answer = await run('update', TRY)
  try {
    return Trial.parse(JSON.parse(answer.split('\n').findLast((line) => line.startsWith('{')) ?? ''))
  } catch {
    throw failed(program, `it does not say what it would do with the data: ${answer.trim().slice(0, 200)}`)
  }

  async function output(words: readonly string[]): Promise<string> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TRIAL_MS)])
    const command = commandFileIn(folder, program)
    const { code, text } = await captureProgram(process.execPath, [command, ...words], {
      env: withoutCache(silentEnvironment(env)),
      signal: limit,
      kept: OUTPUT_KEPT,
    })
    signal.throwIfAborted()
    if (code !== 0) throw failed(program, text.trim().slice(-1_000) || `it ended with ${code}`)
    return text
  }
}

/** Each version has a compile cache of its own, which its command names. */
export const withoutCache = (env: Record<string, string>): Record<string, string> => {
  const { NODE_COMPILE_CACHE: cache, ...others } = env
  const isOurs = cache !== undefined && basename(dirname(cache)) === 'voice-studio' && isRelease(basename(cache))
  return isOurs ? others : env
}

const failed = ({ version }: ProgramRecord, why: string): Failure =>
  new Failure('PROGRAM_FAILED', `Version ${version} does not run here: ${why.replace(/\.$/, '')}. Nothing was changed.`)

/** Throws for a program that no package brought: it is updated where it came from. */
export function requirePackage(command: string, args: readonly string[], env: Environment): void {
  if (isPackaged(env) || args.includes(TRY)) return
  throw new Misuse(
    `${command} belongs to programs that npm installed. A checkout is updated with git pull, and the image of a container is replaced by another one.`,
  )
}
