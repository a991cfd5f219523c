// @ts-check
// Progress of model downloads, from one stream of events. After a broken connection the next event carries the current sums.
import { at } from '../../at.js'
import { useEffect, useState } from '../../lib/html.js'
import { whileVisible } from '../../lib/live.js'
import { strings } from './strings.js'

/** @import { ModelEvent } from '../../lib/api-types.ts' */
/**
 * @typedef {object} Download
 * @property {number} done bytes
 * @property {number} total bytes; 0 while unknown
 * @property {number} rate bytes a second
 * @property {number | null} eta seconds
 * @property {number} files
 * @property {number} allFiles
 * @property {string} note
 * @property {string} target id of the machine
 * @property {Readonly<Record<string, { bytes: number, isComplete: boolean }>>} arrived by file
 */

const RETRY_MS = 2000
const ENDS = ['install_done', 'install_cancelled', 'install_error', 'delete_done']
/** @type {Download} */
const NOTHING = { done: 0, total: 0, rate: 0, eta: null, files: 0, allFiles: 0, note: '', target: 'local', arrived: {} }

/** @param {string} note @returns {Download} */
export const pendingDownload = (note) => ({ ...NOTHING, note })

/**
 * Sums arrive seldom. The events of single files are added to them, for the case that one file arrives fast and the next one stalls.
 * @param {Download} before
 * @param {{ filename: string, downloaded: number, isComplete: boolean }} file
 * @returns {Download}
 */
function withFile(before, { filename, downloaded, isComplete }) {
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

/**
 * Pure: the download of one model after an event; null when nothing is left to show.
 * @param {Download | undefined} now
 * @param {ModelEvent} event
 * @returns {Download | null}
 */
export function afterEvent(now, event) {
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
      return { ...before, note: strings.retrying(event.attempt, event.error) }
    case 'install_error': // the list of models has the reason
    case 'install_done':
    case 'install_cancelled':
    case 'delete_done':
      return null
    default:
      return before // a phase of a later version
  }
}

/**
 * Model id -> its download.
 * @param {() => void} onChange an installation has begun or ended, so the lists have changed
 */
export function useDownloads(onChange) {
  const [downloads, setDownloads] = useState(() => /** @type {Map<string, Download>} */ (new Map()))
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
    const arrived = (/** @type {MessageEvent<string>} */ { data }) => {
      /** @type {ModelEvent} */
      const event = JSON.parse(data)
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
      const source = new EventSource(at('/setup/download-stream'))
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
