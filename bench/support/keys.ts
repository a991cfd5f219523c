// Certificates for the baseline, of the same kind and size as the studio's own.
import { createAuthority, createSerial, issueLeaf } from '#shared/pki/certificate.ts'
import { createKey, publicKeyOf } from '#shared/pki/key.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import type { RawKeys } from './raw-agent.ts'

export async function benchKeys(): Promise<RawKeys> {
  const now = systemClock.now()
  const serial = () => createSerial(systemRandom.hex(16))
  const authority = await createAuthority({ name: 'bench authority', now, years: 1, serial: serial() })
  const key = await createKey()
  const certificate = issueLeaf({
    authority,
    publicKeyPem: publicKeyOf(key),
    role: 'worker',
    id: 'bench',
    now,
    hours: 24,
    serial: serial(),
  })
  return { key, certificate, authority: authority.certificatePem }
}
