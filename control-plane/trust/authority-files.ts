// The authorities of this studio on disk, and their roles. Each set of keys is written once under its own name and never changed; one
// small file names the current, the next and the previous set. It is replaced as a whole, after every file it names exists, so that a
// crash at any moment leaves the state before or after.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Authority } from '#shared/pki/certificate.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'

const Name = z.string().regex(/^authority(-[0-9a-f]{16})?$/)
const Roles = z.strictObject({ current: Name, next: Name.nullable(), previous: Name.nullable(), retired: z.array(Name).max(100) })
export type Roles = z.output<typeof Roles>
export type AuthoritySet = { readonly authority: Authority; readonly studioKeyPem: string }
export type AuthorityFiles = ReturnType<typeof createAuthorityFiles>
/** The first set; its files have kept their names since the time before rotation. */
export const FIRST = 'authority'

export function createAuthorityFiles(dataDir: string) {
  const folder = privateFolder(join(dataDir, 'authority'))
  const file = (name: string) => join(folder, name)
  const rolesFile = file('rotation.json')
  const namesOf = (name: string) => ({
    key: file(`${name}.key`),
    certificate: file(`${name}.pem`),
    studioKey: file(name === FIRST ? 'studio.key' : `${name}.studio.key`),
    cross: file(`${name}.cross.pem`),
  })
  const remove = (name: string) => {
    for (const path of Object.values(namesOf(name))) rmSync(path, { force: true })
  }
  const write = (roles: Roles) => writeAtomic(rolesFile, `${JSON.stringify(roles)}\n`)

  return {
    /** Null before the first authority exists. Throws AUTH_FAILED when the file is damaged. */
    roles(): Roles | null {
      if (!existsSync(rolesFile))
        return existsSync(namesOf(FIRST).certificate) ? { current: FIRST, next: null, previous: null, retired: [] } : null
      try {
        return Roles.parse(JSON.parse(readFileSync(rolesFile, 'utf8')))
      } catch (cause) {
        throw new Failure('AUTH_FAILED', `${rolesFile} is damaged. Restore the folder from a backup.`, { cause })
      }
    },
    setRoles: write,
    /** Removes the keys of retired sets, also those that an interrupted attempt left. */
    removeRetired(roles: Roles): Roles {
      for (const name of roles.retired) remove(name)
      const rest = { ...roles, retired: [] }
      if (roles.retired.length > 0) write(rest)
      return rest
    },
    keep(name: string, { authority, studioKeyPem }: AuthoritySet): void {
      const paths = namesOf(name)
      if (!existsSync(paths.studioKey)) writeAtomic(paths.studioKey, studioKeyPem)
      // The key first: the next start would take a certificate without its key for a complete authority.
      writeAtomic(paths.key, authority.keyPem)
      writeAtomic(paths.certificate, authority.certificatePem)
    },
    read(name: string): AuthoritySet {
      const paths = namesOf(name)
      const text = (path: string) => {
        if (!existsSync(path)) throw new Failure('AUTH_FAILED', `${path} is missing. Restore the folder from a backup.`)
        return readFileSync(path, 'utf8')
      }
      return {
        authority: { keyPem: text(paths.key), certificatePem: text(paths.certificate) },
        studioKeyPem: text(paths.studioKey),
      }
    },
    /** The studio's key of the first set, which stays when its authority is created again; null when there is none. */
    studioKey: (name: string): string | null =>
      existsSync(namesOf(name).studioKey) ? readFileSync(namesOf(name).studioKey, 'utf8') : null,
    keepStudioKey: (name: string, keyPem: string): void => writeAtomic(namesOf(name).studioKey, keyPem),
    keepCross: (name: string, certificatePem: string): void => writeAtomic(namesOf(name).cross, certificatePem),
    readCross: (name: string): string => readFileSync(namesOf(name).cross, 'utf8'),
  }
}
