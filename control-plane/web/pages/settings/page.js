// @ts-check
// Settings: sections at the side, a search over all of them, and one row for each setting.
import { fieldValue } from '../../lib/controls.js'
import { html, useState } from '../../lib/html.js'
import { useRead } from '../../lib/read.js'
import { strings as shared } from '../../lib/strings.js'
import { Dictionary } from '../settings-parts/dictionary.js'
import { Disk } from '../settings-parts/disk.js'
import { DictationModel, Engines } from '../settings-parts/engines.js'
import { Hub } from '../settings-parts/hub.js'
import { Providers } from '../settings-parts/providers.js'
import { Sharing } from '../settings-parts/sharing.js'
import { About } from './about.js'
import { Checks } from './checks.js'
import { Examples } from './examples.js'
import { LogLines } from './log.js'
import { SettingView } from './row.js'
import { isSection, SECTIONS, titleOf } from './sections.js'
import { strings } from './strings.js'

/** @import { FunctionComponent } from 'preact' */
/** @import { PageProps } from '../../app.js' */
/** @import { SettingRow } from '../../lib/api-types.ts' */
/** @import { Group, Row, SectionName } from './sections.js' */

/** @type {Readonly<Record<NonNullable<Group['block']>, FunctionComponent>>} */
const BLOCKS = {
  engines: Engines,
  hub: Hub,
  dictionary: Dictionary,
  providers: Providers,
  disk: Disk,
  sharing: Sharing,
  examples: Examples,
  checks: Checks,
  log: LogLines,
  releases: About,
  dictationModel: DictationModel,
}
const NAMES = /** @type {SectionName[]} */ (Object.keys(SECTIONS))

/** Whether every word of the search is in the text. @param {string} search @param {readonly string[]} texts */
const matches = (search, texts) => {
  const text = texts.join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** @param {{ search: string, view: (row: Row) => unknown, title: (row: Row) => string }} props title: of a setting */
function Found({ search, view, title: nameOf }) {
  const found = NAMES.flatMap((name) =>
    SECTIONS[name].flatMap((group) => {
      const [title, help] = strings.groups[group.name]
      const around = [strings.sections[name], title]
      const rows = group.rows?.filter((row) => matches(search, [nameOf(row), strings.rows[row.id], ...around])) ?? []
      const isNamed = matches(search, [...around, help])
      return rows.length > 0 || isNamed ? [{ name, title, help, rows }] : []
    }),
  )
  if (found.length === 0) return html`<p class="empty">${strings.nothingFound}</p>`
  return found.map(
    ({ name, title, help, rows }) => html`<section key=${title} class="sheet" aria-label=${title}>
      <h2>${title}</h2><p class="soft"><a href=${`#/settings/${name}`}>${strings.sections[name]}</a>${rows.length === 0 && ` · ${help}`}</p>
      ${rows.map(view)}</section>`,
  )
}

/** @param {Pick<PageProps, 'address'>} props */
export function Settings({ address: { object, query } }) {
  const settings = useRead('/api/settings/values')
  const [search, setSearch] = useState('')
  const [restarts, setRestarts] = useState(/** @type {readonly string[]} */ ([]))
  const name = isSection(object) ? object : 'general'
  const wanted = query.get('row')
  const byKey = new Map(settings.value?.settings.map((/** @type {SettingRow} */ one) => [one.key, one]))
  const stored = async (/** @type {Row} */ { id, needsRestart }, /** @type {boolean} */ isStored) => {
    if (needsRestart && isStored) setRestarts((all) => [...new Set([...all, id])])
    await settings.again()
  }
  const view = (/** @type {Row} */ row) =>
    html`<${SettingView} key=${row.id} row=${row} setting=${byKey.get(row.key)} isFound=${row.id === wanted} onStored=${stored} />`
  return html`<div class=${object === '' && search === '' ? 'options at-list' : 'options'}>
    <div class="side">
      <input type="search" class="find" aria-label=${strings.search} placeholder=${strings.search} value=${search} onInput=${(/** @type {Event} */ event) => setSearch(fieldValue(event).trimStart())} />
      <nav aria-label=${strings.list}>${NAMES.map(
        (one) =>
          html`<a key=${one} href=${`#/settings/${one}`} aria-current=${search === '' && one === name ? 'page' : undefined} onClick=${() => setSearch('')}>${strings.sections[one]}</a>`,
      )}</nav>
    </div>
    <div class="chosen">
      <a class="back" href="#/settings" onClick=${() => setSearch('')}>${strings.list}</a>
      ${restarts.length > 0 && html`<p class="callout" role="status">${strings.restart(restarts.length)}</p>`}
      ${settings.error && html`<p class="callout bad text" role="alert">${settings.error} <button type="button" class="quiet" onClick=${settings.again}>${shared.tryAgain}</button></p>`}
      ${settings.value === null && settings.error === '' && html`<p class="empty" role="status">${shared.loading}</p>`}
      ${
        settings.value !== null &&
        (search.trim() !== ''
          ? html`<${Found} search=${search.trim()} view=${view} title=${(/** @type {Row} */ row) => titleOf(row, byKey.get(row.key))} />`
          : SECTIONS[name].map((group) => {
              const [title, help] = strings.groups[group.name]
              return html`<section key=${group.name} class="sheet" aria-label=${title}><h2>${title}</h2><p class="soft">${help}</p>
                ${group.rows?.map(view)}${group.block && html`<${BLOCKS[group.block]} />`}</section>`
            }))
      }
    </div>
  </div>`
}
