// Machines, in four views: the borrowed ones with their states, this machine for others, where work runs, and certificates. The view is in
// the address: #/machines, #/machines/<machine>, #/machines/add, #/machines/shared, #/machines/routing, #/machines/security.

import type { Address } from '#control-plane/web/frame/address.ts'
import { post } from '#control-plane/web/lib/api.ts'
import type { MachineFleet, SharingState } from '#control-plane/web/lib/api-types.ts'
import { Action, Badge, Confirm } from '#control-plane/web/lib/controls.tsx'
import { useCallback, useEffect, useState } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import type { Live } from '#control-plane/web/lib/live.ts'
import { refresh } from '#control-plane/web/lib/live.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { usePolled } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { grouped } from '#messages/language.ts'
import { strings } from '#messages/machines/machines.ts'
import { strings as shared } from '#messages/shared.ts'
import type { DialogKind } from './dialogs.tsx'
import { Fleet } from './fleet.tsx'
import { LOCAL, workOf } from './state.ts'

export type View = keyof typeof words.tabs
export type Asked = { kind: DialogKind | 'add' | 'connect'; id: string }

const OwnShare = whenOpened(() => import('../connections/share.tsx').then(({ Shared }) => Shared))
const OwnRouting = whenOpened(() => import('./routing.tsx').then(({ Routing }) => Routing))
const OwnWhere = whenOpened(() => import('./where.tsx').then(({ WhereWorkGoes }) => WhereWorkGoes), { isQuiet: true })
const OwnSecurity = whenOpened(() => import('./security.tsx').then(({ Security }) => Security))
const LATER = { isQuiet: true, isSoon: true }
const Adding = whenOpened(() => import('../connections/add.tsx').then(({ AddMachine }) => AddMachine), LATER)
const Connecting = whenOpened(() => import('../connections/connect.tsx').then(({ Connect }) => Connect), LATER)
const Asking = whenOpened(() => import('./dialogs.tsx').then(({ MachineDialog }) => MachineDialog), LATER)
const words = strings.page
const EVERY_MS = 4000
const NONE: SharingState['connections'] = []
/** The address of the dialog that adds a machine. */
const ADD = 'add'

/** `object`: of the address */
const isView = (object: string): object is View => Object.hasOwn(words.tabs, object)

/** `hasRoom`: for buttons beside the tabs */
const Tabs = ({
  view,
  count,
  fleet,
  hasRoom,
  onAsk,
}: {
  view: View
  count: number
  fleet: MachineFleet
  hasRoom: boolean
  onAsk: (kind: Asked['kind']) => void
}) => (
  <div class="row tabs-row">
    <nav class="tabs" aria-label={words.views}>
      {Object.entries(words.tabs).map(([one, name]) => (
        <a key={one} href={one ? `#/machines/${one}` : '#/machines'} aria-current={view === one ? 'page' : undefined}>
          {name}
          {one === '' && count > 0 && (
            <>
              {' '}
              <small>{grouped(count)}</small>
            </>
          )}
        </a>
      ))}
    </nav>
    <span class="spread"></span>
    {view === '' && hasRoom && (
      <>
        <button type="button" onClick={() => onAsk('connect')}>
          {words.connect}
        </button>
        {fleet.running && (
          <button type="button" class="main" onClick={() => onAsk('add')}>
            {words.add}
          </button>
        )}
      </>
    )}
  </div>
)

