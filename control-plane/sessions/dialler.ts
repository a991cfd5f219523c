// Keeps a link to every GPU machine that listens: redeem the connection string once, renew when due, dial, pass the link on, wait for its
// end, repeat. One loop for each machine; an error is kept in `lastError`, and the machine is dialled again.

import { type Connection, type Connections, type ControllerIdentity, endpointOf, keyIdOf } from '#control-plane/trust/connections.ts'
import type { Worker, WorkerStore } from '#control-plane/workers/worker.store.ts'
import { createStudioLinks, type StudioLinks } from '#shared/link/client/studio-links.ts'
import { dialStudio } from '#shared/link/port/dial.ts'
import { BY_MACHINE, redeem, renew } from '#shared/link/port/enrol.ts'
import type { Link } from '#shared/link/rpc.ts'
import { validityOf } from '#shared/pki/inspect.ts'
import { createRequest } from '#shared/pki/request.ts'
import { shouldRenew } from '#shared/pki/rotation.ts'
import { backoff, waitAsAsked } from '#shared/protocol/backoff.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { PROTOCOL_VERSION } from '#shared/protocol/messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { loop, type Service } from '#shared/runtime/service.ts'

type Deps = {
  readonly connections: Connections
  readonly workers: WorkerStore
  /** Resolves when the session is over. */
  readonly onLink: (worker: Worker, link: Link) => Promise<void>
  readonly controller: { readonly name: string; readonly version: string }
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}
type Dial = { readonly service: Service; readonly cut: (reason: Failure) => void; lastError: string; isConnected: boolean }
export type Dialler = ReturnType<typeof createDialler>

const TIMEOUT_MS = 10_000
const RETRY = { baseMs: 1_000, capMs: 60_000 }
/** A machine that refused this studio may accept it later, so it is dialled again, rarely. */
const REFUSED_MS = 300_000
/** Refusals that a second try with the same string does not change. */
const FINAL: readonly string[] = ['AUTH_FAILED', 'WORKER_REVOKED', 'BAD_REQUEST', 'UPGRADE_REQUIRED']
const SERVER = 'machine'

