// Certificate signing requests: how a key that never leaves its machine asks for a certificate.
import { createPublicKey } from 'node:crypto'
import forge from 'node-forge'
import { Failure } from '#shared/protocol/failure.ts'
import { publicKeyOf } from './key.ts'
import { pinOf } from './pin.ts'
import { signRequest } from './signature.ts'

/** A PKCS #10 request in PEM, signed by the key it names. */
export function createRequest(privateKeyPem: string, commonName: string): string {
  const request = forge.pki.createCertificationRequest()
  request.publicKey = forge.pki.publicKeyFromPem(publicKeyOf(privateKeyPem))
  request.setSubject([{ name: 'commonName', value: commonName }])
  signRequest(request, privateKeyPem)
  return forge.pki.certificationRequestToPem(request)
}

/** The key of a request that really is signed by it. Everything else the request says is ignored: names are given, not asked for. */
export function readRequest(csrPem: string): { readonly publicKeyPem: string; readonly pin: string } {
  if (csrPem.length > 8192) throw new Failure('BAD_REQUEST', 'The certificate request is too long.')
  const publicKeyPem = verifiedKey(csrPem)
  const { modulusLength = 0 } = createPublicKey(publicKeyPem).asymmetricKeyDetails ?? {}
  if (modulusLength < 2048 || modulusLength > 4096) throw new Failure('BAD_REQUEST', 'The certificate request has a key of the wrong size.')
  return { publicKeyPem, pin: pinOf(publicKeyPem) }
}

function verifiedKey(csrPem: string): string {
  try {
    const request = forge.pki.certificationRequestFromPem(csrPem)
    if (request.publicKey && request.verify()) return forge.pki.publicKeyToPem(request.publicKey)
  } catch (cause) {
    throw new Failure('BAD_REQUEST', 'The certificate request cannot be read or its signature is wrong.', { cause })
  }
  throw new Failure('BAD_REQUEST', 'The certificate request is not signed by the key it names.')
}
