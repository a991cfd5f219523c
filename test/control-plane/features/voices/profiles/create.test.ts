import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createResolver } from '#control-plane/features/voices/profiles/resolve.service.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { clone, never, openStage } from './stage.ts'

const SOON = Date.now() + 3600_000

test('a profile has a canonical recording and the uploaded file, and both are deleted with the last profile that names them', async (t) => {
  const stage = openStage(t)
  const upload = spokenWav({ rate: 44_100, channels: 2, seconds: 4 })
  const profile = await stage.create(clone({ name: '  Ada ', recording: stage.file(upload, 'C:\\voices\\ada.wav') }), never)
  assert.match(profile.id, /^[0-9a-f]{8}$/)
  assert.deepEqual([profile.name, profile.refName, profile.originalBytes], ['Ada', 'ada.wav', upload.length])
  const { sampleRate, channels, samples } = parseWav(readFileSync(stage.artifacts.pathOf(profile.refDigest!)))
  assert.deepEqual([sampleRate, channels, Math.round(samples.length / 24_000)], [24_000, 1, 4])
  assert.deepEqual(readFileSync(stage.artifacts.pathOf(profile.originalDigest!)), upload)
  assert.deepEqual(stage.events, [{ action: 'created', id: profile.id }])

  const again = await stage.create(clone({ name: 'Ada twice', recording: stage.file(upload) }), never)
  assert.equal(again.refDigest, profile.refDigest)
  assert.equal(stage.files().length, 2, 'equal recordings are stored once')
  stage.store.remove(profile.id)
  assert.equal(await stage.artifacts.sweep(SOON), 0)
  stage.store.remove(again.id)
  assert.equal(await stage.artifacts.sweep(SOON), 2)
  assert.deepEqual(stage.files(), [])
})

test('a recording that cannot be read creates nothing', async (t) => {
  const stage = openStage(t)
  for (const bytes of [Buffer.from('RIFF....WAVEfmt '), Buffer.alloc(0), spokenWav({ seconds: 0.1 }), spokenWav({ channels: 8 })])
    await assert.rejects(stage.create(clone({ recording: stage.file(bytes) }), never), { code: 'BAD_REQUEST' })
  await assert.rejects(stage.create(clone({ name: ' \t', recording: stage.file(spokenWav()) }), never), { code: 'BAD_REQUEST' })
  assert.deepEqual([stage.store.count(), stage.files(), stage.events], [0, [], []])
})

test('a profile resolves to its locked take, else to its recording; another name to a preset or the default voice', async (t) => {
  const stage = openStage(t)
  const reference = stage.file(spokenWav())
  const { id, refDigest } = await stage.create(clone({ recording: reference, refText: 'Hello.', seed: 7, staysHere: true }), never)
  const offers = [{ engine: 'kokoro', operation: 'tts', voices: [{ id: 'af_sky', name: 'Sky', language: 'en' }] }]
  const samples = { ensure: async (id: string) => stage.store.find(id)! }
  const resolve = createResolver({ store: stage.store, samples, offered: () => offers as never })
  const spoken = await resolve(id, 'svc-engine', never)
  assert.deepEqual(
    { ...spoken, digest: '' },
    {
      profileId: id,
      name: 'Ada',
      preset: null,
      reference: { input: { name: 'reference', size: stage.store.find(id)!.refBytes, sha256: refDigest }, text: 'Hello.' },
      instruct: null,
      language: null,
      seed: 7,
      staysHere: true,
      digest: '',
      remarks: [],
    },
  )
  const locked = { recording: stage.file(spokenWav({ hz: 300 })), text: 'Exactly this.' }
  const other = await stage.create(clone({ recording: reference, refText: 'Hello.', locked }), never)
  const take = await resolve(other.id, 'svc-engine', never)
  assert.deepEqual(take.reference, {
    input: { name: 'reference', size: other.lockedBytes, sha256: other.lockedDigest },
    text: 'Exactly this.',
  })
  assert.notEqual(take.digest, spoken.digest)
  assert.equal((await resolve(id, 'svc-engine', never)).digest, spoken.digest)
  for (const name of [null, '', 'default', 'alloy']) assert.equal((await resolve(name, 'kokoro', never)).preset, null)
  assert.equal((await resolve('af_sky', 'kokoro', never)).preset, 'af_sky')
  const unknown = await resolve('unheard', 'kokoro', never)
  assert.equal(unknown.preset, null)
  assert.match(unknown.remarks[0]!, /There is no voice unheard/)
})
