// The space of recordings: a limit of their own, and the free space of the disk. A refusal stores nothing and names the way out.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createGalleryStore } from '#control-plane/features/voices/gallery/gallery.store.ts'
import { keepRecording } from '#control-plane/features/voices/gallery/recordings.ts'
import { createIntake } from '#control-plane/media/intake.ts'
import { createDiskBudget } from '#control-plane/store/disk-budget.ts'
import { createFolderArtifacts } from '#control-plane/store/files/folder-artifacts.ts'
import { createStorageRoom } from '#control-plane/store/files/storage-room.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { clone, never, openStage } from './stage.ts'

const MEBIBYTE = 1024 ** 2
const PLENTY = { free: 1e12, size: 2e12 }
const refusal = (message: RegExp) => (error: unknown) =>
  error instanceof Failure && error.code === 'STORAGE_FULL' && message.test(error.message)
const named = { what: 'The recordings', wayOut: 'Delete some.' }

test('voices are refused above their limit, and are stored again after one was deleted or the limit was raised', async (t) => {
  let mostGigabytes = 1e-3
  const folder = temporaryFolder(t)
  const stage = openStage(t, folder, ({ bytes }) =>
    createStorageRoom({ ...named, folder, stored: bytes, mostGigabytes: () => mostGigabytes, spaceOf: async () => PLENTY }),
  )
  // A recording of 6 s needs 0.29 MB, and its original as much.
  const add = (hz: number) => stage.create(clone({ recording: stage.file(spokenWav({ seconds: 6, peak: hz / 1000 })) }), never)
  const first = await add(300)
  const files = stage.files()
  assert.equal(stage.store.bytes(), first.refBytes + first.originalBytes)
  await assert.rejects(
    async () => {
      for (let more = 1; more < 5; more++) await add(300 + more)
    },
    refusal(/^The recordings use 0\.0 of 0\.001 GB\. Delete some\.$/),
  )
  for (const { id } of stage.store.list()) if (id !== first.id) stage.store.remove(id)
  assert.ok(files.every((digest) => stage.files().includes(digest)))
  await add(400)
  await assert.rejects(add(410), refusal(/Delete some/))
  mostGigabytes = 1
  await add(410)
  assert.equal(stage.store.count(), 3)
  mostGigabytes = 0
  // The same files again need no space.
  assert.equal((await add(410)).refBytes, first.refBytes)
})

test('nothing is stored when the disk would have less free space than its reserve', async (t) => {
  let free = 100 * MEBIBYTE
  const folder = temporaryFolder(t)
  const spaceOf = async () => ({ free, size: 1_000 * MEBIBYTE })
  const stage = openStage(t, folder, ({ bytes }) => createStorageRoom({ ...named, folder, stored: bytes, mostGigabytes: () => 1, spaceOf }))
  const add = () => stage.create(clone({ recording: stage.file(spokenWav()) }), never)
  free = 50 * MEBIBYTE
  await assert.rejects(add(), refusal(/^The disk of the studio has [\d.]+ MB left\. Delete some\.$/))
  assert.deepEqual([stage.files(), stage.store.count()], [[], 0])
  free = 60 * MEBIBYTE
  await add()
})

test('a clip above the limit of the gallery is refused and stores nothing', async (t) => {
  const folder = temporaryFolder(t)
  const db = openTestDatabase(join(folder, 'studio.db'))
  t.after(() => db.close())
  const { bytes } = createGalleryStore({ db })
  const stage = openStage(t, temporaryFolder(t))
  const parts = {
    intake: createIntake({ ffmpegPath: () => null, clock, budget: createDiskBudget({ folder }) }),
    artifacts: createFolderArtifacts(folder),
    room: createStorageRoom({ ...named, folder, stored: bytes, mostGigabytes: () => 0, spaceOf: async () => PLENTY }),
  }
  const { path } = stage.file(spokenWav())
  await assert.rejects(keepRecording(parts, path, never), refusal(/use 0\.0 of 0 GB/))
  rmSync(path) // It was not moved.
  assert.equal(bytes(), 0)
})
