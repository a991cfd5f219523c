// A row of the model catalogue. Studio and agent contain the same catalogue: the studio shows it and the agent installs from its own copy,
// so a studio names a model by its id and never by a URL.

/** Begins the name of a folder that is being removed, within that of the models; the agent removes what a killed process left. */
export const REMOVED = '.removed-'

export type ModelRole = 'TTS' | 'ASR' | 'Diarisation' | 'Separation' | 'Translation'

/**
 * One file, or with `*` the matching files of the server's listing. null: not known here; the listing must supply it. `md5`: of a file whose publisher
 * names no other digest.
 */
export type WantedFile = { readonly path: string; readonly size: number | null; readonly sha256: string | null; readonly md5?: string }

/** Files of one repository. */
export type ModelSource = {
  /** `owner/name`, or `spaces/owner/name` for one that is the repository of a space. */
  readonly repo: string
  /** The commit. null: the commit of the branch is looked up once and stored with the files. */
  readonly revision: string | null
  readonly files: readonly WantedFile[]
  /** Folder of these files in the model, with its slash; '' for none. */
  readonly into: string
}

export type CatalogueModel = {
  /** The public id: the repository, followed by `:precision` when it is not the usual one; `piper/NAME` of a voice of Piper. Unique. */
  readonly id: string
  readonly label: string
  readonly role: ModelRole
  readonly engine: string
  /** Name of the model in tasks, unique for its engine; '' is the default of the engine. */
  readonly model: string
  readonly precision: string
  /** The SPDX id where one exists. */
  readonly licence: string
  /** A person must accept the licence before the download. Only the engines that the specification lists; `note` states the conditions of others. */
  readonly gated: boolean
  readonly sources: readonly ModelSource[]
  /** Size of the download in 10^9 bytes, shown before the exact size is known. */
  readonly sizeGb: number
  /** Bytes of main or device memory; 0 when it was neither measured nor published. */
  readonly memoryBytes: number
  readonly required: boolean
  /** Values of process.platform; empty for all. */
  readonly platforms: readonly string[]
  /** Recommended for machines of these kinds. */
  readonly curatedOn: readonly ('cpu' | 'gpu')[]
  readonly note: string
  readonly dictationId: string | null
  readonly tag: string | null
  /** Models of one group are listed together, such as the voices of a language; null for none. */
  readonly group: string | null
  /** Path of the licence card in the repository of the first source. A person must have seen it before the download. null: the row says all. */
  readonly card: string | null
}

/** True if the catalogue contains a digest of every file, independent of the server. */
export const hasPins = ({ sources }: Pick<CatalogueModel, 'sources'>): boolean => sources.every(({ files }) => files.every(isPinned))

/** True if a file can be verified without the server. */
export const isPinned = ({ path, size, sha256, md5 }: WantedFile): boolean =>
  !path.includes('*') && size !== null && (sha256 !== null || md5 !== undefined)

const SEGMENT = /^[A-Za-z0-9\u00c0-\u00ff_-][A-Za-z0-9\u00c0-\u00ff._-]{0,127}$/

/** True if a path is safe below the model folder: short plain segments of Latin letters without leading dots, none that leaves the folder. */
export const isPlainPath = (path: string): boolean => {
  const segments = path.split('/')
  return path.length <= 300 && segments.length <= 8 && segments.every((segment) => SEGMENT.test(segment))
}

/** True if `path` matches `wanted`, in which `*` stands for any part of one segment. */
export function isMeant(wanted: string, path: string): boolean {
  const segments = path.split('/')
  const patterns = wanted.split('/')
  return patterns.length === segments.length && patterns.every((pattern, index) => matchesSegment(pattern.split('*'), segments[index]!))
}

/** `pieces`: the text between the stars. Takes the first place of each, which leaves the most room for the next. */
function matchesSegment([first = '', ...pieces]: readonly string[], segment: string): boolean {
  const last = pieces.pop()
  if (last === undefined) return segment === first
  if (!segment.startsWith(first)) return false
  let at = first.length
  for (const piece of pieces) {
    const found = segment.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return segment.length - last.length >= at && segment.endsWith(last)
}

/** Folder of a model below that of its engine; the default model has no name of its own. */
export const folderOf = ({ engine, model }: Pick<CatalogueModel, 'engine' | 'model'>): string => `${engine}/${model || 'default'}`
