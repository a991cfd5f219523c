// Certificates for link tests. Creating keys is slow, so certificates of one name share a key unless a test requests a fresh one.
import { type Authority, createAuthority, createSerial, issueLeaf } from '#shared/pki/certificate.ts'
import type { Role } from '#shared/pki/inspect.ts'
import { createKey, publicKeyOf } from '#shared/pki/key.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { systemRandom } from '#shared/runtime/random.ts'

export type TestIdentity = { readonly key: string; readonly certificate: string; readonly authority: string; readonly pin: string }
const HOUR = 3_600_000
const serial = () => createSerial(systemRandom.hex(16))

export const createTestAuthority = (name = 'Test authority'): Promise<Authority> =>
  createAuthority({ name, now: systemClock.now(), years: 1, serial: serial(), bits: 2048 })

export async function issueTestIdentity(
  authority: Authority,
  role: Role,
  id: string,
  more: { key?: string; hoursAgo?: number } = {},
): Promise<TestIdentity> {
  const key = more.key ?? (await createKey())
  const now = systemClock.now() - (more.hoursAgo ?? 0) * HOUR
  const certificate = issueLeaf({ authority, publicKeyPem: publicKeyOf(key), role, id, now, hours: 1, serial: serial() })
  return { key, certificate, authority: authority.certificatePem, pin: pinOf(certificate) }
}

let shared: Promise<{ authority: Authority; stranger: Authority; studio: TestIdentity; agent: TestIdentity }> | null = null
/** One studio and one agent `gpu-1` under one authority, and a second, untrusted authority; created once per process. */
export const sharedCertificates = () => {
  shared ??= (async () => {
    const [authority, stranger] = await Promise.all([createTestAuthority(), createTestAuthority('Stranger')])
    const [studio, agent] = await Promise.all([
      issueTestIdentity(authority, 'studio', 'studio'),
      issueTestIdentity(authority, 'worker', 'gpu-1'),
    ])
    return { authority, stranger, studio, agent }
  })()
  return shared
}
