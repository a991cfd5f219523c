// What the owner of this machine may ask of its agent, answered by whichever process holds the private socket. Only that process lends and
// listens, so that no enrolment and no port is ever used twice.
import { join } from 'node:path'
import { controlPath, openControl } from '#shared/link/agent-control.ts'
import type { AgentControl } from '#shared/protocol/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Settings } from '#shared/protocol/settings.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createIdentityFile } from '../connection/identity.ts'
import { createInbound, type Inbound } from '../inbound/inbound-server.ts'
import type { Machine } from '../tenancy/machine.ts'
import { createLending, type Lending } from './lending.ts'
import { createSwitchFile } from './switch-file.ts'

export type OwnerDeps = {
  readonly settings: Settings
  /** Called once nobody else can be the owner: what it clears and opens is ours alone. */
  readonly machine: () => Promise<Machine>
  readonly daemon: boolean
  readonly pid: number
  readonly machineName: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** A daemon ends when its owner told it to finish; the studio's own agent goes on without lending. */
  readonly onFinished: (() => void) | null
}
export type Ownership = {
  readonly isLending: () => boolean
  readonly isListening: () => boolean
  readonly stop: (graceMs: number) => Promise<void>
}
const RETRY = { baseMs: 1_000, capMs: 60_000 }

/** Null when another process owns the lending of this data folder. */
export async function takeOwnership(deps: OwnerDeps): Promise<Ownership | null> {
  const { settings, clock, random, log, onFinished } = deps
  let control: AgentControl | null = null
  const door = await openControl(
    controlPath(settings.dataDir),
    later(() => control),
    { clock, log },
  )
  if (!door) return null
  try {
    const machine = await deps.machine()
    const inbound = createInbound({
      folder: join(settings.dataDir, 'inbound'),
      machine,
      machineName: deps.machineName,
      fixed: { enabled: settings.inboundNode, bind: settings.inboundBind, port: settings.inboundPort },
      clock,
      random,
      log,
    })
    const { beginDrain, endDrain, drained } = inbound
    const lending = createLending({
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
      whole: onFinished && { beginDrain, endDrain, drained, end: onFinished },
    })
    await Promise.all([lending.start(), inbound.start()])
    control = controlOf(lending, inbound)
    return {
      isLending: () => lending.status().enabled && lending.status().enrolled,
      isListening: () => inbound.view().running,
      async stop(graceMs) {
        control = null
        await Promise.all([lending.stop(graceMs), inbound.stop(graceMs)])
        door.close()
      },
    }
  } catch (error) {
    door.close()
    throw error
  }
}

const controlOf = (lending: Lending, inbound: Inbound): AgentControl => ({
  status: async () => lending.status(),
  join: ({ code }) => lending.join(code),
  lend: ({ enabled }) => lending.lend(enabled),
  finish: () => lending.finish(),
  leave: () => lending.leave(),
  inbound: async () => inbound.view(),
  listen: (wish) => inbound.listen(wish),
  issueKey: ({ label }) => inbound.issueKey(label),
  revokeKey: ({ key_id }) => inbound.revokeKey(key_id),
  disconnect: ({ session_id }) => inbound.disconnect(session_id),
})

/** The socket is there before what it speaks for: it is the lock. */
function later(control: () => AgentControl | null): AgentControl {
  const now = (): AgentControl => {
    const ready = control()
    if (!ready) throw new Failure('NOT_READY', 'The agent is starting or stopping; ask again in a moment.')
    return ready
  }
  return {
    status: async (request) => now().status(request),
    join: async (request) => now().join(request),
    lend: async (request) => now().lend(request),
    finish: async (request) => now().finish(request),
    leave: async (request) => now().leave(request),
    inbound: async (request) => now().inbound(request),
    listen: async (request) => now().listen(request),
    issueKey: async (request) => now().issueKey(request),
    revokeKey: async (request) => now().revokeKey(request),
    disconnect: async (request) => now().disconnect(request),
  }
}
