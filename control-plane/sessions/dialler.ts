// Keeps a link to every GPU machine that listens: take the string to the machine once, renew when due, dial, hand the link over, wait until
// it is gone, again. One loop for each machine; whatever goes wrong is told in `lastError` and answered by dialling again.

import { createStudioLinks, type StudioLinks } from '#shared/link/client/studio-links.ts'
import { dialStudio } from '#shared/link/port/dial.ts'
import { BY_MACHINE, redeem, renew } from '#shared/link/port/enrol.ts'
import type { Link } from '#shared/link/rpc.ts'
import { inspectLeaf, validityOf } from '#shared/pki/inspect.ts'
import { publicKeyOf } from '#shared/pki/key.ts'
import { createRequest } from '#shared/pki/request.ts'
import { shouldRenew } from '#shared/pki/rotation.ts'
import { backoff } from '#shared/protocol/backoff.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Identity, PROTOCOL_VERSION } from '#shared/protocol/messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { loop, type Service } from '#shared/runtime/service.ts'
import { type Connection, type Connections, endpointOf, keyIdOf, type PanelIdentity } from '../trust/connections.ts'
import type { Worker, WorkerStore } from '../workers/worker.store.ts'

type Deps = {
  readonly connections: Connections
  readonly workers: WorkerStore
  /** Resolves when the session is over. */
  readonly onLink: (worker: Worker, link: Link) => Promise<void>
  readonly panel: { readonly name: string; readonly version: string }
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}
type Line = { readonly service: Service; readonly cut: (reason: Failure) => void; lastError: string; isConnected: boolean }
export type Dialler = ReturnType<typeof createDialler>

const TIMEOUT_MS = 10_000
const RETRY = { baseMs: 1_000, capMs: 60_000 }
/** A machine that has thrown us out may take us back, so it is asked again, rarely. */
const REFUSED_MS = 300_000
/** Refusals that asking again with the same string does not change. */
const FINAL: readonly string[] = ['AUTH_FAILED', 'WORKER_REVOKED', 'BAD_REQUEST', 'UPGRADE_REQUIRED']
const SERVER = 'machine'

