// The certificate authority of a listening machine, and the leaf certificate that it presents to controllers. Both keys are created once and
// stay where they are stored. The leaf is reissued at every start and at half of its life, always for the same key, so pins stay valid.
import { type Authority, createAuthority, createSerial, issueLeaf } from '#shared/pki/certificate.ts'
import { validityOf } from '#shared/pki/inspect.ts'
import { createKey, publicKeyOf } from '#shared/pki/key.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { shouldRenew } from '#shared/pki/rotation.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Keys } from '#shared/runtime/file.ts'
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
export async function readAuthorityPin(keys: Keys): Promise<string> {
  try {
    return pinOf(String(await keys.read('authority.pem')))
  } catch {
    return ''
  }
}

export async function loadMachineAuthority(
  keys: Keys,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Promise<MachineAuthority> {
  const serial = () => createSerial(random.hex(16))

  if ((await keys.read('authority.pem')) === null) {
    const name = `Voice Studio machine ${random.hex(4)}`
    const made = await createAuthority({ name, now: clock.now(), years: AUTHORITY_YEARS, serial: serial() })
    // The key first: the next start would take a certificate without its key for a complete authority.
    await keys.write('authority.key', made.keyPem)
    await keys.write('authority.pem', made.certificatePem)
  }
  if ((await keys.read('machine.key')) === null) await keys.write('machine.key', await createKey())

  const text = async (name: string): Promise<string> => {
    const bytes = await keys.read(name)
    if (bytes === null) throw new Failure('AUTH_FAILED', `${keys.placeOf(name)} is missing. Restore the folder from a backup.`)
    return bytes.toString('utf8')
  }
  const authority: Authority = { keyPem: await text('authority.key'), certificatePem: await text('authority.pem') }
  const keyPem = await text('machine.key')
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
