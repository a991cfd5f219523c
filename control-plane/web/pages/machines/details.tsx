// One machine beside the table: its state, why it gets no work, what it is, and all actions on it.

import type { ComponentChildren } from 'preact'
import type { MachineView } from '#control-plane/web/lib/api-types.ts'
import { Badge } from '#control-plane/web/lib/controls.tsx'
import { useEffect } from '#control-plane/web/lib/html.ts'
import { Long, Since } from '#control-plane/web/lib/moments.tsx'
import { systemName } from '#control-plane/web/lib/names.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { list } from '#messages/language.ts'
import { strings as views } from '#messages/machines/machine-views.ts'
import { strings } from '#messages/machines/machines.ts'
import { strings as shared } from '#messages/shared.ts'
import type { Ask } from './actions.tsx'
import { Actions } from './actions.tsx'
import { PoolIcon } from './pool/icon.tsx'
import { PoolPanel } from './pool/panel.tsx'
import type { Reason, Wait } from './state.ts'
import { deviceOf, hostOf, kindOf, LOCAL, memoryOf, modelOf, nameOf, reasonsOf, stateOf, TONES } from './state.ts'
import { Moments } from './table.tsx'
import { UsedForWork } from './use.tsx'

const words = strings.card

const Fact = ({ name, children }: { name: string; children?: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd class="text clip">{children}</dd>
  </div>
)

export function Reasons({ reasons }: { reasons: readonly Reason[] }) {
  if (reasons.length === 0) return null
  const tone = reasons.every(({ mild }) => mild) ? 'busy' : 'warn'
  return (
    <ul class={`callout reasons ${tone}`} aria-label={words.reasonsLabel}>
      {reasons.map((reason) => (
        <li key={reason.text} class="text">
          <Long text={reason.text} />
          <Moments reason={reason} />
        </li>
      ))}
    </ul>
  )
}

/** `jobs`: a line for each task */
export function Facts({ machine, jobs }: { machine: MachineView; jobs: readonly string[] }) {
  const { resident_models: resident = [] } = machine
  const host = hostOf(machine)
  const system = list([host.hostname ?? '', systemName(host.os ?? ''), host.arch ?? ''].filter(Boolean))
  const isConnected = machine.connected && !machine.stale
  const isOwn = machine.id === LOCAL
  const address = machine.address || machine.endpoint
  return (
    <dl class="facts">
      <Fact name={words.device}>
        {deviceOf(host)}
        {host.unusable_gpus?.map(({ fix }, at) => fix && <p key={at}>{fix}</p>)}
      </Fact>
      <Fact name={words.memory}>{memoryOf(host)}</Fact>
      {system && <Fact name={words.system}>{system}</Fact>}
      {host.worker_version && <Fact name={words.version}>{host.outdated ? words.outdated(host.worker_version) : host.worker_version}</Fact>}
      <Fact name={words.models}>{resident.length === 0 ? words.none : list(resident.map(modelOf))}</Fact>
      <Fact name={words.runsNow}>{jobs.length > 0 ? jobs.join('; ') : words.idle}</Fact>
      {!isOwn && (
        <>
          {machine.latency_ms !== undefined && <Fact name={words.latency}>{words.ms(Math.round(machine.latency_ms))}</Fact>}
          <Fact name={words.lastSeen}>{isConnected ? words.now : <Since at={machine.last_seen_at} />}</Fact>
          <Fact name={words.priority}>{words.priorityOf(machine.priority)}</Fact>
          {address && (
            <Fact name={words.address}>
              <span class="mono">{address}</span>
            </Fact>
          )}
          <Fact name={words.key}>
            <span class="mono">{machine.key_id}</span>
          </Fact>
        </>
      )}
    </dl>
  )
}

export function MachineDetails({
  machine,
  jobs,
  waits,
  dialError,
  back,
  onAsk,
}: {
  /** null while it is read, undefined when there is none */
  machine: MachineView | null | undefined
  /** a line for each task */
  jobs: readonly string[]
  waits: readonly Wait[]
  dialError: string | null
  /** the address without this machine */
  back: string
  onAsk: Ask
}) {
  const isThere = Boolean(machine)
  useEffect(() => {
    const opened = document.querySelector('[data-opened]')
    if (opened instanceof HTMLElement) opened.focus({ preventScroll: true })
  }, [isThere])
  const backLink = (
    <a class="back" href={back}>
      {words.back}
    </a>
  )
  if (!machine)
    return (
      <aside class="details" aria-label={strings.page.machines}>
        {backLink}
        <p class={machine === null ? 'soft' : 'callout'} role="status">
          {machine === null ? shared.loading : views.dialogs.gone}
        </p>
      </aside>
    )
  const state = stateOf(machine)
  const name = nameOf(machine)
  return (
    <aside class="details machine" aria-label={name} data-details={machine.id} data-state={state}>
      {backLink}
      <header>
        <span class={machine.pool ? 'kind k7 big' : 'kind k8 big'}>{machine.pool ? <PoolIcon /> : <Icon of="machine" />}</span>
        <div>
          <h2 tabindex={-1} data-opened class="text clip" dir="auto">
            {name}
          </h2>
          <small class="text">{kindOf(machine)}</small>
        </div>
        <a class="button quiet icon-only" href={back} aria-label={shared.close} title={shared.close}>
          <Icon of="close" />
        </a>
      </header>
      <div class="row">
        <Badge tone={TONES[state]}>{words.states[state]}</Badge>
        <span class="spread"></span>
        <UsedForWork machine={machine} />
      </div>
      <Reasons reasons={reasonsOf(machine, waits, dialError)} />
      <Actions machine={machine} onAsk={onAsk} />
      {machine.pool && <PoolPanel machine={machine} pool={machine.pool} />}
      <section>
        <h3>{words.facts}</h3>
        <Facts machine={machine} jobs={jobs} />
      </section>
    </aside>
  )
}
