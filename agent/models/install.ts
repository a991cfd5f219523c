// One model from nothing to its manifest: which files, is there room, each of them proven, the manifest last. Tried again where trying can
// help; whatever is finished stays, so that neither a retry nor a kill costs it.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type CatalogueModel, folderOf } from '#shared/models/model.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import type { INSTALL_PHASES, InstallEvent } from '#shared/protocol/messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'
import { digestOf } from './digest.ts'
import { bringFile, bytesHere, Damaged, PARTS } from './download.ts'
import { type Fetch, Refusal } from './fetch.ts'
import { type ResolvedFile, resolveFiles } from './listing.ts'
import { MANIFEST, type Manifest } from './manifest.ts'

export type Phase = (typeof INSTALL_PHASES)[number]
export type Tell = (phase: Phase, more?: Partial<Omit<InstallEvent, 'phase'>>) => void
export type InstallDeps = {
  /** Of all models of this machine. */
  readonly folder: string
  readonly base: URL
  readonly fetch: Fetch
  readonly cache: string | null
  /** 0: not known. */
  readonly freeDisk: (folder: string) => Promise<number>
  /** What must stay free besides. */
  readonly headroomBytes: number
  readonly clock: Clock
}
const ATTEMPTS = 5
const TELL_EVERY_MS = 300
const RESOLVING_EVERY_MS = 2_000
/** Asking again does not change these. */
const FINAL_STATUS: ReadonlySet<number> = new Set([401, 403, 404, 410])
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'])
const FINAL_CODE: ReadonlySet<FailureCode> = new Set(['MODEL_REF_REJECTED', 'STORAGE_FULL', 'BAD_REQUEST', 'CANCELLED'])

/** Seconds before the try after `attempt`, which counts from 1. */
export const waitSeconds = (attempt: number): number => Math.min(30, 2 ** attempt)

/** Throws a Failure that says what to do. CANCELLED when the signal aborts. */
export async function installModel(model: CatalogueModel, by: string, tell: Tell, signal: AbortSignal, deps: InstallDeps): Promise<void> {
  const { clock } = deps
  for (let attempt = 1; ; attempt++) {
    try {
      return await installOnce(model, by, tell, signal, deps)
    } catch (error) {
      if (signal.aborted) throw new Failure('CANCELLED', 'the installation was cancelled')
      const failure = explain(error, model)
      if (attempt >= ATTEMPTS || FINAL_CODE.has(failure.code)) throw failure
      tell('install_retry', { attempt, message: failure.message })
      await clock.sleep(waitSeconds(attempt) * 1000, signal).catch(() => {})
      if (signal.aborted) throw new Failure('CANCELLED', 'the installation was cancelled')
    }
  }
}

