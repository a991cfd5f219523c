// The manifest of a publisher of previews: a signed list of clips. Pure.
import { createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { lineField } from '#shared/protocol/fields/clean-text.ts'

/** Bytes. */
export const LIMITS = { manifest: 256 * 1024, signature: 256, clip: 1024 * 1024 } as const
const HEX = /^[0-9a-f]{64}$/

const Manifest = z.object({
  format: z.literal(1),
  generated_at: z.iso.datetime(),
  engine: lineField(64),
  engine_version: lineField(64),
  clips: z
    .array(
      z.object({
        id: z.string().max(64),
        /** Digest of the instruct, language and script of the archetype: a clip of another recipe is not used. */
        recipe: z.string().regex(HEX),
        /** Beside the manifest. */
        file: z.string().regex(/^[a-z0-9_-]{1,100}\.mp3$/),
        sha256: z.string().regex(HEX),
        bytes: z.int().min(1).max(LIMITS.clip),
      }),
    )
    .max(2_000),
})
export type Manifest = z.output<typeof Manifest>

/** `key`: the 32 bytes of an Ed25519 key in base64. `signature`: base64, over the exact bytes. Throws BAD_REQUEST. */
export function readManifest(bytes: Buffer, signature: Buffer, key: string): Manifest {
  if (!isSigned(bytes, signature, key)) throw new Failure('BAD_REQUEST', 'The signature of the list of previews is not valid.')
  const parsed = Manifest.safeParse(parsedJson(bytes))
  if (!parsed.success) throw new Failure('BAD_REQUEST', 'The list of previews has a form that this version does not read.')
  return parsed.data
}

function isSigned(bytes: Buffer, signature: Buffer, key: string): boolean {
  const x = Buffer.from(key, 'base64').toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const decoded = Buffer.from(signature.toString('latin1').trim(), 'base64')
  return decoded.length === 64 && verify(null, bytes, publicKey, decoded)
}

function parsedJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}
