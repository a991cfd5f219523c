// Resolves names of strangers to connections: each name is resolved once, and only addresses that are allowed are connected to.
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Failure } from '#shared/protocol/failure.ts'
import { isLocalNetworkAddress, isPublicAddress } from './public-address.ts'

export type ForeignAddress = { readonly address: string; readonly family: number }
export type ForeignNetwork = {
  readonly resolve: (host: string) => Promise<readonly ForeignAddress[]>
  readonly isAllowed: (address: string) => boolean
}
export const INTERNET: ForeignNetwork = { resolve: (host) => systemLookup(host, { all: true }), isAllowed: isPublicAddress }
/** The Internet and the private networks around this machine; never this machine itself. */
export const INTERNET_AND_LOCAL_NETWORK: ForeignNetwork = {
  ...INTERNET,
  isAllowed: (address) => isPublicAddress(address) || isLocalNetworkAddress(address),
}
const NAMES = 4096

/** Answers every lookup of a connection with the addresses that were checked. */
export const fixedLookup =
  (addresses: readonly ForeignAddress[]): LookupFunction =>
  (_host, options, done) => {
    if (options.all) done(null, [...addresses])
    else done(null, addresses[0]!.address, addresses[0]!.family)
  }

/** The addresses of a host, all of which are allowed. Throws HOST_NOT_FOUND, DOWNLOAD_REFUSED. */
export type HostAddresses = (host: string) => Promise<readonly ForeignAddress[]>

/** Resolves each name once: another answer of the name server changes nothing. `host`: a name, or an address as in a URL. */
export function createHostAddresses({ resolve, isAllowed }: ForeignNetwork): HostAddresses {
  const known = new Map<string, Promise<readonly ForeignAddress[]>>()
  async function find(host: string): Promise<readonly ForeignAddress[]> {
    const family = isIP(host)
    const found = family
      ? [{ address: host, family }]
      : await resolve(host).catch((cause: unknown) => {
          throw new Failure('HOST_NOT_FOUND', `The address of ${host} was not found. This machine may be offline.`, {
            cause,
            values: { host },
          })
        })
    if (found.length > 0 && found.every(({ address }) => isAllowed(address))) return found
    throw new Failure('DOWNLOAD_REFUSED', `${host} has an address that does not belong to the Internet.`)
  }
  return (name) => {
    const host = name.replace(/^\[(.*)\]$/, '$1').toLowerCase()
    const before = known.get(host)
    if (before) return before
    if (known.size >= NAMES) known.clear()
    const found = find(host)
    known.set(host, found)
    // A name server that did not answer may answer later.
    found.catch(() => known.delete(host))
    return found
  }
}
