// @ts-check
// One film on its way to the studio. It belongs to the tab and not to the page, so it goes on while other pages are shown.
import { at } from '../../at.js'
import { useEffect, useState } from '../../lib/html.js'
import { strings as shared } from '../../lib/strings.js'
import { strings } from './strings.js'

/**
 * @typedef {object} Upload
 * @property {'idle' | 'sending' | 'done' | 'failed'} phase
 * @property {string} name of the file
 * @property {number} sent bytes
 * @property {number} size bytes
 * @property {string} dub id of the new dub, '' until it exists
 * @property {string} error
 */

/** What the studio takes as a recording; it reads everything else as a film. */
const RECORDING = /\.(?:wav|mp3|m4a|aac|flac|ogg|opus|wma)$/i
/** @type {Upload} */
const IDLE = { phase: 'idle', name: '', sent: 0, size: 0, dub: '', error: '' }
let state = IDLE
/** @type {XMLHttpRequest | null} */
let running = null
/** @type {Set<(state: Upload) => void>} */
const watchers = new Set()

/** @param {Partial<Upload>} more */
function change(more) {
  state = { ...state, ...more }
  for (const watch of watchers) watch(state)
}

/** The component is drawn again with every change. */
export function useUpload() {
  const [now, setNow] = useState(state)
  useEffect(() => {
    watchers.add(setNow)
    setNow(state)
    return () => void watchers.delete(setNow)
  }, [])
  return now
}

/** The sentence of a refusal. @param {XMLHttpRequest} sender */
function refusal({ status, responseText }) {
  try {
    const { detail, hint } = JSON.parse(responseText)
    if (typeof detail === 'string') return [detail, hint].filter((one) => typeof one === 'string').join(' ')
  } catch {
    // Not an answer of the studio.
  }
  return shared.httpStatus(status)
}

/** Fetch reports no progress of a body. @param {File} file */
export function sendFilm(file) {
  cancelUpload()
  const sender = new XMLHttpRequest()
  running = sender
  change({ ...IDLE, phase: 'sending', name: file.name, size: file.size })
  const form = new FormData()
  form.append('input_type', RECORDING.test(file.name) ? 'audio' : 'video')
  form.append('video', file)
  const end = (/** @type {Partial<Upload>} */ more) => {
    if (running !== sender) return
    running = null
    change(more)
  }
  sender.upload.onprogress = ({ loaded }) => running === sender && change({ sent: Math.min(file.size, loaded) })
  sender.onerror = () => end({ phase: 'failed', error: `${shared.unreachable} ${strings.stillThere}` })
  sender.onload = () => {
    if (sender.status !== 202) return end({ phase: 'failed', error: refusal(sender) })
    end({ phase: 'done', dub: String(JSON.parse(sender.responseText).job_id) })
  }
  sender.open('POST', at('/dub/upload'))
  sender.setRequestHeader('x-svc-csrf', '1')
  sender.send(form)
}

/** Back to an empty page. */
export function cancelUpload() {
  const sender = running
  running = null
  sender?.abort()
  change(IDLE)
}
