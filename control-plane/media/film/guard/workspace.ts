// A private folder for one run: the foreign file has a fixed name in it, and everything else in it is written by the studio.
import { lstat, mkdir, mkdtemp, rename, rm, stat, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { isDiskError } from '#shared/runtime/file.ts'
import { type GuardedRun, runGuarded, SOURCE } from './guard.ts'

export type Workspace = {
  readonly folder: string
  readonly path: (name: string) => string
  readonly run: (run: Omit<GuardedRun, 'folder' | 'roomBytes'>) => Promise<void>
  /** Bytes of a file; 0 when it is not there. */
  readonly size: (name: string) => Promise<number>
  /** Moves a finished file or folder to its place on the same disk. */
  readonly publish: (name: string, to: string) => Promise<void>
}
export type WorkspaceParts = {
  /** Parent of the folders of runs, on the disk of the results. */
  readonly scratch: string
  readonly clock: Clock
  /** Bytes that a run may write. */
  readonly roomBytes: number
}

/**
 * Gives `work` a folder with `source` in it, and removes the folder afterwards. `source` null: there is no foreign file. Throws INPUT_UNAVAILABLE for
 * a link in place of the file, STORAGE_FULL when the disk refuses, what `work` throws, and the reason of the signal.
 */
export async function inWorkspace<T>(
  { scratch, clock, roomBytes }: WorkspaceParts,
  source: string | null,
  signal: AbortSignal,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  let folder: string | null = null
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    folder = await mkdtemp(join(scratch, 'film-')) // 0700
    const own = folder
    const path = (name: string) => join(own, name)
    if (source !== null) {
      await refuseLink(source)
      await symlink(resolve(source), path(SOURCE))
    }
    return await work({
      folder: own,
      path,
      run: (run) => runGuarded({ ...run, folder: own, roomBytes }, clock, signal),
      size: (name) =>
        stat(path(name)).then(
          ({ size }) => size,
          () => 0,
        ),
      publish: (name, to) => rename(path(name), to),
    })
  } catch (error) {
    throw asDiskFailure(error)
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true })
  }
}

/** A film is stored as a file; a link in its place names a file that was never uploaded. */
async function refuseLink(source: string): Promise<void> {
  const found = await lstat(source).catch(() => null)
  if (found?.isSymbolicLink()) throw new Failure('INPUT_UNAVAILABLE', 'The film was replaced by a link. Upload it again.')
}

function asDiskFailure(error: unknown): unknown {
  if (!isDiskError(error)) return error
  return new Failure('STORAGE_FULL', 'The film could not be written to the disk of the studio. Free some space, then start again.', {
    cause: error,
  })
}
