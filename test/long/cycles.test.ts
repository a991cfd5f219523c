// Two hundred load and unload cycles: neither an engine in its process nor the agent that starts and ends its hosts leaks memory.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { silero } from '#agent/engine/vad/silero/engine.ts'
import { asAudio, eventsOf, noise } from '../agent/engine/audio/recording.ts'
import { collect, oneSegment, openPool } from '../agent/engine/host/open-pool.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const CYCLES = 200
const MAX_GROWTH = 0.1

/** The first quarter of the cycles fills the allocators; a leak continues after that. */
async function staysFlat(t: TestContext, cycle: () => Promise<void>): Promise<void> {
  const memory = () => {
    collectGarbage()
    return process.memoryUsage.rss()
  }
  for (let round = 0; round < CYCLES / 4; round++) await cycle()
  const before = memory()
  for (let round = 0; round < CYCLES; round++) {
    await cycle()
    if (round % 50 === 49) collectGarbage()
  }
  const growth = memory() / before - 1
  t.diagnostic(`${(before / 2 ** 20).toFixed(0)} MiB, ${(growth * 100).toFixed(1)} % more after ${CYCLES} cycles`)
  assert.ok(growth < MAX_GROWTH, `${growth}`)
}

test('an engine with a neural graph, in one process', async (t) => {
  const engine = silero.create({})
  const sound = asAudio(noise(8_000, 0.1, 1))
  await staysFlat(t, async () => {
    await engine.load()
    await eventsOf(engine.run('vad', {}, new AbortController().signal, sound))
    await engine.unload()
  })
})

test('the agent, whose engine host starts and ends in each cycle', async (t) => {
  const { pool, hosts, tts } = await openPool(t)
  await staysFlat(t, async () => {
    const { parts } = await collect(tts(oneSegment('Again.'), { engine: 'tone' }))
    assert.ok(parts[0]!.length > 0)
    await pool.unload('tone')
    assert.deepEqual(pool.resident(), [])
  })
  assert.equal(hosts.length, CYCLES + CYCLES / 4, 'each cycle had a host of its own')
})
