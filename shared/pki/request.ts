// Certificate signing requests, for keys that never leave their machine.
import type Forge from 'node-forge'
import { Failure } from '#shared/protocol/failure.ts'
import { forge } from './forge.ts'
import { publicKeyOf } from './key.ts'
import { pinOf } from './pin.ts'
import { signRequest } from './signature.ts'

const SAFE_SIGNATURES: readonly string[] = ['sha256', 'sha384', 'sha512'].map((hash) => forge.pki.oids[`${hash}WithRSAEncryption`]!)
const MODULUS_BITS = { least: 2048, most: 4096 }
/** A small exponent has made forged signatures possible in several libraries; a large one makes every verification slow. */
const EXPONENT = { least: new forge.jsbn.BigInteger('65537'), bits: 32 }

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
    const key = request.publicKey as Forge.pki.rsa.PublicKey | null
    if (key) refuseWeak(key, request.signatureOid)
    if (key && request.verify()) return forge.pki.publicKeyToPem(key)
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw new Failure('BAD_REQUEST', 'The certificate request is malformed or its signature is wrong.', { cause })
  }
  throw new Failure('BAD_REQUEST', 'The certificate request is not signed by its own key.')
}

/** Checked before any computation: callers are unauthenticated, and the largest number that fits a request would block this thread for a minute. */
function refuseWeak({ n, e }: Forge.pki.rsa.PublicKey, signatureOid: string | null): void {
  const bits = n.bitLength()
  if (bits < MODULUS_BITS.least || bits > MODULUS_BITS.most || e.bitLength() > EXPONENT.bits)
    throw new Failure('BAD_REQUEST', 'The certificate request has a key of the wrong size. Use RSA with 2048 to 4096 bits.')
  if (e.compareTo(EXPONENT.least) < 0 || !isOdd(e) || !isOdd(n))
    throw new Failure('BAD_REQUEST', 'The certificate request has a weak key. Use an RSA key with the exponent 65537.')
  if (signatureOid === null || !SAFE_SIGNATURES.includes(signatureOid))
    throw new Failure(
      'BAD_REQUEST',
      'The certificate request is signed with an unsafe algorithm. Use RSA with SHA-256, SHA-384 or SHA-512.',
    )
}

const isOdd = (number: Forge.jsbn.BigInteger): boolean => number.testBit(0)
