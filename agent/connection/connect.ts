// The loop that keeps this agent connected: renew when due, dial, serve until the socket is gone, wait with jitter, again. There is no
// other state: whatever went wrong, the answer is to dial again, and only a removal by the studio makes it rare.
import type { Socket } from 'node:net'
import { type AgentEndpoint, createAgentEndpoint } from '#shared/link/agent-endpoint.ts'
import type { AgentService } from '#shared/link/definitions.ts'
import { dialStudio } from '#shared/link/dial.ts'
import { validityOf } from '#shared/pki/inspect.ts'
import { shouldRenew } from '#shared/pki/rotation.ts'
import { backoff } from '#shared/protocol/backoff.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { loop, type Service } from '#shared/runtime/service.ts'
import { renewed } from './enrol.ts'
import type { AgentIdentity } from './identity.ts'

type Deps = {
  /** Keeps an identity whose certificate was renewed. */
  readonly save: (identity: AgentIdentity) => void
  readonly identity: AgentIdentity
  readonly service: AgentService
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** The first retry comes after at most `baseMs`, none later than `capMs`. */
  readonly retry: { readonly baseMs: number; readonly capMs: number }
  /** Called once for a failure that dialling again cannot mend. */
  readonly onRefused: (failure: Failure) => void
  /** The studio has proven who it is and asks its first question on a new link. */
  readonly onWelcomed?: () => void
  /** No link came about; the next try follows by itself. */
  readonly onTrouble?: (failure: Failure) => void
}
export type Connection = Service & {
  readonly stopServing: (graceMs: number) => Promise<void>
  /** A studio has welcomed the link that stands now. */
  readonly isWelcome: () => boolean
  readonly identity: () => AgentIdentity
  /** Also before the certificate is due. Rejects with what stands in the way; it is tried again then. */
  readonly renewNow: () => Promise<void>
}
const RENEW_CHECK_MS = 60_000
const RENEW_PAUSE_MS = 600_000
const QUARANTINED_FAILURES = 16 // the wait is then as long as it ever gets

export function createConnection(deps: Deps): Connection {
  const { save, service, clock, random, log, retry } = deps
  let { identity } = deps
  const jitter = random.unit()
  let endpoint = serve(identity)
  let failures = 0
  let socket: Socket | null = null
  let isWelcome = false
  let isWanted = false // a renewal before its time
  let underWay: Promise<Failure | null> | null = null
  let suspectedAt = Number.NEGATIVE_INFINITY

  function serve(of: AgentIdentity): AgentEndpoint {
    return createAgentEndpoint({
      key: of.keyPem,
      certificate: of.certificatePem,
      authority: of.authorityPem,
      studioPins: () => new Set(identity.studioPins),
      service: { ...service, describe: welcomed },
      log,
      clock,
    })
  }

  /** A studio that has proven who it is asks this first: whatever cuts such a link, the next dial must not wait, a task may depend on it. */
  function welcomed(...call: Parameters<AgentService['describe']>): ReturnType<AgentService['describe']> {
    failures = 0
    isWelcome = true
    deps.onWelcomed?.()
    return service.describe(...call)
  }

  const renewIfDue = (): Promise<Failure | null> => {
    underWay ??= renewOnce().finally(() => {
      underWay = null
    })
    return underWay
  }

  /** A certificate that cannot be renewed is used as long as the studio takes it. */
  async function renewOnce(): Promise<Failure | null> {
    const wasWanted = isWanted
    if (!wasWanted && !shouldRenew(clock.now(), validityOf(identity.certificatePem), jitter)) return null
    isWanted = false
    try {
      // On the disk before it is sent: if the answer is lost, even by the end of this process, the studio must not take us for a copy.
      if (!identity.renewalNonce) {
        const marked = { ...identity, renewalNonce: random.hex(16) }
        save(marked)
        identity = marked
      }
      identity = await renewed(identity, clock)
      save(identity)
      endpoint = serve(identity)
      log.info({ workerId: identity.workerId }, 'the certificate was renewed')
      return null
    } catch (error) {
      const failure = Failure.from(error)
      if (failure.code === 'WORKER_REVOKED' || failure.code === 'AUTH_FAILED') deps.onRefused(failure)
      else isWanted ||= wasWanted
      log.warn({ code: failure.code, err: failure.message }, 'the certificate could not be renewed')
      return failure
    }
  }

  async function connectOnce(signal: AbortSignal): Promise<void> {
    let last: Failure | null = null
    for (const address of identity.endpoints) {
      try {
        socket = await dialStudio(address, identity.workerId, { clock, timeoutMs: 10_000, signal })
        break
      } catch (error) {
        last = Failure.from(error, 'WORKER_UNREACHABLE')
      }
    }
    if (!socket) throw last ?? new Failure('WORKER_UNREACHABLE', 'the identity names no address')
    const open = socket
    isWelcome = false
    endpoint.inject(open)
    await new Promise<void>((resolve) => {
      if (open.destroyed) return resolve()
      open.once('close', () => resolve())
      signal.addEventListener('abort', () => open.destroy(), { once: true })
    })
    socket = null
    const wasWelcome = isWelcome
    isWelcome = false
    // It let us in and then asked nothing: one of the two may not trust the other's authority any more, which a renewal mends.
    if (wasWelcome || signal.aborted || clock.mono() - suspectedAt < RENEW_PAUSE_MS) return
    suspectedAt = clock.mono()
    isWanted = true
  }

  const dialling = loop(
    'connect',
    async (signal) => {
      await renewIfDue()
      const from = clock.mono()
      try {
        await connectOnce(signal)
        log.info({ seconds: Math.round((clock.mono() - from) / 1000) }, 'the link is gone')
      } catch (error) {
        const failure = Failure.from(error, 'WORKER_UNREACHABLE')
        if (failure.code === 'WORKER_REVOKED') deps.onRefused(failure)
        if (!signal.aborted) deps.onTrouble?.(failure)
        if ((failure.detail as { reason?: unknown } | undefined)?.reason === 'quarantined')
          failures = Math.max(failures, QUARANTINED_FAILURES)
        log.warn({ code: failure.code, err: failure.message }, 'no link to the studio')
      }
      await clock.sleep(backoff(failures++, random.unit(), retry.baseMs, retry.capMs), signal)
    },
    (error) => log.error({ err: String(error) }, 'the connection loop ended'),
  )

  // A link may stand for weeks: its certificate is renewed under it, the next link uses it.
  const renewing = loop(
    'renew',
    async (signal) => {
      await clock.sleep(RENEW_CHECK_MS, signal)
      await renewIfDue()
    },
    (error) => log.error({ err: String(error) }, 'the renewal loop ended'),
  )

  return {
    name: 'connection',
    start() {
      dialling.start()
      renewing.start()
    },
    async stop() {
      await Promise.all([dialling.stop(), renewing.stop()])
    },
    stopServing: (graceMs) => endpoint.stop(graceMs),
    isWelcome: () => isWelcome,
    identity: () => identity,
    async renewNow() {
      await underWay // it may have begun before there was a reason for this one
      isWanted = true
      const failure = await renewIfDue()
      if (failure) throw failure
    },
  }
}
