// The missing models and the running downloads, read once for all places of a page that offer an installation. The events of downloads are
// followed only while one of these models is on its way.

import type { DownloadEvent } from '#control-plane/features/machines/models/download-events.schema.ts'
import { at } from '../at.ts'
import { get, post } from '../lib/api.ts'
import type { ModelCatalogue, NeedEntry } from '../lib/api-types.ts'
import { useEffect, useState } from '../lib/html.ts'
import { whileVisible } from '../lib/live.ts'
import type { Download } from '../pages/setup/downloads.ts'
import { afterEvent } from '../pages/setup/downloads.ts'

export type Missing = {
  /** null until they are read */
  models: ModelCatalogue | null
  needs: readonly NeedEntry[] | null
  /** by model */
  downloads: ReadonlyMap<string, Download>
}

const RETRY_MS = 2000
/** Phases after which the lists have changed. */
const ENDS = ['install_done', 'install_cancelled', 'install_error', 'delete_done']
/** The machine names what it can do a moment after an installation. */
const SETTLE_MS = 1500

let state: Missing = { models: null, needs: null, downloads: new Map() }
const watchers = new Set<(state: Missing) => void>()
let stream: ReturnType<typeof whileVisible> | null = null
let reading: Promise<void> | null = null

function change(more: Partial<Missing>) {
  state = { ...state, ...more }
  for (const watch of watchers) watch(state)
}

const isUnderWay = ({ models }: Missing) =>
  models?.models.some(({ installing, download }) => installing || download?.state === 'queued') ?? false

/** Reads both lists; requests that arrive meanwhile share the answer. */
export function readMissing() {
  reading ??= Promise.all([get('/models'), get('/models/needs')])
    .then(([models, { needs }]) => change({ models, needs }))
    .then(follow)
    .finally(() => {
      reading = null
    })
  return reading
}
/** A page that waits for the lists goes on without them. */
const readQuietly = () => void readMissing().catch(() => state.needs === null && change({ needs: [] }))

function arrived({ data }: MessageEvent<string>) {
  const event: DownloadEvent = JSON.parse(data)
  const downloads = new Map(state.downloads)
  const next = afterEvent(downloads.get(event.repo_id), event)
  if (next) downloads.set(event.repo_id, next)
  else downloads.delete(event.repo_id)
  change({ downloads })
  if (!ENDS.includes(event.phase)) return
  readQuietly()
  setTimeout(readQuietly, SETTLE_MS)
}

function follow() {
  if (!isUnderWay(state) || watchers.size === 0) return leave()
  stream ??= whileVisible(() => {
    const source = new EventSource(at('/setup/download-stream'))
    source.onmessage = arrived
    // What ended before the connection sends no event.
    source.onopen = readQuietly
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) setTimeout(() => stream?.again(), RETRY_MS)
    }
    return source
  })
}

function leave() {
  stream?.close()
  stream = null
  if (state.downloads.size > 0) change({ downloads: new Map() })
}

/** Starts the download of a model. Throws why the studio refuses. */
export async function install(repo_id: string, accept_licence: boolean, isAgain: boolean) {
  // A person who asks again does not wait for the pause that follows a failure.
  if (isAgain) await post('/models/install/cancel', { repo_id })
  await post('/models/install', { repo_id, accept_licence })
  await readMissing()
}

export async function cancelInstall(repo_id: string) {
  await post('/models/install/cancel', { repo_id })
  await readMissing()
}

/** Reads at first sight, and again when the page is looked at again. */
export function useMissing(): Missing {
  const [now, set] = useState(state)
  useEffect(() => {
    watchers.add(set)
    const back = () => document.hidden || readQuietly()
    document.addEventListener('visibilitychange', back)
    set(state)
    readQuietly()
    return () => {
      watchers.delete(set)
      document.removeEventListener('visibilitychange', back)
      if (watchers.size === 0) leave()
    }
  }, [])
  return now
}
