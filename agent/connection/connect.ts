// The loop that keeps this agent connected: renew when due, dial, serve until the socket closes, wait with jitter, repeat. There is no other
// state: the response to any failure is to dial again, only less often after the studio removed this machine.
import type { Socket } from 'node:net'
import { dialStudio } from '#shared/link/port/dial.ts'
import type { AgentService } from '#shared/link/rpc.ts'
import { type AgentEndpoint, createAgentEndpoint } from '#shared/link/server/agent-endpoint.ts'
import type { Address } from '#shared/link/transport/address.ts'
import { validityOf } from '#shared/pki/inspect.ts'
import { shouldRenew } from '#shared/pki/rotation.ts'
import { backoff, waitAsAsked } from '#shared/protocol/backoff.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { loop, type Service } from '#shared/runtime/service.ts'
import { isRefusal, renewed } from './enrol.ts'
import type { AgentIdentity } from './identity.ts'

type Deps = {
  /** Stores an identity after a renewal. */
  readonly save: (identity: AgentIdentity) => void
  readonly identity: AgentIdentity
  readonly service: AgentService
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** The first retry comes after at most `baseMs`, none later than `capMs`. */
  readonly retry: { readonly baseMs: number; readonly capMs: number }
  /** The studio, which has proven its identity, refused a renewal: dialling again cannot fix it. */
  readonly onRefused: (failure: Failure) => void
  /** The studio has proven its identity and made its first call on a new link. */
  readonly onAccepted?: () => void
  /** Called after the end of a link that the studio had accepted; the next attempt follows by itself. */
  readonly onClosed?: () => void
  /** Called if no link could be opened; the next attempt follows by itself. */
  readonly onFailure?: (failure: Failure) => void
}
export type StudioConnection = Service & {
  readonly stopServing: (graceMs: number) => Promise<void>
  /** A studio has accepted the current link. */
  readonly isAccepted: () => boolean
  readonly identity: () => AgentIdentity
  /** Renews before the certificate is due. Rejects with the reason of a failure; the loop then retries. */
  readonly renewNow: () => Promise<void>
  /**
   * Uses the studio at these addresses from now on, and keeps identity and tasks. Resolves when it has answered there; rejects with the reason, and
   * the addresses stay as they were.
   */
  readonly moveTo: (endpoints: readonly Address[]) => Promise<void>
}
const RENEW_CHECK_MS = 60_000
const RENEW_PAUSE_MS = 600_000
const QUARANTINED_FAILURES = 16 // enough for the longest wait

