// The secrets of a backup in one sealed entry: a key that scrypt makes of the passphrase, and AES-256-GCM, which also finds a wrong passphrase.
import { createCipheriv, createDecipheriv, createHash, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { parseJson } from '#shared/protocol/json.ts'
import type { Random } from '#shared/runtime/random.ts'
import { partOf } from './contents.ts'
import { isPortablePath, type SealedParameters } from './manifest.ts'

/** Content by path below the data folder. */
export type Secrets = ReadonlyMap<string, Buffer>
const COST = 2 ** 17
const BLOCK = 8
const [KEY_BYTES, TAG_BYTES, SALT_BYTES, NONCE_BYTES] = [32, 16, 16, 12]
const MOST_BYTES = 48 * 1024 * 1024
const MOST_FILES = 10_000
const [FEWEST_CHARS, MOST_CHARS] = [8, 1_024]

const Content = z.strictObject({
  files: z
    .array(
      z.strictObject({
        path: z
          .string()
          .max(1024)
          .refine((path) => isPortablePath(path) && partOf(path) === 'secret'),
        content: z.base64().max(MOST_BYTES),
      }),
    )
    .max(MOST_FILES),
})

/** Objection to a passphrase for a new backup, as a sentence; null for one that can be used. */
export function passphraseObjection(passphrase: string): string | null {
  if (passphrase.length < FEWEST_CHARS) return `The passphrase is too short. It needs ${FEWEST_CHARS} characters at least.`
  return passphrase.length > MOST_CHARS ? `The passphrase is too long. It may have ${MOST_CHARS} characters.` : null
}

const keyOf = (passphrase: string, salt: string, cost: number): Promise<Buffer> =>
  (promisify(scrypt) as (text: string, salt: Buffer, bytes: number, options: object) => Promise<Buffer>)(
    passphrase,
    Buffer.from(salt, 'hex'),
    KEY_BYTES,
    { N: cost, r: BLOCK, p: 1, maxmem: 256 * BLOCK * cost },
  )

/** `id`: of the backup; the entry opens in no other one. Throws BAD_REQUEST for secrets that are too large. */
export async function sealSecrets(
  secrets: Secrets,
  { passphrase, id, random }: { readonly passphrase: string; readonly id: string; readonly random: Pick<Random, 'hex'> },
): Promise<{ readonly parameters: SealedParameters; readonly bytes: Buffer }> {
  const text = Buffer.from(
    JSON.stringify({ files: [...secrets].map(([path, content]) => ({ path, content: content.toString('base64') })) }),
  )
  if (text.length > MOST_BYTES || secrets.size > MOST_FILES)
    throw new Failure('BAD_REQUEST', 'The files of keys are too large for a backup. Back up without secrets.')
  const [salt, nonce] = [random.hex(SALT_BYTES), random.hex(NONCE_BYTES)]
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt, COST), Buffer.from(nonce, 'hex')).setAAD(Buffer.from(id))
  const bytes = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { parameters: { cost: COST, salt, nonce, bytes: bytes.length, sha256 }, bytes }
}

/** Throws AUTH_FAILED for a wrong passphrase, BAD_REQUEST for content that is none. */
export async function openSecrets(
  bytes: Buffer,
  { cost, salt, nonce }: SealedParameters,
  { passphrase, id }: { readonly passphrase: string; readonly id: string },
): Promise<Secrets> {
  const key = await keyOf(passphrase, salt, cost)
  const text = opened(bytes, key, Buffer.from(nonce, 'hex'), id)
  if (text === null) throw new Failure('AUTH_FAILED', WRONG, { hint: '' })
  try {
    const { files } = Content.parse(parseJson(text, { bytes: MOST_BYTES, depth: 4 }))
    return new Map(files.map(({ path, content }) => [path, Buffer.from(content, 'base64')]))
  } catch (cause) {
    throw new Failure('BAD_REQUEST', 'The secrets of this backup are damaged. Restore it without secrets.', { cause })
  }
}
const WRONG =
  'The passphrase is not the one that this backup was made with. Nothing was restored. Try another one, or restore without secrets.'

function opened(bytes: Buffer, key: Buffer, nonce: Buffer, id: string): Buffer | null {
  const end = bytes.length - TAG_BYTES
  if (end < 0) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(id))
      .setAuthTag(bytes.subarray(end))
    return Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()])
  } catch {
    return null
  }
}
