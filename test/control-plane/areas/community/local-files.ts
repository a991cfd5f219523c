// An https server on loopback that plays files.example, and a network in which every listed name leads to it.
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import forge from 'node-forge'
import type { Network } from '#control-plane/areas/community/fetching/public-fetch.ts'
import type { Ending } from '#test/support/world/process.ts'

export const HOST = 'files.example'
const HOUR = 3_600_000

let identity: { readonly key: string; readonly certificate: string } | undefined
/** Made once for each process, because keys are slow to make. */
function certificateOf(): { readonly key: string; readonly certificate: string } {
  if (identity) return identity
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  certificate.serialNumber = '01'
  certificate.validity.notBefore = new Date(Date.now() - HOUR)
  certificate.validity.notAfter = new Date(Date.now() + 24 * HOUR)
  certificate.setSubject([{ name: 'commonName', value: HOST }])
  certificate.setIssuer([{ name: 'commonName', value: HOST }])
  certificate.setExtensions([
    { name: 'subjectAltName', altNames: [HOST, `cdn.${HOST}`, 'raw.githubusercontent.com'].map((value) => ({ type: 2, value })) },
  ])
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create())
  identity = { key: privateKey, certificate: forge.pki.certificateToPem(certificate) }
  return identity
}

export async function openFiles(t: Ending, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const { key, certificate } = certificateOf()
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
