// The pages stay usable with a thousand machines and thousands of tasks. The bounds are generous because test machines are busy; for figures
// run ./studio bench panel. test/long/panel-scale.test.ts measures connected machines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figureLines, measurePanel } from '#bench/panel.ts'
import { NO_BROWSER } from '../support/web/browser.ts'

test('a thousand machines and ten thousand tasks are shown soon and answer soon', { skip: NO_BROWSER }, async (t) => {
  const figures = await measurePanel({ machines: 1_000, tasks: 10_000, rounds: 1, warmUp: false, connected: false, watchedMs: 2_000 })
  for (const line of figureLines(figures)) t.diagnostic(line)
  for (const [name, { firstMs, keyMs, openMs }] of Object.entries({ tasks: figures.tasks, machines: figures.machines })) {
    assert.ok(firstMs < 30_000, `${name}: first view after ${firstMs} ms`)
    assert.ok(keyMs < 6_000, `${name}: a key takes ${keyMs} ms`)
    assert.ok(openMs < 6_000, `${name}: opening takes ${openMs} ms`)
  }
  assert.deepEqual(figures.complaints, [])
})
