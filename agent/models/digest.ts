// What a file must be like, and whether it is: SHA-256, or the id that git gives to the content of a small file.
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'

export type Digest = { readonly kind: 'sha256' | 'git'; readonly hex: string }

/** Reads bytes as they come and tells both what the file is and whether it is the one that was meant. */
export type Measure = {
  readonly take: (bytes: Uint8Array) => void
  readonly end: () => { readonly isMeant: boolean; readonly sha256: string }
}

export function createMeasure({ kind, hex }: Digest, size: number): Measure {
  const plain = createHash('sha256')
  const git: Hash | null = kind === 'git' ? createHash('sha1').update(`blob ${size}\0`) : null
  return {
    take(bytes) {
      plain.update(bytes)
      git?.update(bytes)
    },
    end() {
      const sha256 = plain.digest('hex')
      return { isMeant: (git ? git.digest('hex') : sha256) === hex, sha256 }
    },
  }
}

const PIECE_BYTES = 1024 * 1024

/** Puts the first `bytes` of a file into the measure. */
export async function measureFile(path: string, bytes: number, measure: Measure, signal: AbortSignal): Promise<void> {
  if (bytes === 0) return
  for await (const piece of createReadStream(path, { end: bytes - 1, highWaterMark: PIECE_BYTES, signal })) measure.take(piece as Buffer)
}

/** The digest over all files of a model: of their names and SHA-256, in the order of their names. */
export function digestOf(files: readonly { readonly path: string; readonly sha256: string }[]): string {
  const hash = createHash('sha256')
  for (const { path, sha256 } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) hash.update(`${sha256}  ${path}\n`)
  return hash.digest('hex')
}
