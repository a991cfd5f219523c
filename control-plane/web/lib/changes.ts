// Changes of objects, as the studio reports them on one socket for the page: which object changed, and not how. The socket is open while the
// tab is visible, something listens, and the studio can be reached.
import { wholeAddress } from '../at.ts'
import { fieldOf } from './api.ts'
import { useEffect, useRef } from './html.ts'
import { onReach } from './live.ts'

/** `id`: '' if the whole collection changed, or events were lost */
export type ObjectChange = { action: string; id: string }
type Listener = (kind: string, change: ObjectChange) => void

const RETRY_MS = 2000
const listeners: Set<Listener> = new Set()
let socket: WebSocket | null = null
let canReach = false
let stopFollowing: (() => void) | null = null

const tell = (kind: string, change: ObjectChange) => {
  for (const listener of listeners) listener(kind, change)
}
const textOf = (event: unknown, field: string) => {
  const value = fieldOf(event, field)
  return typeof value === 'string' ? value : ''
}

function read({ data }: MessageEvent) {
  const event: unknown = JSON.parse(String(data))
  const kind = textOf(event, 'kind')
  if (kind === 'reset') tell('', { action: '', id: '' })
  else if (kind !== 'ping') tell(kind, { action: textOf(event, 'action'), id: textOf(event, 'id') })
}

function settle() {
  const isWanted = listeners.size > 0 && canReach && !document.hidden
  if (!isWanted) {
    socket?.close()
    socket = null
    return
  }
  if (socket) return
  const own = new WebSocket(wholeAddress('/ws/events').replace('http', 'ws'))
  socket = own
  own.onmessage = read
  own.onopen = () => {
    // What happened without a socket is not known, also between the first reads of the page and now.
    tell('', { action: '', id: '' })
  }
  own.onclose = () => {
    if (socket !== own) return
    socket = null
    setTimeout(settle, RETRY_MS)
  }
}

/** Calls `run` for each change of a kind of object. */
export function useChanges(kind: string, run: (change: ObjectChange) => void) {
  const newest = useRef(run)
  newest.current = run
  useEffect(() => {
    const listener: Listener = (of, change) => {
      if (of === kind || of === '') newest.current(change)
    }
    listeners.add(listener)
    document.addEventListener('visibilitychange', settle)
    stopFollowing ??= onReach((can) => {
      canReach = can
      settle()
    })
    settle()
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      document.removeEventListener('visibilitychange', settle)
      stopFollowing?.()
      stopFollowing = null
      settle()
    }
  }, [kind])
}
