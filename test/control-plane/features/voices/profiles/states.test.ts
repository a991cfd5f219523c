// Random walks over lock, statement, replaced recording, description and deletion, compared with a model; and files after an interruption.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { subjectOf } from '#control-plane/features/voices/profiles/store/profile.rules.ts'
import { voiceProfile } from '#test/support/builders/voice-profile.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { openStage } from './stage.ts'

type Model = { ref: string | null; locked: string | null; subject: string | null; hasStatement: boolean; instruct: string }
const SOON = Date.now() + 3600_000

const steps = fc.array(
  fc.record({
    action: fc.constantFrom('lock', 'unlock', 'state', 'late', 'revoke', 'replace', 'sample', 'describe'),
    file: fc.nat(2),
    words: fc.constantFrom('male', 'female', 'whisper'),
  }),
  { minLength: 1, maxLength: 40, size: 'max' },
)
test('in every order of changes, a live statement belongs to the recording that the voice has, and a lock ends with it', async (t) => {
  const { store, blobs, db } = openStage(t)
  const files = await Promise.all(['one', 'two', 'three'].map((text) => blobs.keepBytes(Buffer.from(text))))
  const reference = (file: (typeof files)[number]) => ({ ref: file, original: null, name: 'a.wav', text: '', quality: {}, madeWith: null })
  let walks = 0

  function walk(kind: 'clone' | 'design', taken: readonly { action: string; file: number; words: string }[]): void {
    const id = `walk${walks++}`
    const first = kind === 'clone' ? files[0]! : null
    const model: Model = { ref: first?.digest ?? null, locked: null, subject: null, hasStatement: false, instruct: 'male' }
    store.add(voiceProfile({ id, kind, instruct: 'male', refDigest: model.ref, refBytes: first?.bytes ?? 0 }), null)
    for (const [step, { action, file: number, words: instruct }] of taken.entries()) {
      const file = files[number]!
      const said = (subject: string | null) => ({
        ...{ text: 'I agree.', audioDigest: file.digest, audioBytes: file.bytes, audioName: 'a.wav' },
        ...{ refDigest: subject ?? '', method: 'recorded' as const, checks: {}, recordedAt: step },
      })
      if (action === 'lock') {
        store.lock(id, { ...file, text: null, seed: 1, source: 'take' }, step)
        model.locked = file.digest
      } else if (action === 'unlock') {
        store.unlock(id, step)
        model.locked = null
      } else if (action === 'state') {
        const subject = subjectOf(store.find(id)!)
        assert.ok(store.state(id, said(subject), (now) => subjectOf(now) === subject))
        model.hasStatement = true
      } else if (action === 'late') {
        // The recording was replaced while the statement was uploaded.
        const isStored = store.state(id, said('another'), (now) => subjectOf(now) === 'another')
        assert.equal(isStored, false)
      } else if (action === 'revoke') {
        assert.equal(store.revoke(id, step), model.hasStatement)
        model.hasStatement = false
      } else if (action === 'replace' && kind === 'clone') {
        store.replaceReference(id, reference(file), step)
        Object.assign(model, { ref: file.digest, locked: null, hasStatement: false })
      } else if (action === 'sample' && kind === 'design') {
        assert.equal(store.addSample(id, model.instruct, reference(file), step), model.ref === null)
        model.ref ??= file.digest
        assert.equal(store.addSample(id, 'of an earlier description', reference(file), step), false)
      } else if (action === 'describe' && kind === 'design') {
        const isNew = instruct !== model.instruct
        store.update(id, { instruct }, step, isNew)
        Object.assign(model, { instruct, ...(isNew && { ref: null, hasStatement: false }) })
      }
      const now = store.find(id)!
      const live = store.statementOf(id)
      assert.deepEqual([now.refDigest, now.lockedDigest, live !== null], [model.ref, model.locked, model.hasStatement], action)
      if (live) assert.equal(live.refDigest, subjectOf(now), action)
    }
    assert.equal(store.remove(id), true)
    assert.deepEqual([store.find(id), store.statementOf(id), store.remove(id)], [null, null, false])
  }
  // One transaction for each walk: a walk of 40 changes would wait 40 times for the disk.
  fc.assert(
    fc.property(fc.constantFrom('clone', 'design'), steps, (kind, taken) => db.transaction(walk)(kind, taken)),
    { numRuns: 60 },
  )
})

test('a crash between file and row leaves a file that the sweep removes; a crash after the row leaves the voice', async (t) => {
  const folder = temporaryFolder(t)
  const endings: (() => unknown)[] = []
  const before = openStage({ after: (run) => void endings.push(run) }, folder)
  const orphan = await before.blobs.keepBytes(Buffer.from('no row yet'))
  const named = await before.blobs.keepBytes(Buffer.from('a row names it'))
  before.store.add(voiceProfile({ id: 'kept', refDigest: named.digest, refBytes: named.bytes }), null)
  for (const end of endings) end()
  const after = openStage(t, folder)
  assert.equal(after.store.find('kept')!.refDigest, named.digest)
  assert.equal(await after.artifacts.sweep(SOON), 1)
  assert.deepEqual(readdirSync(join(folder, 'artifacts')), [named.digest])
  assert.notEqual(orphan.digest, named.digest)
})

test('the recording of a revoked statement is deleted, and a file that is used again stays', async (t) => {
  const { store, blobs, artifacts, files } = openStage(t)
  const said = await blobs.keepBytes(Buffer.from('my consent'))
  const statement = { text: 'I agree.', audioDigest: said.digest, audioBytes: said.bytes, audioName: 'a.wav', refDigest: '' }
  store.add(voiceProfile({ id: 'one' }), { ...statement, method: 'recorded', checks: {}, recordedAt: 1 })
  assert.equal(await artifacts.sweep(SOON), 0)
  store.revoke('one', 2)
  assert.equal(await artifacts.renew(said.digest, said.bytes), true)
  assert.equal(await artifacts.sweep(Date.now() - 1000), 0, 'renewed for an hour')
  assert.equal(await artifacts.renew(said.digest, said.bytes + 1), false, 'a file of another size is written again')
  assert.equal(await artifacts.sweep(SOON), 1)
  assert.deepEqual(files(), [])
  assert.equal(await artifacts.renew(said.digest, said.bytes), false)
})
