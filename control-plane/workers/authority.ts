// The studio's own authority and the leaf it shows to its agents. Both keys are made once and stay in this folder, mode 0600; the leaf
// is issued anew at every start, so it is never old.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Authority, createAuthority, createSerial, issueLeaf } from '#shared/pki/certificate.ts'
import { createKey, publicKeyOf } from '#shared/pki/key.ts'
import { pinOf } from '#shared/pki/pin.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'

export const STUDIO = 'studio'
const AUTHORITY_YEARS = 10
const STUDIO_LEAF_HOURS = 365 * 24 // re-issued at each start; agents pin its key, so only a studio that runs for a year would notice
export const WORKER_LEAF_HOURS = 24

export type StudioIdentity = {
  readonly authority: Authority
  /** The studio's own leaf and key: client on sessions, server on enrolment. */
  readonly leaf: { readonly keyPem: string; readonly certificatePem: string }
  /** SHA-256 of the SPKI, hex: of the authority (in join codes) and of the leaf (what agents check on every call). */
  readonly authorityPin: string
  readonly studioPin: string
  readonly issue: (workerId: string, publicKeyPem: string) => string
}

export async function loadIdentity(
  dataDir: string,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Promise<StudioIdentity> {
  const folder = privateFolder(join(dataDir, 'authority'))
  const file = (name: string) => join(folder, name)
  const serial = () => createSerial(random.hex(16))

  if (!existsSync(file('authority.pem'))) {
    const made = await createAuthority({
      name: `Voice Studio ${random.hex(4)}`,
      now: clock.now(),
      years: AUTHORITY_YEARS,
      serial: serial(),
    })
    // The key first: a certificate without its key would be taken for a whole authority at the next start.
    writeAtomic(file('authority.key'), made.keyPem)
    writeAtomic(file('authority.pem'), made.certificatePem)
  }
  if (!existsSync(file('studio.key'))) writeAtomic(file('studio.key'), await createKey())

  const authority: Authority = {
    keyPem: readFileSync(file('authority.key'), 'utf8'),
    certificatePem: readFileSync(file('authority.pem'), 'utf8'),
  }
  const keyPem = readFileSync(file('studio.key'), 'utf8')
  const issue = (role: 'studio' | 'worker', id: string, publicKeyPem: string, hours: number) =>
    issueLeaf({ authority, publicKeyPem, role, id, now: clock.now(), hours, serial: serial() })
  const publicKeyPem = publicKeyOf(keyPem)
  return {
    authority,
    leaf: { keyPem, certificatePem: issue('studio', STUDIO, publicKeyPem, STUDIO_LEAF_HOURS) },
    authorityPin: pinOf(authority.certificatePem),
    studioPin: pinOf(publicKeyPem),
    issue: (workerId, publicKey) => issue('worker', workerId, publicKey, WORKER_LEAF_HOURS),
  }
}
