import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { barLine, shortBytes } from '#cli/views/model-views.ts'
import { openModelServer, weights } from '#test/support/doubles/model-server.ts'
import { REPOSITORY, studio } from '#test/support/world/cli.ts'
import { openWorld } from '#test/support/world/world.ts'

const REPO = 'voice-studio/tone'
const FILES = { 'config.json': Buffer.from('{}'), 'model.onnx': weights('tone', 2_000_000), 'voices/a.bin': weights('a', 4_000) }

test('a progress bar fits the terminal and shows size, rate and time left', () => {
  const event = { bytes_done: 500_000_000, total_bytes: 2_000_000_000, rate: 12_300_000, eta_seconds: 122 }
  assert.equal(barLine(event, 0), ' 25 %  500 MB of 2.0 GB  12.3 MB/s  2 min left')
  const bar = barLine(event, 80)
  assert.match(bar, /^█{8}░{22} /)
  for (const columns of [20, 40, 60, 80, 200]) assert.ok(barLine(event, columns).length < columns)
  assert.equal(barLine({ bytes_done: 0, total_bytes: 0 }, 0), '  0 %  0 B of 0 B')
  assert.deepEqual([0, 999, 1000, 12_345, 999_999_999, 3.2e12].map(shortBytes), ['0 B', '999 B', '1.0 kB', '12.3 kB', '1000 MB', '3.2 TB'])
})

test('models are listed, installed with progress lines instead of a bar, and removed', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const world = await openWorld(t, { env: { STUDIO_MODELS_URL: server.url, STUDIO_MODELS_CACHE: '' } })
  const env = { STUDIO_PORT: new URL(world.url).port }
  const list = async () => (await studio(['models'], { env })).output
  assert.match(await list(), /^not installed +1\.0 MB +TTS +Test tone\n {4}voice-studio\/tone/m)

  const installed = await studio(['models', 'install', REPO], { env })
  assert.equal(installed.code, 0, installed.errors)
  assert.match(installed.output, /3 files, 2\.0 MB to download/)
  assert.match(installed.output, /100 %/)
  assert.match(installed.output, /Installed voice-studio\/tone\.\n$/)
  assert.equal(installed.output.includes('\r'), false)
  assert.match(await list(), /^installed +2\.0 MB +TTS +Test tone/m)
  assert.equal(JSON.parse((await studio(['models', '--json'], { env })).output).models.at(-1).installed, true)
  assert.match((await studio(['models', 'remove', REPO], { env })).output, /freed 2\.0 MB/)

  const unknown = await studio(['models', 'install', 'no/such'], { env })
  assert.equal(unknown.code, 1)
  assert.match(unknown.errors, /There is no model no\/such\. Similar models: (\S+, ){2}\S+\. List all with \.\/studio models\./)
  for (const args of [
    ['models', 'buy'],
    ['models', 'install'],
    ['models', 'remove', 'a', 'b'],
  ])
    assert.equal((await studio(args, { env })).code, 2)
})

test('Ctrl-C cancels the installation', async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  server.fail(`/${REPO}/resolve/${'c0ffee'.padEnd(40, '0')}/model.onnx`, { kind: 'stall', after: 500_000 })
  const world = await openWorld(t, { env: { STUDIO_MODELS_URL: server.url, STUDIO_MODELS_CACHE: '' } })
  const child = spawn(process.execPath, [join(REPOSITORY, 'cli/main.ts'), 'models', 'install', REPO], {
    env: { ...process.env, STUDIO_PORT: new URL(world.url).port },
  })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  const ended = new Promise((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve) =>
    child.stdout.on('data', (piece) => {
      output += piece
      if (output.includes(' to download')) resolve()
    }),
  )
  child.kill('SIGINT')
  assert.equal(await ended, 130)
  assert.match(output, /Cancelled\. Downloaded data of voice-studio\/tone is kept/)
})
