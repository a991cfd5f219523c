// Serves the owner of this machine over the agent's private socket. Only the process that holds the socket lends and listens, so that no
// enrolment and no port is used twice.
import { join } from 'node:path'
import { createIdentityFile } from '#agent/connection/identity.ts'
import { type InboundServer, openInboundServer } from '#agent/inbound/inbound-server.ts'
import type { LentSpace } from '#agent/models/lent-space.ts'
import type { Machine } from '#agent/tenancy/machine.ts'
import { controlPath, openControlServer } from '#shared/link/agent-control.ts'
import type { AgentControl, SpaceView } from '#shared/protocol/agent-control.ts'
import { REDIAL_CAP_MS } from '#shared/protocol/backoff.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Settings } from '#shared/protocol/settings.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { createFolderKeys } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createStudioLending, type StudioLending } from './lending.ts'
import { createSpaceFile, type SpaceFile } from './space-file.ts'
import { createSwitchFile } from './switch-file.ts'

export type OwnerDeps = {
  readonly settings: Settings
  /** Called after this process has taken ownership, because it clears and opens shared folders. */
  readonly machine: () => Promise<Machine>
  readonly daemon: boolean
  readonly pid: number
  readonly machineName: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** A daemon ends after `finish`; the studio's own agent continues without lending. */
  readonly onFinished: (() => void) | null
}
export type Ownership = {
  /** The requests of the owner, as over the socket. */
  readonly control: AgentControl
  readonly stop: (graceMs: number) => Promise<void>
}
const RETRY = { baseMs: 1_000, capMs: REDIAL_CAP_MS }

/** Null when another process owns the lending of this data folder. */
export async function takeOwnership(deps: OwnerDeps): Promise<Ownership | null> {
  const { settings, clock, random, log, onFinished } = deps
  let control: AgentControl | null = null
  const socket = await openControlServer(
    controlPath(settings.dataDir),
    whenReady(() => control),
    { clock, log },
  )
  if (!socket) return null
  try {
    const machine = await deps.machine()
    const folder = join(settings.dataDir, 'inbound')
    const inbound = await openInboundServer({
      folder,
      stored: createFolderKeys(folder),
      machine,
      machineName: deps.machineName,
      fixed: { enabled: settings.inboundNode, bind: settings.inboundBind, port: settings.inboundPort },
      clock,
      random,
      log,
    })
    const { beginDrain, endDrain, drained } = inbound
    const lending = createStudioLending({
      machine,
      identityFile: createIdentityFile(join(settings.dataDir, 'agent')),
      switchFile: createSwitchFile(join(settings.dataDir, 'agent')),
      pinned: settings.workerMode,
      daemon: deps.daemon,
      pid: deps.pid,
      retry: RETRY,
      clock,
      random,
      log,
      lifecycle: onFinished && { beginDrain, endDrain, drained, end: onFinished },
    })
    const space = createSpaceFile(join(settings.dataDir, 'agent'))
    machine.lendSpace({ chosenBytes: space.bytes, filesBytes: space.filesBytes, studios: () => lending.studios() + inbound.studios() })
    await Promise.all([lending.start(), inbound.start()])
    control = controlOf(lending, inbound, machine, space)
    return {
      control,
      async stop(graceMs) {
        control = null
        await Promise.all([lending.stop(graceMs), inbound.stop(graceMs)])
        socket.close()
      },
    }
  } catch (error) {
    socket.close()
    throw error
  }
}

const controlOf = (lending: StudioLending, inbound: InboundServer, machine: Machine, space: SpaceFile): AgentControl => ({
  status: async () => lending.status(),
  join: ({ code }) => lending.join(code),
  lend: ({ enabled }) => lending.lend(enabled),
  finish: () => lending.finish(),
  leave: () => lending.leave(),
  space: async () => spaceView(await machine.lentSpace()),
  async lendSpace({ bytes }) {
    space.write(bytes)
    return spaceView(await machine.lentSpace())
  },
  async lendFiles({ bytes }) {
    space.writeFiles(bytes)
    // Ends the additions that are not allowed any more, too.
    return spaceView(await machine.lentSpace())
  },
  async clearSpace() {
    const freed_bytes = await machine.removeModelsOfOthers()
    return { ...spaceView(await machine.lentSpace()), freed_bytes }
  },
  inbound: async () => inbound.view(),
  listen: (request) => inbound.listen(request),
  issueKey: ({ label }) => inbound.issueKey(label),
  revokeKey: ({ key_id }) => inbound.revokeKey(key_id),
  disconnect: ({ session_id }) => inbound.disconnect(session_id),
})

const spaceView = ({ limitBytes, isChosen, shareBytes, usedBytes, filesBytes }: LentSpace): SpaceView => ({
  limit_bytes: limitBytes,
  chosen: isChosen,
  share_bytes: shareBytes,
  used_bytes: usedBytes,
  files_bytes: filesBytes,
})

/** The socket is the lock, so it opens before the agent is ready to answer on it. */
function whenReady(control: () => AgentControl | null): AgentControl {
  const now = (): AgentControl => {
    const ready = control()
    if (!ready) throw new Failure('NOT_READY', 'The agent is starting or stopping. Try again in a moment.')
    return ready
  }
  return {
    status: async (request) => now().status(request),
    join: async (request) => now().join(request),
    lend: async (request) => now().lend(request),
    finish: async (request) => now().finish(request),
    leave: async (request) => now().leave(request),
    space: async (request) => now().space(request),
    lendSpace: async (request) => now().lendSpace(request),
    lendFiles: async (request) => now().lendFiles(request),
    clearSpace: async (request) => now().clearSpace(request),
    inbound: async (request) => now().inbound(request),
    listen: async (request) => now().listen(request),
    issueKey: async (request) => now().issueKey(request),
    revokeKey: async (request) => now().revokeKey(request),
    disconnect: async (request) => now().disconnect(request),
  }
}