// Long factory: one loop per machine, whose steps share the connection and the dial.
export function createDialler({ connections, workers, onLink, controller, clock, random, log }: Deps) {
  const dials = new Map<string, Dial>()
  const enrolOptions = { clock, timeoutMs: TIMEOUT_MS, issuer: BY_MACHINE }
  let isOn = false

  /** Redeems the pasted string at its machine, which binds our key to it, so that the string is useless afterwards. */
  async function redeemString(
    connection: Connection & { pending: NonNullable<Connection['pending']> },
    signal: AbortSignal,
  ): Promise<Connection> {
    const { secret, fingerprint, keyPem } = connection.pending
    const request = {
      token_id: keyIdOf(secret),
      secret,
      csr_pem: createRequest(keyPem, controller.name),
      name: controller.name,
      hostname: controller.name,
      os: process.platform,
      arch: process.arch,
      agent_version: controller.version,
      protocol: PROTOCOL_VERSION,
    }
    try {
      const answer = await redeem([connection], [fingerprint], request, { ...enrolOptions, signal })
      const identity = identityOf(answer, keyPem)
      const worker = enrolled(connection, answer.server_pin, answer.studio_name)
      await workers.settled() // the file of the connection names the worker
      return await connections.bound(endpointOf(connection), worker.id, identity)
    } catch (error) {
      const failure = Failure.from(error)
      if (FINAL.includes(failure.code)) await connections.refused(endpointOf(connection))
      throw failure
    }
  }

  /**
   * The machine as a worker. Its key, which it has proven, is its identity: it stays the same worker under another address, and pasting its
   * string reinstates it. The keys that it names are no proof, and a worker brings its consent.
   */
  function enrolled(connection: Connection, pin: string, name: string): Worker {
    const owner = workers.byPin(pin)
    if (owner) return owner.revokedAt === null ? owner : workers.reinstate(owner.id)
    return workers.add({ id: random.hex(6), name: name.slice(0, 120) || connection.host, pin, endpoint: endpointOf(connection) })
  }

  async function renewed(connection: Connection, identity: ControllerIdentity, signal: AbortSignal): Promise<ControllerIdentity> {
    const request = {
      worker_id: identity.panelId,
      csr_pem: createRequest(identity.keyPem, controller.name),
      generation: identity.generation,
      nonce: '',
    }
    const answer = await renew([connection], identity.authorityPem, request, { ...enrolOptions, signal })
    const next = identityOf(answer, identity.keyPem)
    await connections.bound(endpointOf(connection), connection.workerId, next)
    return next
  }

  async function dialOnce(endpoint: string, dial: Dial, hold: (links: StudioLinks | null) => void, signal: AbortSignal): Promise<void> {
    let connection = connections.get(endpoint)
    if (!connection) return
    let problem = ''
    if (connection.pending) {
      try {
        connection = await redeemString({ ...connection, pending: connection.pending }, signal)
      } catch (error) {
        if (!connection.identity) throw error
        problem = messageOf(Failure.from(error), endpoint) // the earlier identity stays in use
        dial.lastError = problem
      }
    }
    let { identity } = connection
    const worker = workers.get(connection.workerId)
    if (!identity || !worker || worker.revokedAt !== null)
      throw new Failure('AUTH_FAILED', dial.lastError || 'The connection string was not accepted; paste a new one.')
    const validity = validityOf(identity.certificatePem)
    if (shouldRenew(clock.now(), validity, random.unit())) {
      try {
        identity = await renewed(connection, identity, signal)
      } catch (error) {
        if (clock.now() >= validity.notAfter) throw error
        problem = messageOf(Failure.from(error), endpoint) // the certificate is still valid
      }
    }
    const socket = await dialStudio(connection, identity.panelId, { clock, timeoutMs: TIMEOUT_MS, signal })
    const { keyPem: key, certificatePem: certificate, authorityPem: authority } = identity
    const links = createStudioLinks({ key, certificate, authority, log, clock })
    hold(links)
    try {
      const link = links.adopt(socket, { workerId: worker.id, pins: new Set([worker.pin]), subject: SERVER })
      const since = clock.mono()
      dial.isConnected = true
      // A pasted string that was refused, or a failed renewal, is shown although the link works.
      dial.lastError = problem
      await onLink(worker, link)
      const reason = await link.closed
      // A link that lasted has ended like any other; the end of one that did not last is an error to show.
      dial.lastError = clock.mono() - since > RETRY.capMs ? '' : reason.message
    } finally {
      dial.isConnected = false
      hold(null)
      links.close()
    }
  }

  function open(endpoint: string): Dial {
    let failures = 0
    let held: StudioLinks | null = null
    const dialling = loop(
      `dial ${endpoint}`,
      async (signal) => {
        const from = clock.mono()
        let waitMs = 0
        try {
          await dialOnce(endpoint, dial, (links) => (held = links), signal)
        } catch (error) {
          const failure = Failure.from(error, 'WORKER_UNREACHABLE')
          dial.lastError = messageOf(failure, endpoint)
          log.info({ endpoint, code: failure.code, why: failure.message }, 'a machine could not be dialled')
          if (FINAL.includes(failure.code)) waitMs = REFUSED_MS
          else if (failure.retryAfterSeconds !== undefined) waitMs = waitAsAsked(failure.retryAfterSeconds, random.unit())
        }
        failures = clock.mono() - from > RETRY.capMs ? 0 : failures + 1
        await clock.sleep(waitMs || backoff(failures, random.unit(), RETRY.baseMs, RETRY.capMs), signal)
      },
      (error) => log.error({ endpoint, err: String(error) }, 'dialling a machine ended'),
    )
    const dial: Dial = {
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
    return dial
  }

  function begin(endpoint: string): void {
    if (!isOn || dials.has(endpoint)) return
    const dial = open(endpoint)
    dials.set(endpoint, dial)
    void dial.service.start()
  }
  async function end(endpoint: string): Promise<void> {
    const dial = dials.get(endpoint)
    dials.delete(endpoint)
    await dial?.service.stop()
  }

  return {
    name: 'dialler',
    start(): void {
      isOn = true
      for (const connection of connections.all()) begin(endpointOf(connection))
    },
    async stop(): Promise<void> {
      isOn = false
      await Promise.all([...dials.keys()].map(end))
    },
    /** A string was pasted for it: ends the current link and dials again. */
    async redial(endpoint: string): Promise<void> {
      await end(endpoint)
      begin(endpoint)
    },
    end,
    state(endpoint: string): { readonly connected: boolean; readonly lastError: string } {
      const dial = dials.get(endpoint)
      return { connected: dial?.isConnected ?? false, lastError: dial?.lastError ?? '' }
    },
  }
}

function identityOf(answer: Wire<'Identity'>, keyPem: string): ControllerIdentity {
  const { worker_id: panelId, certificate_pem: certificatePem, authority_pem: authorityPem, generation } = answer
  return { panelId, keyPem, certificatePem, authorityPem, generation }
}

/** The messages of the link are written for a lender who dials a studio; here the roles are reversed. */
function messageOf(failure: Failure, endpoint: string): string {
  const reason = (failure.detail as { readonly reason?: string } | undefined)?.reason ?? ''
  if (failure.code === 'WORKER_UNREACHABLE') return `No machine answers at ${endpoint}. Is it on, listening, and its port open?`
  if (failure.code === 'WORKER_REVOKED') return 'The owner of the machine has revoked this access; ask for a new connection string.'
  return MESSAGES[reason] ?? failure.message
}
const MESSAGES: Readonly<Record<string, string>> = {
  stranger: 'Another machine answers there: its key is not the one in the connection string. Check the address, or ask for a new string.',
  unknown: 'The machine does not know this access any more; ask for a new connection string.',
  disabled: 'The machine lends nothing at the moment.',
  later: 'The machine has too many connections at the moment; it is dialled again shortly.',
  busy: 'The machine takes this panel in again in a minute: its owner has disconnected it, or it is busy.',
}
