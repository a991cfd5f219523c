// Helpers that keep catalogue rows short: a row states only what differs.
import type { CatalogueModel, ModelSource, WantedFile } from './model.ts'
import type { Pin } from './pins.ts'

/** Files whose size and digest come from the server's listing. */
export const listed = (...paths: readonly string[]): WantedFile[] => paths.map((path) => ({ path, size: null, sha256: null }))
export const sized = (path: string, size: number): WantedFile => ({ path, size, sha256: null })

/** Pinned files: a line each with SHA-256, size and path, separated by one space. */
export const known = (lines: string): WantedFile[] =>
  lines
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [sha256 = '', size = '', path = ''] = line.trim().split(' ')
      return { path, size: Number(size), sha256 }
    })

/** Files of one commit, all of them pinned. */
export const pinned = (repo: string, { revision, lines }: Pin, into = ''): ModelSource => ({ repo, revision, into, files: known(lines) })

/** Files of one commit: pinned ones as they are, the others from the listing of that commit. */
export const held = (repo: string, { revision, lines }: Pin, paths: readonly string[]): ModelSource => {
  const certain = known(lines)
  return {
    repo,
    revision,
    into: '',
    files: [...certain, ...listed(...paths.filter((path) => !certain.some((file) => file.path === path)))],
  }
}

/** Size in 10^9 bytes with three digits; null when the size of a file is unknown. */
export function sizeOf(sources: readonly ModelSource[]): number | null {
  const sizes = sources.flatMap(({ files }) => files.map(({ size }) => size))
  return sizes.includes(null) ? null : Math.round(sizes.reduce<number>((sum, size) => sum + size!, 0) / 1e6) / 1e3
}

export const from = (repo: string, files: readonly WantedFile[], more: Partial<ModelSource> = {}): ModelSource => ({
  repo,
  revision: null,
  into: '',
  ...more,
  files,
})

type Row = Pick<CatalogueModel, 'id' | 'label' | 'role' | 'engine' | 'licence' | 'sizeGb' | 'sources'>
export const row = (fields: Row & Partial<CatalogueModel>): CatalogueModel => ({
  model: '',
  precision: 'fp32',
  gated: false,
  memoryBytes: 0,
  required: false,
  platforms: [],
  curatedOn: [],
  note: '',
  dictationId: null,
  tag: null,
  group: null,
  card: null,
  ...fields,
})
