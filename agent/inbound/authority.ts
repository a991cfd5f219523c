// The certificate authority of a listening machine, and the leaf certificate that it presents to controllers. Both keys are created once and
// stay in this folder, mode 0600. The leaf is reissued at every start and at half of its life, always for the same key, so pins stay valid.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Authority, createAuthority, createSerial, issueLeaf } from '#shared/pki/certificate.ts'
import { validityOf } from '#shared/pki/inspect.ts'
import { createKey, publicKeyOf } from '#shared/pki/key.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { shouldRenew } from '#shared/pki/rotation.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'

const MACHINE = 'machine'
const AUTHORITY_YEARS = 10
const MACHINE_LEAF_HOURS = 90 * 24
const CONTROLLER_LEAF_HOURS = 24

export type MachineAuthority = {
  readonly authorityPem: string
  /** The pin in connection strings. */
  readonly authorityPin: string
  readonly keyPem: string
  /** Pin of the machine's leaf, which controllers check on every connection. */
  readonly machinePin: string
  readonly leafPem: () => string
  /** True when the leaf was replaced. Throws NOT_READY while the clock is outside the validity of the authority. */
  readonly renewLeaf: () => boolean
  readonly issue: (controllerId: string, publicKeyPem: string) => string
}

/** The pin in connection strings, also while nothing listens; empty before the first start. */
export function readAuthorityPin(folder: string): string {
  try {
    return pinOf(readFileSync(join(folder, 'authority.pem'), 'utf8'))
  } catch {
    return ''
  }
}

export async function loadMachineAuthority(
  folder: string,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Promise<MachineAuthority> {
  const file = (name: string) => join(privateFolder(folder), name)
  const serial = () => createSerial(random.hex(16))

  if (!existsSync(file('authority.pem'))) {
    const name = `Voice Studio machine ${random.hex(4)}`
    const made = await createAuthority({ name, now: clock.now(), years: AUTHORITY_YEARS, serial: serial() })
    // The key first: the next start would take a certificate without its key for a complete authority.
    writeAtomic(file('authority.key'), made.keyPem)
    writeAtomic(file('authority.pem'), made.certificatePem)
  }
  if (!existsSync(file('machine.key'))) writeAtomic(file('machine.key'), await createKey())

  const authority: Authority = {
    keyPem: readFileSync(file('authority.key'), 'utf8'),
    certificatePem: readFileSync(file('authority.pem'), 'utf8'),
  }
  const keyPem = readFileSync(file('machine.key'), 'utf8')
  const publicKeyPem = publicKeyOf(keyPem)
  const issueOwn = () =>
    issueLeaf({ authority, publicKeyPem, role: 'worker', id: MACHINE, now: clock.now(), hours: MACHINE_LEAF_HOURS, serial: serial() })
  const jitter = random.unit()
  let leafPem = issueOwn()
  return {
    authorityPem: authority.certificatePem,
    authorityPin: pinOf(authority.certificatePem),
    keyPem,
    machinePin: pinOf(publicKeyPem),
    leafPem: () => leafPem,
    renewLeaf() {
      const validity = validityOf(leafPem)
      const now = clock.now()
      // Not valid yet: it was issued while the clock was ahead.
      if (now >= validity.notBefore && !shouldRenew(now, validity, jitter)) return false
      leafPem = issueOwn()
      return true
    },
    issue: (controllerId, publicKey) =>
      issueLeaf({
        authority,
        publicKeyPem: publicKey,
        role: 'studio',
        id: controllerId,
        now: clock.now(),
        hours: CONTROLLER_LEAF_HOURS,
        serial: serial(),
      }),
  }
}
