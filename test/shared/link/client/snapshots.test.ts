import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { wireSnapshot } from '#test/support/builders/wire.ts'
import { createFakeAgent, openPair } from '#test/support/doubles/link-pair.ts'

test('a studio reads snapshots at most five times as often as it requested them', async (t) => {
  const service = createFakeAgent({
    async *watch() {
      for (let beat = 1; ; beat++) yield wireSnapshot({ beat })
    },
  })
  const link = await (await openPair(t, 'outbound', { service })).connect()
  const times: number[] = []
  for await (const _ of link.watch({ interval_ms: 500 }, new AbortController().signal)) {
    times.push(clock.mono())
    if (times.length === 4) break
  }
  const elapsed = times[3]! - times[0]!
  assert.ok(elapsed > 250, `four snapshots in ${elapsed} ms`)
})
