// @ts-check
// Models: what is installed and in memory, what suits this machine, and all of the catalogue.
import { Action } from '../../lib/controls.js'
import { bytes } from '../../lib/format.js'
import { html, useCallback } from '../../lib/html.js'
import { useMachineChange } from '../../lib/live.js'
import { useRead } from '../../lib/read.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { Catalogue, Recommended } from '../setup/catalogue.js'
import { useDownloads } from '../setup/downloads.js'
import { GB } from '../setup/fit.js'
import { InstalledModel, unload } from './installed.js'
import { OwnModels } from './own.js'
import { Queue, queueOf } from './queue.js'
import { strings } from './strings.js'

/** @import { Gets } from '../../lib/api-types.ts' */
/** @import { Live } from '../../lib/live.js' */
/** @import { Address } from '../../frame/address.js' */
/** @import { Room } from '../setup/fit.js' */
/** @import { LoadedModel } from './installed.js' */

const VIEWS = /** @type {const} */ (['', 'recommended', 'all'])
const MB = 1024 ** 2

/** @param {{ loaded: Gets['/model/loaded'], onChanged: () => Promise<unknown> }} props */
function InMemory({ loaded, onChanged }) {
  const press = async (/** @type {LoadedModel} */ model) => {
    await unload(model)
    await onChanged()
  }
  return html`<section class="sheet" aria-label=${strings.loaded}><h2>${strings.loaded}</h2>
    ${loaded.models.length === 0 && html`<p class="soft">${strings.noneLoaded}</p>`}
    <ul class="offers">${loaded.models.map((model) => {
      const { id, name, device, vram_mb: memory, unloadable, note } = model
      return html`<li key=${id} class="offered"><span class="kind k7"><${Icon} of="model" /></span>
        <span class="grow"><b class="text one-line">${name}</b><small>${strings.onDevice(device, memory > 0 ? bytes(memory * MB) : '')}</small>${note && html`<small class="text">${note}</small>`}</span>
        ${unloadable && html`<${Action} aria-label=${strings.of(strings.unload, name)} onPress=${() => press(model)}>${strings.unload}<//>`}</li>`
    })}</ul>
  </section>`
}

/** @param {{ live: Live, address: Address }} props */
export function Models({ live, address }) {
  const models = useRead('/models')
  const advice = useRead('/setup/recommendations')
  const status = useRead('/setup/status')
  const preflight = useRead('/setup/preflight?network=false')
  const loaded = useRead('/model/loaded')
  const engines = useRead('/engines')
  const changed = useCallback(() => Promise.all([models, advice, status, loaded, engines].map(({ again }) => again())), [])
  const downloads = useDownloads(changed)
  // The machines decide which models exist.
  useMachineChange(live, changed)
  const view = VIEWS.find((one) => one === address.object) ?? ''
  /** @type {Room} */
  const room = {
    freeGb: models.value?.disk_free_gb ?? null,
    reserveGb: status.value?.min_free_gb ?? 0,
    memoryGb: models.value?.hf_cache_dir ? (preflight.value?.device.ram_gb ?? null) : null,
  }
  const rest = { downloads, room, onChanged: changed }
  const list = models.value
  const queue = queueOf(list?.models ?? [], downloads)
  const installed = (list?.models ?? []).filter(
    (one) => (one.installed || one.incomplete || one.download?.state === 'failed') && !queue.includes(one),
  )
  // A download that failed or stopped is listed among them, and is none.
  const count = installed.filter((one) => one.installed).length
  const errors = [...new Set([models, advice, status, loaded, engines].map(({ error }) => error).filter(Boolean))]
  return html`
    <nav class="tabs" aria-label=${strings.views}>${VIEWS.map(
      (
        one,
      ) => html`<a key=${one} href=${`#/models${one && `/${one}`}`} aria-current=${view === one ? 'page' : undefined}>${strings.tabs[one]}
        ${one === '' && list !== null && html`<small class="number">${count}</small>`}</a>`,
    )}</nav>
    ${errors.map((error) => html`<p key=${error} class="callout bad text" role="alert">${error} <button type="button" class="quiet" onClick=${changed}>${shared.tryAgain}</button></p>`)}
    ${list === null && errors.length === 0 && html`<p class="hidden" role="status">${shared.loading}</p><div class="waiting" aria-hidden="true">${[1, 2, 3].map((one) => html`<div key=${one} class="skeleton"></div>`)}</div>`}
    ${list !== null && html`<${Queue} models=${list.models} downloads=${downloads} onChanged=${changed} />`}
    ${
      view === '' &&
      list !== null &&
      html`<section class="sheet" aria-label=${strings.installed}>
        <div class="row"><h2>${strings.installed}</h2><span class="spread"></span>
          <small class="number">${strings.summary(count, bytes(list.total_installed_bytes), list.disk_free_gb === null ? '' : bytes(list.disk_free_gb * GB))}</small></div>
        ${installed.length === 0 && html`<p class="soft">${strings.none} <a href="#/models/recommended">${strings.seeRecommended}</a></p>`}
        <ul class="models">${installed.map((model) => html`<${InstalledModel} key=${model.repo_id} model=${model} engines=${engines.value} loaded=${loaded.value?.models ?? []} download=${downloads.get(model.repo_id)} room=${room} onChanged=${changed} />`)}</ul>
      </section>
      ${list.hf_cache_dir !== '' && html`<${OwnModels} onChanged=${changed} />`}
      ${loaded.value && html`<${InMemory} loaded=${loaded.value} onChanged=${loaded.again} />`}`
    }
    ${view === 'recommended' && list !== null && advice.value && html`<${Recommended} advice=${advice.value} models=${list.models} ...${rest} />`}
    ${view === 'all' && list !== null && html`<${Catalogue} list=${list} ...${rest} />`}`
}
