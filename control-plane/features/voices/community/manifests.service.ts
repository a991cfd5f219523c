// The manifests of the sources: fetched at most every six hours, kept on disk with their validators, and used from there while a source is
// not reachable.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { createSharedWork } from '#control-plane/kernel/shared-work.ts'
import { keepFile } from '#control-plane/media/keep-file.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn, privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { PublicFetch } from './fetching/public-fetch.ts'
import { type CheckedManifest, MANIFEST_BYTES, parseManifest } from './manifest.ts'

export type SourceManifest = {
  readonly source: string
  /** Null if it was never fetched. */
  readonly manifest: CheckedManifest | null
  /** True if the source could not be asked when it should have been. */
  readonly isOffline: boolean
}
type Deps = {
  /** Folder for the copies. */
  readonly folder: string
  readonly fetch: PublicFetch
  /** Hosts that may have voices. */
  readonly hosts: readonly string[]
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}
export type Manifests = ReturnType<typeof createManifests>

const FRESH_MS = 6 * 3600 * 1000
/** A source that failed is not asked again for this long, so that a list does not wait for it each time. */
const QUIET_MS = 60_000
const FETCH_MS = 15_000

const Copy = z.object({
  source: z.string(),
  fetched_at: z.number(),
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
  text: z.string(),
})
type Copy = z.output<typeof Copy>
type Known = { readonly copy: Copy; readonly manifest: CheckedManifest }

export function createManifests({ folder, fetch, hosts, clock, log }: Deps) {
  const known = new Map<string, Known>()
  const failedAt = new Map<string, number>()
  const work = createSharedWork<SourceManifest>()
  const pathOf = (source: string) => fileIn(privateFolder(folder), `${createHash('sha256').update(source).digest('hex')}.json`)

  async function stored(source: string): Promise<Known | null> {
    const held = known.get(source)
    if (held) return held
    const text = await readFile(pathOf(source), 'utf8').catch(() => null)
    const copy = text === null ? null : copyIn(text)
    const manifest = copy?.source === source ? parseManifest(copy.text, source, hosts) : null
    if (copy === null || manifest === null) return null
    known.set(source, { copy, manifest })
    return { copy, manifest }
  }

  async function keep(source: string, copy: Copy, manifest: CheckedManifest): Promise<CheckedManifest> {
    known.set(source, { copy, manifest })
    await keepFile(pathOf(source), Buffer.from(JSON.stringify(copy))).catch((error: unknown) =>
      log.warn({ source, err: String(error) }, 'the copy of a community manifest was not stored'),
    )
    return manifest
  }

  async function fetched(source: string, before: Known | null, signal: AbortSignal): Promise<CheckedManifest> {
    const { etag = null, last_modified: lastModified = null } = before?.copy ?? {}
    const reply = await fetch(manifestUrl(source), { bytes: MANIFEST_BYTES, ms: FETCH_MS, etag, lastModified, signal })
    const fetched_at = clock.now()
    if (reply.status === 304 && before !== null) return keep(source, { ...before.copy, fetched_at }, before.manifest)
    const text = reply.body.toString('utf8')
    const manifest = parseManifest(text, source, hosts)
    if (manifest === null) throw new Failure('DOWNLOAD_REFUSED', `The file of ${source} is no manifest.`)
    if (manifest.droppedCount > 0)
      log.info({ source, dropped: manifest.droppedCount, first: manifest.dropped[0] }, 'items of a community manifest were dropped')
    return keep(source, { source, fetched_at, etag: reply.etag, last_modified: reply.lastModified, text }, manifest)
  }

  async function load(source: string, refresh: boolean, signal: AbortSignal): Promise<SourceManifest> {
    const before = await stored(source)
    const now = clock.now()
    // A moment in the future was written before the clock was set back.
    const isFresh = before !== null && Math.abs(now - before.copy.fetched_at) < FRESH_MS
    const hasFailed = Math.abs(now - (failedAt.get(source) ?? Number.NEGATIVE_INFINITY)) < QUIET_MS
    if (!refresh && (isFresh || hasFailed)) return { source, manifest: before?.manifest ?? null, isOffline: !isFresh }
    try {
      const manifest = await fetched(source, before, signal)
      failedAt.delete(source)
      return { source, manifest, isOffline: false }
    } catch (error) {
      signal.throwIfAborted()
      failedAt.set(source, now)
      log.warn({ source, err: Failure.from(error).message }, 'a community source could not be read; its last copy is used')
      return { source, manifest: before?.manifest ?? null, isOffline: true }
    }
  }

  return {
    /** Never rejects for a source that is not reachable. Equal requests share one download, which `signal` ends for all of them. */
    read: (source: string, refresh: boolean, signal: AbortSignal): Promise<SourceManifest> =>
      work.join(`${refresh} ${source}`, () => load(source, refresh, signal), null),
  }
}

/** The file in the root of the default branch. */
export const manifestUrl = (source: string): string => `https://raw.githubusercontent.com/${source}/HEAD/manifest.json`

function copyIn(text: string): Copy | null {
  try {
    return Copy.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null // no JSON
  }
}