// Long factory: one socket, one identity and what is suspected of it, shared by the two loops.
export function createStudioConnection(deps: Deps): StudioConnection {
  const { save, service, clock, random, log, retry } = deps
  let { identity } = deps
  const jitter = random.unit()
  /** Null before the first dial. The links of an earlier identity stay with the endpoint until the next dial. */
  let endpoint: AgentEndpoint | null = null
  let isEndpointStale = true
  const stopping = new AbortController()
  let failures = 0
  let socket: Socket | null = null
  /** Address of the open link. */
  let via: Address | null = null
  let wake = new AbortController()
  let isAccepted = false
  let isRenewalRequested = false
  let renewal: Promise<Failure | null> | null = null
  let suspectedAt = Number.NEGATIVE_INFINITY

  function serve(of: AgentIdentity): AgentEndpoint {
    return createAgentEndpoint({
      key: of.keyPem,
      certificate: of.certificatePem,
      authority: of.authorityPem,
      studioPins: () => new Set(identity.studioPins),
      service: { ...service, describe: describeOnAccept },
      log,
      clock,
    })
  }

  /** The first call of a studio that has proven its identity. If such a link breaks, the next dial must not wait: a task may depend on it. */
  function describeOnAccept(...call: Parameters<AgentService['describe']>): ReturnType<AgentService['describe']> {
    failures = 0
    isAccepted = true
    suspectedAt = Number.NEGATIVE_INFINITY
    deps.onAccepted?.()
    return service.describe(...call)
  }

  /** A sign, without proof, that the studio no longer accepts this identity. It must prove its own to answer a renewal. */
  function suspect(): void {
    if (clock.mono() - suspectedAt < RENEW_PAUSE_MS) return
    suspectedAt = clock.mono()
    isRenewalRequested = true
  }

  const renewIfDue = (): Promise<Failure | null> => {
    renewal ??= renewOnce().finally(() => {
      renewal = null
    })
    return renewal
  }

  /** A certificate that cannot be renewed stays in use as long as the studio accepts it. */
  async function renewOnce(isAsked = false, askedAt: readonly Address[] = identity.endpoints): Promise<Failure | null> {
    const wasRequested = isRenewalRequested || isAsked
    if (!wasRequested && !shouldRenew(clock.now(), validityOf(identity.certificatePem), jitter)) return null
    isRenewalRequested = false
    try {
      // Stored before it is sent: if the answer is lost, even by the end of this process, the studio must not mistake us for a copy.
      if (!identity.renewalNonce) {
        const marked = { ...identity, renewalNonce: random.hex(16) }
        save(marked)
        identity = marked
      }
      // A link to where the studio was says nothing about the addresses of a code.
      identity = await renewed({ ...identity, endpoints: [...askedAt] }, isAccepted && !isAsked ? via : null, clock, stopping.signal)
      isEndpointStale = true
      save(identity)
      log.info({ workerId: identity.workerId }, 'certificate renewed')
      return null
    } catch (error) {
      const failure = Failure.from(error)
      if (isRefusal(failure)) deps.onRefused(failure)
      else isRenewalRequested ||= wasRequested && !isAsked
      log.warn({ code: failure.code, err: failure.message }, 'certificate renewal failed')
      return failure
    }
  }

  /** Throws NOT_READY while the clock of this machine is outside the validity of the authority. Serving starts when it has been set. */
  function currentEndpoint(): AgentEndpoint {
    if (endpoint && !isEndpointStale) return endpoint
    endpoint = serve(identity)
    isEndpointStale = false
    return endpoint
  }

  async function connectOnce(signal: AbortSignal): Promise<void> {
    const serving = currentEndpoint()
    let last: Failure | null = null
    for (const address of identity.endpoints) {
      try {
        socket = await dialStudio(address, identity.workerId, { clock, timeoutMs: 10_000, signal })
        via = address
        break
      } catch (error) {
        last = Failure.from(error, 'WORKER_UNREACHABLE')
      }
    }
    if (!socket) throw last ?? new Failure('WORKER_UNREACHABLE', 'The identity contains no address.')
    const open = socket
    isAccepted = false
    serving.inject(open)
    const end = () => void open.destroy()
    await new Promise<void>((resolve) => {
      if (open.destroyed) return resolve()
      open.once('close', () => resolve())
      signal.addEventListener('abort', end, { once: true })
    })
    signal.removeEventListener('abort', end) // the loop, and its signal, last longer than thousands of links
    socket = null
    const wasAccepted = isAccepted
    isAccepted = false
    if (wasAccepted && !signal.aborted) deps.onClosed?.()
    // The studio accepted us and then made no call: one side may no longer trust the other's authority, which a renewal fixes.
    if (!wasAccepted && !signal.aborted) suspect()
  }

  const dialling = loop(
    'connect',
    async (signal) => {
      await renewIfDue()
      const from = clock.mono()
      let askedSeconds: number | undefined
      try {
        await connectOnce(signal)
        log.info({ seconds: Math.round((clock.mono() - from) / 1000) }, 'link closed')
      } catch (error) {
        const failure = Failure.from(error, 'WORKER_UNREACHABLE')
        askedSeconds = failure.retryAfterSeconds
        if (failure.code === 'WORKER_REVOKED') suspect() // said before TLS: anybody may have answered
        if (!signal.aborted) deps.onFailure?.(failure)
        if ((failure.detail as { reason?: unknown } | undefined)?.reason === 'quarantined')
          failures = Math.max(failures, QUARANTINED_FAILURES)
        log.warn({ code: failure.code, err: failure.message }, 'could not connect to the studio')
      }
      const unit = random.unit()
      const waitMs = askedSeconds ? waitAsAsked(askedSeconds, unit) : backoff(failures++, unit, retry.baseMs, retry.capMs)
      wake = new AbortController()
      await clock.sleep(waitMs, AbortSignal.any([signal, wake.signal])).catch(() => signal.throwIfAborted())
    },
    (error) => log.error({ err: String(error) }, 'connection loop failed'),
  )

  // A link may stay open for weeks. The certificate is renewed meanwhile, and the next link uses it.
  const renewing = loop(
    'renew',
    async (signal) => {
      await clock.sleep(RENEW_CHECK_MS, signal)
      await renewIfDue()
    },
    (error) => log.error({ err: String(error) }, 'renewal loop failed'),
  )

  return {
    name: 'connection',
    start() {
      void dialling.start()
      void renewing.start()
    },
    async stop() {
      stopping.abort() // a renewal that another caller waits for ends as well
      await Promise.all([dialling.stop(), renewing.stop()])
    },
    stopServing: async (graceMs) => endpoint?.stop(graceMs),
    isAccepted: () => isAccepted,
    identity: () => identity,
    async renewNow() {
      await renewal // an earlier renewal may predate the reason for this one
      isRenewalRequested = true
      const failure = await renewIfDue()
      if (failure) throw failure
    },
    async moveTo(endpoints) {
      while (renewal) await renewal // another caller that waited, too, may have begun the next one
      // Only these are asked: the studio at an earlier address says nothing about them.
      renewal = renewOnce(true, endpoints).finally(() => {
        renewal = null
      })
      const failure = await renewal
      if (failure) throw failure
      failures = 0
      if (!isAccepted) socket?.destroy()
      wake.abort()
    },
  }
}
