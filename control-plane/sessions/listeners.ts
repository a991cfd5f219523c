// The two listeners for agents: a Unix socket for the studio's own agent, always open, and a TCP port for other machines, open only while
// the owner allows it. Both use the same enrolment and the same proof; the port never accepts the id `local`.
import { rmSync } from 'node:fs'
import type { StudioIdentity } from '#control-plane/trust/authority.ts'
import { LOCAL, type Worker, type WorkerStore } from '#control-plane/workers/worker.store.ts'
import { createStudioLinks } from '#shared/link/client/studio-links.ts'
import { createAgentListener } from '#shared/link/port/listener.ts'
import type { EnrolmentService, Link } from '#shared/link/rpc.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Service } from '#shared/runtime/service.ts'
import { localAddress, socketFolder } from '#shared/runtime/socket-folder.ts'

export type Listeners = ReturnType<typeof createListeners>
type Deps = {
  readonly identity: StudioIdentity
  readonly enrolment: EnrolmentService
  readonly workers: WorkerStore
  readonly onLink: (worker: Worker, link: Link) => void
  /** Same as in ListenerDeps. */
  readonly onLater: (workerId: string, ms: number) => void
  readonly clock: Clock
  readonly log: Log
  /** Address of the port for other machines. */
  readonly address: { readonly host: string; readonly port: number }
}

export function createListeners({ identity, enrolment, workers, onLink, onLater, clock, log, address: configured }: Deps) {
  const keys = () => ({ key: identity.leaf.keyPem, certificate: identity.chainPem(), authority: identity.rootsPem() })
  const enrolmentTls = () => ({ key: identity.leaf.keyPem, certificateChain: identity.chainPem() })
  const links = createStudioLinks({ ...keys(), log, clock })
  const folder = socketFolder('voice-studio-')
  const path = localAddress(folder, 'agents.sock')

  const open = (accepts: (workerId: string) => boolean) =>
    createAgentListener({
      enrolment,
      enrolmentTls: enrolmentTls(),
      admit: async ({ workerId }) => {
        const worker = accepts(workerId) ? workers.get(workerId) : undefined
        if (!worker) return 'unknown'
        if (worker.revokedAt !== null) return 'revoked'
        return worker.quarantine === null ? 'ok' : 'quarantined'
      },
      onSession: async (socket, { workerId }) => {
        const worker = workers.get(workerId)
        if (!worker || worker.revokedAt !== null || worker.quarantine !== null) return void socket.destroy()
        const link = links.adopt(socket, { workerId, pins: new Set([worker.pin]) })
        onLink(worker, link)
        await link.proven
      },
      onLater,
      log,
      clock,
    })

  const localListener = open((workerId) => workerId === LOCAL)
  let remoteListener: ReturnType<typeof open> | null = null
  let startupError: string | null = null
  let listeningOn: number | null = null

  const service: Service = {
    name: 'listeners',
    start: async () => void (await localListener.listen({ path })),
    async stop() {
      closePort()
      localListener.close()
      links.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  function closePort(): void {
    remoteListener?.close()
    remoteListener = null
    listeningOn = null
  }

  return {
    ...service,
    path,
    /** Rejects with CONFLICT when the port is taken; `startupError` then keeps the message. No effect when the port is open. */
    async openPort(): Promise<void> {
      if (remoteListener) return
      const listener = open((workerId) => workerId !== LOCAL)
      try {
        const address = await listener.listen(configured)
        remoteListener = listener
        listeningOn = 'port' in address ? address.port : configured.port
        startupError = null
      } catch (error) {
        listener.close()
        startupError = Failure.from(error, 'CONFLICT').message
        throw new Failure('CONFLICT', startupError, { cause: error })
      }
    },
    closePort,
    /** Links and enrolments that are opened from now on use the studio's new keys. */
    applyKeys(): void {
      links.setKeys(keys())
      for (const listener of [localListener, remoteListener]) listener?.setKeys(enrolmentTls())
    },
    isOpen: () => remoteListener !== null,
    isCrowded: () => remoteListener?.isCrowded() === true,
    port: () => listeningOn ?? configured.port,
    startupError: () => startupError,
  }
}
