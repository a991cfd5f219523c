// Models that the owner of a machine added from files. They are in no catalogue, so their files are compared with no publisher's digest: the
// SHA-256 that they had when they were added is recorded. Their names begin with prefixes that no row of the catalogue has.
import type { CatalogueModel } from './model.ts'
import { row } from './rows.ts'

const ID_PREFIX = 'own/'
const MODEL_PREFIX = 'own-'
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/
export const NAME_RULE =
  'A name has at most 60 letters of English, digits, dots, hyphens and underscores, and begins with a letter or a digit.'
/** On one machine, and of one studio to which it is lent. */
export const MAX_OWN_MODELS = { machine: 200, studio: 20 } as const
/** Limits of what is added at a time. `nameLength`: of a file, with its folders. */
export const OWN_LIMITS = { files: 500, bytes: 20 * 1000 ** 3, nameLength: 1_000 } as const
/** The folder, within that of the models, in which the files of one addition wait for the agent; the name ends with ADDITION_DIGITS of hex. */
export const ADDITION = '.adding-'
export const ADDITION_DIGITS = 32
/** The list of the files in that folder: their names, in the order of the files 0, 1, 2. */
export const ADDITION_LIST = 'files.json'

export const isOwnName = (name: string): boolean => NAME.test(name)
/** The public id. */
export const ownId = (name: string): string => `${ID_PREFIX}${name}`
/** The name of the model in tasks, and of its folder. */
export const ownModel = (name: string): string => `${MODEL_PREFIX}${name}`
/** The name that the owner gave to an own model; the unchanged name of any other model. */
export const nameOfModel = (model: string): string => (isOwnModel(model) ? model.slice(MODEL_PREFIX.length) : model)
export const isOwnModel = (model: string): boolean => model.startsWith(MODEL_PREFIX)
/** The name of the model in tasks; null for an id of the catalogue. */
export const modelOfOwnId = (id: string): string | null =>
  id.startsWith(ID_PREFIX) && isOwnName(id.slice(ID_PREFIX.length)) ? ownModel(id.slice(ID_PREFIX.length)) : null

/** A name from that of a file or a folder; '' if nothing of it can be used. */
export const ownNameFrom = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[._-]{1,200}/, '')
    .slice(0, 60)

export type OwnModel = {
  readonly id: string
  readonly label: string
  readonly role: 'TTS' | 'ASR'
  readonly engine: string
  readonly model: string
}

/** The model as a row of the catalogue. `bytes`: on the disk. */
export const ownRow = (own: OwnModel, bytes: number): CatalogueModel =>
  row({
    ...own,
    precision: '',
    licence: 'not stated',
    sizeGb: bytes / 1e9,
    note: 'Added from files. It was not verified against a publisher.',
    sources: [],
    group: null,
  })
