// Opens the access control of the studio from its settings.
import type { Settings } from '#shared/protocol/settings.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { PeerConnection } from '../contract/caller.ts'
import { type ClientOf, createClientOf } from './client-of.ts'
import { type AccessGate, createAccessGate } from './gate.ts'
import { createKeyGuard, type KeyGuard } from './key-guard.ts'
import { createOrigins, type Origins } from './origins.ts'
import { createLocalUsers, systemPeers } from './peer-user.ts'
import { createProofs, type FindPerson } from './proofs.ts'
import { createSharePin, type SharePin } from './share-pin.ts'
import { createSignIns, type SignIns } from './sign-ins.ts'
import { createTrustedNetworks } from './trusted-networks.ts'

export type AccessControl = {
  readonly gate: AccessGate
  readonly clientOf: ClientOf
  readonly origins: Origins
  readonly keys: KeyGuard
  readonly signIns: SignIns
  readonly pins: SharePin
}
type Deps = {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly people: FindPerson
  readonly wrongKey: () => void
  readonly isShared: (connection: PeerConnection) => boolean
  readonly sharedNames: () => readonly string[]
}

export function openAccess(settings: Settings, { clock, random, log, people, wrongKey, isShared, sharedNames }: Deps): AccessControl {
  const origins = createOrigins({ ...settings, sharedNames })
  const keys = createKeyGuard({ apiKey: settings.apiKey, clock, log, counted: wrongKey })
  const signIns = createSignIns({ clock, random })
  const localUsers = createLocalUsers(systemPeers(log))
  const pins = createSharePin({ clock, random, log })
  const isTrustedNetwork = createTrustedNetworks(settings.trustedNetworks)
  const { serverMode } = settings
  const proofs = createProofs({ keys, signIns, people, pins, isShared })
  const gate = createAccessGate({ origins, keys, proofs, localUsers, isTrustedNetwork, isShared, serverMode })
  const clientOf = createClientOf({ origins, localUsers })
  return { gate, clientOf, origins, keys, signIns, pins }
}
