// The identity of this agent: its key, which never leaves this file, its certificate and its studio. The file is replaced as a whole, so a
// failed join or renewal leaves the earlier identity intact.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'

const Address = z.union([z.strictObject({ host: z.string(), port: z.number() }), z.strictObject({ path: z.string() })])
const Identity = z.strictObject({
  workerId: z.string(),
  keyPem: z.string(),
  certificatePem: z.string(),
  authorityPem: z.string(),
  studioPins: z.array(z.string()),
  studioName: z.string(),
  generation: z.number(),
  /** Nonce of a renewal whose answer has not arrived yet. */
  renewalNonce: z.string().optional(),
  endpoints: z.array(Address),
})
export type AgentIdentity = z.output<typeof Identity>
export type IdentityFile = ReturnType<typeof createIdentityFile>

export function createIdentityFile(folder: string) {
  const path = join(privateFolder(folder), 'identity.json')
  const read = () => Identity.parse(JSON.parse(readFileSync(path, 'utf8')))
  return {
    path,
    /** Null before the first join. Throws AUTH_FAILED for a damaged file. */
    read(): AgentIdentity | null {
      if (!existsSync(path)) return null
      try {
        return read()
      } catch (error) {
        throw new Failure('AUTH_FAILED', `${path} is damaged. Join the studio again with a new code.`, { cause: error })
      }
    },
    /** Null for a damaged file, which the next join replaces. */
    readIfWhole(): AgentIdentity | null {
      try {
        return read()
      } catch {
        return null
      }
    },
    write: (identity: AgentIdentity): void => writeAtomic(path, `${JSON.stringify(identity, null, 1)}\n`),
    remove: (): void => rmSync(path, { force: true }),
  }
}
