import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { wavHeader } from '#shared/audio/wav.ts'
import { VERSION } from '#shared/protocol/version.ts'
import { addressOf, jsonIn, studio } from '#test/support/world/cli.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const open = sharedWorld()
const NOWHERE = { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: '1' }
const SECONDS = 4_000
const silence = () => {
  const samples = SECONDS * 16_000
  return Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, samples }), Buffer.alloc(samples * 2)])
}

test('status shows the studio, its machines, its work, its disk and its notices', async () => {
  const world = await open()
  const env = addressOf(world)
  const idle = await studio(['status'], { env })
  assert.equal(idle.code, 0, idle.errors)
  const address = `http://127.0.0.1:${env.STUDIO_PORT}/`
  for (const line of [
    `Studio   ${VERSION} at ${address}, started `,
    `Data     ${world.dataDir}`,
    'Jobs     0 running, 0 waiting',
    'Tasks    0 running, 0 waiting',
  ])
    assert.ok(idle.output.replaceAll(/\n +/g, ' ').includes(line), `${line}\n${idle.output}`)
  assert.match(idle.output, /\n {3}NAME +STATE +TASKS/)
  for (const line of idle.output.split('\n')) assert.ok(line.length <= 80 || line.includes(world.dataDir), line)

  const recording = form({ model: 'tone', file: silence() })
  const { id } = (await world.send('POST', '/v1/audio/transcriptions', recording, { prefer: 'respond-async' })).json()
  const busy = await eventually(async () => {
    const { output } = await studio(['status', '--json'], { env })
    const state = jsonIn(output)
    return state.jobs.active.length > 0 && state
  })
  await world.post(`/tasks/cancel/${id}`)
  assert.deepEqual(Object.keys(busy), ['studio', 'disk', 'jobs', 'tasks', 'machines', 'notices'])
  assert.deepEqual([busy.studio.version, busy.studio.address, busy.disk.data_dir], [VERSION, address, world.dataDir])
  const age = Date.now() / 1000 - busy.studio.started_at
  assert.ok(age > 0 && age < 3600, String(age))
  assert.ok(busy.disk.free_gb > 0)
  assert.deepEqual([busy.jobs.active[0].id, busy.jobs.active[0].type], [id, 'transcription'])
  assert.equal(busy.jobs.running + busy.jobs.waiting, 1)
  assert.deepEqual([busy.machines.all.length, busy.machines.all[0].is_local], [1, true])
})

test('open prints the address, and opens it in the browser of a desktop', async (t) => {
  const env = addressOf(await open())
  const address = `http://127.0.0.1:${env.STUDIO_PORT}/`
  const folder = temporaryFolder(t)
  const note = join(folder, 'opened')
  const opener = join(folder, 'xdg-open')
  writeFileSync(opener, `#!/bin/sh\necho "$1 $STUDIO_API_KEY" > '${note}'\n`)
  chmodSync(opener, 0o700)
  const desktop = { ...env, PATH: `${folder}:${process.env['PATH']}`, STUDIO_API_KEY: 'a-key-of-more-than-sixteen-characters' }
  for (const [words, more] of [
    [['open'], { DISPLAY: '', WAYLAND_DISPLAY: '' }],
    [['open', '--print'], { DISPLAY: ':0' }],
  ] as const) {
    const shown = await studio(words, { env: { ...desktop, ...more } })
    assert.deepEqual([shown.code, shown.output, shown.errors], [0, `${address}\n`, ''])
    assert.throws(() => readFileSync(note), { code: 'ENOENT' })
  }
  const opened = await studio(['open'], { env: { ...desktop, DISPLAY: ':0' } })
  assert.deepEqual([opened.code, opened.output, readFileSync(note, 'utf8')], [0, `${address}\n`, `${address} \n`], opened.errors)
  writeFileSync(opener, '#!/bin/sh\nexit 3\n')
  const failed = await studio(['open'], { env: { ...desktop, DISPLAY: ':0' } })
  assert.deepEqual([failed.code, failed.output], [1, `${address}\n`])
  assert.match(failed.errors, /No browser could be opened\. Open the address in one\./)
})

test('without a studio both say how to start one', async () => {
  for (const word of ['status', 'open']) {
    const { code, output, errors } = await studio([word], { env: NOWHERE })
    assert.deepEqual([code, output, errors], [3, '', 'studio: No studio is running at 127.0.0.1:1. Start one with ./studio.\n'])
  }
})
