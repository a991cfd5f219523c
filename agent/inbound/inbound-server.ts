// This machine as one that listens: panels dial it, each with the connection string of one person. Turned on and off, moved, watched and
// revoked while it runs. Each person is a tenant; what one does, another cannot see.
import type { AgentService } from '#shared/link/rpc.ts'
import type { InboundView, IssuedKey } from '#shared/protocol/agent-control.ts'
import { formatConnectionString } from '#shared/protocol/connection-string.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createSerial } from '../../shared/runtime/serial-queue.ts'
import type { Machine } from '../tenancy/machine.ts'
import type { Tenant } from '../tenancy/tenant.ts'
import { knownAuthorityPin, loadMachineAuthority, type MachineAuthority } from './authority.ts'
import { createPanelKeys } from './controller-keys.ts'
import { createAttached } from './controller-sessions.ts'
import { createPanelEnrolment } from './enrolment.ts'
import { type InboundListener, openInboundListener } from './listener.ts'
import { createListeningAddressFile, isExposed, type ListeningAddress, reachableHost } from './listening-address.ts'
import { byPin } from './routing.ts'
import { createThrottle } from './throttle.ts'

export type InboundDeps = {
  readonly folder: string
  readonly machine: Machine
  readonly machineName: string
  /** Set from outside; null leaves it to the owner. */
  readonly fixed: { readonly enabled: boolean | null; readonly bind: string | null; readonly port: number | null }
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}
export type Inbound = {
  /** Opens the port when that was wished for; a port that cannot be had is told in the view and keeps nobody else from working. */
  readonly start: () => Promise<void>
  readonly view: () => InboundView
  readonly listen: (wish: { readonly enabled: boolean; readonly bind: string; readonly port: number }) => Promise<InboundView>
  readonly issueKey: (label: string) => Promise<IssuedKey>
  readonly revokeKey: (keyId: string) => Promise<InboundView>
  readonly disconnect: (sessionId: string) => Promise<InboundView>
  readonly beginDrain: () => void
  readonly endDrain: () => void
  readonly drained: (signal: AbortSignal) => Promise<boolean>
  readonly stop: (graceMs: number) => Promise<void>
}
const LAST_WORDS_MS = 500

