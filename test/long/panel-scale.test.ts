// The web page with a thousand connected machines, each with its own key, link and snapshots, and ten thousand tasks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figureLines, measurePanel } from '#bench/panel.ts'
import { NO_BROWSER } from '../support/web/browser.ts'

test('a thousand connected machines and ten thousand tasks', { skip: NO_BROWSER }, async (t) => {
  const figures = await measurePanel({ machines: 1_000, tasks: 10_000, rounds: 3, connected: true })
  for (const line of figureLines(figures)) t.diagnostic(line)
  for (const { firstMs, keyMs, openMs } of [figures.tasks, figures.machines]) {
    assert.ok(firstMs < 5_000)
    assert.ok(keyMs < 1_000)
    assert.ok(openMs < 1_000)
  }
  assert.deepEqual(figures.complaints, [])
})
