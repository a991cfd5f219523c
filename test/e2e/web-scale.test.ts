// The pages stay usable with a thousand machines and thousands of tasks. The bounds are generous because test machines are busy; for figures
// run ./studio bench panel. test/long/panel-scale.test.ts measures connected machines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE } from '#bench/library.ts'
import { figureLines, measurePanel } from '#bench/panel.ts'
import { fillLibrary } from '#bench/support/filled-library.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { firstView } from '#test/support/web/page-speed.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const openFilled = sharedWorld({ prepare: (dataDir) => fillLibrary(dataDir, { ...PAGE, takes: 1_000 }) })
const ADDRESSES = [
  ...['', 'speak', 'audiobook', 'dub', 'transcribe', 'tools', 'tools/batch', 'projects', 'voices', 'voices/gallery'],
  ...['files', 'jobs', 'jobs/work', 'machines', 'models', 'settings', 'settings/doctor', 'setup', 'health'],
]

test('a thousand machines and ten thousand tasks are shown soon and answer soon', {
  skip: NO_BROWSER || (!isLongRun && 'a long test'),
}, async (t) => {
  const figures = await measurePanel({ machines: 1_000, tasks: 10_000, rounds: 1, warmUp: false, connected: false, watchedMs: 2_000 })
  for (const line of figureLines(figures)) t.diagnostic(line)
  for (const [name, { firstMs, keyMs, openMs }] of Object.entries({ tasks: figures.tasks, machines: figures.machines })) {
    assert.ok(firstMs < 30_000, `${name}: first view after ${firstMs} ms`)
    assert.ok(keyMs < 6_000, `${name}: a key takes ${keyMs} ms`)
    assert.ok(openMs < 6_000, `${name}: opening takes ${openMs} ms`)
  }
  assert.deepEqual(figures.complaints, [])
})

test('no page moves what it has drawn', { skip: NO_BROWSER }, async (t) => {
  const world = await openFilled()
  const moved: string[] = []
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const { page } = await openPage(t, `${world.page}/#/tools`, size)
    for (const address of ADDRESSES) {
      const { shift } = await firstView(page, { url: `${world.page}/#/${address}`, shows: 'main h1', rows: 'main li' })
      if (shift > 0.01) moved.push(`${address} at ${size.width}: ${shift}`)
    }
  }
  assert.deepEqual(moved, [])
})
