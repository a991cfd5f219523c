// What the machines tell of the models they fetch: one stream of events, and what it means for each model. After a broken connection the next
// event tells again how far it is.
import { useEffect, useState } from '../html.js'

const ENDED = ['install_done', 'install_cancelled', 'install_error', 'delete_done']
const NOTHING = { done: 0, total: 0, rate: 0, eta: null, files: 0, allFiles: 0, words: '', error: '', target: 'local', arrived: {} }

/** The sums come seldom: what is told of single files goes ahead of them when one file came fast and the next one stalls. */
function withFile(before, { phase, filename, downloaded }) {
  const arrived = { ...before.arrived, [filename]: { bytes: downloaded, whole: phase === 'done' } }
  const files = Object.values(arrived)
  const sum = files.reduce((all, { bytes }) => all + bytes, 0)
  return {
    ...before,
    arrived,
    words: '',
    done: Math.max(before.done, Math.min(before.total, sum)),
    files: Math.max(before.files, files.filter(({ whole }) => whole).length),
  }
}

/** Pure: the state of one model after an event; null when there is nothing more to show. */
export function after(now, event) {
  const before = { ...NOTHING, ...now, target: event.target, error: '' }
  switch (event.phase) {
    case 'install_start':
      return { ...NOTHING, target: event.target, words: 'It begins.' }
    case 'resolving':
      return { ...before, words: 'Looking at what must be fetched.' }
    case 'install_plan':
      return { ...before, done: event.cached_bytes ?? 0, total: event.total_bytes ?? 0, allFiles: event.n_files ?? 0, words: '' }
    case 'start':
    case 'progress':
    case 'done':
      return withFile(before, event)
    case 'aggregate':
      return {
        ...before,
        done: Math.max(before.done, event.bytes_done),
        total: event.total_bytes,
        rate: event.rate,
        eta: event.eta_seconds,
        files: Math.max(before.files, event.files_done),
        allFiles: event.files_total,
        words: '',
      }
    case 'install_retry':
      return { ...before, words: `Try ${event.attempt} failed: ${event.error}. It goes on by itself.` }
    case 'install_error':
      return { ...NOTHING, target: event.target, error: event.error }
    case 'install_done':
    case 'install_cancelled':
    case 'delete_done':
      return null
    default:
      return before
  }
}

/** Model id -> how far it is. `onEnd`: something was installed, given up or removed, so what is here has changed. */
export function useDownloads(onEnd) {
  const [models, setModels] = useState(() => new Map())
  useEffect(() => {
    const stream = new EventSource('/setup/download-stream')
    let wasOpen = false
    stream.onopen = () => {
      // What happened while nobody listened is not told again.
      if (wasOpen) onEnd()
      wasOpen = true
    }
    stream.onmessage = ({ data }) => {
      const event = JSON.parse(data)
      setModels((all) => {
        const state = after(all.get(event.repo_id), event)
        const next = new Map(all)
        if (state === null) next.delete(event.repo_id)
        else next.set(event.repo_id, state)
        return next
      })
      if (ENDED.includes(event.phase)) onEnd()
    }
    return () => stream.close()
  }, [])
  return models
}
