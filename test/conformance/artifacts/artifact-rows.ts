// The table of artifacts in memory.
import type { ArtifactRow, ArtifactRows } from '#control-plane/store/s3/artifacts.ts'

export function createArtifactRows(): ArtifactRows & { readonly table: Map<string, ArtifactRow> } {
  const table = new Map<string, ArtifactRow>()
  return {
    table,
    find: async (digest) => table.get(digest) ?? null,
    put: async (row) => void table.set(row.digest, row),
    remove: async (digest) => void table.delete(digest),
    beyond: async (from, to, limit) =>
      [...table.values()].filter(({ keptUntil, isLeaving }) => isLeaving || keptUntil < from || keptUntil > to).slice(0, limit),
    among: async (digests) => new Set(digests.filter((digest) => table.has(digest))),
  }
}
