// @ts-check
// Saved projects, dubs and books that stopped, as one list.
import { strings } from './strings.js'

/** @import { Gets } from '../../lib/api-types.ts' */
/** @import { IconName } from '../../look/icons.js' */
/** @typedef {keyof typeof strings.kinds} Kind */
/**
 * @typedef {object} Project
 * @property {string} id
 * @property {Kind} kind
 * @property {string} name
 * @property {string} language
 * @property {string} state
 * @property {'' | 'good' | 'warn'} tone
 * @property {number | null} length seconds
 * @property {number} at epoch seconds
 * @property {string | null} href null where its page does not exist
 */

/** @type {Readonly<Record<Kind, { icon: IconName, tint: number }>>} */
export const LOOKS = {
  project: { icon: 'folder', tint: 5 },
  dub: { icon: 'film', tint: 3 },
  audiobook: { icon: 'book', tint: 7 },
  story: { icon: 'book', tint: 6 },
}

/** @param {Gets['/dub/summaries'][number]} dub @returns {Pick<Project, 'state' | 'tone'>} */
const dubState = ({ tracks, segments_count: lines }) =>
  tracks === '[]' || tracks === ''
    ? { state: lines > 0 ? strings.linesToDo(lines) : strings.draft, tone: '' }
    : { state: strings.linesSpoken(lines), tone: 'good' }

/**
 * The last changed one first.
 * @param {{ projects: Gets['/projects'], dubs: Gets['/dub/summaries'], books: Gets['/audiobook/jobs']['jobs'] }} lists
 * @param {(page: string) => boolean} hasPage
 * @returns {Project[]}
 */
export function projectsOf({ projects, dubs, books }, hasPage) {
  const link = (/** @type {string} */ page, /** @type {string} */ address) => (hasPage(page) ? address : null)
  /** @type {Project[]} */
  const all = [
    ...projects.map((one) => ({
      id: one.id,
      kind: /** @type {const} */ ('project'),
      name: one.name,
      language: '',
      state: strings.draft,
      tone: /** @type {const} */ (''),
      length: one.duration,
      at: one.updated_at,
      href: null,
    })),
    ...dubs.map((one) => ({
      id: one.id,
      kind: /** @type {const} */ ('dub'),
      name: one.filename,
      language: one.language,
      ...dubState(one),
      length: one.duration,
      at: one.created_at,
      href: link('dub', `#/dub/${encodeURIComponent(one.id)}`),
    })),
    ...books.map((one) => ({
      id: one.job_id,
      kind: one.type,
      name: one.title,
      language: '',
      state: strings.stopped(one.chapters_done, one.total_chapters),
      tone: /** @type {const} */ ('warn'),
      length: null,
      at: one.created_at ?? 0,
      href: link('audiobook', `#/audiobook?job=${encodeURIComponent(one.job_id)}`),
    })),
  ]
  return all.sort((a, b) => b.at - a.at)
}
