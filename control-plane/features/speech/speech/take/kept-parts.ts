// The finished parts of a take whose machine stopped answering, kept as a file until the take is complete.
import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { z } from 'zod'
import type { LocalArtifacts } from '#control-plane/store/artifact.ts'
import type { OutputPiece } from '#control-plane/tasks/output.ts'

export const KeptParts = z.object({
  /** Samples of each part. */
  parts: z.array(z.object({ samples: z.int() })).readonly(),
  /** SHA-256 of the s16le bytes in the artifact folder; null without parts. */
  digest: z.string().nullable(),
  bytes: z.int(),
})
export type KeptParts = z.output<typeof KeptParts>
export const NO_PARTS: KeptParts = { parts: [], digest: null, bytes: 0 }
type Files = Pick<LocalArtifacts, 'pathOf' | 'keep' | 'read'>

/** Writes the first bytes of `pieces`, which hold exactly `parts`. `id`: of the job. Durable when it resolves. Throws the error of the disk. */
export async function keepParts(
  files: Files,
  id: string,
  pieces: AsyncIterable<OutputPiece>,
  parts: readonly { readonly samples: number }[],
): Promise<KeptParts> {
  const size = 2 * parts.reduce((sum, { samples }) => sum + samples, 0)
  if (size === 0) return NO_PARTS
  const path = files.pathOf(`take-${id}.new`)
  const hash = createHash('sha256')
  const file = await open(path, 'w', 0o600)
  try {
    let written = 0
    for await (const { bytes } of pieces) {
      const rest = bytes.subarray(0, size - written)
      hash.update(rest)
      await file.writeFile(rest) // not write, which may write a part
      written += rest.length
      if (written === size) break
    }
    if (written < size) throw new Error('The output of the take ended before its finished parts.')
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
  const digest = hash.digest('hex')
  await files.keep(digest, { file: path })
  return { parts, digest, bytes: size }
}

/** The bytes of the kept parts, without part numbers. Throws the error of the disk. */
export async function* readKept(files: Pick<Files, 'read'>, { digest }: KeptParts): AsyncGenerator<OutputPiece> {
  if (digest !== null) for await (const bytes of files.read(digest)) yield { part: 0, bytes }
}
