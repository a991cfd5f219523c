// @ts-check
// What was made, as one list: takes, finished books and dubs with a voice track.
import { spokenBy } from '../../lib/strings.js'
import { strings } from './strings.js'

/** @import { Gets } from '../../lib/api-types.ts' */
/** @import { IconName } from '../../look/icons.js' */
/** @typedef {keyof typeof strings.kinds} Kind */
/**
 * @typedef {object} MadeFile
 * @property {string} id
 * @property {Kind} kind
 * @property {string} name
 * @property {string} about
 * @property {number} length seconds
 * @property {number} at epoch seconds
 * @property {number | null} size bytes; null if the file was removed
 * @property {string} url of the file
 * @property {string | null} sound where it can be played here
 * @property {string | null} href the page of the object
 */

/** @type {Readonly<Record<Kind, { icon: IconName, tint: number }>>} */
export const LOOKS = { take: { icon: 'speak', tint: 1 }, book: { icon: 'book', tint: 7 }, dub: { icon: 'film', tint: 3 } }
const NAME_CHARS = 120

/** Whether the JSON text of a dub names a track. @param {string} text */
function hasTracks(text) {
  try {
    return Object.keys(JSON.parse(text) ?? {}).length > 0
  } catch {
    return false
  }
}

/**
 * The newest first.
 * @param {{ takes: Gets['/history'], books: Gets['/longform/jobs']['jobs'], dubs: Gets['/dub/summaries'] }} lists
 * @param {(page: string) => boolean} hasPage
 * @returns {MadeFile[]}
 */
export function filesOf({ takes, books, dubs }, hasPage) {
  /** @type {MadeFile[]} */
  const all = [
    ...takes.map((take) => ({
      id: take.id,
      kind: /** @type {const} */ ('take'),
      name: take.text.slice(0, NAME_CHARS),
      about: spokenBy(take),
      length: take.duration_seconds,
      at: take.created_at,
      size: take.size_bytes,
      url: `/audio/${take.audio_path}`,
      sound: `/audio/${take.audio_path}`,
      href: `#/speak?take=${encodeURIComponent(take.id)}`,
    })),
    ...books.map((book) => ({
      id: book.job_id,
      kind: /** @type {const} */ ('book'),
      name: book.title,
      about: strings.chapters(book.chapters),
      length: book.duration_s,
      at: book.created_at,
      size: book.size_bytes,
      url: `/audio/${book.output}`,
      sound: book.size_bytes === null ? null : `/audio/${book.output}`,
      href: hasPage('audiobook') ? `#/audiobook?job=${encodeURIComponent(book.job_id)}` : null,
    })),
    ...dubs
      .filter(({ tracks }) => hasTracks(tracks))
      .map((dub) => ({
        id: dub.id,
        kind: /** @type {const} */ ('dub'),
        name: dub.filename,
        about: dub.language,
        length: dub.duration,
        at: dub.created_at,
        size: dub.size_bytes,
        url: `/dub/download/${encodeURIComponent(dub.id)}`,
        sound: `/dub/download-audio/${encodeURIComponent(dub.id)}`,
        href: hasPage('dub') ? `#/dub/${encodeURIComponent(dub.id)}` : null,
      })),
  ]
  return all.sort((a, b) => b.at - a.at)
}
