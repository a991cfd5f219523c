// A pin identifies a key, not a certificate: it survives every renewal, and both ends compare it on every connection.
import { createHash, createPublicKey, KeyObject, timingSafeEqual, X509Certificate } from 'node:crypto'

/** SHA-256 of the SPKI in lower-case hex. A string is the PEM of a certificate or public key, a Buffer the DER of a certificate. */
export function pinOf(source: string | Buffer | X509Certificate | KeyObject): string {
  const key = source instanceof KeyObject ? source : publicKeyIn(source)
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

function publicKeyIn(source: string | Buffer | X509Certificate): KeyObject {
  if (source instanceof X509Certificate) return source.publicKey
  if (typeof source === 'string' && !source.includes('BEGIN CERTIFICATE')) return createPublicKey(source)
  return new X509Certificate(source).publicKey
}

export const isPin = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** Compares in constant time. */
export const samePin = (left: string, right: string): boolean =>
  isPin(left) && isPin(right) && timingSafeEqual(Buffer.from(left, 'hex'), Buffer.from(right, 'hex'))
