// The transcript that a recogniser writes after a clone was stored, and who wins when a person writes at the same time.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createBackground } from '#control-plane/features/voices/profiles/sound/background.ts'
import { createTranscripts } from '#control-plane/features/voices/profiles/sound/transcripts.ts'
import type { StoredProfile } from '#control-plane/features/voices/profiles/store/profile.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog } from '#shared/runtime/log.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { clone, never, openStage } from './stage.ts'

type Heard = { readonly text: string; readonly isGuess?: true; readonly engine?: string } | Failure

function open(t: TestContext) {
  const stage = openStage(t)
  const asked: { readonly path: string; readonly answer: (heard: Heard) => void }[] = []
  const arrived = Promise.withResolvers<void>()
  const transcribe = ({ path }: { path: string }) =>
    new Promise((resolve, reject) => {
      asked.push({ path, answer: (heard) => (heard instanceof Failure ? reject(heard) : resolve(heard)) })
      arrived.resolve()
    })
  const background = createBackground({ log: silentLog, resumed: () => {} })
  const transcripts = createTranscripts({ ...stage, recognition: { transcribe } as never, background, clock })
  /** A clone without words whose recogniser listens until it is answered. */
  const listening = async (): Promise<StoredProfile> => {
    const { id } = await stage.create(clone({ recording: stage.file(spokenWav()) }), never)
    transcripts.request(stage.store.find(id)!)
    await arrived.promise
    return stage.store.find(id)!
  }
  /** After all work that was requested so far. */
  const settled = () => new Promise<void>((resolve) => background.add(async () => resolve()))
  return { ...stage, asked, transcripts, listening, settled }
}

test('the words of the recogniser become the transcript', async (t) => {
  const { listening, asked, store, artifacts, events, settled } = open(t)
  const { id, refDigest } = await listening()
  assert.equal(asked[0]!.path, artifacts.pathOf(refDigest!))
  asked[0]!.answer({ text: 'Good morning.' })
  await settled()
  assert.deepEqual([store.find(id)!.refText, store.find(id)!.quality.transcript], ['Good morning.', 'done'])
  assert.deepEqual(events.at(-1), { action: 'updated', id })
})

test('what a person writes while the recogniser listens is kept', async (t) => {
  const { listening, asked, store, settled } = open(t)
  const { id } = await listening()
  store.update(id, { refText: 'Written by hand.' }, 1)
  asked[0]!.answer({ text: 'heard by a machine' })
  await settled()
  assert.equal(store.find(id)!.refText, 'Written by hand.')
})

test('the words of a recording that was replaced meanwhile are not used', async (t) => {
  const { listening, asked, store, blobs, file, settled } = open(t)
  const { id } = await listening()
  const { blob, quality } = await blobs.keepCanonical(file(spokenWav({ hz: 330 })).path, never)
  store.replaceReference(id, { ref: blob, original: null, name: 'new.wav', text: '', quality, madeWith: null }, 1)
  asked[0]!.answer({ text: 'words of the old one' })
  await settled()
  assert.deepEqual([store.find(id)!.refText, store.find(id)!.refDigest], ['', blob.digest])
})

test('what a recogniser guesses is not stored as the words of the recording', async (t) => {
  const { listening, asked, store, settled } = open(t)
  const { id } = await listening()
  asked[0]!.answer({ text: 'she bought sum bred in milk', isGuess: true, engine: 'pocketsphinx' })
  await settled()
  const { refText, quality } = store.find(id)!
  assert.deepEqual([refText, quality.transcript], ['', 'done'])
  assert.match(quality.warnings!.join(' '), /mistakes too many words\. Write it/)
})

test('without a recogniser the transcript stays empty, the reason is shown, and it is not tried again', async (t) => {
  const { listening, asked, store, transcripts, settled } = open(t)
  const { id } = await listening()
  asked[0]!.answer(new Failure('MODEL_NOT_DOWNLOADED', 'No recogniser is installed.'))
  await settled()
  const { refText, quality } = store.find(id)!
  assert.deepEqual([refText, quality.transcript], ['', 'done'])
  assert.match(quality.warnings!.join(' '), /no recogniser works on this machine/)
  transcripts.requestAll()
  await settled()
  assert.equal(asked.length, 1)
})
