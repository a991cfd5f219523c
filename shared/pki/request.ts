// Certificate signing requests, for keys that never leave their machine.
import forge from 'node-forge'
import { Failure } from '#shared/protocol/failure.ts'
import { publicKeyOf } from './key.ts'
import { pinOf } from './pin.ts'
import { signRequest } from './signature.ts'

/** A PKCS #10 request in PEM, signed by its own key. */
export function createRequest(privateKeyPem: string, commonName: string): string {
  const request = forge.pki.createCertificationRequest()
  request.publicKey = forge.pki.publicKeyFromPem(publicKeyOf(privateKeyPem))
  request.setSubject([{ name: 'commonName', value: commonName }])
  signRequest(request, privateKeyPem)
  return forge.pki.certificationRequestToPem(request)
}

/** The verified key of a request. All other fields are ignored: the issuer chooses the names. Throws BAD_REQUEST. */
export function readRequest(csrPem: string): { readonly publicKeyPem: string; readonly pin: string } {
  if (csrPem.length > 8192) throw new Failure('BAD_REQUEST', 'The certificate request is too long.')
  const publicKeyPem = verifiedKey(csrPem)
  return { publicKeyPem, pin: pinOf(publicKeyPem) }
}

function verifiedKey(csrPem: string): string {
  try {
    const request = forge.pki.certificationRequestFromPem(csrPem)
    const key = request.publicKey as forge.pki.rsa.PublicKey | null
    if (key) refuseOddSizes(key)
    if (key && request.verify()) return forge.pki.publicKeyToPem(key)
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw new Failure('BAD_REQUEST', 'The certificate request is malformed or its signature is wrong.', { cause })
  }
  throw new Failure('BAD_REQUEST', 'The certificate request is not signed by its own key.')
}

/** Checked before any computation: callers are unauthenticated, and the largest number that fits a request would block this thread for a minute. */
function refuseOddSizes({ n, e }: forge.pki.rsa.PublicKey): void {
  const size = n.bitLength()
  if (size < 2048 || size > 4096 || e.bitLength() > 32)
    throw new Failure('BAD_REQUEST', 'The certificate request has a key of the wrong size.')
}
