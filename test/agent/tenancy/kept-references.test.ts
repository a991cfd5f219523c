// The data that a machine keeps of a studio's voices: the reference recordings and, in its engines, what was derived from them.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { createFairShare } from '#agent/tenancy/fair-share.ts'
import { createKeptReferences } from '#agent/tenancy/kept-references.ts'
import { createTenant, type Tenant } from '#agent/tenancy/tenant.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { noLogLines } from '#test/support/builders/no-log-lines.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { noModels } from './no-models.ts'
import { headerOf, openPlayedPool } from './played-pool.ts'
import { peer, serveCall } from './served-call.ts'

const VOICE = Buffer.from('the recording of a voice')
const DIGEST = createHash('sha256').update(VOICE).digest()
const settled = async () => {
  for (let turns = 0; turns < 8; turns++) await turn()
}

test('the least recently used recordings leave when the room is used up', () => {
  const kept = createKeptReferences(10)
  kept.keep('a', Buffer.alloc(4))
  kept.keep('b', Buffer.alloc(4))
  assert.ok(kept.get('a'))
  kept.keep('c', Buffer.alloc(4))
  assert.deepEqual([kept.get('a')?.length, kept.get('b'), kept.get('c')?.length, kept.size()], [4, null, 4, 8])
  kept.keep('d', Buffer.alloc(11))
  assert.deepEqual([kept.get('d'), kept.size()], [null, 8], 'one that is larger than the room is not kept')
  kept.forget(['a', 'unknown'])
  assert.deepEqual([kept.get('a'), kept.size()], [null, 4])
  kept.forget(null)
  assert.equal(kept.size(), 0)
})

async function open(t: TestContext) {
  const { pool, runs, forgotten } = openPlayedPool()
  const fairShare = createFairShare(pool)
  const workDir = temporaryFolder(t)
  const openTenant = async (name: string) => {
    const tenant = createTenant({
      lines: noLogLines,
      models: noModels,
      inventory: noModels.generation,
      name,
      pool: { run: (request) => fairShare.run(name, request) },
      forgetEncodings: (digests) => pool.forgetVoices(name, digests),
      describe: async () => ({}) as Wire<'Description'>,
      resident: () => [],
      freeMemory: () => 1,
      freeDisk: async () => 2 ** 40,
      workDir,
      clock: createFakeClock(),
      log,
    })
    t.after(() => tenant.wipe('the test is over'))
    await tenant.service.consent({ consent_id: 'yes' }, peer)
    return tenant
  }
  /** A task with the voice; resolves with the names of the requested inputs. The run stays open. */
  const speak = async (tenant: Tenant, id: string) => {
    const inputs = [{ name: 'reference', size: VOICE.length, sha256: DIGEST }]
    const call = serveCall(tenant.service, headerOf(id, { inputs }))
    t.after(call.over)
    await settled()
    for (const { name, offset } of call.wants) call.send({ step: 'input', input: { name, offset, payload: VOICE.subarray(offset) } })
    await settled()
    const run = runs.findLast((one) => one.id === id)
    const end = () => {
      run?.say({ kind: 'result', result: {} })
      run?.end()
    }
    return { run, wants: call.wants.map(({ name }) => name), end }
  }
  const one = await openTenant('one')
  return { one, openTenant, speak, forgotten, workDir, runs }
}
const bytesOf = (spoken: { run: { inputs?: readonly { bytes: Uint8Array | null }[] | undefined } | undefined }) =>
  Buffer.from(spoken.run!.inputs![0]!.bytes!).toString()

test('the recording of a voice is sent once, and every task receives it', async (t) => {
  const { one, openTenant, speak } = await open(t)
  const first = await speak(one, 'a')
  first.end()
  await settled()
  const second = await speak(one, 'b')
  second.end()
  assert.deepEqual([first.wants, second.wants], [['reference'], []])
  assert.deepEqual([bytesOf(first), bytesOf(second)], [VOICE.toString(), VOICE.toString()])
  assert.deepEqual((await speak(await openTenant('two'), 'a')).wants, ['reference'], 'another studio must prove that it has the recording')
})

test('a withdrawn consent leaves no recording, no encoding and no file', async (t) => {
  const { one, speak, forgotten, workDir, runs } = await open(t)
  ;(await speak(one, 'a')).end()
  await settled()
  await one.service.consent({ consent_id: '' }, peer)
  await settled()
  assert.deepEqual(forgotten, [['one', null]])
  assert.deepEqual(readdirSync(workDir), [])
  await one.service.consent({ consent_id: 'yes' }, peer)
  assert.deepEqual((await speak(one, 'b')).wants, ['reference'])
  assert.equal(runs.length, 2)
})

test('a deleted voice cancels its tasks and is forgotten; other voices stay', async (t) => {
  const { one, speak, forgotten } = await open(t)
  const running = await speak(one, 'a')
  await one.service.forgetVoices({ sha256: [createHash('sha256').update('another').digest()] }, peer)
  assert.equal(running.run!.signal.aborted, false)
  assert.deepEqual((await speak(one, 'b')).wants, [])
  await one.service.forgetVoices({ sha256: [DIGEST] }, peer)
  assert.equal(running.run!.signal.aborted, true)
  assert.deepEqual(forgotten.at(-1), ['one', [DIGEST.toString('hex')]])
  await settled()
  assert.deepEqual((await speak(one, 'c')).wants, ['reference'])
})

test('without its studio a machine keeps no voice longer than a task needs it', async (t) => {
  const { one, speak, forgotten } = await open(t)
  const link = new AbortController()
  const watch = one.service.watch({ interval_ms: 1000 }, { ...peer, signal: link.signal })[Symbol.asyncIterator]()
  await watch.next()
  const running = await speak(one, 'a')
  link.abort()
  assert.deepEqual(forgotten, [['one', null]])
  assert.equal(running.run!.signal.aborted, false, 'a broken link does not end the work')
  running.end()
  await settled()
  assert.deepEqual(forgotten, [
    ['one', null],
    ['one', null],
  ])
  assert.deepEqual((await speak(one, 'b')).wants, ['reference'])
})
