// A manuscript as the state of a project. Pure.
import { fieldOf } from '#control-plane/web/lib/api.ts'
import type { LeftOut } from './manuscript.ts'

export type BookContent = {
  readonly text: string
  readonly title: string
  readonly author: string
  /** language of the file; null when it is not known */
  readonly language: string | null
  readonly cover: string | null
  /** a voice; '' is the default one */
  readonly narrator: string
  /** name in the manuscript -> voice */
  readonly cast: Readonly<Record<string, string>>
  readonly sayAs: readonly { readonly term: string; readonly say: string }[]
  readonly format: 'm4b' | 'mp3'
  readonly loudness: '' | 'acx' | 'podcast'
  readonly speaksTitles: boolean
  readonly hasReadAlong: boolean
  /** notices of the import */
  readonly notices: readonly string[]
  /** parts of the file that are not in the text */
  readonly skipped: readonly LeftOut[]
  /** title of a chapter that the import switched off -> why */
  readonly reasons: Readonly<Record<string, string>>
  /** milliseconds of silence after parts of the layout; those that are not here are the usual ones */
  readonly pauses: Readonly<Record<string, number>>
}

const LISTED = 10_000
const TITLE_CHARS = 300
const isText = (value: unknown) => typeof value === 'string'

/** The usable fields of a state that a program may have written; always in this order, so that equal contents are equal texts. */
export function contentFrom(state: unknown): BookContent {
  const text = (name: string, of: unknown = state) => {
    const value = fieldOf(of, name)
    return typeof value === 'string' ? value : ''
  }
  const list = <T>(name: string, read: (value: unknown) => T): T[] => {
    const value = fieldOf(state, name)
    return Array.isArray(value) ? value.slice(0, LISTED).map(read) : []
  }
  const table = <T>(name: string, isFit: (value: unknown) => boolean): Record<string, T> => {
    const value = fieldOf(state, name)
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return Object.fromEntries(entries.slice(0, LISTED).filter(([, one]) => isFit(one)))
  }
  const loudness = text('loudness')
  return {
    text: text('text'),
    title: text('title').slice(0, TITLE_CHARS),
    author: text('author').slice(0, TITLE_CHARS),
    language: text('language') || null,
    cover: text('cover') || null,
    narrator: text('narrator'),
    cast: table('cast', isText),
    sayAs: list('sayAs', (one) => ({ term: text('term', one), say: text('say', one) })),
    format: text('format') === 'mp3' ? 'mp3' : 'm4b',
    loudness: loudness === 'acx' || loudness === 'podcast' ? loudness : '',
    speaksTitles: fieldOf(state, 'speaksTitles') === true,
    hasReadAlong: fieldOf(state, 'hasReadAlong') === true,
    notices: list('notices', String),
    skipped: list('skipped', (one) => ({ title: text('title', one), why: text('why', one) })),
    reasons: table('reasons', isText),
    pauses: table('pauses', (value) => typeof value === 'number' && value >= 0),
  }
}
