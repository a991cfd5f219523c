// Takes that were planned before their voice changed: a queued job may begin long after its request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createVoicing } from '#control-plane/features/speech/speech/voice/voicing.ts'
import { clone, never, openStage } from '#test/control-plane/features/voices/profiles/stage.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'

test('a planned take does not begin after its voice was deleted, was replaced or has to stay here', async (t) => {
  const { store, create, file, blobs } = openStage(t)
  const profile = await create(clone({ recording: file(spokenWav()) }), never)
  const { id } = profile
  const unused = () => assert.fail('not called')
  const voicing = createVoicing({
    voices: { find: store.find, resolve: unused, designEngine: unused },
    synthesis: { engineOf: unused, cloningEngine: unused, isEngine: unused, engineWithVoice: unused },
    target: unused,
  })
  const reference = { name: 'reference', size: profile.refBytes, sha256: profile.refDigest! }
  const begin = (isPrivate = false, profileId = id) =>
    voicing.refuseWithdrawn({ profileId, kind: 'clone', name: 'Ada' }, isPrivate ? { ...reference, private: true } : reference)
  begin()
  begin(true)
  store.update(id, { staysHere: true }, 1)
  assert.throws(() => begin(), { code: 'CANCELLED', message: /stays on this machine/ })
  begin(true)
  store.update(id, { staysHere: false }, 2)
  begin()
  const ref = await blobs.keepBytes(Buffer.from('another'))
  store.replaceReference(id, { ref, original: null, name: '', text: '', quality: {}, madeWith: null }, 3)
  assert.throws(() => begin(true), { code: 'CANCELLED', message: /deleted or has another recording/ })
  store.remove(id)
  assert.throws(() => begin(), { code: 'CANCELLED' })
})
