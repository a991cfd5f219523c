// Previews of the featured archetypes that a publisher provides. Off until the owner turns it on. Failures are shown in the status only:
// previews are rendered here then.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { LocalArtifacts } from '#control-plane/store/artifact.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { CorruptDownload } from '#shared/download/download.ts'
import { type Fetch, HttpRefusal, readBody } from '#shared/download/fetch.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Service } from '#shared/runtime/service.ts'
import type { Archetype } from '#shared/voices/taxonomy.ts'
import type { Preview } from '../api.ts'
import type { PreviewStatus } from '../archetypes.schema.ts'
import { archetypesSettings } from '../archetypes.settings.ts'
import { LIMITS, type Manifest, readManifest } from './manifest.rules.ts'
import { recipeDigest } from './preview.rules.ts'
import type { DownloadRow, PreviewStore, PublisherCheck } from './preview.store.ts'

/** `key`: an Ed25519 key in base64. */
export type Publisher = { readonly url: URL; readonly key: string }
type Deps = {
  /** Null if none is configured. */
  readonly publisher: Publisher | null
  readonly fetch: Fetch
  readonly featured: () => readonly Archetype[]
  readonly store: Pick<PreviewStore, 'downloads' | 'check' | 'setCheck' | 'replaceDownloads'>
  readonly artifacts: Pick<LocalArtifacts, 'keep' | 'pathOf'>
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly clock: Clock
  readonly log: Log
}
export type Clips = ReturnType<typeof createClips>
type Found = { readonly rows: readonly DownloadRow[]; readonly refreshed: number; readonly error: string | null }

const DAY_MS = 24 * 3600_000
/** Time limit for the manifest and all clips of one check. */
const CHECK_MS = 60_000

