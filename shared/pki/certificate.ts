// Certificate authorities and leaf certificates. A listening program owns an authority and issues leaves to its callers; every leaf works on both sides of TLS.
import type Forge from 'node-forge'
import { forge } from './forge.ts'
import { inspectAuthority, inspectLeaf, type Role, subjectUri, validityOf } from './inspect.ts'
import { AUTHORITY_BITS, createKey, publicKeyOf } from './key.ts'
import { signCertificate } from './signature.ts'

export type Authority = { readonly keyPem: string; readonly certificatePem: string }
const HOUR = 3_600_000
// Clocks of other machines are rarely exact, and a certificate that starts in their future would be refused. Leaves of a day still renew at about
// half of their life.
const BACKDATE = HOUR

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
 * The key and name of one authority, signed by another with the same name: peers that trust only the issuer then accept leaves of both.
 * Expires with the earlier of the two.
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
export const subjectNameOf = (certificatePem: string): string =>
  String(forge.pki.certificateFromPem(certificatePem).subject.getField('CN')?.value ?? '')

// Two authorities may have the same name; this identifies the issuer by its key.
const issuedBy = (issuer: Forge.pki.Certificate) => ({
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
  /** Hex; see `createSerial`. */
  readonly serial: string
}

/** A leaf in PEM. Throws AUTH_FAILED if it would fail inspection. */
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

/** A positive serial number from 16 random bytes in hex. The first bit must be 0 and the first byte non-zero, or DER would change its length. */
export const createSerial = (hex: string): string => `4${hex.slice(1, 32)}`

type CertificateParts = {
  publicKeyPem: string
  subject: Forge.pki.CertificateField[]
  issuer: Forge.pki.CertificateField[]
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
