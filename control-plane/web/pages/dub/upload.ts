// One film on its way to the studio. It belongs to the tab and not to the page, so it goes on while other pages are shown.
import { at } from '#control-plane/web/at.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { keepTab } from '#control-plane/web/lib/later.tsx'
import { strings } from '#messages/create/dub.ts'
import { strings as shared } from '#messages/shared.ts'
import type { Choice } from '../dub-start/choice.ts'

export type Upload = {
  phase: 'idle' | 'sending' | 'done' | 'failed'
  /** name of the file */
  name: string
  /** bytes */
  sent: number
  /** bytes */
  size: number
  /** pressed during the upload: the dub begins at its end */
  wanted: Choice | null
  /** id of the new dub, '' until it exists */
  dub: string
  error: string
}

/** Files that the studio takes as a recording; it reads everything else as a film. */
const RECORDING = /\.(?:wav|mp3|m4a|aac|flac|ogg|opus|wma)$/i
const IDLE: Upload = { phase: 'idle', name: '', sent: 0, size: 0, wanted: null, dub: '', error: '' }
let state = IDLE
let running: XMLHttpRequest | null = null
keepTab(() => running !== null)
const watchers: Set<(state: Upload) => void> = new Set()

function change(more: Partial<Upload>) {
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

/** The sentence of a refusal. */
function refusal({ status, responseText }: XMLHttpRequest) {
  try {
    const { detail, hint } = JSON.parse(responseText)
    if (typeof detail === 'string') return [detail, hint].filter((one) => typeof one === 'string').join(' ')
  } catch {
    // Not an answer of the studio.
  }
  return shared.httpStatus(status)
}

/** Fetch reports no progress of a body. */
export function sendFilm(file: File) {
  cancelUpload()
  const sender = new XMLHttpRequest()
  running = sender
  change({ ...IDLE, phase: 'sending', name: file.name, size: file.size })
  const form = new FormData()
  form.append('input_type', RECORDING.test(file.name) ? 'audio' : 'video')
  form.append('video', file)
  const end = (more: Partial<Upload>) => {
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

/** The dub begins when the film has arrived. */
export const beginAfterUpload = (wanted: Choice) => change({ wanted })

/** Back to an empty page. */
export function cancelUpload() {
  const sender = running
  running = null
  sender?.abort()
  change(IDLE)
}
