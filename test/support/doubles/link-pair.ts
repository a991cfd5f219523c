// A studio and an agent in one process, connected by one of the three kinds of link. Only the work is simulated.

import { rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createStudioLinks } from '#shared/link/client/studio-links.ts'
import { dialStudio } from '#shared/link/port/dial.ts'
import { createAgentListener } from '#shared/link/port/listener.ts'
import type { AgentService, ExpectedPeer, Link, ServedRun } from '#shared/link/rpc.ts'
import { type AgentEndpoint, createAgentEndpoint, type EndpointLimits } from '#shared/link/server/agent-endpoint.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { type Log, silentLog as log, silentLog } from '#shared/runtime/log.ts'
import { localAddress, socketFolder } from '#shared/runtime/socket-folder.ts'
import { wireDescription, wireSnapshot } from '../builders/wire.ts'
import { scriptedService } from '../peers/scripted-agent.ts'
import { sharedCertificates, type TestIdentity } from './link-certificates.ts'

export const LINK_KINDS = ['local', 'outbound', 'inbound'] as const
export type LinkKind = (typeof LINK_KINDS)[number]
/** Ways of runs: each on a call of its own, or together on the exchange. */
export const RUN_WAYS = ['calls', 'exchange'] as const

export type FakeAgent = AgentService & {
  /** The next run that a studio starts; tests act as the agent on it. */
  readonly nextRun: () => Promise<ServedRun>
  readonly calls: unknown[]
}

export function createFakeAgent(overrides: Partial<AgentService> = {}): FakeAgent {
  const arrived: ServedRun[] = []
  const awaited: ((run: ServedRun) => void)[] = []
  const calls: unknown[] = []
  return {
    ...scriptedService(),
    calls,
    nextRun: () => {
      const run = arrived.shift()
      return run ? Promise.resolve(run) : new Promise((resolve) => awaited.push(resolve))
    },
    describe: async ({ features }) => wireDescription({ agent_version: '1.2.3', features, host: null, generation: 7 }),
    async *watch(_request, { signal }) {
      for (let beat = 1; !signal.aborted; beat++) {
        yield wireSnapshot({ resident_models: ['a:b'], free_memory_bytes: 2 ** 40, free_disk_bytes: 2 ** 41, beat })
        await clock.sleep(5, signal).catch(() => {})
      }
    },
    run: (call) => {
      const take = awaited.shift()
      if (take) take(call)
      else arrived.push(call)
      return new Promise((resolve) => call.signal.addEventListener('abort', () => resolve(), { once: true }))
    },
    commit: async (request) => void calls.push(request),
    consent: async (request) => void calls.push(request),
    forgetVoices: async (request) => void calls.push(request),
    drain: async (request) => ({ held: request.deadline_ms }),
    rotate: async (request) => void calls.push(request),
    unload: async ({ engine }) => ({ unloaded: engine === '' ? [] : [engine], reason: '' }),
    async *logs({ last, follow }, { signal }) {
      const line = (number: number) => ({ at: 2 ** 41 + number, level: 'info', message: `line ${number}`, fields_json: '{"n":1}' })
      for (let number = 1; number <= last; number++) yield line(number)
      for (let number = last + 1; follow && !signal.aborted; number++) {
        yield line(number)
        await clock.sleep(5, signal).catch(() => {})
      }
    },
    inventory: async () => ({
      models: [{ id: 'a/b', supported: true, installed: true, incomplete: false, installing: false, size_bytes: 2 ** 41, files: 3 }],
    }),
    async *install({ id }) {
      const rest = { downloaded: 2 ** 41, total: 2 ** 42, rate: 1, eta_seconds: 2, files_done: 3, files_total: 4, cached: 5, attempt: 6 }
      yield { phase: 'aggregate', file: id, ...rest, code: 'UNKNOWN', message: 'words' }
    },
    stopInstall: async ({ id }) => ({ stopped: id === 'a/b' }),
    removeModel: async () => ({ freed_bytes: 2 ** 41 }),
    ...overrides,
  }
}

