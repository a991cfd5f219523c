// The services of voices on a real database and artifact folder, without a studio around them.

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NewProfile } from '#control-plane/features/voices/profiles/api.ts'
import { createBlobs } from '#control-plane/features/voices/profiles/files/blobs.ts'
import { createProfiles } from '#control-plane/features/voices/profiles/store/create.service.ts'
import { createProfileStore, type ProfileStore } from '#control-plane/features/voices/profiles/store/profile.store.ts'
import { createIntake } from '#control-plane/media/intake.ts'
import { createDiskBudget } from '#control-plane/store/disk-budget.ts'
import { createFolderArtifacts } from '#control-plane/store/files/folder-artifacts.ts'
import type { StorageRoom } from '#control-plane/store/files/storage-room.ts'
import { createMakers } from '#control-plane/store/sqlite/made-by.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { emptyFolder } from '#shared/runtime/file.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import type { Ending } from '#test/support/world/process.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

export type VoiceStage = ReturnType<typeof openStage>
export const never = new AbortController().signal

export function openStage(
  t: Ending,
  folder = temporaryFolder(t),
  roomOf: (store: ProfileStore) => StorageRoom = () => ({ take: async () => {} }),
) {
  const db = openTestDatabase(join(folder, 'studio.db'))
  t.after(() => db.close())
  const artifacts = createFolderArtifacts(folder)
  const store = createProfileStore({ db })
  artifacts.addNamer(store.names)
  const intake = createIntake({ ffmpegPath: () => null, clock, budget: createDiskBudget({ folder }) })
  const blobs = createBlobs({
    artifacts,
    intake,
    room: roomOf(store),
    workFolder: emptyFolder(join(folder, 'voice-work')),
    random,
  })
  const events: { readonly action?: string; readonly id?: string }[] = []
  const bus = {
    publish: ({ action, id }: { action?: string; id?: string }) => void events.push({ ...(action && { action }), ...(id && { id }) }),
  }
  let written = 0
  return {
    folder,
    db,
    artifacts,
    store,
    blobs,
    events,
    bus,
    create: createProfiles({ store, makers: createMakers({ db, clock }), blobs, bus, clock, random, created: () => {} }),
    /** A file with these bytes. */
    file(bytes: Uint8Array, name = 'voice.wav'): { readonly path: string; readonly name: string } {
      const path = join(folder, `upload-${written++}`)
      writeFileSync(path, bytes)
      return { path, name }
    },
    /** The digests of the artifact folder. */
    files: () => readdirSync(join(folder, 'artifacts')).sort(),
  }
}

export const clone = (fields: Partial<NewProfile> = {}): NewProfile => ({
  name: 'Ada',
  madeBy: OWNER_ID,
  kind: 'clone',
  language: 'Auto',
  instruct: '',
  refText: '',
  personality: '',
  description: '',
  attributes: null,
  seed: null,
  origin: 'own',
  originUrl: '',
  staysHere: false,
  recording: null,
  madeWith: null,
  locked: null,
  portrait: null,
  statement: null,
  ...fields,
})
