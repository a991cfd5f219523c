// @ts-check
// One model of the catalogue: what it is, what it needs, and the buttons to install, cancel and remove it.
import { ApiError, get, messageOf, post, remove } from '../../lib/api.js'
import { Action, Badge, Confirm, Dialog, Progress } from '../../lib/controls.js'
import { bytes, duration } from '../../lib/format.js'
import { html, useEffect, useState } from '../../lib/html.js'
import { strings as shared } from '../../lib/strings.js'
import { pendingDownload } from './downloads.js'
import { obstacleOf, sizeOf, warningsOf } from './fit.js'
import { strings } from './strings.js'

/** @import { ComponentChildren } from 'preact' */
/** @import { ModelEntry } from '../../lib/api-types.ts' */
/** @import { Tone } from '../../lib/controls.js' */
/** @import { Download } from './downloads.js' */
/** @import { Room } from './fit.js' */

/** A file differs from what the catalogue or the server announces. */
const DAMAGED = 'INPUT_CORRUPT'
/** The server refuses: a token, a licence on its page or a mirror without this model. */
const REFUSED = 'MODEL_REF_REJECTED'

/** @param {ModelEntry} model @param {Download | undefined} progress @returns {'queued' | 'downloading' | 'failed' | 'damaged' | 'installed' | 'partly' | 'none'} */
export function phaseOf({ download, installing, installed, incomplete }, progress) {
  if (download?.state === 'queued' && !(progress && progress.total > 0)) return 'queued'
  if (progress || installing || (download !== null && download.state !== 'failed')) return 'downloading'
  if (installed) return 'installed'
  if (download?.state === 'failed') return download.code === DAMAGED ? 'damaged' : 'failed'
  return incomplete ? 'partly' : 'none'
}
/** @type {Readonly<Record<ReturnType<typeof phaseOf>, Tone>>} */
const TONES = { queued: 'quiet', downloading: 'busy', failed: 'bad', damaged: 'bad', installed: 'good', partly: 'warn', none: 'quiet' }

/** @param {{ download: Download, label: string }} props */
function DownloadProgress({ download, label }) {
  const { done, total, rate, eta, files, allFiles, note, target } = download
  const isKnown = total > 0
  return html`<div class="fetching" role="group" aria-label=${strings.progressOf(label)}>
    <${Progress} value=${isKnown ? done / total : null} label=${strings.progressOf(label)} />
    <p class="soft">
      ${isKnown && html`<span>${strings.progress(bytes(done), bytes(total), files, allFiles)}</span>`}
      ${isKnown && rate > 0 && html`<span>${strings.rate(bytes(rate))}</span>`}
      ${eta !== null && eta > 0 && html`<span>${strings.remaining(duration(eta))}</span>`}
      ${target !== 'local' && html`<span>${strings.elsewhere}</span>`}
      ${note && html` <span class="text">${note}</span>`}
    </p>
  </div>`
}

/** @param {{ model: ModelEntry, onAccept: () => Promise<void>, onClose: () => void }} props */
function Licence({ model, onAccept, onClose }) {
  return html`<${Dialog} title=${strings.licenceTitle} onClose=${onClose}>
    <p class="text clip">${model.label}</p>
    <p>${strings.licenceBefore}<strong class="text">${model.licence}</strong>${strings.licenceAfter}</p>
    <p class="mono">${model.repo_id.split(':')[0]}</p>
    <footer>
      <button type="button" onClick=${onClose}>${shared.cancel}</button>
      <${Action} kind="main" onPress=${onAccept}>${strings.accept}<//>
    </footer>
  <//>`
}

/**
 * The licence card of a model, as its publisher wrote it. It can be accepted once it is shown.
 * @param {{ model: ModelEntry, onAccept: () => Promise<void>, onClose: () => void }} props
 */
function Card({ model, onAccept, onClose }) {
  const [card, setCard] = useState(/** @type {string | null} */ (null))
  const [error, setError] = useState('')
  const read = async (/** @type {AbortSignal | undefined} */ signal) => {
    setError('')
    try {
      const path = /** @type {`/models/card?${string}`} */ (`/models/card?repo_id=${encodeURIComponent(model.repo_id)}`)
      setCard((await get(path, signal)).card)
    } catch (error) {
      if (!signal?.aborted) setError(messageOf(error))
    }
  }
  useEffect(() => {
    const leaving = new AbortController()
    void read(leaving.signal)
    return () => leaving.abort()
  }, [])
  return html`<${Dialog} title=${strings.cardTitle} onClose=${onClose}>
    <p class="text clip">${model.label}</p>
    <p>${strings.cardNote}</p>
    ${card !== null && html`<pre class="code text" dir="auto" tabindex="0" aria-label=${strings.cardTitle}>${card}</pre>`}
    ${card === null && error === '' && html`<p class="soft" role="status">${shared.loading}</p>`}
    ${error && html`<p class="callout bad text" role="alert">${error} <button type="button" class="quiet" onClick=${() => read(undefined)}>${shared.tryAgain}</button></p>`}
    <footer>
      <button type="button" onClick=${onClose}>${shared.cancel}</button>
      <${Action} kind="main" disabled=${card === null} onPress=${onAccept}>${strings.accept}<//>
    </footer>
  <//>`
}

