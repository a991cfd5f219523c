// The addresses at which machines reach this studio: those that the owner named, or the address of this machine. Named ones are announced, so that
// a studio can move while its old address still works (docs/moving.md).
import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { LOCAL, type Worker, type WorkerStore } from '#control-plane/workers/worker.store.ts'
import { formatAddress, parseAddress } from '#shared/link/transport/address.ts'
import { Failure } from '#shared/protocol/failure.ts'

/** A name of DNS is not longer. With every port it stays below the limit of the message, which a machine would refuse as a whole. */
const HOST_CHARS = 253
type Session = { readonly workerId: string; readonly rotate: () => Promise<boolean> }
type Deps = {
  /** Choice of the owner: HOST or HOST:PORT, none by default. */
  readonly chosen: { readonly read: () => readonly string[]; readonly write: (addresses: readonly string[]) => Promise<void> }
  /** Set by the environment; null for an address of this machine's network. */
  readonly host: string | null
  /** Port for other machines. */
  readonly port: () => number
  readonly workers: Pick<WorkerStore, 'enrolled'>
  /** Machines that this studio dials need no address of it. */
  readonly isDialled: (workerId: string) => boolean
  readonly sessions: () => Iterable<Session>
}
export type Endpoints = ReturnType<typeof createEndpoints>

export function createEndpoints({ chosen, host, port, workers, isDialled, sessions }: Deps) {
  /** The list that each machine got in this run, as a text. A machine that got none in it learns of them when it connects. */
  const known = new Map<string, string>()
  const withPort = (text: string) => (parseAddress(text) ? text : `${isIPv6(text) ? `[${text}]` : text}:${port()}`)
  const named = () => chosen.read().map(withPort)
  const own = () => formatAddress({ host: host ?? primaryAddress(), port: port() })
  const isBehind = (id: string) => known.get(id) !== named().join()
  const behind = (): Worker[] => (named().length === 0 ? [] : workers.enrolled().filter(({ id }) => !isDialled(id) && isBehind(id)))
  /** A machine renews its certificate, and the answer has the addresses. One that cannot be reached does so when it connects again. */
  const announce = (session: Session): void =>
    void session.rotate().then(
      // The answer may have left before the machine ended, or lost its link: it is announced again.
      (isDone) => void (isDone || known.delete(session.workerId)),
      () => void known.delete(session.workerId),
    )

  const view = () => ({
    endpoints: named(),
    own: own(),
    behind: behind().map(({ id, name }) => ({ id, name })),
  })

  return {
    /** Best first; never empty. */
    list: (): readonly string[] => (named().length > 0 ? named() : [own()]),
    withPort,
    view,
    /** An empty list stops the announcement: machines keep the addresses that they know. Throws BAD_REQUEST for a text that is no address. */
    async name(addresses: readonly string[]) {
      for (const text of addresses)
        if ((parseAddress(withPort(text))?.host.length ?? Number.POSITIVE_INFINITY) > HOST_CHARS)
          throw new Failure('BAD_REQUEST', `${text.slice(0, 100)} is no address. Write HOST or HOST:PORT, and [ADDRESS]:PORT for IPv6.`)
      await chosen.write([...new Set(addresses)])
      const waiting = new Set(behind().map(({ id }) => id))
      for (const session of sessions()) if (waiting.has(session.workerId)) announce(session)
      return view()
    },
    /** The addresses for the identity of a machine: none if the owner has named none. */
    announcedTo(workerId: string): string[] {
      if (workerId === LOCAL) return []
      known.set(workerId, named().join())
      return named()
    },
    onConnected(session: Session): void {
      if (behind().some(({ id }) => id === session.workerId)) announce(session)
    },
  }
}

/** The most likely address for connections from other machines. */
function primaryAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'
}
