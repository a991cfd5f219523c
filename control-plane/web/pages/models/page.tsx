// Models: what is installed and in memory, what suits this machine, and all of the catalogue.

import type { Address } from '#control-plane/web/frame/address.ts'
import type { Gets } from '#control-plane/web/lib/api-types.ts'
import { Action } from '#control-plane/web/lib/controls.tsx'
import { bytes } from '#control-plane/web/lib/format.ts'
import { useCallback } from '#control-plane/web/lib/html.ts'
import type { Live } from '#control-plane/web/lib/live.ts'
import { useMachineChange } from '#control-plane/web/lib/live.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/models.ts'
import { Catalogue, Recommended } from '../setup/catalogue.tsx'
import { useDownloads } from '../setup/downloads.ts'
import type { Room } from '../setup/fit.ts'
import { GB } from '../setup/fit.ts'
import type { LoadedModel } from './installed.tsx'
import { InstalledModel, unload } from './installed.tsx'
import { OwnModels } from './own.tsx'
import { Queue, queueOf } from './queue.tsx'

const VIEWS = ['', 'recommended', 'all'] as const
const MB = 1024 ** 2

function InMemory({ loaded, onChanged }: { loaded: Gets['/model/loaded']; onChanged: () => Promise<unknown> }) {
  const press = async (model: LoadedModel) => {
    await unload(model)
    await onChanged()
  }
  return (
    <section class="sheet" aria-label={strings.loaded}>
      <h2>{strings.loaded}</h2>
      {loaded.models.length === 0 && <p class="soft">{strings.noneLoaded}</p>}
      <ul class="offers">
        {loaded.models.map((model) => {
          const { id, name, device, vram_mb: memory, unloadable, note } = model
          return (
            <li key={id} class="offered">
              <span class="kind k7">
                <Icon of="model" />
              </span>
              <span class="grow">
                <b class="text one-line">{name}</b>
                <small>{strings.onDevice(device, memory > 0 ? bytes(memory * MB) : '')}</small>
                {note && <small class="text">{note}</small>}
              </span>
              {unloadable && (
                <Action aria-label={strings.of(strings.unload, name)} onPress={() => press(model)}>
                  {strings.unload}
                </Action>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

export function Models({ live, address }: { live: Live; address: Address }) {
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
  const room: Room = {
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
  return (
    <>
      <nav class="tabs" aria-label={strings.views}>
        {VIEWS.map((one) => (
          <a key={one} href={`#/models${one && `/${one}`}`} aria-current={view === one ? 'page' : undefined}>
            {strings.tabs[one]}
            {one === '' && list !== null && <small class="number">{count}</small>}
          </a>
        ))}
      </nav>
      {errors.map((error) => (
        <p key={error} class="callout bad text" role="alert">
          {error}{' '}
          <button type="button" class="quiet" onClick={changed}>
            {shared.tryAgain}
          </button>
        </p>
      ))}
      {list === null && errors.length === 0 && (
        <>
          <p class="hidden" role="status">
            {shared.loading}
          </p>
          <div class="waiting" aria-hidden="true">
            {[1, 2, 3].map((one) => (
              <div key={one} class="skeleton"></div>
            ))}
          </div>
        </>
      )}
      {list !== null && <Queue models={list.models} downloads={downloads} onChanged={changed} />}
      {view === '' && list !== null && (
        <>
          <section class="sheet" aria-label={strings.installed}>
            <div class="row">
              <h2>{strings.installed}</h2>
              <span class="spread"></span>
              <small class="number">
                {strings.summary(count, bytes(list.total_installed_bytes), list.disk_free_gb === null ? '' : bytes(list.disk_free_gb * GB))}
              </small>
            </div>
            {installed.length === 0 && (
              <p class="soft">
                {strings.none} <a href="#/models/recommended">{strings.seeRecommended}</a>
              </p>
            )}
            <ul class="models">
              {installed.map((model) => (
                <InstalledModel
                  key={model.repo_id}
                  model={model}
                  engines={engines.value}
                  loaded={loaded.value?.models ?? []}
                  download={downloads.get(model.repo_id)}
                  room={room}
                  onChanged={changed}
                />
              ))}
            </ul>
          </section>
          {list.hf_cache_dir !== '' && <OwnModels onChanged={changed} />}
          {loaded.value && <InMemory loaded={loaded.value} onChanged={loaded.again} />}
        </>
      )}
      {view === 'recommended' && list !== null && advice.value && <Recommended advice={advice.value} models={list.models} {...rest} />}
      {view === 'all' && list !== null && <Catalogue list={list} {...rest} />}
    </>
  )
}