export function createClips({ publisher, fetch, featured, store, artifacts, settings, clock, log }: Deps) {
  let clips = new Map(store.downloads().map((row) => [row.archetype_id, row]))
  let running: Promise<number> | null = null
  let cancelTimer = () => {}
  const stopping = new AbortController()
  const isEnabled = () => settings.read(archetypesSettings.downloadPreviews)

  async function bytesAt(url: URL, limit: number, signal: AbortSignal): Promise<Buffer> {
    const answer = await fetch(url, { signal })
    try {
      if (answer.status !== 200) throw new HttpRefusal(answer.status)
      return await readBody(answer, limit)
    } finally {
      answer.body.destroy()
    }
  }

  async function clipFor({ file, sha256, bytes }: Manifest['clips'][number], base: URL, signal: AbortSignal): Promise<void> {
    const clip = await bytesAt(new URL(file, base), bytes, signal)
    if (clip.length !== bytes || createHash('sha256').update(clip).digest('hex') !== sha256)
      throw new CorruptDownload('A downloaded preview does not match the list of previews.')
    await artifacts.keep(sha256, { chunks: [clip] })
  }

  /** A clip that cannot be downloaded does not stop the others; the first error is reported. */
  async function clipsOf(manifest: Manifest, base: URL, signal: AbortSignal): Promise<Found> {
    const offered = new Map(manifest.clips.map((clip) => [clip.id, clip]))
    const rows: DownloadRow[] = []
    let [refreshed, error]: [number, string | null] = [0, null]
    for (const archetype of featured()) {
      const clip = offered.get(archetype.id)
      const recipe = recipeDigest(archetype)
      if (!clip || clip.recipe !== recipe) continue
      try {
        if (!isPresent(clips.get(archetype.id), clip.sha256)) {
          signal.throwIfAborted()
          await clipFor(clip, base, signal)
          refreshed++
        }
        rows.push({ archetype_id: archetype.id, recipe, digest: clip.sha256, bytes: clip.bytes })
      } catch (problem) {
        error ??= explain(signal.aborted ? signal.reason : problem, base)
      }
    }
    return { rows, refreshed, error }
  }

  const isPresent = (row: DownloadRow | undefined, digest: string) => row?.digest === digest && existsSync(artifacts.pathOf(digest))

  /** Resolves with the number of new clips. Never rejects for the publisher or the network. */
  async function refresh({ url, key }: Publisher): Promise<number> {
    const deadline = new AbortController()
    const cancelDeadline = clock.after(CHECK_MS, () =>
      deadline.abort(new Failure('REQUEST_TIMEOUT', 'The download of previews took too long.')),
    )
    const signal = AbortSignal.any([deadline.signal, stopping.signal])
    const earlier = store.check()
    try {
      const bytes = await bytesAt(url, LIMITS.manifest, signal)
      const manifest = readManifest(bytes, await bytesAt(new URL(`${url.href}.sig`), LIMITS.signature, signal), key)
      if (earlier?.generated_at && Date.parse(manifest.generated_at) < Date.parse(earlier.generated_at))
        throw new Failure('BAD_REQUEST', 'The list of previews is older than the one that is used.')
      const { rows, refreshed, error } = await clipsOf(manifest, url, signal)
      const { engine, engine_version, generated_at } = manifest
      if (isEnabled()) replace(rows, { checked_at: clock.now(), error, engine, engine_version, generated_at })
      return refreshed
    } catch (problem) {
      if (stopping.signal.aborted) return 0
      const error = explain(signal.aborted ? signal.reason : problem, url)
      log.warn({ err: error }, 'previews of archetypes could not be downloaded')
      const known = earlier ?? { engine: null, engine_version: null, generated_at: null }
      store.setCheck({ ...known, checked_at: clock.now(), error })
      return 0
    } finally {
      cancelDeadline()
    }
  }

  function replace(rows: readonly DownloadRow[], check: PublisherCheck): void {
    store.replaceDownloads(rows, check)
    clips = new Map(rows.map((row) => [row.archetype_id, row]))
  }

  /** Requests at the same time share one check. */
  const refreshOnce = (from: Publisher): Promise<number> =>
    (running ??= refresh(from).finally(() => {
      running = null
    }))
  // A moment in the future was written before the clock was set back.
  const isDue = () => Math.abs(clock.now() - (store.check()?.checked_at ?? Number.NEGATIVE_INFINITY)) >= DAY_MS

  function status(): PreviewStatus {
    const check = store.check()
    return {
      enabled: isEnabled(),
      available: publisher !== null,
      featured_total: featured().length,
      featured_cached: clips.size,
      cached: clips.size,
      last_checked: check && check.checked_at / 1000,
      last_error: check?.error ?? null,
      engine: check?.engine ?? null,
      engine_version: check?.engine_version ?? null,
      generated_at: check?.generated_at ?? null,
      checked_seconds_ago: check && Math.max(0, Math.round((clock.now() - check.checked_at) / 1000)),
    }
  }

  /** Once a day while the studio runs. */
  function watch(): void {
    cancelTimer = clock.after(DAY_MS, watch)
    if (publisher && isEnabled() && isDue()) void refreshOnce(publisher)
  }
  const service: Service = {
    name: 'archetype-previews',
    start: watch,
    async stop() {
      cancelTimer()
      stopping.abort(new Failure('NOT_READY', 'The studio is stopping.'))
      await running
    },
  }

  return {
    service,
    status,
    /** Null unless downloads are on and there is a clip of exactly this recipe. */
    clipOf(archetype: Archetype): Preview | null {
      const row = isEnabled() ? clips.get(archetype.id) : undefined
      if (!row || row.recipe !== recipeDigest(archetype) || !existsSync(artifacts.pathOf(row.digest))) return null
      return { source: 'gallery', type: 'audio/mpeg', digest: row.digest, bytes: row.bytes }
    },
    async enable(enabled: boolean): Promise<PreviewStatus> {
      const wasEnabled = isEnabled()
      await settings.write(archetypesSettings.downloadPreviews, enabled)
      const check = store.check()
      if (!enabled && check) replace([], check)
      if (!enabled || !publisher || (wasEnabled && !isDue())) return status()
      const refreshed = await refreshOnce(publisher)
      return { ...status(), refreshed }
    },
    async check(): Promise<PreviewStatus> {
      if (!isEnabled() || !publisher) return status()
      const refreshed = await refreshOnce(publisher)
      return { ...status(), refreshed }
    },
  }
}

function explain(error: unknown, { host }: URL): string {
  if (error instanceof Failure || error instanceof CorruptDownload) return error.message
  if (error instanceof HttpRefusal) return `${host} answered with status ${error.status}.`
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full.'
  return `${host} could not be reached (${code ?? (error as Error).message}).`
}
