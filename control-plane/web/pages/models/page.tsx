// Models: by what a person wants to do, for the machine that is chosen, then all of them, the owner's own files and what is in memory.

import type { Address } from '#control-plane/web/frame/address.ts'
import type { Gets, MachineView } from '#control-plane/web/lib/api-types.ts'
import { Action } from '#control-plane/web/lib/controls.tsx'
import { bytes, short } from '#control-plane/web/lib/format.ts'
import { useCallback } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import type { Live } from '#control-plane/web/lib/live.ts'
import { useMachineChange } from '#control-plane/web/lib/live.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings as shared } from '#messages/shared.ts'
import { strings as setup } from '#messages/start/setup.ts'
import { strings } from '#messages/system/models.ts'
import { useDownloads } from '../setup/downloads.ts'
import type { Room } from '../setup/fit.ts'
import { GB, memoryGbOf, sizeOf } from '../setup/fit.ts'
import { hardwareOf } from '../setup/hardware.ts'
import type { OfMachine } from './cards.tsx'
import { JobCards } from './cards.tsx'
import { Catalogue } from './catalogue.tsx'
import type { LoadedModel } from './installed.tsx'
import { unload } from './installed.tsx'
import { bundleOf, installBundle } from './jobs.ts'
import { Queue } from './queue.tsx'

const OwnFiles = whenOpened(() => import('./own.tsx').then(({ OwnModels }) => OwnModels), { isQuiet: true })

const LOCAL = 'local'
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
                {note && <small class="text">{serverSentence(note)}</small>}
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

/** The hardware in a line that is there from the first drawing. */
const Facts = ({ machine, freeGb }: { machine: MachineView | null; freeGb: number | null }) => {
  const found = hardwareOf(machine)
  return (
    <p class="hardware" aria-busy={found === null}>
      <span>
        <Icon of="model" />
        <b class="text">{found ? found.card || setup.noCard : ''}</b> {found?.cardMemory}
      </span>
      <span>
        <Icon of="machine" />
        {found?.cores}
      </span>
      <span>
        <Icon of="files" />
        {freeGb !== null && setup.free(bytes(freeGb * GB))}
      </span>
    </p>
  )
}

const Tabs = ({ machines, target }: { machines: readonly MachineView[]; target: string }) => (
  <nav class="tabs" aria-label={strings.machines}>
    <a href="#/models" aria-current={target === LOCAL ? 'page' : undefined}>
      {strings.forThis}
    </a>
    {machines.map(({ id, name }) => (
      <a key={id} href={`#/models?machine=${encodeURIComponent(id)}`} aria-current={target === id ? 'page' : undefined}>
        {strings.forMachine(short(name, 40))}
      </a>
    ))}
  </nav>
)

/** Machines that are named in tabs. */
const MOST_TABS = 5

function OfTarget({ live, target, isInstalled }: { live: Live; target: string; isInstalled: boolean }) {
  const isLocal = target === LOCAL
  const models = useRead(`/models?target=${encodeURIComponent(target)}`)
  const own = useRead('/workers/local')
  const status = useRead('/setup/status')
  const loaded = useRead('/model/loaded')
  const engines = useRead('/engines')
  const changed = useCallback(() => Promise.all([models, status, loaded, engines].map(({ again }) => again())), [])
  const downloads = useDownloads(changed, target)
  // The machines decide which models exist.
  useMachineChange(live, changed)
  const machine = isLocal ? own.value : (live.fleet?.workers.find(({ id }) => id === target) ?? null)
  const list = models.value
  const room: Room = {
    freeGb: list?.disk_free_gb ?? null,
    reserveGb: isLocal ? (status.value?.min_free_gb ?? 0) : 0,
    memoryGb: memoryGbOf(machine),
  }
  const errors = [...new Set([models, status, loaded, engines].map(({ error }) => error).filter(Boolean))]
  const of: OfMachine = {
    models: list?.models ?? [],
    downloads,
    room,
    rate: list?.download_rate ?? null,
    target,
    onChanged: changed,
  }
  const bundle = bundleOf(of.models, Boolean(hardwareOf(machine)?.card), room)
  const rest = bundle.filter((one) => !one.installed && !one.installing && one.download === null)
  const isBegun = rest.length > 0 && rest.length < bundle.length
  const choose = () => document.querySelector('[data-own-files]')?.scrollIntoView({ block: 'center' })
  return (
    <>
      <div class="row">
        <Facts machine={machine} freeGb={room.freeGb} />
        {isLocal && (
          <button type="button" class="quiet" onClick={choose}>
            <Icon of="folder" />
            {strings.importFile}
          </button>
        )}
        {isBegun && (
          <Action
            kind="main"
            onPress={async () => {
              await installBundle(rest, target)
              await changed()
            }}
          >
            {strings.withSize(strings.rest, bytes(rest.reduce((sum, one) => sum + sizeOf(one), 0)))}
          </Action>
        )}
      </div>
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
          <div class="job-cards" aria-hidden="true">
            {[1, 2, 3, 4, 5, 6].map((one) => (
              <div key={one} class="job-card skeleton"></div>
            ))}
          </div>
        </>
      )}
      {list !== null && (
        <>
          <JobCards {...of} />
          <Queue models={list.models} downloads={downloads} target={target} onChanged={changed} />
          <Catalogue
            {...of}
            own={isLocal ? { engines: engines.value, loaded: loaded.value?.models ?? [] } : null}
            isInstalled={isInstalled}
          />
          {isLocal && (
            <div data-own-files>
              <OwnFiles.View onChanged={changed} />
            </div>
          )}
          {isLocal && loaded.value && <InMemory loaded={loaded.value} onChanged={loaded.again} />}
        </>
      )}
    </>
  )
}

export function Models({ live, address }: { live: Live; address: Address }) {
  const others = (live.fleet?.workers ?? []).filter(({ connected, consent_granted: isApproved }) => connected && isApproved)
  const wanted = address.query.get('machine') ?? LOCAL
  const target = others.some(({ id }) => id === wanted) ? wanted : LOCAL
  const shown = others.filter(({ id }, at) => at < MOST_TABS || id === target)
  return (
    <>
      {shown.length > 0 && <Tabs machines={shown} target={target} />}
      <OfTarget key={target} live={live} target={target} isInstalled={address.object === 'installed'} />
    </>
  )
}
