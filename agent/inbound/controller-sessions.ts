// Who is attached to this machine now, who was, and who was turned away.
import type { InboundView } from '#shared/protocol/agent-control.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'

type Event = InboundView['events'][number]
export type Attached = ReturnType<typeof createAttached>
type Session = {
  readonly id: string
  readonly keyId: string
  readonly label: string
  readonly peer: string
  readonly at: number
  tasksRun: number
  readonly cut: () => void
}

const REMEMBERED = 200
/** Of one key. A panel needs one, and a second while the first is not known to be dead. */
const MAX_SESSIONS = 4
const COOLDOWN_MS = 60_000
/** A stranger who knocks again and again is told once in this time: its noise must not push out what the owner wants to see. */
const SAME_REJECTION_MS = 60_000

export function createAttached({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
  const sessions = new Map<string, Session>()
  const cooling = new Map<string, number>()
  const rejections = new Map<string, number>()
  let events: Event[] = []

  const tell = (kind: Event['kind'], label: string, peer: string, detail: string): void => {
    events = [{ at: clock.now() / 1000, kind, label, peer, detail: detail.slice(0, 300) }, ...events].slice(0, REMEMBERED)
  }
  const cutAll = (keyId: string, detail: string): void => {
    for (const session of [...sessions.values()]) {
      if (session.keyId !== keyId) continue
      sessions.delete(session.id)
      tell('kicked', session.label, session.peer, detail)
      session.cut()
    }
  }

  return {
    get: (sessionId: string): { readonly keyId: string } | null => sessions.get(sessionId) ?? null,
    /** Milliseconds until that key may come again; 0 when it may now. */
    cooldown: (keyId: string): number => Math.max(0, (cooling.get(keyId) ?? 0) - clock.mono()),
    /** Answers with what to call when it is over. */
    connected(keyId: string, label: string, peer: string, cut: () => void): () => void {
      const own = [...sessions.values()].filter((session) => session.keyId === keyId)
      if (own.length >= MAX_SESSIONS) own[0]!.cut()
      const session: Session = { id: random.hex(8), keyId, label, peer, at: clock.now(), tasksRun: 0, cut }
      sessions.set(session.id, session)
      tell('connected', label, peer, '')
      return () => {
        // Whoever was cut has had its event.
        if (sessions.delete(session.id)) tell('disconnected', label, peer, '')
      }
    },
    /** `peer`: host and port, or the host alone. */
    rejected(label: string, peer: string, detail: string): void {
      const now = clock.mono()
      const knock = `${label} ${peer.replace(/:\d+$/, '')} ${detail.replace(/\d+ s/, '')}`
      if (now - (rejections.get(knock) ?? Number.NEGATIVE_INFINITY) < SAME_REJECTION_MS) return
      if (rejections.size >= REMEMBERED) rejections.delete(rejections.keys().next().value!)
      rejections.delete(knock)
      rejections.set(knock, now)
      tell('rejected', label, peer, detail)
    },
    ran(keyId: string): void {
      const newest = [...sessions.values()].findLast((session) => session.keyId === keyId)
      if (newest) newest.tasksRun++
    },
    /** Cuts every session of the key and keeps it out for a minute. */
    kick(keyId: string): void {
      cooling.set(keyId, clock.mono() + COOLDOWN_MS)
      cutAll(keyId, 'disconnected by the owner')
    },
    cutAll,
    everybody: (): readonly string[] => [...new Set([...sessions.values()].map(({ keyId }) => keyId))],
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
