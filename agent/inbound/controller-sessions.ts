// The sessions of controllers that dialled this machine, and the recent events: connected, disconnected, removed by the owner, rejected.
import type { InboundView } from '#shared/protocol/agent-control.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'

type Event = InboundView['events'][number]
export type ControllerSessions = ReturnType<typeof createControllerSessions>
type Session = {
  readonly id: string
  readonly keyId: string
  readonly label: string
  readonly peer: string
  readonly at: number
  tasksRun: number
  readonly cut: () => void
}

const EVENT_LIMIT = 200
/** Per key. A controller needs one, and a second until the first is detected as dead. */
const MAX_SESSIONS = 4
const COOLDOWN_MS = 60_000
/** Repeated rejections of one caller count once in this time, so that they do not push out other events. */
const SAME_REJECTION_MS = 60_000

export function createControllerSessions({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
  const sessions = new Map<string, Session>()
  const cooldowns = new Map<string, number>()
  const rejections = new Map<string, number>()
  let events: Event[] = []

  const record = (kind: Event['kind'], label: string, peer: string, detail: string): void => {
    events = [{ at: clock.now() / 1000, kind, label, peer, detail: detail.slice(0, 300) }, ...events].slice(0, EVENT_LIMIT)
  }
  const cutAll = (keyId: string, detail: string): void => {
    for (const session of [...sessions.values()]) {
      if (session.keyId !== keyId) continue
      sessions.delete(session.id)
      record('kicked', session.label, session.peer, detail)
      session.cut()
    }
  }

  return {
    get: (sessionId: string): { readonly keyId: string } | null => sessions.get(sessionId) ?? null,
    /** Milliseconds until that key may connect again; 0 when it may now. */
    cooldown: (keyId: string): number => Math.max(0, (cooldowns.get(keyId) ?? 0) - clock.mono()),
    /** Returns a function to call when the session ends. */
    connected(keyId: string, label: string, peer: string, cut: () => void): () => void {
      const own = [...sessions.values()].filter((session) => session.keyId === keyId)
      if (own.length >= MAX_SESSIONS) own[0]!.cut()
      const session: Session = { id: random.hex(8), keyId, label, peer, at: clock.now(), tasksRun: 0, cut }
      sessions.set(session.id, session)
      record('connected', label, peer, '')
      return () => {
        // A session that was cut already has its event.
        if (sessions.delete(session.id)) record('disconnected', label, peer, '')
      }
    },
    /** `peer`: host and port, or the host alone. */
    rejected(label: string, peer: string, detail: string): void {
      const now = clock.mono()
      const rejection = `${label} ${peer.replace(/:\d+$/, '')} ${detail.replace(/\b\d{1,9} s/, '')}`
      if (now - (rejections.get(rejection) ?? Number.NEGATIVE_INFINITY) < SAME_REJECTION_MS) return
      if (rejections.size >= EVENT_LIMIT) rejections.delete(rejections.keys().next().value!)
      rejections.delete(rejection)
      rejections.set(rejection, now)
      record('rejected', label, peer, detail)
    },
    countTask(keyId: string): void {
      const newest = [...sessions.values()].findLast((session) => session.keyId === keyId)
      if (newest) newest.tasksRun++
    },
    /** Cuts every session of the key and refuses it for a minute. */
    kick(keyId: string): void {
      cooldowns.set(keyId, clock.mono() + COOLDOWN_MS)
      cutAll(keyId, 'Disconnected by the owner.')
    },
    cutAll,
    connectedKeys: (): readonly string[] => [...new Set([...sessions.values()].map(({ keyId }) => keyId))],
    sessions: (): InboundView['sessions'] =>
      [...sessions.values()].map(({ id, keyId, label, peer, at, tasksRun }) => ({
        session_id: id,
        key_id: keyId,
        label,
        peer,
        connected_at: at / 1000,
        tasks_run: tasksRun,
      })),
    events: (): readonly Event[] => events,
  }
}