export function createInbound(deps: InboundDeps): Inbound {
  const { folder, machine, fixed, clock, random, log } = deps
  const whereFile = createListeningAddressFile(folder)
  const keys = createPanelKeys(folder, { clock, random, log })
  const attached = createAttached({ clock, random })
  const throttle = createThrottle(clock)
  const tenants = new Map<string, Tenant>()
  const oneAfterAnother = createSerial()
  let stored = whereFile.read()
  let authority: MachineAuthority | null = null
  let door: InboundListener | null = null
  let startupError: string | null = null
  let isDraining = false

  const wished = (): ListeningAddress => ({
    enabled: fixed.enabled ?? stored.enabled,
    bind: fixed.bind ?? stored.bind,
    port: fixed.port ?? stored.port,
  })
  const tenantOf = (keyId: string): Tenant => {
    const tenant = tenants.get(keyId) ?? machine.openTenant(`panel-${keyId}`, { onBegun: () => attached.ran(keyId) })
    tenants.set(keyId, tenant)
    if (isDraining) tenant.beginDrain()
    return tenant
  }
  const service: AgentService = byPin((pin) => {
    const key = keys.byPin(pin)
    // The endpoint has asked already; a key revoked in between ends here.
    if (!key) throw new Failure('WORKER_REVOKED', 'The owner of this machine has revoked this connection string.')
    return tenantOf(key.id).service
  })

  async function open(at: ListeningAddress): Promise<InboundListener> {
    authority ??= await loadMachineAuthority(folder, { clock, random })
    authority.renewLeaf()
    const onRejected = (peer: string, label: string, why: string) => attached.rejected(label, peer, why)
    return openInboundListener(
      { host: at.bind === '*' ? '0.0.0.0' : at.bind, port: at.port },
      {
        authority,
        service,
        enrolment: createPanelEnrolment({ authority, keys, throttle, machineName: deps.machineName, log, onRejected }),
        studioPins: keys.boundPins,
        async admit({ workerId, address }) {
          const key = keys.get(workerId)
          const refusal =
            !key || key.pin === null ? 'unknown' : key.revokedAt !== null ? 'revoked' : attached.cooldown(key.id) > 0 ? 'busy' : null
          if (refusal) attached.rejected(key?.label ?? '', address, REJECTED[refusal])
          return refusal ?? 'ok'
        },
        onLink({ pin, address, cut }) {
          const key = keys.byPin(pin)
          // The name in front of the handshake was only a claim; the key is what counts.
          if (!key || attached.cooldown(key.id) > 0) {
            attached.rejected(key?.label ?? '', address, key ? REJECTED.busy : REJECTED.revoked)
            cut()
            return () => {}
          }
          const over = attached.connected(key.id, key.label, address, cut)
          noteSeen(key.id, address)
          return over
        },
        clock,
        log,
      },
    )
  }
  /** Only for the eyes of the owner: a full disk must not keep a panel out. */
  function noteSeen(keyId: string, peer: string): void {
    try {
      keys.seen(keyId, peer)
    } catch (error) {
      log.error({ err: String(error) }, 'when a panel was last seen could not be written')
    }
  }
  async function turnOff(): Promise<void> {
    const closing = door
    door = null
    await closing?.close()
    for (const keyId of attached.everybody()) attached.cutAll(keyId, 'this machine stopped listening')
    await closing?.end(0)
    // Nobody can fetch what the panels had here any more.
    for (const tenant of tenants.values()) tenant.wipe('this machine stopped listening')
  }
  async function move(to: ListeningAddress): Promise<void> {
    const before = door
    const from = { ...wished(), port: door?.port() ?? stored.port }
    if (before && from.bind === to.bind && (from.port === to.port || to.port === 0)) return
    // One at a time: the two may share the port. The sessions of the old one go on.
    await before?.close()
    door = null
    try {
      door = withOlder(await open(to), before)
    } catch (error) {
      if (before) door = withOlder(await open(from), before)
      throw error
    }
  }

  const view = (): InboundView => {
    const { enabled, bind, port } = wished()
    return {
      enabled,
      running: door !== null,
      bind,
      port: door?.port() ?? port,
      exposed: isExposed(bind),
      startup_error: startupError,
      tls_fingerprint: authority?.authorityPin ?? knownAuthorityPin(folder),
      keys: keys.list().map((key) => ({
        key_id: key.id,
        label: key.label,
        created_at: key.createdAt / 1000,
        last_seen_at: key.lastSeenAt / 1000,
        last_seen_peer: key.lastSeenPeer,
        revoked: key.revokedAt !== null,
        worker_id: key.pin === null ? '' : key.id,
      })),
      sessions: attached.sessions(),
      events: [...attached.events()],
    }
  }

  return {
    view,
    start: () =>
      oneAfterAnother(async () => {
        if (!wished().enabled) return
        try {
          door = await open(wished())
        } catch (error) {
          startupError = Failure.from(error).message
          log.error({ err: startupError }, 'this machine cannot listen for panels')
        }
      }),

    listen: ({ enabled, bind, port }) =>
      oneAfterAnother(async () => {
        if (fixed.enabled !== null)
          throw new Failure(
            'CONFLICT',
            'STUDIO_INBOUND_NODE decides whether this machine listens (it is pinned); remove that setting to choose here.',
          )
        if (!/^(\*|[A-Za-z0-9._:-]*)$/.test(bind.trim()))
          throw new Failure('BAD_REQUEST', 'The bind must be an address or a name of this machine.')
        const next: ListeningAddress = { enabled, bind: bind.trim() || stored.bind, port: port || stored.port }
        if (!enabled) {
          whereFile.write(next)
          stored = next
          startupError = null
          await turnOff()
          return view()
        }
        const target = { ...next, bind: fixed.bind ?? next.bind, port: fixed.port ?? next.port }
        try {
          await move(target)
        } catch (error) {
          const { message } = Failure.from(error)
          // One that never listened keeps the wish, so that the owner sees what became of it; one that did stays where it was.
          if (!door) {
            startupError = message
            stored = next
            whereFile.write(next)
          }
          throw new Failure('CONFLICT', message, { cause: error })
        }
        startupError = null
        stored = next
        whereFile.write(next)
        return view()
      }),

    issueKey: (label) =>
      oneAfterAnother(async () => {
        if (!door || !authority)
          throw new Failure(
            'CONFLICT',
            'This machine does not listen yet, so nobody could use a connection string. Turn listening on first.',
          )
        const { bind } = wished()
        const { key, secret } = keys.issue(label)
        return {
          key_id: key.id,
          label: key.label,
          connection_string: formatConnectionString({
            secret,
            host: reachableHost(bind),
            port: door.port(),
            fingerprint: authority.authorityPin,
          }),
          exposed: isExposed(bind),
          shown_once: true as const,
        }
      }),

    async revokeKey(keyId) {
      try {
        const { label } = keys.revoke(keyId)
        log.info({ keyId, label }, 'a panel was revoked')
      } finally {
        if (keys.get(keyId)?.revokedAt != null) {
          attached.cutAll(keyId, 'revoked by the owner')
          tenants.get(keyId)?.wipe('the owner has revoked this panel')
          tenants.delete(keyId)
        }
      }
      return view()
    },

    async disconnect(sessionId) {
      const session = attached.get(sessionId)
      if (!session) throw new Failure('NOT_FOUND', 'That session is over already.')
      attached.kick(session.keyId)
      // The panel gives these up long before it may come back.
      tenants.get(session.keyId)?.wipe('the owner has disconnected this panel')
      return view()
    },

    beginDrain() {
      isDraining = true
      for (const tenant of tenants.values()) tenant.beginDrain()
    },
    endDrain() {
      isDraining = false
      for (const tenant of tenants.values()) tenant.endDrain()
    },
    drained: async (signal) => !(await Promise.all([...tenants.values()].map((tenant) => tenant.drained(signal)))).includes(false),

    stop: (graceMs) =>
      oneAfterAnother(async () => {
        await Promise.all([...tenants.values()].map((tenant) => tenant.handBack(graceMs)))
        await door?.end(LAST_WORDS_MS)
        door = null
      }),
  }
}

const REJECTED = {
  unknown: 'it names no connection string of this machine',
  revoked: 'its connection string was revoked',
  busy: 'it was disconnected less than a minute ago',
} as const

/** A door that moved still answers for the sessions that came through the one before. */
const withOlder = (door: InboundListener, older: InboundListener | null): InboundListener =>
  older === null ? door : { ...door, end: async (graceMs) => void (await Promise.all([door.end(graceMs), older.end(graceMs)])) }
