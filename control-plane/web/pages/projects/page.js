// @ts-check
// Projects: what people work on, in one table.

import { useChoices } from '../../frame/address.js'
import { get, patch, post, remove } from '../../lib/api.js'
import { Action, Confirm, Dialog, Field, Form, fieldValue } from '../../lib/controls.js'
import { ago, duration } from '../../lib/format.js'
import { html, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { useRead } from '../../lib/read.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { LOOKS, projectsOf } from './rows.js'
import { strings } from './strings.js'

/** @import { Address } from '../../frame/address.js' */
/** @import { Kind, Project } from './rows.js' */

/** Rows that are drawn at once. */
const STEP = 200
const QUESTION_CHARS = 60
const KINDS = /** @type {Kind[]} */ (Object.keys(strings.kinds))

/** @param {{ project: Project, onClose: () => void, onChanged: () => Promise<unknown> }} props */
function Rename({ project, onClose, onChanged }) {
  const [name, setName] = useState(project.name)
  const send = async () => {
    await patch(/** @type {`/projects/${string}`} */ (`/projects/${project.id}`), { name: name.trim() })
    await onChanged()
    onClose()
  }
  return html`<${Dialog} title=${strings.renameTitle} onClose=${onClose}>
    <${Form} onSend=${send} send=${strings.rename} disabled=${name.trim() === ''}>
      <${Field} label=${strings.name}><input value=${name} maxlength="1000" onInput=${(/** @type {Event} */ event) => setName(fieldValue(event))} /><//>
    <//>
  <//>`
}

/** @param {{ project: Project, onClose: () => void, onChanged: () => Promise<unknown> }} props */
function Delete({ project: { id, kind, name }, onClose, onChanged }) {
  const yes = async () => {
    if (kind === 'dub') await remove(/** @type {`/dub/history/${string}`} */ (`/dub/history/${encodeURIComponent(id)}`))
    else await remove(/** @type {`/projects/${string}`} */ (`/projects/${encodeURIComponent(id)}`))
    notify(strings.deleted)
    await onChanged()
  }
  return html`<${Confirm} title=${strings.deleteTitle(name.slice(0, QUESTION_CHARS))} action=${strings.deleteYes} keep=${strings.keep} onYes=${yes} onClose=${onClose}>
    <p>${kind === 'dub' ? strings.deleteDub : strings.deleteProject}</p><//>`
}

/** @param {{ project: Project, onChanged: () => Promise<unknown>, ask: (question: 'rename' | 'delete', project: Project) => void }} props */
function Row({ project, onChanged, ask }) {
  const { id, kind, name, language, state, tone, length, at, href } = project
  const { icon, tint } = LOOKS[kind]
  const duplicate = async () => {
    const { state, video_path, audio_path, duration: seconds } = await get(/** @type {`/projects/${string}`} */ (`/projects/${id}`))
    await post('/projects', { name: strings.copyOf(name), video_path, audio_path, duration: seconds, state })
    notify(strings.duplicated)
    await onChanged()
  }
  return html`<tr>
    <th scope="row"><span class="named-voice"><span class=${`kind k${tint}`}><${Icon} of=${icon} /></span>
      <span>${href === null ? html`<b class="text one-line" dir="auto">${name}</b>` : html`<a class="text one-line" dir="auto" href=${href}>${name}</a>`}<small class="phone-only">${state}</small></span></span></th>
    <td class="of-kind">${strings.kindIn(strings.kinds[kind], language)}</td>
    <td class="of-language"><span class=${`state ${tone}`}>${tone !== '' && html`<${Icon} of=${tone === 'warn' ? 'warning' : 'check'} />`}${state}</span></td>
    <td class="made number">${length === null ? '' : duration(length)}</td>
    <td class="made">${ago(at)}</td>
    <td class="acts" aria-label=${strings.actionsOf(name)}>
      ${
        kind === 'project' &&
        html`<button type="button" class="quiet icon-only" title=${strings.rename} aria-label=${`${strings.rename}: ${name}`} onClick=${() => ask('rename', project)}><${Icon} of="draft" /></button>
        <${Action} kind="quiet icon-only wide-only" title=${strings.duplicate} aria-label=${`${strings.duplicate}: ${name}`} onPress=${duplicate}><${Icon} of="files" /><//>`
      }
      ${(kind === 'project' || kind === 'dub') && html`<button type="button" class="quiet icon-only" title=${strings.delete} aria-label=${`${strings.delete} ${name}`} onClick=${() => ask('delete', project)}><${Icon} of="trash" /></button>`}
    </td>
  </tr>`
}

/** @param {{ address: Address, hasPage: (page: string) => boolean }} props */
export function Projects({ address, hasPage }) {
  const reads = [useRead('/projects'), useRead('/dub/summaries'), useRead('/audiobook/jobs')]
  const [projects, dubs, books] =
    /** @type {[ReturnType<typeof useRead<'/projects'>>, ReturnType<typeof useRead<'/dub/summaries'>>, ReturnType<typeof useRead<'/audiobook/jobs'>>]} */ (
      reads
    )
  const [wanted, change] = useChoices(address.query, ['q', 'kind'])
  const [count, setCount] = useState(STEP)
  const [asked, setAsked] = useState(/** @type {{ question: 'rename' | 'delete', project: Project } | null} */ (null))
  const again = () => Promise.all(reads.map((read) => read.again()))
  const errors = [...new Set(reads.map(({ error }) => error).filter(Boolean))]
  const isRead = reads.every(({ value, error }) => value !== null || error !== '')
  const all = projectsOf({ projects: projects.value ?? [], dubs: dubs.value ?? [], books: books.value?.jobs ?? [] }, hasPage)
  const text = wanted.q.trim().toLowerCase()
  const found = all.filter(
    (one) => (wanted.kind === '' || one.kind === wanted.kind) && (text === '' || one.name.toLowerCase().includes(text)),
  )
  const close = () => setAsked(null)
  return html`
    ${errors.map((error) => html`<p key=${error} class="callout bad text" role="alert">${error} <button type="button" class="quiet" onClick=${again}>${shared.tryAgain}</button></p>`)}
    ${!isRead && html`<p class="hidden" role="status">${shared.loading}</p><div class="waiting" aria-hidden="true">${[1, 2, 3].map((one) => html`<div key=${one} class="skeleton"></div>`)}</div>`}
    ${isRead && all.length === 0 && errors.length === 0 && html`<div class="empty"><span class="kind k5 large"><${Icon} of="folder" isLarge /></span><p>${strings.none}</p></div>`}
    ${
      all.length > 0 &&
      html`<div class="row voice-filters">
        <input type="search" class="find" value=${wanted.q} placeholder=${strings.find} aria-label=${strings.find} onInput=${(/** @type {Event} */ event) => change({ q: fieldValue(event) })} />
        <${Field} label=${strings.kind} look="chip"><select value=${wanted.kind} onChange=${(/** @type {Event} */ event) => change({ kind: fieldValue(event) })}>
          <option value="">${strings.all}</option>${KINDS.map((one) => html`<option key=${one} value=${one}>${strings.kinds[one]}</option>`)}</select><//>
        <span class="spread"></span><small class="number" role="status">${strings.found(found.length)}</small>
      </div>
      ${
        found.length === 0
          ? html`<p class="empty">${strings.noneFound} <button type="button" class="quiet" onClick=${() => change({ q: '', kind: '' })}>${strings.showAll}</button></p>`
          : html`<table class="list-table projects"><thead><tr>${Object.entries(strings.columns).map(([id, name]) => html`<th key=${id} scope="col" class=${`col-${id}`}>${id === 'actions' ? html`<span class="hidden">${name}</span>` : name}</th>`)}</tr></thead>
        <tbody>${found.slice(0, count).map((one) => html`<${Row} key=${one.kind + one.id} project=${one} onChanged=${again} ask=${(/** @type {'rename' | 'delete'} */ question, /** @type {Project} */ project) => setAsked({ question, project })} />`)}</tbody></table>`
      }
      ${found.length > count && html`<div class="row center"><button type="button" onClick=${() => setCount(count + STEP)}>${strings.more(Math.min(STEP, found.length - count))}</button></div>`}`
    }
    ${asked?.question === 'rename' && html`<${Rename} project=${asked.project} onClose=${close} onChanged=${again} />`}
    ${asked?.question === 'delete' && html`<${Delete} project=${asked.project} onClose=${close} onChanged=${again} />`}`
}
