// The programs of Debian's pocketsphinx as children of the engine host, one for each run. Whatever is secret about a run goes through files
// without a name: nothing of it is left when this process or the child is killed.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Failure } from '#shared/protocol/failure.ts'
import { findProgram, signalChild } from '#shared/runtime/program.ts'

export const RECOGNISER = 'pocketsphinx_continuous'
export const ALIGNER = 'pocketsphinx_batch'
const MODEL = '/usr/share/pocketsphinx/model/en-us'
/** A word and its sounds on each line; `read(2)` is another way to say `read`. */
export const DICTIONARY = join(MODEL, 'cmudict-en-us.dict')
const KEPT_TEXT = 4_096

/** Whether both programs and the model of the English language are on this machine. `path`: a PATH value. */
export const isPocketsphinxInstalled = (path: string): boolean =>
  existsSync(join(MODEL, 'en-us', 'mdef')) && [RECOGNISER, ALIGNER].every((program) => findProgram(program, path) !== null)

export type MemoryFile = { readonly fd: number; readonly text: () => string; readonly close: () => void }

/** A private file that is gone when its last user is. */
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

/** How a child reads its nth nameless file: by opening it again, from the first byte. */
export const memoryFilePath = (index: number): string => `/proc/self/fd/${index + 3}`

/** The lines a program prints, as they come. Aborting the signal kills it. Throws WORKER_FAILED with its last complaint. */
export async function* programLines(
  program: string,
  args: readonly string[],
  files: readonly MemoryFile[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  signal.throwIfAborted()
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe', ...files.map(({ fd }) => fd)] })
  const stop = () => signalChild(child, 'SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  let complaints = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-KEPT_TEXT)
  })
  const ended = new Promise<Failure | null>((resolve) => {
    const failed = (reason: string) => resolve(new Failure('WORKER_FAILED', `${program}: ${reason}`))
    child.once('error', () => resolve(new Failure('MODEL_NOT_INSTALLED', `${program} is not on this machine; ./studio setup installs it`)))
    child.once('close', (code, killedBy) =>
      code === 0 ? resolve(null) : failed(lastComplaint(complaints) ?? killedBy ?? `exit code ${code}`),
    )
  })
  try {
    yield* createInterface({ input: child.stdout! })
    const failure = await ended
    signal.throwIfAborted()
    if (failure) throw failure
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
    await ended
  }
}

const lastComplaint = (text: string): string | undefined =>
  text
    .split('\n')
    .filter((line) => /^(ERROR|FATAL)/.test(line))
    .at(-1)
