// The GPU machines this studio dials: one private file for each, with the key this studio made for it alone. A secret stays in it only
// until the machine has bound the key; an identity that works is given up only when a newer one does.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseConnectionString } from '#shared/protocol/connection-string.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'

const PanelIdentity = z.strictObject({
  /** What the machine calls this panel. */
  panelId: z.string(),
  keyPem: z.string(),
  certificatePem: z.string(),
  authorityPem: z.string(),
  /** Keys the machine may answer with. */
  pins: z.array(z.string()).min(1),
  generation: z.number(),
})
const Connection = z.strictObject({
  host: z.string(),
  port: z.number(),
  /** Empty until the machine took us in. */
  workerId: z.string(),
  identity: PanelIdentity.nullable(),
  /** A string that was pasted and not used yet; its key is made first, so that a lost answer can be asked for again. */
  pending: z.strictObject({ secret: z.string(), fingerprint: z.string(), keyPem: z.string() }).nullable(),
})
export type PanelIdentity = z.output<typeof PanelIdentity>
export type Connection = z.output<typeof Connection>
export type Connections = ReturnType<typeof createConnections>

/** As many machines as one person can look after; each costs a loop and a socket. */
const LIMIT = 64
/** What a machine calls the key it issued. */
export const keyIdOf = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 12)
export const endpointOf = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

export function createConnections(dataDir: string, log: Log) {
  const folder = privateFolder(join(dataDir, 'connections'))
  const fileOf = (endpoint: string) => join(folder, `${createHash('sha256').update(endpoint).digest('hex').slice(0, 16)}.json`)
  const connections = new Map<string, Connection>()
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    try {
      const connection = Connection.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')))
      connections.set(endpointOf(connection), connection)
    } catch {
      log.error({ file: name }, 'a connection to a machine cannot be read and is left out; paste a new string for it')
    }
  }

  function write(connection: Connection): Connection {
    const endpoint = endpointOf(connection)
    writeAtomic(fileOf(endpoint), `${JSON.stringify(connection, null, 1)}\n`)
    connections.set(endpoint, connection)
    return connection
  }

  return {
    all: (): Connection[] => [...connections.values()],
    /** Whether this worker is a machine that we dial. */
    serves: (workerId: string): boolean => [...connections.values()].some((connection) => connection.workerId === workerId),
    get: (endpoint: string): Connection | undefined => connections.get(endpoint),
    /** Takes a pasted string, beside what is known of its machine already. Throws BAD_REQUEST with what is wrong with it. */
    paste(text: string, keyPem: string): Connection {
      const { host, port, secret, fingerprint } = parseConnectionString(text)
      const known = connections.get(endpointOf({ host, port }))
      if (!known && connections.size >= LIMIT) throw new Failure('CONFLICT', `No more than ${LIMIT} machines can be dialled; remove one.`)
      const identity = known?.identity ?? null
      // The same string once more: the machine knows the key that used it, and takes no other.
      const ownKey = identity?.panelId === keyIdOf(secret) ? identity.keyPem : keyPem
      return write({ host, port, workerId: known?.workerId ?? '', identity, pending: { secret, fingerprint, keyPem: ownKey } })
    },
    /** The machine took us in, or certified our key anew: from now on this is who we are there. */
    bound(endpoint: string, workerId: string, identity: PanelIdentity): Connection {
      const connection = connections.get(endpoint)
      if (!connection) throw new Failure('NOT_FOUND', 'There is no such connection any more.')
      return write({ ...connection, workerId, identity, pending: null })
    },
    /** The pasted string was refused for good. */
    refused(endpoint: string): void {
      const connection = connections.get(endpoint)
      if (connection?.pending) write({ ...connection, pending: null })
    },
    remove(endpoint: string): void {
      connections.delete(endpoint)
      rmSync(fileOf(endpoint), { force: true })
    },
  }
}
