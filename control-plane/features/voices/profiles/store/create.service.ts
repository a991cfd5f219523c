// Creates profiles: the recordings are converted and durable before the row, and the row before the event.

import type { Bus } from '#control-plane/events/bus.ts'
import { bareName } from '#control-plane/http/input/form.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { NewProfile, VoiceProfile } from '../api.ts'
import type { Blobs } from '../files/blobs.ts'
import { subjectOf } from './profile.rules.ts'
import type { ProfileStore } from './profile.store.ts'
import type { NewRow, StoredProfile, StoredStatement } from './profile.ts'

const MAX_PROFILES = 100_000

type Deps = {
  readonly store: ProfileStore
  readonly makers: Pick<Makers, 'record'>
  readonly blobs: Blobs
  readonly bus: Pick<Bus, 'publish'>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'hex'>
  /** Called with every new profile after its row is durable. */
  readonly created: (profile: StoredProfile) => void
}

/** Throws BAD_REQUEST for an unreadable recording and a blank name, BODY_TOO_LARGE, CONFLICT for too many profiles, STORAGE_FULL. */
export function createProfiles({ store, makers, blobs, bus, clock, random, created }: Deps) {
  return async (wanted: NewProfile, signal: AbortSignal): Promise<VoiceProfile> => {
    const name = wanted.name.trim()
    if (name === '') throw new Failure('BAD_REQUEST', 'The name of a voice must not be blank.')
    if (store.count() >= MAX_PROFILES)
      throw new Failure('CONFLICT', `There are already ${MAX_PROFILES} voices. Delete the ones that are not needed.`)
    const { recording, locked, portrait, statement } = wanted
    const canonical = recording && (await blobs.keepCanonical(recording.path, signal))
    // A sample of an engine has no original beside itself.
    const original = recording && !wanted.madeWith ? await blobs.keepFile(recording.path) : null
    const take = locked && (await blobs.keepCanonical(locked.recording.path, signal))
    const image = portrait && (await blobs.keepBytes(portrait))
    const said = statement && (await blobs.keepFile(statement.recording.path))
    signal.throwIfAborted()
    const now = clock.now()
    const isUntold = wanted.kind === 'clone' && wanted.refText === ''
    const row: NewRow = {
      id: newId(store, random),
      name,
      kind: wanted.kind,
      language: wanted.language,
      instruct: wanted.instruct,
      refText: wanted.refText,
      personality: wanted.personality,
      description: wanted.description,
      attributes: wanted.attributes,
      seed: wanted.seed,
      refDigest: canonical?.blob.digest ?? null,
      refBytes: canonical?.blob.bytes ?? 0,
      refName: recording ? bareName(recording.name) : '',
      originalDigest: original?.digest ?? null,
      originalBytes: original?.bytes ?? 0,
      lockedDigest: take?.blob.digest ?? null,
      lockedText: locked?.text ?? null,
      lockedBytes: take?.blob.bytes ?? 0,
      lockedSource: take ? 'given' : null,
      imageDigest: image?.digest ?? null,
      origin: wanted.origin,
      originUrl: wanted.originUrl,
      staysHere: wanted.staysHere,
      quality: canonical ? { ...canonical.quality, ...(isUntold && { transcript: 'pending' as const }) } : {},
      madeWith: wanted.madeWith,
      createdAt: now,
      updatedAt: now,
    }
    const evidence: StoredStatement | null =
      statement && said
        ? {
            text: statement.text,
            audioDigest: said.digest,
            audioBytes: said.bytes,
            audioName: bareName(statement.recording.name),
            refDigest: subjectOf(row) ?? '',
            method: statement.method,
            checks: {},
            recordedAt: now,
          }
        : null
    makers.record('voice', row.id, wanted.madeBy)
    store.add(row, evidence)
    bus.publish({ kind: 'profiles', action: 'created', id: row.id })
    const profile = store.find(row.id)!
    created(profile)
    return profile
  }
}

/** Eight hexadecimal digits, as clients expect. */
function newId(store: Pick<ProfileStore, 'find'>, random: Pick<Random, 'hex'>): string {
  for (;;) {
    const id = random.hex(4)
    if (!store.find(id)) return id
  }
}