export const header = (attemptId = 'attempt-1'): Wire<'RunHeader'> => ({
  task_id: 'task-1',
  attempt_id: attemptId,
  epoch: 3,
  engine: 'engine',
  model: 'model',
  operation: 'speak',
  model_digest: '',
  params_json: Buffer.from('{"text":"hello"}'),
  consent_id: 'consent-1',
  deadline_ms_left: 60_000,
  from_seq: 0,
  traceparent: '',
  inputs: [],
  priority: 0,
  size: 0,
})

export type Pair = {
  /** Opens one more link; if a peer refuses, it rejects, or resolves to a link that closes soon. */
  readonly connect: (expected?: ExpectedPeer) => Promise<Link>
  /** The studio's end of a raw connection whose agent waits for TLS. */
  readonly openSocket: () => Promise<Socket>
  readonly endpoint: AgentEndpoint
  /** Remove a pin from this set to make the agent distrust it. */
  readonly studioPins: Set<string>
  /** The agent's end of every socket so far. */
  readonly agentSockets: Socket[]
  /** Reasons why the agent's end refused connections. */
  readonly agentReasons: string[]
}

export type PairOptions = {
  agent?: TestIdentity
  studio?: TestIdentity
  service?: AgentService
  studioPins?: string[]
  limits?: Partial<EndpointLimits>
  way?: (typeof RUN_WAYS)[number]
}

export async function openPair(t: TestContext, kind: LinkKind, options: PairOptions = {}): Promise<Pair> {
  const shared = await sharedCertificates()
  const agent = options.agent ?? shared.agent
  const studio = options.studio ?? shared.studio
  const studioPins = new Set(options.studioPins ?? [shared.studio.pin])
  const agentSockets: Socket[] = []
  const agentReasons: string[] = []
  const agentLog: Log = { ...silentLog, warn: (fields) => void agentReasons.push((fields as { reason: string }).reason) }
  const real = createAgentEndpoint({
    ...agent,
    authority: shared.authority.certificatePem,
    service: options.service ?? createFakeAgent(),
    studioPins: () => studioPins,
    log: agentLog,
    ...(options.limits && { limits: options.limits }),
    clock,
  })
  const endpoint: AgentEndpoint = {
    ...real,
    inject(socket) {
      agentSockets.push(socket)
      real.inject(socket)
    },
  }
  const links = createStudioLinks({ ...studio, authority: shared.authority.certificatePem, log, clock })
  t.after(async () => {
    links.close()
    await endpoint.stop(0)
  })
  const expectedPeer: ExpectedPeer = { workerId: 'gpu-1', pins: new Set([shared.agent.pin]) }
  const common = { agentReasons, endpoint, studioPins, agentSockets }

  const folder = socketFolder('voice-pair-')
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const refuse = () => Promise.reject(new Error('unused'))
  const waiting: ((socket: Socket) => void)[] = []
  const isInbound = kind === 'inbound'
  const host = isInbound ? agent : studio
  const listener = createAgentListener({
    enrolment: { redeem: refuse, renew: refuse },
    enrolmentTls: { key: host.key, certificateChain: host.certificate },
    admit: async () => 'ok',
    onSession: async (socket) => (isInbound ? endpoint.inject(socket) : waiting.shift()?.(socket)),
    log,
    clock,
  })
  t.after(() => listener.close())
  const address = await listener.listen(kind === 'local' ? { path: localAddress(folder, 'studio.sock') } : { host: '127.0.0.1', port: 0 })
  const dial = () => dialStudio(address, isInbound ? 'panel-1' : 'gpu-1', { clock, timeoutMs: 5_000 })
  const openSocket = async () => {
    const arrived = isInbound ? null : new Promise<Socket>((resolve) => waiting.push(resolve))
    const dialled = await dial()
    if (arrived) endpoint.inject(dialled)
    const socket = arrived ? await arrived : dialled
    t.after(() => socket.destroy())
    return socket
  }
  const connect = async (expected = expectedPeer) => {
    const link = await links.adopt(await openSocket(), expected)
    if (options.way === 'exchange') link.openExchange()
    return link
  }
  return { ...common, openSocket, connect }
}

/** Waits until the condition is true; fails after ten seconds. */
export async function eventually(what: string, isTrue: () => boolean): Promise<void> {
  for (let waited = 0; !isTrue(); waited += 10) {
    if (waited > 10_000) throw new Error(`still not so: ${what}`)
    await clock.sleep(10)
  }
}
