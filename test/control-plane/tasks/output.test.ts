import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createOutput, type Output, type OutputPiece } from '#control-plane/tasks/output.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const never = new AbortController().signal
const sha256 = (...bytes: Buffer[]) => createHash('sha256').update(Buffer.concat(bytes)).digest()
const fails = (code: FailureCode) => (error: unknown) => error instanceof Failure && error.code === code
const text = (...words: string[]) => words.map((word) => Buffer.from(word))

function open(t: TestContext) {
  const path = join(temporaryFolder(t), 't.out')
  const output = createOutput(path)
  t.after(() => output.close(false))
  return { output, path }
}
/** One attempt that sends `words`, each as the part of its index. */
function send(output: Output, ...words: string[]): void {
  output.begin()
  let at = 0
  for (const [part, bytes] of text(...words).entries()) {
    output.take(part, at, bytes)
    at += bytes.length
  }
}
async function listen(output: Output, signal = never, isWhole = false): Promise<string[]> {
  const heard: OutputPiece[] = []
  for await (const { part, bytes } of output.read(signal, isWhole)) heard.push({ part, bytes: Buffer.from(bytes) })
  return heard.map(({ part, bytes }) => `${part}:${bytes}`)
}

test('a follower reads everything from the first byte, with its part, whenever it starts', async (t) => {
  const { output } = open(t)
  const early = listen(output)
  send(output, 'one', 'two')
  await turn()
  const late = listen(output)
  output.take(2, 6, Buffer.from('three'))
  output.end(null)
  const all = ['0:one', '1:two', '2:three']
  assert.deepEqual([await early, await late, await listen(output)], [all, all, all])
})

test('a follower reads bytes as soon as they arrive, not at the end', async (t) => {
  const { output } = open(t)
  const pieces = output.read(never)
  const first = pieces.next()
  send(output, 'now')
  assert.equal((await first).value?.bytes.toString(), 'now')
  await pieces.return(undefined)
})

test('a second attempt with the same bytes continues where the first one stopped', async (t) => {
  const { output } = open(t)
  const heard = listen(output)
  send(output, 'hello ', 'wo')
  await turn()
  send(output, 'hel', 'lo wor', 'ld')
  output.end(null)
  assert.equal((await heard).map((piece) => piece.slice(2)).join(''), 'hello world')
  assert.equal(output.verify(11, sha256(Buffer.from('hello world'))), sha256(Buffer.from('hello world')).toString('hex'))
})

test('the parts are those of the attempt that succeeded, also where an earlier one sent the same bytes', async (t) => {
  const { output } = open(t)
  const heard = listen(output)
  send(output, 'hello ', 'wo')
  await turn()
  send(output, 'hel', 'lo world')
  output.verify(11, sha256(Buffer.from('hello world')))
  output.end(null)
  const pieces = await listen(output, never, true)
  const of = (part: string) =>
    pieces
      .filter((piece) => piece.startsWith(part))
      .map((piece) => piece.slice(2))
      .join('')
  assert.deepEqual([of('0'), of('1')], ['hel', 'lo world'])
  assert.equal((await heard).map((piece) => piece.slice(2)).join(''), 'hello world')
})

test('a second attempt that ends earlier ends there, and cuts off followers that have read more', async (t) => {
  const { output } = open(t)
  const ahead = listen(output)
  send(output, 'hello world')
  await turn()
  const refused = assert.rejects(ahead, fails('UPLOAD_INCOMPLETE'))
  send(output, 'hello')
  output.verify(5, sha256(Buffer.from('hello')))
  output.end(null)
  await refused
  assert.deepEqual(await listen(output), ['0:hello'])
})

test('a second attempt with other bytes cuts off only the followers that have read the replaced ones', async (t) => {
  const { output } = open(t)
  const ahead = listen(output)
  send(output, 'hello', ' world')
  await turn()
  const refused = assert.rejects(ahead, fails('UPLOAD_INCOMPLETE'))
  send(output, 'hello', ' there')
  output.end(null)
  await refused
  assert.deepEqual((await listen(output)).map((piece) => piece.slice(2)).join(''), 'hello there')
  output.verify(11, sha256(Buffer.from('hello there')))
})

test('a follower of the whole output reads nothing of an attempt that failed', async (t) => {
  const { output } = open(t)
  const heard = listen(output, never, true)
  send(output, 'hello', ' world')
  await turn()
  send(output, 'bye')
  output.verify(3, sha256(Buffer.from('bye')))
  output.end(null)
  assert.deepEqual(await heard, ['0:bye'])
  const failed = createOutput(join(temporaryFolder(t), 'u.out'))
  const refused = assert.rejects(listen(failed, never, true), fails('WORKER_FAILED'))
  send(failed, 'hello')
  failed.end(new Failure('WORKER_FAILED', 'It failed.'))
  await refused
  failed.close(false)
})

