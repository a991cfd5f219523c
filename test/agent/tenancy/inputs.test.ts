import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createAttemptInputs, INPUT_RATE } from '#agent/tenancy/inputs.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const refOf = (name: string, bytes: Uint8Array) => ({ name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest() })
const isFailure = (code: FailureCode) => (error: unknown) => error instanceof Failure && error.code === code

function open(t: TestContext, given: Readonly<Record<string, Buffer>>) {
  const clock = createFakeClock()
  const folder = temporaryFolder(t)
  let slow = 0
  let wiped = 0
  const inputs = createAttemptInputs(
    Object.entries(given).map(([name, bytes]) => refOf(name, bytes)),
    { path: join(folder, 'a.input'), clock, onSlow: () => slow++, onWiped: () => wiped++ },
  )
  return { inputs, clock, files: () => readdirSync(folder).map((name) => join(folder, name)), slow: () => slow, wiped: () => wiped }
}

test('chunks in order form the announced inputs', async (t) => {
  const [audio, reference] = [Buffer.from('a recording'), Buffer.alloc(300, 7)]
  const { inputs } = open(t, { audio, reference, nothing: Buffer.alloc(0) })
  assert.deepEqual(inputs.missing(), { name: 'audio', offset: 0 })
  inputs.add({ name: 'audio', offset: 0, payload: audio.subarray(0, 4) })
  assert.deepEqual(inputs.missing(), { name: 'audio', offset: 4 })
  inputs.add({ name: 'audio', offset: 4, payload: audio.subarray(4) })
  assert.deepEqual(inputs.missing(), { name: 'reference', offset: 0 })
  inputs.add({ name: 'reference', offset: 0, payload: reference })
  assert.deepEqual([inputs.missing(), inputs.progress()], [null, 1])
  assert.deepEqual(
    (await inputs.complete).map(({ name, bytes, file }) => [name, Buffer.from(bytes!).toString(), file]),
    [
      ['audio', 'a recording', null],
      ['reference', reference.toString(), null],
      ['nothing', '', null],
    ],
  )
  inputs.wipe()
})

test('an empty input is complete at once', async (t) => {
  const { inputs } = open(t, { audio: Buffer.alloc(0) })
  assert.equal(inputs.missing(), null)
  assert.equal((await inputs.complete)[0]!.bytes!.length, 0)
})

test('gaps, unknown names, excess bytes and wrong digests are refused', (t) => {
  const audio = Buffer.from('0123456789')
  for (const [chunk, code] of [
    [{ name: 'audio', offset: 1, payload: audio.subarray(1) }, 'INPUT_FETCH_FAILED'],
    [{ name: 'video', offset: 0, payload: audio }, 'INPUT_FETCH_FAILED'],
    [{ name: 'audio', offset: 0, payload: Buffer.alloc(11) }, 'INPUT_CORRUPT'],
    [{ name: 'audio', offset: 0, payload: Buffer.alloc(10) }, 'INPUT_CORRUPT'],
  ] as const) {
    const { inputs } = open(t, { audio })
    assert.throws(() => inputs.add(chunk), isFailure(code), JSON.stringify(chunk))
    inputs.wipe()
  }
})

test('a large input is stored in a private file until it is wiped', async (t) => {
  const audio = Buffer.alloc(9 * 1024 * 1024, 'sound')
  const { inputs, files } = open(t, { audio })
  for (let at = 0; at < audio.length; at += 256 * 1024)
    inputs.add({ name: 'audio', offset: at, payload: audio.subarray(at, at + 256 * 1024) })
  const [given] = await inputs.complete
  assert.deepEqual([given!.bytes, given!.file], [null, files()[0]])
  assert.deepEqual([statSync(given!.file!).size, statSync(given!.file!).mode & 0o777], [audio.length, 0o600])
  inputs.wipe()
  assert.deepEqual(files(), [])
})

test('a studio that sends less than a mebibyte in a minute is too slow, however it spreads the bytes', (t) => {
  const { inputs, clock, slow } = open(t, { audio: Buffer.alloc(4 * INPUT_RATE.bytes) })
  let at = 0
  const send = (bytes: number) => {
    inputs.add({ name: 'audio', offset: at, payload: Buffer.alloc(bytes) })
    at += bytes
  }
  clock.advance(INPUT_RATE.windowMs / 2)
  send(INPUT_RATE.bytes)
  clock.advance(INPUT_RATE.windowMs / 2)
  assert.equal(slow(), 0)
  for (let seconds = 0; seconds < 59; seconds++) {
    clock.advance(1_000)
    send(1)
  }
  assert.equal(slow(), 0)
  clock.advance(1_000)
  assert.equal(slow(), 1)
  inputs.wipe()
})

test('inputs that are complete have no minimum rate', (t) => {
  const { inputs, clock, slow } = open(t, { audio: Buffer.alloc(10) })
  inputs.add({ name: 'audio', offset: 0, payload: Buffer.alloc(10) })
  clock.advance(10 * INPUT_RATE.windowMs)
  assert.equal(slow(), 0)
  inputs.wipe()
})

test('wiped inputs reject their readers and accept no more chunks', async (t) => {
  const { inputs, wiped } = open(t, { audio: Buffer.alloc(10) })
  inputs.wipe()
  await assert.rejects(inputs.complete, isFailure('CANCELLED'))
  inputs.add({ name: 'audio', offset: 0, payload: Buffer.alloc(10) })
  inputs.wipe()
  assert.deepEqual([inputs.missing(), inputs.progress(), wiped()], [null, 0, 1])
})
