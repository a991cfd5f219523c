// Recordings that are replaced at the same time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSounds } from '#control-plane/features/voices/profiles/sound/sound.service.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { clone, never, openStage } from './stage.ts'

test('every recording that a profile had is withdrawn, also one that came and went during another request', async (t) => {
  const { store, blobs, artifacts, create, file, bus } = openStage(t)
  const { id, refDigest } = await create(clone({ recording: file(spokenWav()) }), never)
  const withdrawn: (string | null)[] = []
  const withdrawal = { gone: async (digests: readonly (string | null)[]) => void withdrawn.push(...digests) }
  const had = new Set([refDigest])
  /** Another request replaces and locks the voice while the first one converts its recording. */
  const held = {
    ...blobs,
    keepCanonical: async (path: string, signal: AbortSignal) => {
      const kept = await blobs.keepCanonical(path, signal)
      const other = await blobs.keepBytes(Buffer.from('another recording'))
      store.replaceReference(id, { ref: other, original: null, name: '', text: '', quality: {}, madeWith: null }, 2)
      const lock = await blobs.keepBytes(Buffer.from('a locked take'))
      store.lock(id, { ...lock, text: null, seed: null, source: 'take' }, 3)
      had.clear()
      for (const { digest } of [other, lock]) had.add(digest)
      return kept
    },
  }
  const unused = () => assert.fail('not called')
  const sounds = createSounds({
    ...{ store, blobs: held, artifacts, bus, clock, withdrawal, marked: unused },
    ...{ samples: { ensure: unused }, portraits: { toJpeg: unused }, replaced: () => {} },
  })
  const { path } = file(spokenWav({ hz: 300 }))
  await sounds.replace(id, { path, filename: 'new.wav', size: 1000 }, '', never)
  assert.deepEqual(withdrawn.sort(), [...had].sort())
})
