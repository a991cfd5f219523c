// A lent machine that does what a test says: the link is the product's own, and the service behind it is the test's. It runs in the process of
// the test, or in the program that imports it.

import { once } from 'node:events'
import { join, readInvitation } from '#agent/connection/enrol.ts'
import { dialStudio } from '#shared/link/port/dial.ts'
import type { AgentService, ServedRun } from '#shared/link/rpc.ts'
import { createAgentEndpoint } from '#shared/link/server/agent-endpoint.ts'
import { requireTls13 } from '#shared/link/transport/options.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { wireCapability, wireDescription, wireSnapshot } from '../builders/wire.ts'
import type { Ending } from '../world/process.ts'
import type { World } from '../world/world.ts'

/** A service that has the engine `tone`, declines nothing and answers nothing, but for what `own` does. */
export const scriptedService = (own: Partial<AgentService> = {}, described: Partial<Wire<'Description'>> = {}): AgentService => ({
  describe: async () => wireDescription({ capabilities: [wireCapability()], ...described }),
  async *watch({ interval_ms }, { signal }) {
    for (let beat = 0; !signal.aborted; beat++) {
      yield wireSnapshot({ resident_models: ['tone:'], beat })
      await clock.sleep(interval_ms, signal).catch(() => {})
    }
  },
  run: async ({ signal }: ServedRun) => {
    if (!signal.aborted) await once(signal, 'abort')
  },
  commit: async () => {},
  consent: async () => {},
  rotate: async () => {},
  unload: async () => ({ unloaded: [], reason: '' }),
  async *logs() {},
  inventory: async () => ({ models: [] }),
  async *install() {},
  stopInstall: async () => ({ stopped: false }),
  removeModel: async () => ({ freed_bytes: 0 }),
  async putFile() {},
  async *addModel() {},
  forgetVoices: async () => {},
  drain: async () => ({ held: 0 }),
  ...own,
})

/** Joins with the code and serves the studio, over one link after the other, until the signal aborts. */
export async function serveStudio(
  code: string,
  service: AgentService,
  { joined, signal }: { readonly joined: (workerId: string) => void; readonly signal?: AbortSignal },
): Promise<void> {
  requireTls13()
  const identity = await join(readInvitation(code), clock)
  const { workerId, keyPem: key, certificatePem: certificate, authorityPem: authority, studioPins, endpoints } = identity
  const endpoint = createAgentEndpoint({ key, certificate, authority, studioPins: () => new Set(studioPins), service, log, clock })
  joined(workerId)
  while (!signal?.aborted) {
    const socket = await dialStudio(endpoints[0]!, workerId, { clock, timeoutMs: 10_000, ...(signal && { signal }) })
    endpoint.inject(socket)
    const hangUp = () => void socket.destroy()
    signal?.addEventListener('abort', hangUp, { once: true })
    if (!socket.closed) await once(socket, 'close')
    signal?.removeEventListener('abort', hangUp)
  }
  await endpoint.stop(0)
}

/** Such a machine in this process, connected and approved. It leaves when the test ends. */
export async function scriptedMachine(t: Ending, world: World, service: AgentService, label = 'scripted'): Promise<string> {
  const over = new AbortController()
  const from = world.studio.output().length
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const serving = serveStudio(await world.code({ label }), service, { joined: resolve, signal: over.signal })
  serving.catch((error: unknown) => void (over.signal.aborted || reject(error)))
  t.after(async () => {
    over.abort()
    await serving.catch(() => {})
  })
  const workerId = await promise
  await world.studio.says(new RegExp(`"workerId":"${workerId}".*a machine is connected`), { from })
  const consent = await world.post(`/workers/${workerId}/consent`)
  if (consent.status !== 200) throw new Error(`not approved: ${consent.body}`)
  return workerId
}
