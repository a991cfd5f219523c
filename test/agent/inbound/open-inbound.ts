// A machine that listens and controllers that dial it, in one process over real sockets and real TLS; only the engines are played.

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type InboundServerDeps, openInboundServer } from '#agent/inbound/inbound-server.ts'
import { createStudioLinks } from '#shared/link/client/studio-links.ts'
import { dialStudio } from '#shared/link/port/dial.ts'
import { BY_MACHINE, redeem, renew } from '#shared/link/port/enrol.ts'
import type { Link } from '#shared/link/rpc.ts'
import { createKey } from '#shared/pki/key.ts'
import { createRequest } from '#shared/pki/request.ts'
import { parseConnectionString } from '#shared/protocol/codes/connection-string.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { PROTOCOL_VERSION } from '#shared/protocol/messages.ts'
import type { HeaderMessage } from '#shared/protocol/run-messages.ts'
import { type Clock, systemClock } from '#shared/runtime/clock.ts'
import { createFolderKeys } from '#shared/runtime/file.ts'
import { type Log, silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { createPlayedMachine } from '../tenancy/played-machine.ts'
import { headerOf } from '../tenancy/played-pool.ts'

const MINUTE_MS = 60_000

/** The real clock, which a test may set. Timers do not notice, but for sleeps of a minute and more, which end with it. */
export function createAheadClock() {
  let ahead = 0
  let parked: (() => void)[] = []
  const clock: Clock = {
    ...systemClock,
    mono: () => systemClock.mono() + ahead,
    now: () => systemClock.now() + ahead,
    sleep: (ms, signal) =>
      ms < MINUTE_MS
        ? systemClock.sleep(ms, signal)
        : new Promise((resolve, reject) => {
            parked.push(resolve)
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
          }),
  }
  return {
    clock,
    advance(ms: number): void {
      ahead += ms
      const woken = parked
      parked = []
      for (const wake of woken) wake()
    },
  }
}

export async function openInbound(
  t: TestContext,
  { permits = 1, fixed = {} }: { permits?: number; fixed?: Partial<InboundServerDeps['fixed']> } = {},
) {
  const dataDir = temporaryFolder(t)
  const { clock, advance } = createAheadClock()
  const { machine, turns, ...limited } = createPlayedMachine(permits, dataDir, clock)
  let renewals = 0
  const listening: Log = {
    ...log,
    info: (_fields, message) => {
      if (message.includes('certificate renewed')) renewals++
    },
    child: () => listening,
  }
  const folder = join(dataDir, 'inbound')
  const open = () =>
    openInboundServer({
      folder,
      stored: createFolderKeys(folder),
      machine,
      machineName: 'attic',
      fixed: { enabled: null, bind: null, port: 0, ...fixed },
      clock,
      random,
      log: listening,
    })
  let inbound = await open()
  t.after(() => inbound.stop(0))
  return {
    ...limited,
    turns,
    advance,
    renewals: () => renewals,
    dataDir,
    get inbound() {
      return inbound
    },
    listen: () => inbound.listen({ enabled: true, bind: '', port: 0 }),
    /** Stops it and starts it again from its files. */
    async restart() {
      await inbound.stop(0)
      inbound = await open()
      await inbound.start()
    },
  }
}

const options = { clock: systemClock, timeoutMs: 10_000, issuer: BY_MACHINE }
export type Panel = Awaited<ReturnType<typeof createController>>

/** A controller with a key of its own; the rest is what its control plane would do. */
export async function createController(t: TestContext) {
  const key = await createKey()
  const csr_pem = createRequest(key, 'controller')
  let identity: Wire<'Identity'> | null = null
  const enrolWith = async (connectionString: string): Promise<Wire<'Identity'>> => {
    const { secret, host, port, fingerprint } = parseConnectionString(connectionString)
    const request = {
      token_id: createHash('sha256').update(secret).digest('hex').slice(0, 12),
      secret,
      csr_pem,
      name: 'controller',
      hostname: 'controller',
      os: 'linux',
      arch: 'x64',
      agent_version: '0',
      protocol: PROTOCOL_VERSION,
    }
    identity = await redeem([{ host, port }], [fingerprint], request, options)
    return identity
  }
  return {
    enrolWith,
    identity: () => identity!,
    renew: (port: number) =>
      renew(
        [{ host: '127.0.0.1', port }],
        identity!.authority_pem,
        { worker_id: identity!.worker_id, csr_pem, generation: 0, nonce: '' },
        options,
      ),
    /** Dials, proves itself, describes and grants consent. `as`: the id it claims before it proves anything. */
    async connect(port: number, as = identity!.worker_id): Promise<Link> {
      const { certificate_pem: certificate, authority_pem: authority, studio_pins, worker_id: workerId } = identity!
      const links = createStudioLinks({ key, certificate, authority, log, clock: systemClock })
      t.after(() => links.close())
      const socket = await dialStudio({ host: '127.0.0.1', port }, as, { clock: systemClock, timeoutMs: 10_000 })
      const link = links.adopt(socket, { workerId, pins: new Set(studio_pins), subject: 'machine' })
      await link.describe({ studio_version: '0', features: [] })
      await link.consent({ consent_id: 'yes' })
      return link
    },
  }
}

/** Offers an attempt and collects what is said about it. */
export function offer(link: Link, id: string, change: Partial<HeaderMessage> = {}) {
  const events: Wire<'Event'>[] = []
  const header = headerOf(id, { consent_id: 'yes', ...change })
  const ended = Promise.withResolvers<Error | null>()
  const call = link.run(
    { ...header, params_json: Buffer.from(header.params_json) },
    { output: (more) => void events.push(...more), end: (error) => ended.resolve(error) },
  )
  return { call, ended: ended.promise, facts: () => events.map(({ fact }) => fact) }
}

export const heldBy = async (link: Link): Promise<string[]> => {
  const stop = new AbortController()
  for await (const { held } of link.watch({ interval_ms: 1000 }, stop.signal)) {
    stop.abort()
    return held.map(({ attempt_id, phase }) => `${attempt_id} ${phase}`)
  }
  return []
}
