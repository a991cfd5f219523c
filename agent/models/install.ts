// Installs one model: resolves its files, checks the disk space, downloads and verifies each file, and writes the manifest last. Temporary
// failures are retried; finished files stay, so that neither a retry nor a killed process repeats them.

import { readdirSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { digestOf } from '#shared/download/digest.ts'
import { CorruptDownload, ensureFile, PARTS_FOLDER, presentBytes } from '#shared/download/download.ts'
import { type Fetch, HttpRefusal } from '#shared/download/fetch.ts'
import { fileUrl } from '#shared/download/hub.ts'
import { type CatalogueModel, folderOf } from '#shared/models/model.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { INSTALL_PHASES } from '#shared/protocol/messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import { findCached } from './hub-cache.ts'
import { type ResolvedFile, resolveFiles } from './listing.ts'
import { MANIFEST, type ModelManifest } from './manifest.ts'

export type InstallPhase = (typeof INSTALL_PHASES)[number]
export type ReportInstall = (phase: InstallPhase, more?: Partial<Omit<Wire<'InstallEvent'>, 'phase'>>) => void
export type InstallDeps = {
  /** Folder of all models of this machine. */
  readonly folder: string
  readonly base: URL
  readonly fetch: Fetch
  readonly cache: string | null
  /** 0 when unknown. */
  readonly freeDisk: (folder: string) => Promise<number>
  /** Disk space that must stay free. */
  readonly headroomBytes: number
  /** Rejects when the studio may not add these bytes to the disk. */
  readonly admit: (model: CatalogueModel, by: string, bytes: number) => Promise<void>
  readonly clock: Clock
}
const ATTEMPTS = 5
const REPORT_INTERVAL_MS = 300
const RESOLVING_INTERVAL_MS = 2_000
/** A retry does not change these. */
const FINAL_STATUS: ReadonlySet<number> = new Set([401, 403, 404, 410])
const NETWORK_ERRORS: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'ETIMEDOUT'])
const DISK_ERRORS: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'])
const FINAL_CODE: ReadonlySet<FailureCode> = new Set(['MODEL_REF_REJECTED', 'STORAGE_FULL', 'BAD_REQUEST', 'CANCELLED'])

/** Seconds to wait after `attempt`, which counts from 1. */
export const waitSeconds = (attempt: number): number => Math.min(30, 2 ** attempt)

/** Throws a Failure with what to do, or CANCELLED when the signal aborts. */
export async function installModel(
  model: CatalogueModel,
  by: string,
  report: ReportInstall,
  signal: AbortSignal,
  deps: InstallDeps,
): Promise<void> {
  const { clock } = deps
  for (let attempt = 1; ; attempt++) {
    try {
      return await installOnce(model, by, report, signal, deps)
    } catch (error) {
      if (signal.aborted) throw new Failure('CANCELLED', 'The installation was cancelled.')
      const failure = explain(error, model)
      if (attempt >= ATTEMPTS || FINAL_CODE.has(failure.code)) throw failure
      report('install_retry', { attempt, message: failure.message })
      await clock.sleep(waitSeconds(attempt) * 1000, signal).catch(() => {})
      if (signal.aborted) throw new Failure('CANCELLED', 'The installation was cancelled.')
    }
  }
}

