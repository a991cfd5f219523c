// Opens the access control of the studio from its settings.
import type { Settings } from '#shared/protocol/settings.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { type AccessGate, createAccessGate } from './gate.ts'
import { createKeyGuard, type KeyGuard } from './key-guard.ts'
import { createOrigins, type Origins } from './origins.ts'
import { createPeerCheck, systemPeers } from './peer-user.ts'
import { createSignIns, type SignIns } from './sign-ins.ts'

export type AccessControl = {
  readonly gate: AccessGate
  readonly origins: Origins
  readonly keys: KeyGuard
  readonly signIns: SignIns
}
type Deps = { readonly clock: Clock; readonly random: Random; readonly log: Log; readonly wrongKey: () => void }

export function openAccess(settings: Settings, { clock, random, log, wrongKey }: Deps): AccessControl {
  const origins = createOrigins(settings)
  const keys = createKeyGuard({ apiKey: settings.apiKey, clock, log, counted: wrongKey })
  const signIns = createSignIns({ clock, random })
  const isOurUser = createPeerCheck(systemPeers(log))
  const gate = createAccessGate({ origins, keys, signIns, isOurUser, serverMode: settings.serverMode })
  return { gate, origins, keys, signIns }
}