/** Switch for machines that may join, with the number of those that work. `running`: tasks */
function Switch({ fleet, running }: { fleet: MachineFleet; running: number }) {
  const [asking, setAsking] = useState(false)
  const switchTo = async (enabled: boolean) => {
    try {
      await post('/workers/enabled', { enabled })
      notify(enabled ? words.turnedOn : words.turnedOff)
    } finally {
      await refresh()
    }
  }
  const online = fleet.workers.filter(({ connected }) => connected).length
  return (
    <>
      <div class="row machines-switch">
        <Badge tone={fleet.running ? 'good' : 'quiet'}>{words.remote(fleet.running)}</Badge>
        {fleet.running ? (
          <>
            <button type="button" class="quiet" onClick={() => setAsking(true)}>
              {words.turnOff}
            </button>
            <span class="soft number">{words.counts(online, fleet.workers.length, running, fleet.queue_depth)}</span>
            <span class="spread"></span>
            <span class="soft joined-at">
              {words.joinAt}
              <span class="mono text">{fleet.endpoint}</span>
            </span>
          </>
        ) : (
          <Action kind="main" onPress={() => switchTo(true)}>
            {words.turnOn}
          </Action>
        )}
      </div>
      {!fleet.running && !fleet.startup_error && <p class="soft">{words.offNote}</p>}
      {!fleet.running && fleet.startup_error && <p class="callout bad text">{words.startError(fleet.startup_error)}</p>}
      {asking && (
        <Confirm title={words.turnOffTitle} action={words.turnOffYes} onClose={() => setAsking(false)} onYes={() => switchTo(false)}>
          <p>{words.turnOffWarning}</p>
        </Confirm>
      )}
    </>
  )
}

const note = (
  <p class="note">
    <Icon of="note" />
    <span>
      {words.routingNote}
      <a href="#/machines/routing">{words.routingLink}</a>
    </span>
  </p>
)

export function Machines({ live, address }: { live: Live; address: Address }) {
  const { fleet, error, tasks, version } = live
  const view = isView(address.object) ? address.object : ''
  const openId = isView(address.object) || address.object === ADD ? '' : address.object
  const [asked, setAsked] = useState((address.object === ADD ? { kind: ADD, id: '' } : null) as Asked | null)
  const { jobs } = workOf(tasks.values())
  const own = usePolled('/workers/local', EVERY_MS, `${jobs.get(LOCAL)?.length ?? 0} ${fleet?.queue_depth}`)
  const inbound = usePolled('/workers/inbound', EVERY_MS)
  const ask = useCallback((kind: Asked['kind'], id: string = '') => setAsked({ kind, id }), [])
  const close = useCallback(() => setAsked(null), [])
  useEffect(() => {
    if (address.object === ADD) ask(ADD)
  }, [address])
  if (!fleet) return <p class={error ? 'callout bad' : 'empty'}>{error ?? shared.loading}</p>
  const find = (id: string) => (id === LOCAL ? own.value : fleet.workers.find((machine) => machine.id === id))
  const running = [...jobs.values()].reduce((sum, lines) => sum + lines.length, 0)
  const top = (
    <>
      <Tabs view={view} count={fleet.workers.length} fleet={fleet} hasRoom={openId === ''} onAsk={ask} />
      {[error, own.error].map(
        (text) =>
          text && (
            <p key={text} class="callout bad text" role="alert">
              {text}
            </p>
          ),
      )}
    </>
  )
  return (
    <>
      {view !== '' && top}
      {view === 'shared' && <OwnShare.View inbound={inbound} />}
      {view === 'routing' && <OwnRouting.View fleet={fleet} />}
      {view === 'security' && <OwnSecurity.View />}
      {view === '' && (
        <Fleet
          own={own.value}
          fleet={fleet}
          tasks={tasks}
          version={version}
          connections={inbound.value?.connections ?? NONE}
          openId={openId}
          query={address.query}
          note={
            <>
              {note}
              <OwnWhere.View />
            </>
          }
          onAsk={ask}
        >
          {top}
          <Switch fleet={fleet} running={running} />
        </Fleet>
      )}
      {asked?.kind === ADD && <Adding.View fleet={fleet} onClose={close} onApprove={(id: string) => ask('approve', id)} />}
      {asked?.kind === 'connect' && inbound.value && (
        <Connecting.View inbound={inbound.value} isOn={fleet.running} reload={inbound.reload} onClose={close} />
      )}
      {asked !== null && asked.kind !== ADD && asked.kind !== 'connect' && (
        <Asking.View kind={asked.kind} machine={find(asked.id)} onClose={close} />
      )}
    </>
  )
}
