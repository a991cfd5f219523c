// The authorities of this studio as stored, and their roles. Each set of keys is written once under its own name and never changed; one
// small entry names the current, the next and the previous set. It is replaced as a whole, after every entry it names exists, so that a
// crash at any moment leaves the state before or after.
import { z } from 'zod'
import type { Authority } from '#shared/pki/certificate.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Keys } from '#shared/runtime/file.ts'

const Name = z.string().regex(/^authority(-[0-9a-f]{16})?$/)
const Roles = z.strictObject({ current: Name, next: Name.nullable(), previous: Name.nullable(), retired: z.array(Name).max(100) })
export type Roles = z.output<typeof Roles>
export type AuthoritySet = { readonly authority: Authority; readonly studioKeyPem: string }
export type AuthorityFiles = ReturnType<typeof createAuthorityFiles>
/** The first set; its files have kept their names since the time before rotation. */
export const FIRST = 'authority'

const ROLES = 'authority/rotation.json'
const namesOf = (name: string) => ({
  key: `authority/${name}.key`,
  certificate: `authority/${name}.pem`,
  studioKey: name === FIRST ? 'authority/studio.key' : `authority/${name}.studio.key`,
  cross: `authority/${name}.cross.pem`,
})

export function createAuthorityFiles(keys: Keys) {
  const write = (roles: Roles) => keys.write(ROLES, `${JSON.stringify(roles)}\n`)
  const text = async (name: string): Promise<string | null> => (await keys.read(name))?.toString('utf8') ?? null
  async function existing(name: string): Promise<string> {
    const found = await text(name)
    if (found === null) throw new Failure('AUTH_FAILED', `${keys.placeOf(name)} is missing. Restore the folder from a backup.`)
    return found
  }

  return {
    /** Null before the first authority exists. Throws AUTH_FAILED when the file is damaged. */
    async roles(): Promise<Roles | null> {
      const stored = await text(ROLES)
      if (stored === null)
        return (await keys.read(namesOf(FIRST).certificate)) ? { current: FIRST, next: null, previous: null, retired: [] } : null
      try {
        return Roles.parse(JSON.parse(stored))
      } catch (cause) {
        throw new Failure('AUTH_FAILED', `${keys.placeOf(ROLES)} is damaged. Restore the folder from a backup.`, { cause })
      }
    },
    setRoles: write,
    /** Removes the keys of retired sets, also those that an interrupted attempt left. */
    async removeRetired(roles: Roles): Promise<Roles> {
      for (const name of roles.retired) for (const entry of Object.values(namesOf(name))) await keys.remove(entry)
      const rest = { ...roles, retired: [] }
      if (roles.retired.length > 0) await write(rest)
      return rest
    },
    async keep(name: string, { authority, studioKeyPem }: AuthoritySet): Promise<void> {
      const names = namesOf(name)
      if ((await keys.read(names.studioKey)) === null) await keys.write(names.studioKey, studioKeyPem)
      // The key first: the next start would take a certificate without its key for a complete authority.
      await keys.write(names.key, authority.keyPem)
      await keys.write(names.certificate, authority.certificatePem)
    },
    async read(name: string): Promise<AuthoritySet> {
      const names = namesOf(name)
      return {
        authority: { keyPem: await existing(names.key), certificatePem: await existing(names.certificate) },
        studioKeyPem: await existing(names.studioKey),
      }
    },
    /** The studio's key of the first set, which stays when its authority is created again; null when there is none. */
    studioKey: (name: string): Promise<string | null> => text(namesOf(name).studioKey),
    keepStudioKey: (name: string, keyPem: string): Promise<void> => keys.write(namesOf(name).studioKey, keyPem),
    keepCross: (name: string, certificatePem: string): Promise<void> => keys.write(namesOf(name).cross, certificatePem),
    readCross: (name: string): Promise<string> => existing(namesOf(name).cross),
  }
}