test('a follower that has read only common bytes reads the second attempt to its end', async (t) => {
  const { output } = open(t)
  const slow = output.read(never)
  send(output, 'hello')
  assert.equal((await slow.next()).value?.bytes.toString(), 'hello')
  output.take(1, 5, Buffer.from(' world'))
  send(output, 'hello', ' there')
  assert.equal((await slow.next()).value?.bytes.toString(), ' there')
  output.end(null)
  assert.equal((await slow.next()).done, true)
})

test('gaps, wrong sizes and wrong digests are refused by name', (t) => {
  const { output } = open(t)
  send(output, 'abc')
  assert.throws(() => output.take(0, 2, Buffer.from('x')), fails('OFFSET_MISMATCH'))
  assert.throws(() => output.take(0, 4, Buffer.from('x')), fails('OFFSET_MISMATCH'))
  assert.throws(() => output.verify(2, sha256(Buffer.from('abc'))), fails('SIZE_MISMATCH'))
  assert.throws(() => output.verify(3, sha256(Buffer.from('abd'))), fails('DIGEST_MISMATCH'))
  output.take(0, 3, Buffer.from('d'))
  output.verify(4, sha256(Buffer.from('abcd')))
})

test('a failed task fails its followers, and so does an abort', async (t) => {
  const { output } = open(t)
  const broken = assert.rejects(listen(output), fails('ENGINE_CRASHED'))
  const hangUp = new AbortController()
  const gone = assert.rejects(listen(output, hangUp.signal), /gone/)
  await turn()
  hangUp.abort(new Error('gone'))
  await gone
  output.end(new Failure('ENGINE_CRASHED', 'died'))
  output.end(null) // the first end counts
  await Promise.all([broken, assert.rejects(listen(output), fails('ENGINE_CRASHED'))])
})

test('large output goes to a file that followers read to the end, even after it was moved', async (t) => {
  const { output, path } = open(t)
  const block = Buffer.alloc(1024 * 1024, 'x')
  output.begin()
  const reader = output.read(never)
  for (let index = 0; index < 6; index++) output.take(0, index * block.length, block)
  assert.equal(readFileSync(path).length, 6 * block.length)
  assert.equal((await reader.next()).value?.bytes.length, 256 * 1024)
  output.end(null)
  output.close(true)
  rmSync(path) // it was moved to where artifacts are kept
  let rest = 0
  for await (const { bytes } of reader) rest += bytes.length
  assert.equal(rest, 6 * block.length - 256 * 1024)
})

test('the file of a failed task is removed with its last follower', async (t) => {
  const { output, path } = open(t)
  output.begin()
  output.take(0, 0, Buffer.alloc(5 * 1024 * 1024))
  const reader = output.read(never)
  await reader.next()
  output.end(new Failure('CANCELLED', 'stopped'))
  output.close(false)
  assert.equal(existsSync(path), true)
  await assert.rejects(reader.next(), fails('CANCELLED'))
  assert.equal(existsSync(path), false)
})

test('a follower that leaves before its first piece does not keep the file', async (t) => {
  const { output, path } = open(t)
  const pieces = output.read(never)
  output.begin()
  output.take(0, 0, Buffer.alloc(5 * 1024 * 1024))
  output.close(false)
  assert.ok(existsSync(path), 'a follower may still read it')
  await pieces.return(undefined)
  assert.ok(!existsSync(path))
})

test('a follower that has ended leaves nothing at its signal', async (t) => {
  const { output } = open(t)
  const { signal } = new AbortController()
  output.begin()
  output.take(0, 0, Buffer.from('ok'))
  output.end(null)
  for (let time = 0; time < 3; time++) for await (const _ of output.read(signal));
  await output.read(signal).return(undefined)
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})

for (const moment of ['before it reads', 'between two pieces', 'before it follows'])
  test(`a follower whose client leaves ${moment} does not keep the file`, async (t) => {
    const { output, path } = open(t)
    const client = new AbortController()
    if (moment === 'before it follows') client.abort()
    const pieces = output.read(client.signal)
    output.begin()
    output.take(0, 0, Buffer.alloc(5 * 1024 * 1024))
    if (moment === 'between two pieces') await pieces.next()
    output.close(false)
    client.abort()
    assert.ok(!existsSync(path))
  })

test('a full disk fails the append', (t) => {
  const path = join(temporaryFolder(t), 't.out')
  symlinkSync('/dev/full', path)
  const output = createOutput(path)
  output.begin()
  assert.throws(() => output.take(0, 0, Buffer.alloc(5 * 1024 * 1024)), { code: 'ENOSPC' })
})
