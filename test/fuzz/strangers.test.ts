// A studio cannot make an agent use paths, addresses or names outside its catalogue; over a real link with real engines.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { createAttempts } from '#agent/tenancy/attempts.ts'
import { createFairShare } from '#agent/tenancy/fair-share.ts'
import { createService } from '#agent/tenancy/service.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { noLogLines } from '#test/support/builders/no-log-lines.ts'
import { openPool } from '../agent/engine/host/open-pool.ts'
import { noModels } from '../agent/tenancy/no-models.ts'
import { header, openPair } from '../support/doubles/link-pair.ts'
import { temporaryFolder } from '../support/world/world.ts'
import { play } from './seed.ts'

const good: Wire<'RunHeader'> = { ...header(), engine: 'tone', model: '', operation: 'tts', consent_id: 'yes' }

async function openAgent(t: TestContext) {
  let visits = 0
  const canary = createServer((socket) => {
    visits++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(canary, 'listening')
  t.after(() => canary.close())
  const { pool, hosts } = await openPool(t)
  const workDir = temporaryFolder(t)
  const fairShare = createFairShare(pool)
  const attempts = createAttempts({ pool: { run: (request) => fairShare.run('studio', request) }, clock, log, workDir })
  const { service } = createService({
    lines: noLogLines,
    models: noModels,
    inventory: noModels.generation,
    owner: 'studio',
    attempts,
    describe: async () => ({}) as Wire<'Description'>,
    resident: pool.resident,
    freeMemory: () => 0,
    freeDisk: async () => 0,
    rotate: async () => {},
    unload: async () => [],
    clock,
    log,
  })
  const link = await (await openPair(t, 'inbound', { service })).connect()
  await link.consent({ consent_id: 'yes' })
  let count = 0
  /** The code of the refusal, before or after the agent consulted its engines. */
  const run = (change: Partial<Wire<'RunHeader'>>): Promise<string> =>
    new Promise((resolve) => {
      let code = 'nothing'
      const call = link.run(
        { ...good, attempt_id: `attempt-${++count}`, ...change },
        {
          output(events: Wire<'Event'>[]) {
            for (const event of events) {
              if (event.fact === 'declined') code = event.declined.code
              if (event.fact === 'failed') code = event.failed.code
              if (event.fact === 'completed') code = 'completed'
              if (event.fact === 'failed' || event.fact === 'completed') call.write({ step: 'commit', commit: {} })
            }
          },
          end: (error: Failure | null) => resolve(error ? error.code : code),
        },
      )
    })
  const address = `127.0.0.1:${(canary.address() as AddressInfo).port}`
  return { run, hosts, attempts, address, visits: () => visits, written: () => readdirSync(workDir) }
}

const places = (address: string): string[] => [
  '/etc/passwd',
  '../../../etc/passwd',
  '..',
  '.',
  '~/.ssh/id_rsa',
  'C:\\Windows\\win.ini',
  '\\\\host\\share',
  'file:///etc/passwd',
  `http://${address}/model.onnx`,
  `//${address}/model`,
  `${address}/model`,
  'data:text/javascript,process.exit()',
  'node:child_process',
  'tone/../../x',
  'a/b/c',
  'tone\0',
  'tone\n',
  'Tone',
  '__proto__',
  'constructor',
  'toString',
  'svc-engine/../tone',
  '$(id)',
  'x'.repeat(10_000),
]
const REFUSALS = ['INVALID_TASK_PARAMS', 'MODEL_REF_REJECTED', 'OPERATION_UNSUPPORTED']

test('an agent refuses unknown paths, addresses and names, and opens no file or connection', async (t) => {
  const { run, hosts, attempts, address, visits, written } = await openAgent(t)
  for (const place of places(address))
    for (const field of ['engine', 'model', 'operation', 'attempt_id', 'task_id'] as const) {
      // A task may have any well-formed id; the other fields come from the agent's vocabulary.
      if (field.endsWith('_id') && /^[A-Za-z0-9_-]{1,64}$/.test(place)) continue
      const code = await run({ [field]: place })
      assert.ok(REFUSALS.includes(code), `${field} ${JSON.stringify(place.slice(0, 60))}: ${code}`)
    }
  const words = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.webUrl(), fc.stringMatching(/^[a-z0-9._/-]{2,40}$/))
  await play(
    t,
    60,
    fc.record({ field: fc.constantFrom('engine' as const, 'model' as const, 'operation' as const), word: words }),
    async (input) => {
      if (['tone', 'svc-engine', 'tts', 'probe', ''].includes(input.word)) return
      const code = await run({ [input.field]: input.word })
      assert.ok(REFUSALS.includes(code), `${input.field} ${JSON.stringify(input.word)}: ${code}`)
    },
  )
  assert.deepEqual([hosts.length, attempts.count(), visits(), written()], [0, 0, 0, []])
})

test('parameters are limited to values of the engine', async (t) => {
  const { run, address, visits, attempts } = await openAgent(t)
  const speak = (more: object, segment: object = {}) =>
    run({ params_json: Buffer.from(JSON.stringify({ segments: [{ text: 'a', ...segment }], ...more })) })
  assert.equal(await speak({}), 'completed')
  for (const place of ['/etc/passwd', `http://${address}/voice.wav`]) {
    for (const name of ['path', 'url', 'model', 'model_path', 'reference', 'ref_audio', 'output', 'code', 'env', '__proto__x'])
      assert.equal(await speak({ [name]: place }), 'INVALID_TASK_PARAMS', name)
    assert.equal(await speak({}, { file: place }), 'INVALID_TASK_PARAMS')
  }
  for (const text of [
    '',
    '[]',
    'null',
    '"/etc/passwd"',
    '{',
    '{"segments":"/etc/passwd"}',
    `${'['.repeat(100_000)}`,
    '\ufeff{}',
    '{"segments":[]}',
  ])
    assert.equal(await run({ params_json: Buffer.from(text) }), 'INVALID_TASK_PARAMS', text.slice(0, 40))
  assert.equal(await run({ params_json: Buffer.from([0xff, 0xfe, 0x7b]) }), 'INVALID_TASK_PARAMS')
  assert.deepEqual([attempts.count(), visits()], [0, 0])
})
