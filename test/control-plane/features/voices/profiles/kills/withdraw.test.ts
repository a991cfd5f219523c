// Withdrawals that a killed studio did not finish, on real rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWithdrawal } from '#control-plane/features/voices/profiles/withdraw.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { clone, never, openStage } from '../stage.ts'

test('every change that ends the use of a recording is withdrawn at the next start if the studio was killed meanwhile', async (t) => {
  const { store, create, file } = openStage(t)
  const forgotten: string[][] = []
  const removed: string[][] = []
  const start = () => {
    const withdrawal = createWithdrawal({
      store,
      machines: { forgetVoices: async (digests) => void forgotten.push([...digests]) },
      log,
    })
    withdrawal.listen(async (recordings) => void removed.push([...recordings]))
    return withdrawal
  }
  const statement = () => ({ text: 'I agree.', recording: file(spokenWav({ seconds: 2 })), method: 'recorded' as const })
  const made = async (hz: number) =>
    (await create(clone({ recording: file(spokenWav({ hz, seconds: 1 })), statement: statement() }), never)).id
  const digestOf = (id: string) => store.find(id)!.refDigest!
  const reference = { original: null, name: 'new.wav', text: '', quality: {}, madeWith: null }
  const changes: Readonly<Record<string, (id: string) => boolean>> = {
    'deleted profile': (id) => store.remove(id),
    'withdrawn statement': (id) => store.revoke(id, 1),
    'voice that stays here': (id) => store.update(id, { staysHere: true }, 1),
    'replaced recording': (id) => store.replaceReference(id, { ...reference, ref: { digest: 'a'.repeat(64), bytes: 1 } }, 1),
  }
  for (const [index, [name, change]] of Object.entries(changes).entries()) {
    const id = await made(210 + 10 * index)
    const recording = digestOf(id)
    assert.ok(change(id))
    assert.deepEqual(store.withdrawn(), [recording], name)
    await start().resume()
    assert.deepEqual([forgotten.splice(0), removed.splice(0), store.withdrawn()], [[[recording]], [[recording]], []], name)
  }
  await start().resume()
  assert.deepEqual(forgotten, [], 'nothing is left')

  // Without a kill the request ends it.
  const id = await made(400)
  const recording = digestOf(id)
  store.revoke(id, 1)
  await start().revoked([recording, null])
  assert.deepEqual([forgotten.splice(0), store.withdrawn()], [[[recording]], []])
  assert.equal(store.find(id)!.staysHere, true, 'the recording stays here from now on')
  assert.equal(store.revoke(id, 2), false)
  assert.ok(store.update(id, { name: 'Renamed', staysHere: true }, 3))
  assert.deepEqual(store.withdrawn(), [], 'it stayed here before')
})
