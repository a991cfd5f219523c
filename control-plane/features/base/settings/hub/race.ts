// Compares model servers: which one answers, and how fast. Any HTTP response counts, because a mirror need not serve its front page. No token is
// sent.
import { request as tlsRequest } from 'node:https'
import type { z } from 'zod'
import { request as plainRequest } from '#shared/runtime/builtin/http.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { PROBE_ERRORS, RaceResult, ServerProbe } from './hub.settings.ts'

type Probe = z.output<typeof ServerProbe>
type ProbeError = (typeof PROBE_ERRORS)[number]
export type Race = (endpoints: readonly string[]) => Promise<RaceResult>

export const PROBE_MS = 3_000

const CODES: Readonly<Record<string, ProbeError>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'refused',
  ABORT_ERR: 'timeout',
  ETIMEDOUT: 'timeout',
}

/** The first endpoint that is as fast as any wins; without a reachable one it is the first of the list. Never rejects. */
export const createRace =
  ({ clock, probeMs = PROBE_MS }: { readonly clock: Clock; readonly probeMs?: number }): Race =>
  async (endpoints) => {
    const results = await Promise.all(endpoints.map((endpoint) => probe(endpoint, clock, probeMs)))
    const [best] = results.filter(({ reachable }) => reachable).sort((a, b) => a.latency_ms! - b.latency_ms!)
    const { endpoint, reachable, latency_ms } = best ?? results[0]!
    return { endpoint, reachable, latency_ms, checked_at: clock.now() / 1000, results }
  }

async function probe(endpoint: string, clock: Clock, probeMs: number): Promise<Probe> {
  const from = clock.mono()
  const error = await failureOf(endpoint, probeMs)
  return { endpoint, reachable: error === null, latency_ms: error === null ? Math.round(clock.mono() - from) : null, error }
}

/** Null when the server answered. */
function failureOf(endpoint: string, probeMs: number): Promise<ProbeError | null> {
  const url = URL.parse(endpoint)
  if (url === null || !/^https?:$/.test(url.protocol)) return Promise.resolve('invalid_endpoint')
  return new Promise((resolve) => {
    const call = (url.protocol === 'https:' ? tlsRequest : plainRequest)(url, {
      method: 'HEAD',
      headers: { connection: 'close' }, // an agent without keep-alive would not use the proxy
      signal: AbortSignal.timeout(probeMs),
    })
    call.once('response', (answer) => {
      answer.destroy()
      resolve(null)
    })
    call.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? ''
      const isTls = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/.test(code)
      resolve(CODES[code] ?? (isTls ? 'tls' : 'unreachable'))
    })
    // The only event of a server that switches to another protocol.
    call.once('close', () => resolve('unreachable'))
    call.end()
  })
}
