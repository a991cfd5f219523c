// The pool without faults: hosts, idle time, buffers. Behaviour of engines: test/conformance/engine.test.ts.

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SILENT } from '#shared/runtime/child/environment.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { collect, failsWith, isAlive, nextOf, oneSegment, openPool, until } from './open-pool.ts'

test('two hundred runs use one host and leave nothing behind', async (t) => {
  const { pool, hosts, tts } = await openPool(t)
  const { signal } = new AbortController()
  const open = () => process.getActiveResourcesInfo().filter((kind) => kind !== 'Immediate').length
  let before = 0
  for (let round = 0; round < 50; round++) {
    await Promise.all(Array.from({ length: 4 }, () => collect(tts(oneSegment('hi'), { signal }))))
    if (round === 4) before = open()
  }
  assert.equal(hosts.length, 1)
  assert.equal(pool.freePermits('tone'), 4)
  assert.equal(getEventListeners(signal, 'abort').length, 0)
  // Each end of the last run arms one idle timer; anything that grew per run would be far above this.
  assert.ok(open() <= before + 10, `${before} resources after 20 runs, ${open()} after 200`)
})

test('an idle host is ended, and the next run starts another', async (t) => {
  const { pool, hosts, tts } = await openPool(t, { limits: { idleSeconds: 0.3 } })
  await collect(tts(oneSegment('hi')))
  assert.deepEqual(pool.resident(), ['tone:'])
  await until(() => !isAlive(hosts[0]!), 'the idle host leaves')
  assert.deepEqual(pool.resident(), [])
  const slow = tts(oneSegment('a story that takes longer than the host may idle', { fault: { kind: 'slow', msPerChar: 15 } }))
  await collect(slow)
  assert.equal(hosts.length, 2, 'a host is not idle while it works')
})

test('a consumer that does not read stops the engine, and reads every byte later', async (t) => {
  const { tts } = await openPool(t)
  const bytes = 48 * MIB
  const before = process.memoryUsage().arrayBuffers
  const run = tts(oneSegment('x', { bytes }))
  await nextOf(run, 'audio')
  let held = -1
  for (let seen = 0; held !== seen; ) {
    held = seen
    await systemClock.sleep(300)
    seen = process.memoryUsage().arrayBuffers - before
  }
  t.diagnostic(`${(held / MIB).toFixed(1)} MiB held for a consumer that does not read`)
  // The credit is 8 MiB; the channel's own copies that are not collected yet come on top.
  assert.ok(held < 24 * MIB, `${held} bytes`)
  let taken = 0
  for await (const event of run) if (event.kind === 'audio') taken += event.bytes.length
  assert.equal(taken + 256 * 1024, bytes)
})

test('small events are bounded as well', async (t) => {
  const { tts } = await openPool(t)
  const run = tts(oneSegment('x', { ms_per_part: 60_000, piece_ms: 1 }))
  let events = 0
  for await (const event of run) events += event.kind === 'audio' ? 1 : 0
  assert.equal(events, 60_000)
})

test('nothing runs before start, after an abort or for an unknown engine', async (t) => {
  const { pool, hosts, tts } = await openPool(t)
  await failsWith(tts(oneSegment('hi'), { signal: AbortSignal.abort() }), 'CANCELLED')
  assert.equal(pool.freePermits('tone'), 4)
  assert.equal(pool.freePermits('unknown'), 0)
  await assert.rejects(pool.unload('unknown'), /no engine unknown/)
  await pool.unload('tone')
  assert.deepEqual(hosts, [])
})

test('a host sees only the environment it is given', { skip: process.platform !== 'linux' && 'reads /proc' }, async (t) => {
  const { hosts, tts } = await openPool(t, { environment: { CUDA_VISIBLE_DEVICES: '0' } })
  await collect(tts(oneSegment('hi')))
  const names = readFileSync(`/proc/${hosts[0]}/environ`, 'latin1')
    .split('\0')
    .map((line) => line.split('=')[0]!)
  assert.deepEqual(
    names.filter((name) => name !== '' && !name.startsWith('NODE_')),
    ['CUDA_VISIBLE_DEVICES', ...Object.keys(SILENT)],
  )
})

test('without development there is no test voice', async (t) => {
  const { pool, tts } = await openPool(t, { development: false })
  const engines = (await pool.capabilities()).map((row) => row.engine)
  assert.ok(engines.includes('svc-engine') && !engines.includes('tone'), engines.join())
  assert.throws(() => tts(oneSegment('hi')), /no engine tone/)
})
