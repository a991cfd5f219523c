// How the rows of the catalogue are written: only what differs from row to row.
import type { CatalogueModel, ModelSource, WantedFile } from './model.ts'

/** Files whose size and digest the listing of the server must tell. */
export const listed = (...paths: readonly string[]): WantedFile[] => paths.map((path) => ({ path, size: null, sha256: null }))
export const sized = (path: string, size: number): WantedFile => ({ path, size, sha256: null })

export const from = (repo: string, files: readonly WantedFile[], more: Partial<ModelSource> = {}): ModelSource => ({
  repo,
  revision: null,
  into: '',
  ...more,
  files,
})

type Told = Pick<CatalogueModel, 'id' | 'label' | 'role' | 'engine' | 'licence' | 'sizeGb' | 'sources'>
export const row = (told: Told & Partial<CatalogueModel>): CatalogueModel => ({
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
  ...told,
})
