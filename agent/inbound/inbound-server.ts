// Accepts controllers that dial this machine, each with the connection string of one person. The owner can switch it on and off, move it and
// revoke keys at run time. Each key is a tenant, isolated from the others.

import type { Machine } from '#agent/tenancy/machine.ts'
import type { Tenant } from '#agent/tenancy/tenant.ts'
import { type AgentService, mapAgentMethods, type Peer, type ServedRun } from '#shared/link/rpc.ts'
import type { InboundView, IssuedKey } from '#shared/protocol/agent-control.ts'
import { formatConnectionString } from '#shared/protocol/codes/connection-string.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Keys } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'
import { loop } from '#shared/runtime/service.ts'
import { admitting } from './admitting.ts'
import { loadMachineAuthority, type MachineAuthority, readAuthorityPin } from './authority.ts'
import { openControllerKeys } from './controller-keys.ts'
import { createControllerSessions } from './controller-sessions.ts'
import { createControllerEnrolment } from './enrolment.ts'
import { type InboundListener, openInboundListener } from './listener.ts'
import { createListeningAddressFile, isExposed, type ListeningAddress, reachableHost } from './listening-address.ts'
import { createThrottle } from './throttle.ts'
import { viewOf } from './view.ts'

export type InboundServerDeps = {
  /** Holds the chosen address. */
  readonly folder: string
  /** The keys of this machine, and the digests of those it gave to people. */
  readonly stored: Keys
  readonly machine: Machine
  readonly machineName: string
  /** Set by STUDIO_INBOUND_*; null leaves the choice to the owner. */
  readonly fixed: { readonly enabled: boolean | null; readonly bind: string | null; readonly port: number | null }
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}
export type InboundServer = {
  /** Opens the port if listening is enabled. One that cannot be opened is reported in the view, and opened later; it does not stop the agent. */
  readonly start: () => Promise<void>
  readonly view: () => InboundView
  /** Number of studios that have bound a key. */
  readonly studios: () => number
  readonly listen: (request: { readonly enabled: boolean; readonly bind: string; readonly port: number }) => Promise<InboundView>
  readonly issueKey: (label: string) => Promise<IssuedKey>
  readonly revokeKey: (keyId: string) => Promise<InboundView>
  readonly disconnect: (sessionId: string) => Promise<InboundView>
  readonly beginDrain: () => void
  readonly endDrain: () => void
  readonly drained: (signal: AbortSignal) => Promise<boolean>
  readonly stop: (graceMs: number) => Promise<void>
}
const FLUSH_MS = 500
const RETRY_MS = 60_000
/** The manifests of installed models carry the tenant's name, so it must not change. */
const TENANT_PREFIX = 'panel-'

