// @ts-check
// The downloads of the machine: the one that runs with its progress, and those that wait, in their order.
import { post } from '../../lib/api.js'
import { Action, Progress } from '../../lib/controls.js'
import { bytes, duration } from '../../lib/format.js'
import { html } from '../../lib/html.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { GB, sizeOf } from '../setup/fit.js'
import { cancelInstall, phaseOf } from '../setup/model.js'
import { strings } from './strings.js'

/** @import { ModelEntry } from '../../lib/api-types.ts' */
/** @import { Download } from '../setup/downloads.js' */

/** A download that is newer than the list is the last one. @param {ModelEntry} model */
const positionOf = ({ download }) => download?.position ?? Number.MAX_SAFE_INTEGER

/** Models that are being installed, the running one first. @param {readonly ModelEntry[]} models @param {ReadonlyMap<string, Download>} downloads */
export const queueOf = (models, downloads) =>
  models
    .filter((model) => ['queued', 'downloading'].includes(phaseOf(model, downloads.get(model.repo_id))))
    .sort((one, other) => positionOf(one) - positionOf(other))

/** Bytes of all that are still to come. @param {readonly ModelEntry[]} queue @param {ReadonlyMap<string, Download>} downloads */
const missingBytes = (queue, downloads) =>
  queue.reduce((sum, model) => {
    const now = downloads.get(model.repo_id)
    return sum + (now && now.total > 0 ? now.total - now.done : sizeOf(model))
  }, 0)

/** @param {{ model: ModelEntry, at: number, download: Download | undefined, onChanged: () => Promise<unknown> }} props */
function Waiting({ model: { repo_id, label, size_gb: size }, at, download, onChanged }) {
  const cancel = async () => {
    await cancelInstall(repo_id)
    await onChanged()
  }
  const next = async () => {
    await post('/models/install/next', { repo_id })
    await onChanged()
  }
  const { done, total } = download ?? { done: 0, total: 0 }
  const share = total > 0 ? done / total : null
  return html`<li class="offered" data-download=${repo_id}><span class="kind k7"><${Icon} of=${at === 0 ? 'download' : 'clock'} /></span>
    <span class="grow"><b class="text one-line">${label}</b>
      ${at === 0 ? html`<${Progress} value=${share} label=${strings.progressOf(label)} />` : null}
      <small class="number">${at === 0 ? (total > 0 ? strings.arrived(bytes(done), bytes(total)) : download?.note || strings.starting) : strings.waits(at, bytes(size * GB))}</small></span>
    ${at > 1 && html`<${Action} kind="quiet icon-only" aria-label=${strings.nextOf(label)} title=${strings.next} onPress=${next}><${Icon} of="up" /><//>`}
    <${Action} kind="quiet icon-only" aria-label=${strings.cancelOf(label)} title=${shared.cancel} onPress=${cancel}><${Icon} of="close" /><//></li>`
}

/** Nothing is shown while nothing is downloaded. @param {{ models: readonly ModelEntry[], downloads: ReadonlyMap<string, Download>, onChanged: () => Promise<unknown> }} props */
export function Queue({ models, downloads, onChanged }) {
  const queue = queueOf(models, downloads)
  const [first] = queue
  if (!first) return null
  const rate = downloads.get(first.repo_id)?.rate ?? 0
  const left = missingBytes(queue, downloads)
  return html`<section class="sheet queue" aria-label=${strings.downloads}>
    <div class="row"><h2>${strings.downloads}</h2><span class="spread"></span>
      <small class="number">${strings.queue(queue.length, bytes(left), rate > 0 ? strings.rate(bytes(rate)) : '', rate > 0 ? strings.left(duration(left / rate)) : '')}</small></div>
    <ol class="offers">${queue.map((model, at) => html`<${Waiting} key=${model.repo_id} model=${model} at=${at} download=${downloads.get(model.repo_id)} onChanged=${onChanged} />`)}</ol>
  </section>`
}