async function installOnce(
  model: CatalogueModel,
  by: string,
  report: ReportInstall,
  signal: AbortSignal,
  deps: InstallDeps,
): Promise<void> {
  const { base, fetch, cache, clock } = deps
  const place = privateFolder(join(deps.folder, folderOf(model)))
  const files = await whileReporting(() => resolveFiles(model, { base, fetch, signal }), report, clock)
  const present = files.map((file) => presentBytes(place, file, findCached(cache, file)))
  const total = sum(files.map(({ size }) => size))
  const cached = sum(present)
  const filesHere = files.filter(({ size }, index) => present[index] === size).length
  report('install_plan', { total, cached, files_total: files.length, files_done: filesHere })
  const here = sum(files.map((file) => presentBytes(place, file, null)))
  await deps.admit(model, by, total - here)
  await requireSpace(total - cached, deps)

  const progress = createProgress(files, present, report, clock)
  const digests: string[] = []
  for (const [index, file] of files.entries()) {
    signal.throwIfAborted()
    progress.begin(index)
    const url = fileUrl(base, file.repo, file.revision, file.remotePath)
    digests.push(await ensureFile(place, file, { url, fetch, cached: () => findCached(cache, file), signal, onBytes: progress.bytes }))
    progress.end()
  }
  rmSync(join(place, PARTS_FOLDER), { recursive: true, force: true })
  const listed = files.map(({ path, repo, revision, size }, index) => ({ path, repo, revision, size, sha256: digests[index]! }))
  const manifest: ModelManifest = {
    version: 1,
    id: model.id,
    engine: model.engine,
    model: model.model,
    by,
    digest: digestOf(listed),
    files: listed,
  }
  removeOthers(place, manifest)
  writeAtomic(join(place, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Files of an earlier version of the model. */
function removeOthers(place: string, { files }: ModelManifest): void {
  const listed = new Set([MANIFEST, ...files.map(({ path }) => path)])
  for (const entry of readdirSync(place, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isDirectory() && !listed.has(relative(place, path).replaceAll(sep, '/'))) rmSync(path, { force: true })
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

async function whileReporting<T>(work: () => Promise<T>, report: ReportInstall, clock: Clock): Promise<T> {
  let cancelTimer = () => {}
  const again = () => {
    report('resolving', { message: 'listing the files of the model' })
    cancelTimer = clock.after(RESOLVING_INTERVAL_MS, again)
  }
  again()
  try {
    return await work()
  } finally {
    cancelTimer()
  }
}

async function requireSpace(missing: number, { folder, freeDisk, headroomBytes }: InstallDeps): Promise<void> {
  const free = await freeDisk(folder)
  if (free === 0 || missing === 0 || free >= missing + headroomBytes) return
  throw new Failure(
    'STORAGE_FULL',
    `The model needs ${shortBytes(missing)} and ${shortBytes(headroomBytes)} must stay free, but the disk has only ${shortBytes(free)}. Free some space and try again.`,
  )
}

/** Turns bytes into events at a limited rate. */
function createProgress(files: readonly ResolvedFile[], present: readonly number[], report: ReportInstall, clock: Clock) {
  const done = [...present]
  const total = sum(files.map(({ size }) => size))
  const startedAt = clock.mono()
  let fetched = 0
  let index = 0
  let finished = 0
  let reportedAt = Number.NEGATIVE_INFINITY
  const rateOf = () => Math.round((fetched / Math.max(1, clock.mono() - startedAt)) * 1000)

  function reportFile(phase: 'start' | 'progress' | 'done'): void {
    const { path, size } = files[index]!
    report(phase, { file: path, downloaded: phase === 'done' ? size : done[index]!, total: size, rate: rateOf() })
  }
  function aggregate(): void {
    reportedAt = clock.mono()
    const have = sum(done)
    const rate = rateOf()
    const eta_seconds = rate > 0 ? Math.min(0xffff_ffff, Math.ceil((total - have) / rate)) : 0
    report('aggregate', { downloaded: have, total, rate, eta_seconds, files_done: finished, files_total: files.length })
  }
  return {
    begin(at: number): void {
      index = at
      reportFile('start')
    },
    bytes(have: number): void {
      fetched += Math.max(0, have - done[index]!)
      done[index] = have
      if (clock.mono() - reportedAt < REPORT_INTERVAL_MS) return
      reportFile('progress')
      aggregate()
    },
    end(): void {
      done[index] = files[index]!.size
      finished++
      reportFile('done')
      if (finished === files.length || clock.mono() - reportedAt >= REPORT_INTERVAL_MS) aggregate()
    },
  }
}

/** Turns an error into a Failure for people. A status that a retry does not change becomes a code that is not retried. */
function explain(error: unknown, { id, gated }: CatalogueModel): Failure {
  if (error instanceof Failure) return error
  if (error instanceof HttpRefusal) {
    const why =
      error.status === 401 || error.status === 403
        ? `The server refuses ${id} (status ${error.status}). ${gated ? 'Accept its licence on its page and set' : 'Set'} a token that may read it.`
        : error.status === 404 || error.status === 410
          ? `The server has no ${id} (status ${error.status}). A mirror may not carry it.`
          : `The model server answered with status ${error.status}.`
    return new Failure(FINAL_STATUS.has(error.status) ? 'MODEL_REF_REJECTED' : 'INPUT_FETCH_FAILED', why, { cause: error })
  }
  if (error instanceof CorruptDownload) return new Failure('INPUT_CORRUPT', error.message, { cause: error })
  const { code, message } = error as NodeJS.ErrnoException
  if (DISK_ERRORS.has(code ?? ''))
    return new Failure('STORAGE_FULL', `The disk of the models is full or not writable (${code}). Free some space and try again.`, {
      cause: error,
    })
  if (NETWORK_ERRORS.has(code ?? ''))
    return new Failure(
      'INPUT_FETCH_FAILED',
      `The model server cannot be reached (${message}). Check the network connection of this machine, or set STUDIO_MODELS_URL to a mirror.`,
      { cause: error },
    )
  return new Failure('INPUT_FETCH_FAILED', `The download broke off: ${message}. Try again.`, { cause: error })
}
