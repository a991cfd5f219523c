// The authority of a machine that listens, and the leaf it shows to the panels that dial it. Both keys are made once and stay in this folder,
// mode 0600; the leaf is issued anew at every start and at half of its life, always for the same key, so pins stay true.
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
const PANEL_LEAF_HOURS = 24

export type MachineAuthority = {
  readonly authorityPem: string
  /** What connection strings carry. */
  readonly authorityPin: string
  readonly keyPem: string
  /** Of the machine's leaf: what panels check on every connection. */
  readonly machinePin: string
  readonly leafPem: () => string
  /** True when the leaf was replaced. */
  readonly renewLeaf: () => boolean
  readonly issue: (panelId: string, publicKeyPem: string) => string
}

/** What connection strings carry, also while nothing listens; empty before the first start. */
export function knownAuthorityPin(folder: string): string {
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
    // The key first: a certificate without its key would be taken for a whole authority at the next start.
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
      if (!shouldRenew(clock.now(), validityOf(leafPem), jitter)) return false
      leafPem = issueOwn()
      return true
    },
    issue: (panelId, publicKey) =>
      issueLeaf({
        authority,
        publicKeyPem: publicKey,
        role: 'studio',
        id: panelId,
        now: clock.now(),
        hours: PANEL_LEAF_HOURS,
        serial: serial(),
      }),
  }
}
