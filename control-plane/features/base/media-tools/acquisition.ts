// A download of pinned builds in the background, with its progress. One runs at a time; a program is used only after its size and digest were
// verified and it has started.
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { MediaProgram, MediaPrograms } from '#control-plane/media/programs.ts'
import { CorruptDownload, ensureFile, PARTS_FOLDER } from '#shared/download/download.ts'
import { type Fetch, HttpRefusal } from '#shared/download/fetch.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { MediaOperation } from './media-tools.schema.ts'
import type { Build } from './pins.ts'
import type { Versions } from './versions.ts'

type Deps = {
  readonly programs: Pick<MediaPrograms, 'downloadedPath'>
  readonly versions: Pick<Versions, 'of'>
  /** The server of the builds. */
  readonly base: URL
  readonly fetch: Fetch
  /** Free bytes; null if the system does not report them. */
  readonly freeDisk: (folder: string) => Promise<number | null>
  readonly log: Log
}
export type Acquisition = ReturnType<typeof createAcquisition>
type Wanted = { readonly program: MediaProgram; readonly build: Build }

/** Disk space that must stay free. */
const HEADROOM_BYTES = 500 * 1000 ** 2
const IDLE: MediaOperation = { state: 'idle', progress: 0, error: null }
const DONE: MediaOperation = { state: 'done', progress: 1, error: null }

export function createAcquisition({ programs, versions, base, fetch, freeDisk, log }: Deps) {
  let state = IDLE
  let running: Promise<void> = Promise.resolve()
  const stopping = new AbortController()

  async function obtain({ program, build }: Wanted, onBytes: (present: number) => void): Promise<void> {
    const path = programs.downloadedPath(program)
    const folder = privateFolder(dirname(path))
    const { signal } = stopping
    const free = await freeDisk(folder)
    if (free !== null && free < build.size + HEADROOM_BYTES)
      throw new Failure('STORAGE_FULL', `${program} needs ${megabytes(build.size)} and the disk has ${megabytes(free)} left.`)
    const url = new URL(build.path, base)
    // Under another name until it is known to start, so that a broken program never replaces a working one.
    const file = { path: join(PARTS_FOLDER, program), size: build.size, digest: { kind: 'sha256', hex: build.sha256 } } as const
    await ensureFile(folder, file, { url, fetch, cached: () => null, signal, onBytes })
    const candidate = join(folder, file.path)
    chmodSync(candidate, 0o700)
    if ((await versions.of(program, candidate)) === null) {
      rmSync(candidate, { force: true })
      throw new Failure(
        'CONFLICT',
        `The downloaded ${program} does not start on this machine. Install it with the package manager of this system.`,
      )
    }
    renameSync(candidate, path)
    log.info({ program, version: build.version }, 'a media program was downloaded')
  }

  async function run(wanted: readonly Wanted[], finish: () => Promise<void>): Promise<void> {
    const total = wanted.reduce((sum, { build }) => sum + build.size, 0)
    let before = 0
    try {
      for (const one of wanted) {
        await obtain(one, (present) => {
          state = { state: 'running', progress: Math.min(0.99, (before + present) / total), error: null }
        })
        before += one.build.size
      }
      await finish()
      state = DONE
    } catch (error) {
      const message = stopping.signal.aborted ? 'The studio stopped during the download.' : explain(error, base)
      state = { state: 'error', progress: 0, error: message }
      log.warn({ err: message }, 'a media program could not be downloaded')
    }
  }

  const ended = (next: MediaOperation): MediaOperation => {
    if (state.state !== 'running') state = next
    return state
  }

  return {
    state: (): MediaOperation => state,
    /** Ends the operation without a download, as `fail` does. A download that has begun meanwhile goes on. */
    done: (): MediaOperation => ended(DONE),
    fail: (error: string): MediaOperation => ended({ state: 'error', progress: 0, error }),
    /** Returns at once. While a download runs, its state. `finish` runs before the state is done. */
    start(wanted: readonly Wanted[], finish: () => Promise<void> = async () => {}): MediaOperation {
      if (state.state === 'running') return state
      state = { state: 'running', progress: 0, error: null }
      running = run(wanted, finish)
      return state
    },
    /** Ends a running download; its bytes are kept for the next one. */
    stop(): Promise<void> {
      stopping.abort(new Error('the studio stops'))
      return running
    },
  }
}

function explain(error: unknown, base: URL): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full. Free some space and try again.'
  if (error instanceof Failure) return error.message
  if (error instanceof HttpRefusal)
    return `${base.host} answered with status ${error.status}. Try again later, or install the program yourself.`
  if (error instanceof CorruptDownload) return `${error.message} Nothing was installed. Try again, or install the program yourself.`
  return `${base.host} could not be reached (${code ?? (error as Error).message}). Check the network, or install the program yourself.`
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