/** @param {{ model: ModelEntry }} props */
const Facts = ({ model }) => html`<p class="marks soft">
  <span>${model.installed ? strings.onDisk(bytes(sizeOf(model))) : strings.toDownload(bytes(sizeOf(model)))}</span>
  ${model.memory_bytes > 0 && html`<span>${strings.memoryUse(bytes(model.memory_bytes))}</span>`}
  ${!model.own && html`<span class="text">${strings.licence(model.licence)}</span>`}
  ${model.own ? html`<span>${strings.addedFromFiles}</span>` : !model.pinned && html`<span>${strings.unpinned}</span>`}
  <span class="mono text clip">${model.repo_id}</span>
</p>`

/** @param {string} repo_id */
export const cancelInstall = (repo_id) => post('/models/install/cancel', { repo_id })

/**
 * `badges`, `actions`: what the page of the model adds.
 * @param {{ model: ModelEntry, download: Download | undefined, room: Room, onChanged: () => Promise<unknown>, badges?: ComponentChildren, actions?: ComponentChildren }} props
 */
export function Model({ model, download, room, onChanged, badges, actions }) {
  const [question, setQuestion] = useState(/** @type {'' | 'licence' | 'removal'} */ (''))
  const [refusal, setRefusal] = useState('')
  const { repo_id, label } = model
  const close = () => setQuestion('')
  const phase = phaseOf(model, download)
  const isDownloading = phase === 'queued' || phase === 'downloading'
  const isFailed = phase === 'failed' || phase === 'damaged'
  const obstacle = obstacleOf(model, room)
  const install = async (/** @type {boolean} */ accept_licence) => {
    close()
    setRefusal('')
    try {
      // A person who asks again does not wait for the pause that follows a failure.
      if (isFailed) await cancelInstall(repo_id)
      await post('/models/install', { repo_id, accept_licence })
      await onChanged()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setRefusal(messageOf(error))
    }
  }
  const press = async () => (model.gated && !model.licence_accepted ? setQuestion('licence') : install(false))
  const cancel = async () => {
    await cancelInstall(repo_id)
    await onChanged()
  }
  const uninstall = async () => {
    await remove(`/models/${encodeURIComponent(repo_id)}`)
    await onChanged()
  }
  const action = strings.install(isFailed ? phase : model.incomplete ? 'partly' : 'none', bytes(sizeOf(model)))
  const error = refusal || (isFailed && model.download?.error)
  return html`<li class="model" data-model=${repo_id}>
    <div class="row">
      <h3 class="text clip">${label}</h3>
      <${Badge} tone=${TONES[phase]}>${strings.phases[phase]}<//>
      ${model.required && !model.installed && html`<${Badge} tone="warn">${strings.defaultVoice}<//>`}
      ${badges}
      <span class="spread"></span>
      ${!model.installed && !isDownloading && html`<${Action} disabled=${obstacle !== ''} aria-label=${strings.actionFor(action, label, repo_id)} onPress=${press}>${action}<//>`}
      ${isDownloading && html`<${Action} aria-label=${strings.actionFor(shared.cancel, label, repo_id)} onPress=${cancel}>${shared.cancel}<//>`}
      ${
        (model.installed || model.incomplete) &&
        !isDownloading &&
        html`${actions}<button type="button" class="danger" aria-label=${strings.actionFor(shared.remove, label, repo_id)} onClick=${() => setQuestion('removal')}>${shared.remove}</button>`
      }
    </div>
    <${Facts} model=${model} />
    ${model.note && html`<p class="text clip">${model.note}</p>`}
    ${phase === 'queued' && html`<p class="soft">${strings.queuedBehind(Math.max(1, model.download?.position ?? 1))}</p>`}
    ${phase === 'downloading' && html`<${DownloadProgress} download=${download ?? pendingDownload(strings.waiting)} label=${label} />`}
    ${obstacle && !model.installed && html`<p class="soft"><strong>${strings.cannotInstall}</strong><span class="text">${obstacle}</span>${model.supported && html` <a href="#/settings/storage">${strings.manageStorage}</a>`}</p>`}
    ${!model.installed && !isDownloading && warningsOf(model, room).map((warning) => html`<p key=${warning} class="soft">${warning}</p>`)}
    ${error && html`<p class="callout bad text" role="alert">${error}${isFailed && model.download?.code === REFUSED && html` <a href="#/settings/engines">${strings.modelServer}</a>`}</p>`}
    ${question === 'licence' && html`<${model.card ? Card : Licence} model=${model} onAccept=${() => install(true)} onClose=${close} />`}
    ${
      question === 'removal' &&
      html`<${Confirm} title=${strings.removeTitle} action=${shared.remove} onClose=${close} onYes=${uninstall}>
      <p class="text clip">${label}</p>
      <p>${strings.removeWarning(bytes(model.size_on_disk_bytes))}</p>
    <//>`
    }
  </li>`
}
