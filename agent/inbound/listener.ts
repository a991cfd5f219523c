// The open port of a listening machine: controllers enrol and open their sessions through it.
import { createAgentListener, type ListenerDeps } from '#shared/link/port/listener.ts'
import type { EnrolmentService } from '#shared/link/rpc.ts'
import { type AgentEndpoint, type AgentEndpointDeps, createAgentEndpoint } from '#shared/link/server/agent-endpoint.ts'
import { formatAddress } from '#shared/link/transport/address.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { loop } from '#shared/runtime/service.ts'
import type { MachineAuthority } from './authority.ts'

type Deps = {
  readonly authority: MachineAuthority
  readonly enrolment: EnrolmentService
  readonly admit: ListenerDeps['admit']
  readonly onLink: NonNullable<AgentEndpointDeps['onLink']>
  readonly studioPins: AgentEndpointDeps['studioPins']
  readonly service: AgentEndpointDeps['service']
  readonly clock: Clock
  readonly log: Log
}
export type InboundListener = {
  /** The bound port. */
  readonly port: () => number
  /** Stops listening; open sessions continue. */
  readonly close: () => Promise<void>
  /** Refuses new calls, lets running calls end within the grace period, then cuts every session. */
  readonly end: (graceMs: number) => Promise<void>
}
const LEAF_CHECK_MS = 3_600_000
const REOPEN_MS = 1_000

/** Rejects with CONFLICT when the address cannot be bound. */
export async function openInboundListener(at: { readonly host: string; readonly port: number }, deps: Deps): Promise<InboundListener> {
  const { authority, clock, log } = deps
  const endpoints: AgentEndpoint[] = [] // newest last; older ones serve sessions that began with an older leaf
  const unproven = new Map<string, () => void>() // by address and port
  const onLink: Deps['onLink'] = (link) => {
    unproven.get(link.address)?.()
    return deps.onLink(link)
  }
  const onSession: ListenerDeps['onSession'] = (socket, { address }) =>
    new Promise((resolve) => {
      unproven.set(address, resolve)
      socket.once('close', () => unproven.delete(address))
      endpoints.at(-1)!.inject(socket)
    })
  const serve = (): void => {
    endpoints.push(
      createAgentEndpoint({
        key: authority.keyPem,
        certificate: authority.leafPem(),
        authority: authority.authorityPem,
        studioPins: deps.studioPins,
        service: deps.service,
        onLink,
        log,
        clock,
      }),
    )
  }
  const open = async (port: number) => {
    const listener = createAgentListener({
      enrolment: deps.enrolment,
      enrolmentTls: { key: authority.keyPem, certificateChain: authority.leafPem() + authority.authorityPem },
      admit: deps.admit,
      onSession,
      log,
      clock,
    })
    const address = await listener.listen({ host: at.host, port }).catch((cause) => {
      listener.close()
      throw Failure.from(cause, 'CONFLICT')
    })
    return { listener, port: 'port' in address ? address.port : port }
  }

  serve()
  let { listener, port } = await open(at.port)
  const address = formatAddress({ host: at.host, port })
  log.info({ address, notice: `Listening for studios on ${address}.` }, 'listening for controllers')

  let isOpen = true
  const renewing = loop(
    'machine-leaf',
    async (signal) => {
      await clock.sleep(isOpen ? LEAF_CHECK_MS : REOPEN_MS, signal)
      try {
        if (authority.renewLeaf()) {
          serve()
          listener.close()
          isOpen = false
        }
      } catch (error) {
        // The clock is wrong. The next check may find it set.
        return log.error({ err: Failure.from(error).message }, 'the certificate of this machine was not renewed')
      }
      if (isOpen) return
      try {
        listener = (await open(port)).listener
        isOpen = true
        log.info({}, 'machine certificate renewed')
      } catch (error) {
        log.error({ err: String(error) }, 'the port for controllers could not be reopened; retrying')
      }
    },
    (error) => log.error({ err: String(error) }, 'machine certificate renewal failed'),
  )
  void renewing.start()

  const close = async () => {
    await renewing.stop()
    listener.close()
  }
  return {
    port: () => port,
    close,
    async end(graceMs) {
      await close()
      await Promise.all(endpoints.map((endpoint) => endpoint.stop(graceMs)))
    },
  }
}