// Long factory: the listener, keys, sessions and tenants change together under one queue.
export async function openInboundServer(deps: InboundServerDeps): Promise<InboundServer> {
  const { folder, stored, machine, fixed, clock, random, log } = deps
  const addressFile = createListeningAddressFile(folder)
  const keys = await openControllerKeys(stored, { clock, random, log })
  const sessions = createControllerSessions({ clock, random })
  const throttle = createThrottle(clock)
  const tenants = new Map<string, Tenant>()
  const serialize = createSerialQueue()
  let savedAddress = addressFile.read()
  let authority: MachineAuthority | null = null
  let listener: InboundListener | null = null
  let startupError: string | null = null
  let isDraining = false
  const earlierPin = await readAuthorityPin(stored)

  const effectiveAddress = (): ListeningAddress => ({
    enabled: fixed.enabled ?? savedAddress.enabled,
    bind: fixed.bind ?? savedAddress.bind,
    port: fixed.port ?? savedAddress.port,
  })
  /** Throws CONFLICT for an address that the settings of the program would override. */
  function refuseFixed(bind: string, port: number): void {
    const overridden = (setting: string, asked: string | number, value: string | number) =>
      new Failure('CONFLICT', `${setting} sets ${value}, so ${asked} cannot be chosen. Remove that setting to choose here.`)
    if (fixed.bind !== null && bind !== '' && bind !== fixed.bind) throw overridden('STUDIO_INBOUND_BIND', bind, fixed.bind)
    if (fixed.port !== null && port !== 0 && port !== (listener?.port() ?? fixed.port))
      throw overridden('STUDIO_INBOUND_PORT', port, fixed.port)
  }
  const tenantOf = (keyId: string): Tenant => {
    const open = () => {
      const studio = keys.get(keyId)?.label ?? ''
      return machine.openTenant(`${TENANT_PREFIX}${keyId}`, { studio, onBegun: () => sessions.countTask(keyId) })
    }
    const tenant = tenants.get(keyId) ?? open()
    tenants.set(keyId, tenant)
    if (isDraining) tenant.beginDrain()
    return tenant
  }
  const service: AgentService = byPin((pin) => {
    const key = keys.byPin(pin)
    // The endpoint checked the pin; a key that was revoked since fails here.
    if (!key) throw new Failure('WORKER_REVOKED', 'The owner of this machine has revoked this connection string.')
    return tenantOf(key.id).service
  })

  async function open(at: ListeningAddress): Promise<InboundListener> {
    authority ??= await loadMachineAuthority(stored, { clock, random })
    authority.renewLeaf()
    const onRejected = (peer: string, label: string, why: string) => sessions.rejected(label, peer, why)
    return openInboundListener(
      { host: at.bind === '*' ? '0.0.0.0' : at.bind, port: at.port },
      {
        authority,
        service,
        enrolment: createControllerEnrolment({ authority, keys, throttle, machineName: deps.machineName, log, onRejected }),
        studioPins: keys.boundPins,
        ...admitting(keys, sessions, log),
        clock,
        log,
      },
    )
  }
  /** Does nothing while it listens, or while listening is off. */
  async function openIfWanted(): Promise<void> {
    if (listener || !effectiveAddress().enabled) return
    try {
      listener = await open(effectiveAddress())
      startupError = null
    } catch (error) {
      startupError = Failure.from(error).message
      log.error({ err: startupError }, 'this machine cannot listen for controllers; it tries again')
    }
  }
  // A clock that was wrong may be set meanwhile, and another program may free the port.
  const opening = loop(
    'inbound-port',
    async (signal) => {
      await clock.sleep(RETRY_MS, signal)
      await serialize(openIfWanted)
    },
    (error) => log.error({ err: String(error) }, 'the port for controllers is not tried again'),
  )
  async function turnOff(): Promise<void> {
    const closing = listener
    listener = null
    await closing?.close()
    for (const keyId of sessions.connectedKeys()) sessions.cutAll(keyId, 'This machine stopped listening.')
    await closing?.end(0)
    // The controllers can no longer fetch these attempts.
    for (const tenant of tenants.values()) tenant.wipe('This machine stopped listening.')
  }
  async function move(to: ListeningAddress): Promise<void> {
    const before = listener
    const from = { ...effectiveAddress(), port: listener?.port() ?? savedAddress.port }
    if (before && from.bind === to.bind && (from.port === to.port || to.port === 0)) return
    // Close first: both may use the same port. The sessions of the old listener continue.
    await before?.close()
    listener = null
    try {
      listener = withOlder(await open(to), before)
    } catch (error) {
      if (before) listener = withOlder(await open(from), before)
      throw error
    }
  }

  const view = () => {
    const { port, ...address } = effectiveAddress()
    return viewOf(
      { ...address, port: listener?.port() ?? port },
      { running: listener !== null, startupError, fingerprint: authority?.authorityPin ?? earlierPin, keys, sessions },
    )
  }

  return {
    view,
    studios: () => keys.boundPins().size,
    async start() {
      await serialize(openIfWanted)
      void opening.start()
    },

    listen: ({ enabled, bind, port }) =>
      serialize(async () => {
        if (fixed.enabled !== null)
          throw new Failure(
            'CONFLICT',
            'STUDIO_INBOUND_NODE decides whether this machine listens (it is pinned). Remove that setting to choose here.',
          )
        if (!/^(\*|[A-Za-z0-9._:-]*)$/.test(bind.trim()))
          throw new Failure('BAD_REQUEST', 'The bind address must be an address or a host name of this machine.')
        if (enabled) refuseFixed(bind.trim(), port)
        const next: ListeningAddress = { enabled, bind: bind.trim() || savedAddress.bind, port: port || savedAddress.port }
        if (!enabled) {
          addressFile.write(next)
          savedAddress = next
          startupError = null
          await turnOff()
          return view()
        }
        const target = { ...next, bind: fixed.bind ?? next.bind, port: fixed.port ?? next.port }
        try {
          await move(target)
        } catch (error) {
          const { message } = Failure.from(error)
          // A machine that was not listening stores the request, so that the owner sees its failure; a listening one keeps its address.
          if (!listener) {
            startupError = message
            savedAddress = next
            addressFile.write(next)
          }
          throw new Failure('CONFLICT', message, { cause: error })
        }
        startupError = null
        savedAddress = next
        addressFile.write(next)
        return view()
      }),

    issueKey: (label) =>
      serialize(async () => {
        if (!listener || !authority)
          throw new Failure('CONFLICT', 'This machine does not listen yet, so a connection string would not work. Turn listening on first.')
        const { bind } = effectiveAddress()
        const { key, secret } = await keys.issue(label)
        return {
          key_id: key.id,
          label: key.label,
          connection_string: formatConnectionString({
            secret,
            host: reachableHost(bind),
            port: listener.port(),
            fingerprint: authority.authorityPin,
          }),
          exposed: isExposed(bind),
          shown_once: true as const,
        }
      }),

    async revokeKey(keyId) {
      const revoking = keys.revoke(keyId)
      // Before it is written, and also if it cannot be.
      if (keys.get(keyId)?.revokedAt != null) {
        sessions.cutAll(keyId, 'Revoked by the owner.')
        tenants.get(keyId)?.close('The owner of this machine has revoked this connection string.')
        tenants.delete(keyId)
      }
      const { label } = await revoking
      log.info({ keyId, label }, 'controller revoked')
      return view()
    },

    async disconnect(sessionId) {
      const session = sessions.get(sessionId)
      if (!session) throw new Failure('NOT_FOUND', 'That session has already ended.')
      sessions.kick(session.keyId)
      // The controller gives these attempts up long before it may reconnect.
      tenants.get(session.keyId)?.wipe('The owner of this machine has disconnected this studio.')
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

    async stop(graceMs) {
      await opening.stop()
      await serialize(async () => {
        await Promise.all([...tenants.values()].map((tenant) => tenant.handBack(graceMs)))
        await listener?.end(FLUSH_MS)
        listener = null
      })
    },
  }
}

/** After a move, ending the listener also ends the sessions of the previous one. */
const withOlder = (listener: InboundListener, older: InboundListener | null): InboundListener =>
  older === null ? listener : { ...listener, end: async (graceMs) => void (await Promise.all([listener.end(graceMs), older.end(graceMs)])) }

type Answer = (request: unknown, peer: Peer) => unknown

/**
 * One service for all controllers: each call goes to the service of the controller whose key the caller has proven. `serviceOf` throws for a key
 * that may no longer call.
 */
function byPin(serviceOf: (pin: string) => AgentService): AgentService {
  return mapAgentMethods((name, { kind }) => {
    const answer = (request: unknown, peer: Peer) => (serviceOf(peer.pin)[name] as Answer)(request, peer)
    if (kind === 'run') return async (call: ServedRun) => serviceOf(call.peer.pin).run(call)
    if (kind === 'unary') return async (request: unknown, peer: Peer) => answer(request, peer)
    return async function* (request: unknown, peer: Peer) {
      yield* answer(request, peer) as AsyncIterable<unknown>
    }
  }) as unknown as AgentService
}
