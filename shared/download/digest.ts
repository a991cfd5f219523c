// The expected digest of a file and its verification: SHA-256, the git blob id of a small file, or MD5 where nothing else is published.
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'

export type Digest = { readonly kind: 'sha256' | 'git' | 'md5'; readonly hex: string }

/** Hashes bytes as they arrive; `end` returns the SHA-256 and whether the file matches the expected digest. */
export type Measure = {
  readonly add: (bytes: Uint8Array) => void
  readonly end: () => { readonly matches: boolean; readonly sha256: string }
}

export function createMeasure({ kind, hex }: Digest, size: number): Measure {
  const plain = createHash('sha256')
  const other: Hash | null = kind === 'git' ? createHash('sha1').update(`blob ${size}\0`) : kind === 'md5' ? createHash('md5') : null
  return {
    add(bytes) {
      plain.update(bytes)
      other?.update(bytes)
    },
    end() {
      const sha256 = plain.digest('hex')
      return { matches: (other ? other.digest('hex') : sha256) === hex, sha256 }
    },
  }
}

const READ_BYTES = 1024 * 1024

/** Adds the first `bytes` of a file to the measure. */
export async function measureFile(path: string, bytes: number, measure: Measure, signal: AbortSignal): Promise<void> {
  if (bytes === 0) return
  for await (const piece of createReadStream(path, { end: bytes - 1, highWaterMark: READ_BYTES, signal })) measure.add(piece as Buffer)
}

/** The digest of a model: over the names and SHA-256 of its files, in the order of the names. */
export function digestOf(files: readonly { readonly path: string; readonly sha256: string }[]): string {
  const hash = createHash('sha256')
  for (const { path, sha256 } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) hash.update(`${sha256}  ${path}\n`)
  return hash.digest('hex')
}