async function installOnce(model: CatalogueModel, by: string, tell: Tell, signal: AbortSignal, deps: InstallDeps): Promise<void> {
  const { base, fetch, cache, clock } = deps
  const place = privateFolder(join(deps.folder, folderOf(model)))
  const files = await whileTelling(() => resolveFiles(model, { base, fetch, signal }), tell, clock)
  const had = files.map((file) => bytesHere(place, file, cache))
  const total = sum(files.map(({ size }) => size))
  const cached = sum(had)
  const filesHere = files.filter(({ size }, index) => had[index] === size).length
  tell('install_plan', { total, cached, files_total: files.length, files_done: filesHere })
  await requireRoom(total - cached, deps)

  const progress = createProgress(files, had, tell, clock)
  const digests: string[] = []
  for (const [index, file] of files.entries()) {
    signal.throwIfAborted()
    progress.begin(index)
    digests.push(await bringFile(place, file, { base, fetch, cache, signal, onBytes: progress.bytes }))
    progress.end()
  }
  rmSync(join(place, PARTS), { recursive: true, force: true })
  const listed = files.map(({ path, repo, revision, size }, index) => ({ path, repo, revision, size, sha256: digests[index]! }))
  const manifest: Manifest = {
    version: 1,
    id: model.id,
    engine: model.engine,
    model: model.model,
    by,
    digest: digestOf(listed),
    files: listed,
  }
  writeAtomic(join(place, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

async function whileTelling<T>(work: () => Promise<T>, tell: Tell, clock: Clock): Promise<T> {
  let forget = () => {}
  const again = () => {
    tell('resolving', { message: 'asking the server which files there are' })
    forget = clock.after(RESOLVING_EVERY_MS, again)
  }
  again()
  try {
    return await work()
  } finally {
    forget()
  }
}

async function requireRoom(missing: number, { folder, freeDisk, headroomBytes }: InstallDeps): Promise<void> {
  const free = await freeDisk(folder)
  if (free === 0 || missing === 0 || free >= missing + headroomBytes) return
  const gb = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
  throw new Failure(
    'STORAGE_FULL',
    `the model needs ${gb(missing)} and ${gb(headroomBytes)} must stay free besides, but the disk has ${gb(free)}; free some space and try again`,
  )
}

/** Turns bytes into events, none of them more often than somebody can read. */
function createProgress(files: readonly ResolvedFile[], had: readonly number[], tell: Tell, clock: Clock) {
  const done = [...had]
  const total = sum(files.map(({ size }) => size))
  const startedAt = clock.mono()
  let fetched = 0
  let index = 0
  let finished = 0
  let toldAt = Number.NEGATIVE_INFINITY
  const rateOf = () => Math.round((fetched / Math.max(1, clock.mono() - startedAt)) * 1000)

  function told(phase: 'start' | 'progress' | 'done'): void {
    const { path, size } = files[index]!
    tell(phase, { file: path, downloaded: phase === 'done' ? size : done[index]!, total: size, rate: rateOf() })
  }
  function aggregate(): void {
    toldAt = clock.mono()
    const have = sum(done)
    const rate = rateOf()
    const eta_seconds = rate > 0 ? Math.min(0xffff_ffff, Math.ceil((total - have) / rate)) : 0
    tell('aggregate', { downloaded: have, total, rate, eta_seconds, files_done: finished, files_total: files.length })
  }
  return {
    begin(at: number): void {
      index = at
      told('start')
    },
    bytes(have: number): void {
      fetched += Math.max(0, have - done[index]!)
      done[index] = have
      if (clock.mono() - toldAt < TELL_EVERY_MS) return
      told('progress')
      aggregate()
    },
    end(): void {
      done[index] = files[index]!.size
      finished++
      told('done')
      if (finished === files.length || clock.mono() - toldAt >= TELL_EVERY_MS) aggregate()
    },
  }
}

/** What went wrong in words for people. A status that asking again does not change becomes a code that is not tried again. */
function explain(error: unknown, { id, gated }: CatalogueModel): Failure {
  if (error instanceof Failure) return error
  if (error instanceof Refusal) {
    const why =
      error.status === 401 || error.status === 403
        ? `the server refuses ${id} (${error.status}): ${gated ? 'accept its licence on its page and ' : ''}set a token that may read it`
        : error.status === 404 || error.status === 410
          ? `the server has no ${id} (${error.status}); a mirror may not carry it`
          : `the server of the models answered ${error.status}`
    return new Failure(FINAL_STATUS.has(error.status) ? 'MODEL_REF_REJECTED' : 'INPUT_FETCH_FAILED', why, { cause: error })
  }
  if (error instanceof Damaged) return new Failure('INPUT_CORRUPT', error.message, { cause: error })
  const { code, message } = error as NodeJS.ErrnoException
  if (FULL.has(code ?? ''))
    return new Failure('STORAGE_FULL', `the disk of the models is full or cannot be written (${code})`, { cause: error })
  return new Failure('INPUT_FETCH_FAILED', `the download broke off: ${message}`, { cause: error })
}
