// A certificate for servers of tests, signed by itself.
import { generateKeyPairSync } from 'node:crypto'
import forge from 'node-forge'

const HOUR = 3_600_000

/** `names`: of the server, the first one as its common name. */
export function selfSigned(names: readonly [string, ...string[]]): { readonly key: string; readonly certificate: string } {
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
  certificate.setSubject([{ name: 'commonName', value: names[0] }])
  certificate.setIssuer([{ name: 'commonName', value: names[0] }])
  certificate.setExtensions([{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) }])
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create())
  return { key: privateKey, certificate: forge.pki.certificateToPem(certificate) }
}
