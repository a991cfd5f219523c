// Authorities and leaves. Whoever listens owns an authority and issues leaves to whoever dials it; every leaf can play both sides of TLS.
import forge from 'node-forge'
import { inspectAuthority, inspectLeaf, type Role, subjectUri, validityOf } from './inspect.ts'
import { AUTHORITY_BITS, createKey, publicKeyOf } from './key.ts'
import { signCertificate } from './signature.ts'

export type Authority = { readonly keyPem: string; readonly certificatePem: string }
const HOUR = 3_600_000
// Clocks of borrowed machines are rarely exact; a certificate that starts in their future would be refused.
const BACKDATE = 60_000

/** `now`: epoch milliseconds. `bits` exists for tests, where 2048 saves time. */
export async function createAuthority(request: {
  name: string
  now: number
  years: number
  serial: string
  bits?: number
}): Promise<Authority> {
  const keyPem = await createKey(request.bits ?? AUTHORITY_BITS)
  const subject = [{ name: 'commonName', value: request.name }]
  const certificatePem = build({
    publicKeyPem: publicKeyOf(keyPem),
    subject,
    issuer: subject,
    serial: request.serial,
    from: request.now - BACKDATE,
    to: request.now + request.years * 365 * 24 * HOUR,
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      { name: 'subjectKeyIdentifier' },
    ],
    signingKeyPem: keyPem,
  })
  inspectAuthority(certificatePem, request.now)
  return { keyPem, certificatePem }
}

/**
 * The key and name of one authority, certified by another of the same name: whoever trusts only the other one accepts what the first one
 * issues. Ends with the earlier of the two.
 */
export function crossSign(request: { issuer: Authority; certificatePem: string; now: number; serial: string }): string {
  const issuer = forge.pki.certificateFromPem(request.issuer.certificatePem)
  const subject = forge.pki.certificateFromPem(request.certificatePem)
  return build({
    publicKeyPem: forge.pki.publicKeyToPem(subject.publicKey),
    subject: subject.subject.attributes,
    issuer: issuer.subject.attributes,
    serial: request.serial,
    from: request.now - BACKDATE,
    to: Math.min(certificateEnd(request.issuer.certificatePem), certificateEnd(request.certificatePem)),
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      { name: 'subjectKeyIdentifier' },
      issuedBy(issuer),
    ],
    signingKeyPem: request.issuer.keyPem,
  })
}

/** Epoch milliseconds. */
export const certificateEnd = (certificatePem: string): number => validityOf(certificatePem).notAfter
export const commonNameOf = (certificatePem: string): string =>
  String(forge.pki.certificateFromPem(certificatePem).subject.getField('CN')?.value ?? '')

// Two authorities may have one name: only this tells by which of them a certificate was issued.
const issuedBy = (issuer: forge.pki.Certificate) => ({
  name: 'authorityKeyIdentifier',
  keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes(),
})

export type LeafRequest = {
  readonly authority: Authority
  readonly publicKeyPem: string
  readonly role: Role
  /** The worker id, or `studio` for a studio's own leaf; `[A-Za-z0-9_-]{1,40}`. */
  readonly id: string
  readonly now: number
  readonly hours: number
  /** Hex; `createSerial` makes one. */
  readonly serial: string
}

/** A leaf in PEM, inspected before it leaves. */
export function issueLeaf(request: LeafRequest): string {
  const issuer = forge.pki.certificateFromPem(request.authority.certificatePem)
  const certificatePem = build({
    publicKeyPem: request.publicKeyPem,
    subject: [{ name: 'commonName', value: request.id }],
    issuer: issuer.subject.attributes,
    serial: request.serial,
    from: request.now - BACKDATE,
    to: request.now + request.hours * HOUR,
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: request.id },
          { type: 6, value: subjectUri(request.role, request.id) },
        ],
      },
      { name: 'subjectKeyIdentifier' },
      issuedBy(issuer),
    ],
    signingKeyPem: request.authority.keyPem,
  })
  inspectLeaf({ ...request, certificatePem, authorityPem: request.authority.certificatePem })
  return certificatePem
}

/** A positive serial number from 16 random bytes in hex: the first bit must be 0 and the first byte not, or DER would change its length. */
export const createSerial = (hex: string): string => `4${hex.slice(1, 32)}`

type CertificateParts = {
  publicKeyPem: string
  subject: forge.pki.CertificateField[]
  issuer: forge.pki.CertificateField[]
  serial: string
  from: number
  to: number
  extensions: object[]
  signingKeyPem: string
}
function build(plan: CertificateParts): string {
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(plan.publicKeyPem)
  certificate.serialNumber = plan.serial
  certificate.validity.notBefore = new Date(plan.from)
  certificate.validity.notAfter = new Date(plan.to)
  certificate.setSubject(plan.subject)
  certificate.setIssuer(plan.issuer)
  certificate.setExtensions(plan.extensions)
  signCertificate(certificate, plan.signingKeyPem)
  return forge.pki.certificateToPem(certificate)
}
