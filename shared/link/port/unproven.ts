// The connections of a port that have not proven a key yet. A connection to a full port is never refused: another one makes room, chosen so
// that an address can only displace its own connections and those of addresses that hold more.
import type { Socket } from 'node:net'
import type { Clock } from '#shared/runtime/clock.ts'
import { remoteHost } from '../transport/address.ts'
import { limitKey } from './admission.ts'

export type UnprovenLimits = {
  /** Limit for all addresses together. The next connection closes the oldest one of the address with the most. */
  readonly total: number
  /** Limit for connections of one address that are older than `graceMs`. The oldest is closed. */
  readonly perHost: number
  /** Limit for one address, at any age: machines behind one router may all connect at once after a restart. The oldest is closed. */
  readonly perHostBurst: number
  readonly graceMs: number
  /** From one address that name the same enrolled machine. They do not count as unknown, and only they displace each other. */
  readonly perWorker: number
  /** Time from the accepted connection to the proven key, for everything between. */
  readonly deadlineMs: number
}
export const UNPROVEN: UnprovenLimits = {
  total: 256,
  perHost: 16,
  perHostBurst: 64,
  graceMs: 1_000,
  perWorker: 4,
  deadlineMs: 30_000,
}

export type UnprovenPeer = {
  /** It named an enrolled machine. Call it only for a name that this program knows. */
  readonly claim: (workerId: string) => void
  /** Called when it has proven a key: no limit of this table applies from then on. */
  readonly proven: () => void
}
type Entry = { readonly socket: Socket; readonly host: string; readonly since: number; worker: string | null }

export type Unproven = {
  /** Counts the connection until it is proven or closed. */
  readonly add: (socket: Socket) => UnprovenPeer
  readonly cut: () => void
}

export function createUnproven(limits: UnprovenLimits, clock: Clock): Unproven {
  const hosts = new Map<string, Set<Entry>>() // the sets are in order of arrival
  let size = 0

  function forget(entry: Entry): void {
    const entries = hosts.get(entry.host)
    if (!entries?.delete(entry)) return
    size -= 1
    if (entries.size === 0) hosts.delete(entry.host)
  }
  function evict(entry: Entry): void {
    forget(entry)
    entry.socket.destroy()
  }
  const unknownOf = (host: string): Entry[] => [...(hosts.get(host) ?? [])].filter(({ worker }) => worker === null)
  /** The first entries are the oldest. */
  const keepNewest = (entries: readonly Entry[], count: number) => {
    for (const entry of entries.slice(0, Math.max(0, entries.length - count))) evict(entry)
  }
  function makeRoom(): void {
    const [largest] = [...hosts.values()].sort((a, b) => b.size - a.size)
    const entries = [...(largest ?? [])]
    const victim = entries.find(({ worker }) => worker === null) ?? entries[0]
    if (victim) evict(victim)
  }
  const enforceGrace = (host: string) => {
    const now = clock.mono()
    const old = unknownOf(host).filter(({ since }) => now - since >= limits.graceMs)
    keepNewest(old, limits.perHost)
  }

  return {
    add(socket) {
      const host = limitKey(remoteHost(socket))
      const entry: Entry = { socket, host, since: clock.mono(), worker: null }
      if (size >= limits.total) makeRoom()
      const entries = hosts.get(host) ?? new Set()
      hosts.set(host, entries.add(entry))
      size += 1
      keepNewest(unknownOf(host), limits.perHostBurst)
      const cancelGrace = clock.after(limits.graceMs, () => enforceGrace(host))
      const cancelDeadline = clock.after(limits.deadlineMs, () => evict(entry))
      const settle = () => {
        cancelGrace()
        cancelDeadline()
        forget(entry)
      }
      socket.once('close', settle)
      return {
        claim(workerId) {
          entry.worker = workerId
          keepNewest(
            [...entries].filter(({ worker }) => worker === workerId),
            limits.perWorker,
          )
        },
        proven() {
          settle()
          socket.off('close', settle)
        },
      }
    },
    cut() {
      for (const entries of [...hosts.values()]) for (const entry of [...entries]) evict(entry)
    },
  }
}
