// @ts-check
// What people may go on with: books, dubs, projects and takes, newest first.
import { ago, exact } from '../../lib/format.js'
import { html } from '../../lib/html.js'
import { useRead } from '../../lib/read.js'
import { Icon } from '../../look/icons.js'
import { strings } from './strings.js'

/** @import { Gets, HistoryTake } from '../../lib/api-types.ts' */
/** @import { IconName } from '../../look/icons.js' */
/**
 * @typedef {object} Recent
 * @property {string} id
 * @property {IconName} icon
 * @property {number} tint
 * @property {string} name
 * @property {string} detail
 * @property {'good' | 'warn' | 'quiet'} tone
 * @property {string} state
 * @property {number} at epoch seconds
 * @property {string | null} href null where its page does not exist yet
 */
/**
 * @typedef {object} Lists each null until it is read
 * @property {readonly HistoryTake[] | null} takes
 * @property {readonly Gets['/projects'][number][] | null} projects
 * @property {readonly Gets['/dub/summaries'][number][] | null} dubs
 * @property {Gets['/audiobook/jobs'] | null} books that stopped
 * @property {Gets['/longform/jobs'] | null} finished
 */

const SHOWN = 6
/** Takes are many; they leave room for the others. */
const TAKES = 3
const NAME_CHARS = 80
/** @type {Readonly<Record<'good' | 'warn' | 'quiet', IconName>>} */
const STATE_ICONS = { good: 'check', warn: 'warning', quiet: 'draft' }

/** @param {{ tracks: string }} dub tracks: the languages in which it is spoken, as JSON @returns {Pick<Recent, 'tone' | 'state'>} */
const dubState = ({ tracks }) =>
  tracks === '[]' || tracks === '' ? { tone: 'quiet', state: strings.draft } : { tone: 'good', state: strings.spoken }

/** @param {Lists} lists @param {(page: string) => boolean} hasPage @returns {Recent[]} */
export function recentOf({ takes, projects, dubs, books, finished }, hasPage) {
  const link = (/** @type {string} */ page, /** @type {string} */ address) => (hasPage(page) ? address : null)
  const bookOf = (/** @type {string} */ id, /** @type {string} */ title, /** @type {number} */ chapters) => ({
    id: `book-${id}`,
    icon: /** @type {IconName} */ ('book'),
    tint: 7,
    name: title,
    detail: strings.book(chapters),
    href: link('audiobook', `#/audiobook?job=${encodeURIComponent(id)}`),
  })
  /** @type {Recent[]} */
  const all = [
    ...(takes ?? []).slice(0, TAKES).map((take) => ({
      id: `take-${take.id}`,
      icon: /** @type {IconName} */ ('speak'),
      tint: 1,
      name: take.text.slice(0, NAME_CHARS),
      detail: strings.take,
      tone: /** @type {const} */ ('good'),
      state: strings.done,
      at: take.created_at,
      href: `#/speak?take=${encodeURIComponent(take.id)}`,
    })),
    ...(projects ?? []).map((project) => ({
      id: `project-${project.id}`,
      icon: /** @type {IconName} */ ('folder'),
      tint: 5,
      name: project.name,
      detail: strings.project,
      tone: /** @type {const} */ ('quiet'),
      state: strings.draft,
      at: project.updated_at,
      href: link('projects', '#/projects'),
    })),
    ...(dubs ?? []).map((dub) => ({
      ...dubState(dub),
      id: `dub-${dub.id}`,
      icon: /** @type {IconName} */ ('film'),
      tint: 3,
      name: dub.filename,
      detail: strings.dub(dub.language, dub.segments_count),
      at: dub.created_at,
      href: link('dub', `#/dub/${encodeURIComponent(dub.id)}`),
    })),
    ...(books?.jobs ?? []).map((book) => ({
      ...bookOf(book.job_id, book.title, book.total_chapters),
      tone: /** @type {const} */ ('warn'),
      state: strings.stopped(book.chapters_done, book.total_chapters),
      at: book.created_at ?? 0,
    })),
    ...(finished?.jobs ?? []).map((book) => ({
      ...bookOf(book.job_id, book.title, book.chapters),
      tone: /** @type {const} */ ('good'),
      state: strings.done,
      at: book.created_at,
    })),
  ]
  return all.sort((a, b) => b.at - a.at).slice(0, SHOWN)
}

/** @param {{ one: Recent }} props */
const Row = ({ one }) => {
  const created = new Date(one.at * 1000)
  return html`<li>
    <span class=${`kind k${one.tint}`}><${Icon} of=${one.icon} /></span>
    ${
      one.href === null
        ? html`<b class="text one-line" dir="auto">${one.name}</b>`
        : html`<a class="text one-line" dir="auto" href=${one.href}>${one.name}</a>`
    }
    <span class="soft one-line">${one.detail}</span>
    <span class=${`state ${one.tone}`}><${Icon} of=${STATE_ICONS[one.tone]} />${one.state}</span>
    <time class="caption" dateTime=${created.toISOString()} title=${exact(one.at)}>${ago(one.at)}</time>
  </li>`
}

/** @param {{ hasPage: (page: string) => boolean, onTry: (text: string) => void }} props onTry: speaks one of the first texts */
export function Continue({ hasPage, onTry }) {
  const [takes, projects, dubs, books, finished] = [
    useRead('/history'),
    useRead('/projects'),
    useRead(`/dub/summaries?limit=${SHOWN}`),
    useRead('/audiobook/jobs'),
    useRead(`/longform/jobs?limit=${SHOWN}`),
  ]
  const reads = [takes, projects, dubs, books, finished]
  const lists = { takes: takes.value, projects: projects.value, dubs: dubs.value, books: books.value, finished: finished.value }
  const rows = recentOf(lists, hasPage)
  const isRead = reads.every(({ value, error }) => value !== null || error !== '')
  const error = reads.find((one) => one.error !== '')?.error
  const isFirst = isRead && !error && rows.length === 0
  return html`<section aria-label=${isFirst ? strings.first : strings.continue}>
    <div class="row region"><h2>${isFirst ? strings.first : strings.continue}</h2>${isFirst && html`<span class="soft">${strings.firstHint}</span>`}
      <span class="spread"></span>${rows.length > 0 && html`<a href="#/speak">${strings.allTakes}</a>`}</div>
    ${error && html`<p class="callout bad text" role="alert">${strings.readError(error)}</p>`}
    ${!isRead && html`<div class="waiting" aria-hidden="true">${[1, 2, 3].map((one) => html`<div key=${one} class="skeleton"></div>`)}</div>`}
    ${isRead && rows.length > 0 && html`<ul class="recent">${rows.map((one) => html`<${Row} key=${one.id} one=${one} />`)}</ul>`}
    ${
      isFirst &&
      html`<ul class="recent samples">${strings.samples.map(
        (text) =>
          html`<li key=${text}><button type="button" class="item" onClick=${() => onTry(text)}><span class="kind k1"><${Icon} of="play" isSolid /></span><span>${text}</span></button></li>`,
      )}</ul>`
    }
  </section>`
}
