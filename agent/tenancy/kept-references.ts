// The reference recordings of one tenant by their digest, so that a studio sends the recording of a voice once and not with every task.
// In memory only: they are voice data of another person, and wiping must be certain.

export type KeptReferences = ReturnType<typeof createKeptReferences>

/** Inputs with this name are kept. */
export const KEPT_INPUT = 'reference'
/** Per tenant. */
export const KEPT_BYTES = 64 * 1024 * 1024

export function createKeptReferences(most = KEPT_BYTES) {
  const kept = new Map<string, Buffer>()
  let total = 0
  const drop = (digest: string) => {
    total -= kept.get(digest)?.length ?? 0
    kept.delete(digest)
  }
  return {
    /** `sha256`: lower-case hex. Null for one that is not kept. The bytes must not change. */
    get(sha256: string): Buffer | null {
      const bytes = kept.get(sha256)
      if (!bytes) return null
      kept.delete(sha256)
      kept.set(sha256, bytes) // the oldest use leaves first
      return bytes
    },
    /** `bytes` have this digest, and do not change. */
    keep(sha256: string, bytes: Buffer): void {
      drop(sha256)
      if (bytes.length > most) return
      kept.set(sha256, bytes)
      total += bytes.length
      for (const oldest of kept.keys()) {
        if (total <= most) break
        drop(oldest)
      }
    },
    /** Null: all of them. */
    forget(digests: readonly string[] | null): void {
      for (const digest of digests ?? [...kept.keys()]) drop(digest)
    },
    /** Bytes of all together. */
    size: (): number => total,
  }
}
