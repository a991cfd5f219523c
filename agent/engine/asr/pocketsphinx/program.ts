// Runs the programs of Debian's pocketsphinx as child processes, one per run. Private data goes through unlinked files, so nothing is left
// when either process is killed.

import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import { lastText, linesIn } from '#shared/runtime/lines.ts'
import { findProgram } from '#shared/runtime/program.ts'

export const RECOGNISER = 'pocketsphinx_continuous'
export const ALIGNER = 'pocketsphinx_batch'
const MODEL = '/usr/share/pocketsphinx/model/en-us'
/** One word with its phonemes per line; `read(2)` is a second pronunciation of `read`. */
export const DICTIONARY = join(MODEL, 'cmudict-en-us.dict')
const MAX_ERROR_CHARACTERS = 4_096
/** One word of a recording, or the text of a whole utterance. */
const MAX_LINE_CHARACTERS = 1024 * 1024

/** True if both programs and the English model are installed. `path`: a PATH value. */
export const isPocketsphinxInstalled = (path: string): boolean =>
  existsSync(join(MODEL, 'en-us', 'mdef')) && [RECOGNISER, ALIGNER].every((program) => findProgram(program, path) !== null)

export type MemoryFile = { readonly fd: number; readonly text: () => string; readonly close: () => void }

/** An unlinked private file, deleted when its last user closes it. */
export function createMemoryFile(bytes: Uint8Array = new Uint8Array(0)): MemoryFile {
  const path = join(tmpdir(), `.voice-${randomUUID()}`)
  const fd = openSync(path, 'wx+', 0o600)
  rmSync(path)
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at)
  return {
    fd,
    text() {
      const content = Buffer.alloc(fstatSync(fd).size)
      return content.toString('utf8', 0, readSync(fd, content, 0, content.length, 0))
    },
    close: () => closeSync(fd),
  }
}

/** The path with which a child opens its nth memory file. */
export const memoryFilePath = (index: number): string => `/proc/self/fd/${index + 3}`

/** Streams the output lines of a program. Aborting the signal kills it. Throws WORKER_FAILED with its last error, MODEL_NOT_INSTALLED. */
export async function* programLines(
  program: string,
  args: readonly string[],
  files: readonly MemoryFile[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  signal.throwIfAborted()
  const child = spawnGroup(program, args, { stdio: ['ignore', 'pipe', 'pipe', ...files.map(({ fd }) => fd)] })
  const stop = () => killGroup(child)
  signal.addEventListener('abort', stop, { once: true })
  const errors = lastText(child.stderr, MAX_ERROR_CHARACTERS)
  const ended = new Promise<Failure | null>((resolve) => {
    const failed = (reason: string) => resolve(new Failure('WORKER_FAILED', `${program} failed: ${reason}.`))
    child.once('error', () =>
      resolve(new Failure('MODEL_NOT_INSTALLED', `The program ${program} is not installed on this machine. Run ${COMMAND} setup.`)),
    )
    child.once('close', (code, killedBy) => (code === 0 ? resolve(null) : failed(lastError(errors()) ?? killedBy ?? `exit code ${code}`)))
  })
  try {
    yield* linesIn(child.stdout!, MAX_LINE_CHARACTERS)
    const failure = await ended
    signal.throwIfAborted()
    if (failure) throw failure
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
    await ended
  }
}

const lastError = (text: string): string | undefined =>
  text
    .split('\n')
    .filter((line) => /^(ERROR|FATAL)/.test(line))
    .at(-1)
