// Inspects a certificate before it is used: the issuer before it hands it out, the receiver before it stores it. Uses Node's parser, not the
// library that created the certificate.
import { X509Certificate } from 'node:crypto'
import { Failure } from '#shared/protocol/failure.ts'
import { pinOf, samePin } from './pin.ts'
import type { Validity } from './rotation.ts'

export type Role = 'studio' | 'worker'
export const ID_PATTERN = /^[A-Za-z0-9_-]{1,40}$/
const SERVER_AND_CLIENT = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']

/** The URI name of a leaf; ids are unique per role only. */
export const subjectUri = (role: Role, id: string): string => `studio://${role}/${id}`

/** True if the certificate names exactly this subject. Does not check its issuer. */
export const namesSubject = (certificate: X509Certificate, role: Role, id: string): boolean =>
  (certificate.subjectAltName ?? '').split(', ').includes(`URI:${subjectUri(role, id)}`)

export const validityOf = (certificatePem: string): Validity => {
  const certificate = new X509Certificate(certificatePem)
  return { notBefore: certificate.validFromDate.getTime(), notAfter: certificate.validToDate.getTime() }
}

/**
 * Throws NOT_READY with the first defect. No other side has refused anything, and a wrong clock is corrected: what exists stays in use, and
 * another try may succeed.
 */
export function inspectLeaf(expected: {
  certificatePem: string
  authorityPem: string
  publicKeyPem: string
  role: Role
  id: string
  now: number
}): void {
  if (!ID_PATTERN.test(expected.id)) throw wrong('has an invalid name')
  const leaf = read(expected.certificatePem)
  const authority = read(expected.authorityPem)
  if (leaf.ca) throw wrong('is an authority, not a leaf')
  if (!leaf.checkIssued(authority) || !leaf.verify(authority.publicKey)) throw wrong('is not signed by the authority')
  inspectDates(expected.certificatePem, expected.now)
  if (validityOf(expected.certificatePem).notAfter > validityOf(expected.authorityPem).notAfter) throw wrong('outlives its authority')
  if (!samePin(pinOf(leaf), pinOf(expected.publicKeyPem))) throw wrong('is for another key')
  if (!namesSubject(leaf, expected.role, expected.id)) throw wrong('is for another name')
  if (!SERVER_AND_CLIENT.every((use) => leaf.keyUsage?.includes(use))) throw wrong('cannot be used on both sides of a connection')
}

/** Throws NOT_READY unless it is a self-signed authority that is valid now. */
export function inspectAuthority(certificatePem: string, now: number): void {
  const authority = read(certificatePem)
  if (!authority.ca) throw wrong('is not an authority')
  if (!authority.checkIssued(authority) || !authority.verify(authority.publicKey)) throw wrong('is not signed by itself')
  inspectDates(certificatePem, now)
}

/** Throws NOT_READY, with the time that this machine shows, while the certificate is not valid. */
export function inspectDates(certificatePem: string, now: number): void {
  const { notBefore, notAfter } = validityOf(certificatePem)
  const clock = `The clock of this machine shows ${new Date(now).toISOString()}. Check the clocks of both machines`
  if (now < notBefore) throw wrong(`is not valid yet: it starts at ${new Date(notBefore).toISOString()}. ${clock}`)
  if (now >= notAfter) throw wrong(`expired at ${new Date(notAfter).toISOString()}. ${clock}`)
}

function read(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (cause) {
    throw wrong('cannot be read', cause)
  }
}
const wrong = (what: string, cause?: unknown) =>
  new Failure('NOT_READY', `The certificate ${what}.`, { cause, hint: 'Check the clocks of both machines, then try again.' })
