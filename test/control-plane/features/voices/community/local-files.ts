// An https server on loopback that plays files.example, and a network in which every listed name leads to it.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Network } from '#control-plane/features/voices/community/fetching/public-fetch.ts'
import { selfSigned } from '#test/support/services/self-signed.ts'
import type { Ending } from '#test/support/world/process.ts'

export const HOST = 'files.example'

/** Made once for each process, because keys are slow to make. */
let identity: ReturnType<typeof selfSigned> | undefined

export async function openFiles(t: Ending, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  identity ??= selfSigned([HOST, `cdn.${HOST}`, 'raw.githubusercontent.com'])
  const { key, certificate } = identity
  const server = createServer({ key, cert: certificate }, answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const resolved: string[] = []
  const network: Network = {
    resolve: async (host) => {
      resolved.push(host)
      return [{ address: '127.0.0.1', family: 4 }]
    },
    isAllowed: (address) => address === '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    ca: certificate,
  }
  return { network, resolved }
}
