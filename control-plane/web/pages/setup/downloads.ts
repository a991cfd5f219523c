// Progress of model downloads, from one stream of events. After a broken connection the next event carries the current sums.

import type { DownloadEvent } from '#control-plane/features/machines/models/download-events.schema.ts'
import { at } from '#control-plane/web/at.ts'
import type { ModelEntry } from '#control-plane/web/lib/api-types.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { whileVisible } from '#control-plane/web/lib/live.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { strings } from '#messages/start/setup.ts'

export type Download = {
  /** bytes */
  done: number
  /** bytes; 0 while unknown */
  total: number
  /** bytes a second */
  rate: number
  /** seconds */
  eta: number | null
  files: number
  allFiles: number
  note: string
  /** id of the machine */
  target: string
  /** by file */
  arrived: Readonly<Record<string, { bytes: number; isComplete: boolean }>>
}

const RETRY_MS = 2000
const ENDS = ['install_done', 'install_cancelled', 'install_error', 'delete_done']
const NOTHING: Download = { done: 0, total: 0, rate: 0, eta: null, files: 0, allFiles: 0, note: '', target: 'local', arrived: {} }

export const pendingDownload = (note: string): Download => ({ ...NOTHING, note })

/**
 * Sums arrive seldom. The events of single files are added to them, for the case that one file arrives fast and the next one stalls.
 */
function withFile(
  before: Download,
  { filename, downloaded, isComplete }: { filename: string; downloaded: number; isComplete: boolean },
): Download {
  const arrived = { ...before.arrived, [filename]: { bytes: downloaded, isComplete } }
  const files = Object.values(arrived)
  const sum = files.reduce((all, { bytes }) => all + bytes, 0)
  return {
    ...before,
    arrived,
    note: '',
    done: Math.max(before.done, Math.min(before.total, sum)),
    files: Math.max(before.files, files.filter((file) => file.isComplete).length),
  }
}

/** Pure: the download of one model after an event; null when nothing is left to show. */
export function afterEvent(now: Download | undefined, event: DownloadEvent): Download | null {
  const before = { ...NOTHING, ...now, target: event.target }
  switch (event.phase) {
    case 'install_start':
      return { ...NOTHING, target: event.target, note: strings.starting }
    case 'resolving':
      return { ...before, note: strings.planning }
    case 'install_plan':
      return { ...before, done: event.cached_bytes, total: event.total_bytes, allFiles: event.n_files, note: '' }
    case 'start':
    case 'progress':
    case 'done':
      return withFile(before, { ...event, isComplete: event.phase === 'done' })
    case 'aggregate':
      return {
        ...before,
        done: Math.max(before.done, event.bytes_done),
        total: event.total_bytes,
        rate: event.rate,
        eta: event.eta_seconds,
        files: Math.max(before.files, event.files_done),
        allFiles: event.files_total,
        note: '',
      }
    case 'install_retry':
      return { ...before, note: strings.retrying(event.attempt, serverSentence(event.error).replace(/\.$/, '')) }
    case 'install_error': // the list of models has the reason
    case 'install_done':
    case 'install_cancelled':
    case 'delete_done':
      return null
    default:
      return before // a phase of a later version
  }
}

/** Model id -> its download. `onChange`: an installation has begun or ended, so the lists have changed. `target`: the machine, the same for as long as it is shown */
export function useDownloads(onChange: () => void, target: string = 'local') {
  const [downloads, setDownloads] = useState(() => new Map() as Map<string, Download>)
  useEffect(() => {
    let wasOpen = false
    const running = new Set()
    const opened = () => {
      // Events of the time without a connection are not sent again: a download may have ended in it, also before the first one.
      if (wasOpen) {
        setDownloads(new Map())
        running.clear()
      }
      wasOpen = true
      onChange()
    }
    const arrived = ({ data }: MessageEvent<string>) => {
      const event: DownloadEvent = JSON.parse(data)
      setDownloads((all) => {
        const download = afterEvent(all.get(event.repo_id), event)
        const next = new Map(all)
        if (download === null) next.delete(event.repo_id)
        else next.set(event.repo_id, download)
        return next
      })
      // The first event of an installation can be any: those before it may not have arrived.
      const isEnd = ENDS.includes(event.phase)
      if (isEnd || !running.has(event.repo_id)) onChange()
      if (isEnd) running.delete(event.repo_id)
      else running.add(event.repo_id)
    }
    const stream = whileVisible(() => {
      const source = new EventSource(at(`/setup/download-stream?target=${encodeURIComponent(target)}`))
      source.onopen = opened
      source.onmessage = arrived
      // The browser connects again by itself, unless the studio refused, as it does while it starts.
      source.onerror = () => {
        if (source.readyState === EventSource.CLOSED) setTimeout(stream.again, RETRY_MS)
      }
      return source
    })
    return stream.close
  }, [])
  return downloads
}

/** A file differs from what the catalogue or the server announces. */
const DAMAGED = 'INPUT_CORRUPT'

export function phaseOf(
  { download, installing, installed, incomplete }: ModelEntry,
  progress: Download | undefined,
): 'queued' | 'downloading' | 'failed' | 'damaged' | 'installed' | 'partly' | 'none' {
  if (download?.state === 'queued' && !(progress && progress.total > 0)) return 'queued'
  if (progress || installing || (download !== null && download.state !== 'failed')) return 'downloading'
  if (installed) return 'installed'
  if (download?.state === 'failed') return download.code === DAMAGED ? 'damaged' : 'failed'
  return incomplete ? 'partly' : 'none'
}
