import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asClient } from '#control-plane/clients/client.ts'
import { createMediaPool } from '#control-plane/media/threads/pool.ts'
import { silentLog } from '#shared/runtime/log.ts'

const SETTINGS = { sampleRate: 16000, effects: null, master: false, mark: null, mp3Kbps: null }
const openPool = (threads: number, entry = new URL('../dying-thread.ts', import.meta.url)) =>
  createMediaPool({ log: silentLog, entry, threads })

test('a crashed thread fails its streams and is replaced', async (t) => {
  const pool = openPool(2)
  t.after(pool.stop)
  const [first, second, third] = [pool.open(SETTINGS), pool.open(SETTINGS), pool.open(SETTINGS)]
  await first.write(Uint8Array.of(1))
  await assert.rejects(first.read(), { name: 'Failure', code: 'UNKNOWN' })
  await assert.rejects(third.read(), { code: 'UNKNOWN' }, 'the third shared its thread with the first')
  assert.equal(await first.write(Uint8Array.of(2)), false)

  const fourth = pool.open(SETTINGS)
  for (const lane of [second, fourth]) {
    await lane.write(Uint8Array.of(5))
    assert.deepEqual(await lane.read(), Uint8Array.of(5))
    lane.end()
    assert.equal(await lane.read(), null)
  }
})

test('a stream that cannot be opened does not affect others', async (t) => {
  const pool = openPool(1, new URL('../../../../control-plane/media/threads/worker.ts', import.meta.url))
  t.after(pool.stop)
  const good = pool.open(SETTINGS)
  const bad = pool.open({ ...SETTINGS, sampleRate: Number.NaN, mark: { key: Uint8Array.of(1), payload: 1 } })
  await assert.rejects(bad.read(), { code: 'UNKNOWN' })
  await good.write(Uint8Array.of(1, 2, 3, 4))
  assert.deepEqual(await good.read(), Uint8Array.of(1, 2, 3, 4))
})

test('starting and stopping in any order leaves no thread', async () => {
  const pool = openPool(2)
  await pool.stop()
  for (let i = 0; i < 5; i++) {
    await pool.start()
    await pool.start()
    const lane = pool.open(SETTINGS)
    await pool.stop()
    await pool.stop()
    await assert.rejects(lane.read(), { code: 'NOT_READY' })
    assert.throws(() => pool.open(SETTINGS), { code: 'NOT_READY' })
  }
})

test('the streams of one client delay the stream of another by a piece, and its own streams take turns', async (t) => {
  const pool = openPool(1, new URL('../../../../control-plane/media/threads/worker.ts', import.meta.url))
  t.after(pool.stop)
  const clientOf = (source: string) => ({ source, name: source, id: `address:${source}` as const, isOwner: false })
  const order: string[] = []
  const second = Buffer.alloc(32_000)
  const SLOW = { ...SETTINGS, master: true, mp3Kbps: 128 }
  async function stream(client: string, name: string, seconds: number): Promise<void> {
    const lane = asClient(clientOf(client), () => pool.open(SLOW))
    const sending = (async () => {
      for (let at = 0; at < seconds; at++) await lane.write(second)
      lane.end()
    })()
    while ((await lane.read()) !== null) order.push(name)
    await sending
  }
  const crowd = Array.from({ length: 6 }, (_, at) => stream('a', `a${at}`, 12))
  while (order.length < 12) await new Promise((resolve) => setImmediate(resolve)) // the queue of the thread is full of them
  const before = order.length
  await stream('b', 'b', 2)
  const between = order.slice(before).filter((name) => name !== 'b').length
  assert.ok(between <= 12, `${between} pieces of the other client came first`)
  await Promise.all(crowd)
  const first = order.slice(0, 12)
  assert.ok(new Set(first).size >= 3, `the first pieces are ${first}`)
})