export function createDialler({ connections, workers, onLink, panel, clock, random, log }: Deps) {
  const lines = new Map<string, Line>()
  let isOn = false

  /** Takes the pasted string to its machine; afterwards the machine knows our key and the string is worth nothing. */
  async function takeString(connection: Connection & { pending: NonNullable<Connection['pending']> }): Promise<Connection> {
    const { secret, fingerprint, keyPem } = connection.pending
    const request = {
      token_id: keyIdOf(secret),
      secret,
      csr_pem: createRequest(keyPem, panel.name),
      name: panel.name,
      hostname: panel.name,
      os: process.platform,
      arch: process.arch,
      agent_version: panel.version,
      protocol: PROTOCOL_VERSION,
    }
    try {
      const answer = await redeem([connection], [fingerprint], request, { clock, timeoutMs: TIMEOUT_MS, issuer: BY_MACHINE })
      const identity = identityOf(answer, keyPem, clock.now())
      return connections.bound(endpointOf(connection), enrolled(connection, identity, answer.studio_name).id, identity)
    } catch (error) {
      const failure = Failure.from(error)
      if (FINAL.includes(failure.code)) connections.refused(endpointOf(connection))
      throw failure
    }
  }

  /** The machine as a worker. Its key is its identity, so it stays the same one under another address; the owner's paste revives it. */
  function enrolled(connection: Connection, identity: PanelIdentity, name: string): Worker {
    const pin = identity.pins[0]!
    const owner = workers.byPin(pin)
    if (owner) return owner.revokedAt === null ? owner : workers.revive(owner.id)
    return workers.add({ id: random.hex(6), name: name.slice(0, 120) || connection.host, pin, endpoint: endpointOf(connection) })
  }

  async function renewed(connection: Connection, identity: PanelIdentity): Promise<PanelIdentity> {
    const request = {
      worker_id: identity.panelId,
      csr_pem: createRequest(identity.keyPem, panel.name),
      generation: identity.generation,
      nonce: '',
    }
    const answer = await renew([connection], identity.authorityPem, request, { clock, timeoutMs: TIMEOUT_MS, issuer: BY_MACHINE })
    const next = identityOf(answer, identity.keyPem, clock.now())
    connections.bound(endpointOf(connection), connection.workerId, next)
    return next
  }

  async function dialOnce(endpoint: string, line: Line, hold: (links: StudioLinks | null) => void, signal: AbortSignal): Promise<void> {
    let connection = connections.get(endpoint)
    if (!connection) return
    if (connection.pending) {
      try {
        connection = await takeString({ ...connection, pending: connection.pending })
      } catch (error) {
        if (!connection.identity) throw error
        line.lastError = sentenceOf(Failure.from(error), endpoint) // the earlier identity goes on
      }
    }
    let { identity } = connection
    const worker = workers.get(connection.workerId)
    if (!identity || !worker || worker.revokedAt !== null)
      throw new Failure('AUTH_FAILED', line.lastError || 'The connection string was not accepted; paste a new one.')
    if (shouldRenew(clock.now(), validityOf(identity.certificatePem), random.unit())) identity = await renewed(connection, identity)
    const socket = await dialStudio(connection, identity.panelId, { clock, timeoutMs: TIMEOUT_MS, signal })
    const { keyPem: key, certificatePem: certificate, authorityPem: authority } = identity
    const links = createStudioLinks({ key, certificate, authority, log, clock })
    hold(links)
    try {
      const link = links.adopt(socket, { workerId: worker.id, pins: new Set(identity.pins), subject: SERVER })
      const since = clock.mono()
      line.isConnected = true
      await onLink(worker, link)
      const reason = await link.closed
      // A link that stood for a while ended like any other; one that never stood has something to tell.
      line.lastError = clock.mono() - since > RETRY.capMs ? '' : reason.message
    } finally {
      line.isConnected = false
      hold(null)
      links.close()
    }
  }

  function open(endpoint: string): Line {
    let failures = 0
    let held: StudioLinks | null = null
    const dialling = loop(
      `dial ${endpoint}`,
      async (signal) => {
        const from = clock.mono()
        let waitMs = 0
        try {
          await dialOnce(endpoint, line, (links) => (held = links), signal)
        } catch (error) {
          const failure = Failure.from(error, 'WORKER_UNREACHABLE')
          line.lastError = sentenceOf(failure, endpoint)
          log.info({ endpoint, code: failure.code, why: failure.message }, 'a machine could not be dialled')
          if (FINAL.includes(failure.code)) waitMs = REFUSED_MS
        }
        failures = clock.mono() - from > RETRY.capMs ? 0 : failures + 1
        await clock.sleep(waitMs || backoff(failures, random.unit(), RETRY.baseMs, RETRY.capMs), signal)
      },
      (error) => log.error({ endpoint, err: String(error) }, 'dialling a machine ended'),
    )
    const line: Line = {
      lastError: '',
      isConnected: false,
      cut: () => held?.close(),
      service: {
        name: endpoint,
        start: dialling.start,
        async stop() {
          const stopped = dialling.stop()
          held?.close()
          await stopped
        },
      },
    }
    return line
  }

  function begin(endpoint: string): void {
    if (!isOn || lines.has(endpoint)) return
    const line = open(endpoint)
    lines.set(endpoint, line)
    line.service.start()
  }
  async function end(endpoint: string): Promise<void> {
    const line = lines.get(endpoint)
    lines.delete(endpoint)
    await line?.service.stop()
  }

  return {
    name: 'dialler',
    start(): void {
      isOn = true
      for (const connection of connections.all()) begin(endpointOf(connection))
    },
    async stop(): Promise<void> {
      isOn = false
      await Promise.all([...lines.keys()].map(end))
    },
    /** A string was pasted for it: whatever stood is dialled anew. */
    async again(endpoint: string): Promise<void> {
      await end(endpoint)
      begin(endpoint)
    },
    end,
    state(endpoint: string): { readonly connected: boolean; readonly lastError: string } {
      const line = lines.get(endpoint)
      return { connected: line?.isConnected ?? false, lastError: line?.lastError ?? '' }
    },
  }
}

function identityOf(answer: Identity, keyPem: string, now: number): PanelIdentity {
  const { worker_id: panelId, certificate_pem: certificatePem, authority_pem: authorityPem, studio_pins: pins, generation } = answer
  inspectLeaf({ certificatePem, authorityPem, publicKeyPem: publicKeyOf(keyPem), role: 'studio', id: panelId, now })
  if (pins.length === 0) throw new Failure('AUTH_FAILED', 'The machine named no key of its own.')
  return { panelId, keyPem, certificatePem, authorityPem, pins, generation }
}

/** The sentences of the link are for a lender who dials a studio; here the roles are the other way round. */
function sentenceOf(failure: Failure, endpoint: string): string {
  const reason = (failure.detail as { readonly reason?: string } | undefined)?.reason ?? ''
  if (failure.code === 'WORKER_UNREACHABLE') return `No machine answers at ${endpoint}. Is it on, listening, and its port open?`
  if (failure.code === 'WORKER_REVOKED') return 'The owner of the machine has revoked this access; ask for a new connection string.'
  return SENTENCES[reason] ?? failure.message
}
const SENTENCES: Readonly<Record<string, string>> = {
  stranger: 'Another machine answers there: its key is not the one in the connection string. Check the address, or ask for a new string.',
  unknown: 'The machine does not know this access any more; ask for a new connection string.',
  disabled: 'The machine lends nothing at the moment.',
  busy: 'The machine takes this panel in again in a minute: its owner has disconnected it, or it is busy.',
}
