// What a row of the catalogue of models is. Both programs have the same catalogue: the studio shows it, an agent installs from its own copy,
// so that a studio names a model by its id and never by an address.

export type ModelRole = 'TTS' | 'ASR' | 'Diarisation' | 'Separation' | 'Translation'

/** One file, or with `*` those that the listing of the server has. null: not known here; the listing must supply it. */
export type WantedFile = { readonly path: string; readonly size: number | null; readonly sha256: string | null }

/** Files of one repository. */
export type ModelSource = {
  /** `owner/name`, or `spaces/owner/name` for one that is the repository of a space. */
  readonly repo: string
  /** The commit; null: not known. The commit that the branch stands at is then looked up, once, and kept with the files. */
  readonly revision: string | null
  readonly files: readonly WantedFile[]
  /** Folder of these files in the model, with its slash; '' for none. */
  readonly into: string
}

export type CatalogueModel = {
  /** What users name: the repository, and `:precision` behind it for one that is not the usual one. Unique. */
  readonly id: string
  readonly label: string
  readonly role: ModelRole
  readonly engine: string
  /** Name of the model in tasks, unique for its engine; '' is the default of the engine. */
  readonly model: string
  readonly precision: string
  /** SPDX where there is one. */
  readonly licence: string
  /** Its licence restricts what it may be used for, or asks for more: a person must accept it before it is fetched. */
  readonly gated: boolean
  readonly sources: readonly ModelSource[]
  /** Of everything that is fetched, in 10^9 bytes, as it is shown to people before the exact size is known. */
  readonly sizeGb: number
  /** Main or device memory that it takes; 0 when nobody has measured or published it. */
  readonly memoryBytes: number
  readonly required: boolean
  /** Of process.platform; empty: all. */
  readonly platforms: readonly string[]
  /** Part of what is recommended for a machine of this kind. */
  readonly curatedOn: readonly ('cpu' | 'gpu')[]
  readonly note: string
  readonly dictationId: string | null
  readonly tag: string | null
}

/** Whether the catalogue alone says what every file must be, whatever a server tells. */
export const hasPins = ({ sources }: Pick<CatalogueModel, 'sources'>): boolean =>
  sources.every(({ files }) => files.every(({ size, sha256 }) => size !== null && sha256 !== null))

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/

/** Whether a path may become a file below a folder of ours: short plain segments, no dots in front, none that leads elsewhere. */
export const isPlainPath = (path: string): boolean => {
  const segments = path.split('/')
  return path.length <= 300 && segments.length <= 8 && segments.every((segment) => SEGMENT.test(segment))
}

/** Whether `path` is what `wanted` means: itself, or with `*` for any piece of one segment. */
export function isMeant(wanted: string, path: string): boolean {
  if (!wanted.includes('*')) return wanted === path
  const pattern = wanted.split('*').map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pattern.join('[^/]*')}$`).test(path)
}

/** Folder of a model below that of its engine; the default model has no name of its own. */
export const folderOf = ({ engine, model }: Pick<CatalogueModel, 'engine' | 'model'>): string => `${engine}/${model || 'default'}`
