// The GPU machines that this studio dials: one private entry for each, with a key that is used for that machine alone. A secret stays in
// it only until the machine has bound the key; a working identity is replaced only by a newer working one.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseConnectionString } from '#shared/protocol/codes/connection-string.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Keys } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'

/** Earlier versions also stored `pins`, which the machine had named; its key is now that of the worker, which it proves. */
const ControllerIdentity = z.object({
  /** The machine's id for this studio. */
  panelId: z.string(),
  keyPem: z.string(),
  certificatePem: z.string(),
  authorityPem: z.string(),
  generation: z.number(),
})
const Connection = z.strictObject({
  host: z.string(),
  port: z.number(),
  /** Empty until the machine has accepted this studio. */
  workerId: z.string(),
  identity: ControllerIdentity.nullable(),
  /** A string that was pasted and not redeemed yet. Its key is stored first, so that the request can be repeated after a lost answer. */
  pending: z.strictObject({ secret: z.string(), fingerprint: z.string(), keyPem: z.string() }).nullable(),
})
export type ControllerIdentity = z.output<typeof ControllerIdentity>
export type Connection = z.output<typeof Connection>
export type Connections = Awaited<ReturnType<typeof openConnections>>

/** Each machine costs a loop and a socket. */
const LIMIT = 64
/** The machine's id for a key it issued. */
export const keyIdOf = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 12)
export const endpointOf = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

export async function openConnections(keys: Keys, log: Log) {
  const nameOf = (endpoint: string) => `connections/${createHash('sha256').update(endpoint).digest('hex').slice(0, 16)}.json`
  const connections = new Map<string, Connection>()
  for (const name of (await keys.list('connections/')).filter((file) => file.endsWith('.json'))) {
    try {
      const connection = Connection.parse(JSON.parse(String(await keys.read(name))))
      connections.set(endpointOf(connection), connection)
    } catch {
      log.error({ file: name }, 'a connection to a machine cannot be read and is left out; paste a new string for it')
    }
  }
  /** Each change starts from what the one before has written. */
  const inTurn = createSerialQueue()

  async function write(connection: Connection): Promise<Connection> {
    const endpoint = endpointOf(connection)
    await keys.write(nameOf(endpoint), `${JSON.stringify(connection, null, 1)}\n`)
    connections.set(endpoint, connection)
    return connection
  }

  return {
    all: (): Connection[] => [...connections.values()],
    /** True if this worker is a machine that this studio dials. */
    serves: (workerId: string): boolean => [...connections.values()].some((connection) => connection.workerId === workerId),
    get: (endpoint: string): Connection | undefined => connections.get(endpoint),
    /** Stores a pasted string beside the identity its machine may have already. Rejects with BAD_REQUEST and the reason, CONFLICT at the limit. */
    paste: (text: string, keyPem: string): Promise<Connection> =>
      inTurn(async () => {
        const { host, port, secret, fingerprint } = parseConnectionString(text)
        const existing = connections.get(endpointOf({ host, port }))
        if (!existing && connections.size >= LIMIT)
          throw new Failure('CONFLICT', `No more than ${LIMIT} machines can be dialled; remove one.`)
        const identity = existing?.identity ?? null
        // The same string again: the machine has bound the key that redeemed it and accepts no other.
        const ownKey = identity?.panelId === keyIdOf(secret) ? identity.keyPem : keyPem
        return write({ host, port, workerId: existing?.workerId ?? '', identity, pending: { secret, fingerprint, keyPem: ownKey } })
      }),
    /** The machine accepted this studio, or renewed its certificate. Rejects with NOT_FOUND for one that was removed. */
    bound: (endpoint: string, workerId: string, identity: ControllerIdentity): Promise<Connection> =>
      inTurn(async () => {
        const connection = connections.get(endpoint)
        if (!connection) throw new Failure('NOT_FOUND', 'There is no such connection.')
        return write({ ...connection, workerId, identity, pending: null })
      }),
    /** The machine refused the pasted string permanently. */
    refused: (endpoint: string): Promise<void> =>
      inTurn(async () => {
        const connection = connections.get(endpoint)
        if (connection?.pending) await write({ ...connection, pending: null })
      }),
    remove: (endpoint: string): Promise<void> =>
      inTurn(async () => {
        connections.delete(endpoint)
        await keys.remove(nameOf(endpoint))
      }),
  }
}
