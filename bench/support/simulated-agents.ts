// Many agents in one process. Each has its own key, certificate, socket and link, like a real agent, but no engines.
import { dialStudio } from '#shared/link/port/dial.ts'
import type { AgentService } from '#shared/link/rpc.ts'
import { type AgentEndpoint, createAgentEndpoint } from '#shared/link/server/agent-endpoint.ts'
import { requireTls13 } from '#shared/link/transport/options.ts'
import { backoff, waitAsAsked } from '#shared/protocol/backoff.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { wireHost } from '#test/support/builders/wire.ts'
import { scriptedService } from '#test/support/peers/scripted-agent.ts'

type Identity = { readonly workerId: string; readonly key: string; readonly certificate: string }
type Request = {
  readonly identities?: readonly Identity[]
  readonly authority?: string
  readonly studioPin?: string
  readonly port?: number
  readonly connect?: true
  readonly cut?: true
  readonly end?: true
}
requireTls13()
const endpoints: { readonly workerId: string; readonly endpoint: AgentEndpoint }[] = []
const sockets = new Set<{ destroy: () => void }>()
let port = 0
let isUp = false

const serviceOf = (hostname: string): AgentService =>
  scriptedService({ run: async () => {} }, { host: wireHost({ hostname }), capabilities: [], instance: hostname })

/** Behaves like the real agent: dial, serve until the socket closes, wait with full jitter, repeat. */
async function keepConnected(workerId: string, endpoint: AgentEndpoint): Promise<void> {
  for (let failures = 0; ; ) {
    let askedSeconds: number | undefined
    if (isUp)
      try {
        const socket = await dialStudio({ host: '127.0.0.1', port }, workerId, { clock, timeoutMs: 10_000 })
        sockets.add(socket)
        const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
        const from = clock.mono()
        endpoint.inject(socket)
        await closed
        sockets.delete(socket)
        failures = clock.mono() - from > 5_000 ? 0 : failures + 1
      } catch (error) {
        askedSeconds = Failure.from(error).retryAfterSeconds
        if (askedSeconds === undefined) failures++
      }
    if (askedSeconds !== undefined) await clock.sleep(waitAsAsked(askedSeconds, random.unit()))
    else await clock.sleep(failures === 0 ? 5 : backoff(failures - 1, random.unit(), 1_000, 60_000))
  }
}

process.on('message', (request: Request) => {
  if (request.end) process.exit(0)
  if (request.identities) {
    port = request.port!
    for (const { workerId, key, certificate } of request.identities) {
      const studioPins = () => new Set([request.studioPin!])
      const endpoint = createAgentEndpoint({
        key,
        certificate,
        authority: request.authority!,
        studioPins,
        service: serviceOf(workerId),
        log,
        clock,
      })
      endpoints.push({ workerId, endpoint })
      void keepConnected(workerId, endpoint)
    }
  }
  if (request.connect) isUp = true
  if (request.cut) for (const socket of sockets) socket.destroy()
  process.send?.({ rss: process.memoryUsage.rss() })
})
process.once('disconnect', () => process.exit())
process.send?.({ ready: true })
