// Digests of the files of a release, and the signature of their list.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Misuse } from '#cli/lib/command.ts'

export const CHECKSUMS = 'SHA256SUMS'
export const SIGNATURE = 'SHA256SUMS.sig'
const MAX_KEY_BYTES = 16_384
const OTHERS = 0o077

/** Reads an Ed25519 key in PEM. Throws a Misuse for another kind, for one with a password, and for a file that other users can open. */
export function signingKey(path: string): KeyObject {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile() || found.size > MAX_KEY_BYTES) throw new Misuse(`${path} is no file with a private key.`)
  if (process.platform !== 'win32' && (found.mode & OTHERS) !== 0)
    throw new Misuse(`Other users of this machine can open ${path}. Run: chmod 600 ${path}`)
  let key: KeyObject
  try {
    key = createPrivateKey(readFileSync(path))
  } catch {
    throw new Misuse(`${path} is no private key without a password in PEM.`)
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Misuse(`${path} is no Ed25519 key. docs/releasing.md says how one is made.`)
  return key
}

/** The public part in PEM. */
export const publicPem = (key: KeyObject): string => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString().trim()

/** Writes SHA256SUMS for all other files of the folder, in the format of `sha256sum`; with a key also its signature. */
export function writeChecksums(folder: string, key: KeyObject | null): void {
  const names = readdirSync(folder)
    .filter((name) => name !== CHECKSUMS && name !== SIGNATURE)
    .sort()
  const lines = names.map((name) => `${sha256OfFile(join(folder, name))}  ${name}\n`)
  writeFileSync(join(folder, CHECKSUMS), lines.join(''))
  if (key !== null) writeFileSync(join(folder, SIGNATURE), sign(null, Buffer.from(lines.join('')), key))
}

export const sha256OfFile = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
