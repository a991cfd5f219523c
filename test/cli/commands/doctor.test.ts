import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { clock, folder, memory, node, room } from '#cli/doctor/checks.ts'
import { checkDevices } from '#cli/doctor/devices.ts'
import { studio } from '#test/support/world/cli.ts'
import { programFolder } from '#test/support/world/programs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

type Told = { ok: boolean; checks: { id: string; status: string; detail: string; fix: string | null }[] }
const GIB = 2 ** 30

/** A program on a port, and the environment in which it would be the studio. */
async function listen(t: TestContext, answer: (url: string) => string): Promise<Record<string, string>> {
  const server = createServer((request, response) => response.end(answer(request.url!))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: String((server.address() as AddressInfo).port), STUDIO_DATA_DIR: temporaryFolder(t) }
}

test('each check has its borders, and whatever is not well says what to do', (t) => {
  const states = (...checks: { status: string; fix: string | null }[]) =>
    checks.map(({ status, fix }) => {
      assert.equal(fix === null, status === 'ok')
      return status
    })
  assert.deepEqual(states(node('22.1.0'), node('24.0.0'), node('31.1.0')), ['fail', 'ok', 'ok'])
  assert.deepEqual(states(memory(GIB / 2), memory(4 * GIB), memory(16 * GIB)), ['fail', 'warn', 'ok'])
  assert.deepEqual(states(room(GIB / 4), room(5 * GIB), room(50 * GIB)), ['fail', 'warn', 'ok'])
  assert.deepEqual(states(clock(0), clock(Date.UTC(2027, 1, 1))), ['fail', 'ok'])
  const here = temporaryFolder(t)
  writeFileSync(join(here, 'file'), '')
  chmodSync(here, 0o755)
  assert.deepEqual(states(folder(here), folder(join(here, 'none')), folder(join(here, 'file'))), ['warn', 'ok', 'fail'])
  chmodSync(here, 0o700)
  assert.deepEqual(states(folder(here)), ['ok'])
})

test('without a studio it looks at the machine and says what it found', async (t) => {
  const dataDir = temporaryFolder(t)
  const bin = programFolder(join(temporaryFolder(t), 'bin'), { ffmpeg: 'echo "ffmpeg version 9.9"', git: 'echo broken; exit 3' }, [])
  const env = { STUDIO_DATA_DIR: dataDir, STUDIO_HOST: '127.0.0.1', STUDIO_PORT: '0', PATH: bin }
  const { output } = await studio(['doctor', '--json'], { env })
  const { checks } = JSON.parse(output) as Told
  const found = (id: string) => checks.find((check) => check.id === id)!
  assert.deepEqual([found('ffmpeg').status, found('ffmpeg').detail], ['ok', 'ffmpeg version 9.9'])
  assert.deepEqual([found('git').status, /does not start: broken/.test(found('git').detail)], ['warn', true])
  assert.match(found('espeak-ng').detail, /not here; it would add/)
  assert.match(found('studio').detail, /does not run/)
  assert.match(found('neural engines').detail, /run on .*the processor/)
  const told = await studio(['doctor'], { env: { ...env, PATH: '' } })
  for (const line of told.output.split('\n')) assert.ok(line.length <= 80 || line.includes(dataDir), line)
  assert.match(told.output, /ffmpeg +warn\n {4}not here[\s\S]*-> \.\/studio setup/)
})

test('each device that neural engines could use is tried; what took it is told, and why the others did not', async () => {
  const refusals: Record<string, string | null> = { cuda: 'no libcudart', webgpu: null, cpu: null }
  const asked: (string | null)[] = []
  const some = await checkDevices(
    async (device, file) => {
      asked.push(file)
      return refusals[device]!
    },
    ['cuda', 'webgpu', 'cpu'],
  )
  assert.deepEqual(asked, [null, null, null])
  assert.deepEqual([some.status, some.detail], ['ok', 'they can run on WebGPU, then on the processor; not CUDA: no libcudart'])
  const none = await checkDevices(async () => 'crashed', ['cpu'])
  assert.deepEqual([none.status, none.detail], ['warn', 'they run on nothing here; not the processor: crashed'])
  assert.match(none.fix!, /npm ci/)
})

test('a running studio and its agents are told; a foreign program on its port and wrong settings fail', async (t) => {
  const target = { label: 'Local', is_local: true, available: true, detail: '', can: ['svc-engine tts'] }
  const answers: Record<string, object> = {
    '/health': { status: 'ok', device: 'cpu', version: '0.9' },
    '/workers/target': {
      target: 'local',
      targets: [target, { ...target, label: 'attic', is_local: false, available: false, detail: 'offline' }],
    },
  }
  const at = await listen(t, (url) => JSON.stringify(answers[url]))
  const { checks } = JSON.parse((await studio(['doctor', '--json'], { env: at })).output) as Told
  const told = checks.filter(({ id }) => ['port', 'studio', 'agent'].includes(id)).map(({ status, detail }) => `${status} ${detail}`)
  assert.deepEqual(told.slice(1), ['ok version 0.9 runs', 'ok Local is connected', 'warn attic: offline'])

  const env = await listen(t, () => 'hello')
  const foreign = await studio(['doctor', '--json'], { env })
  assert.equal(foreign.code, 1)
  assert.equal((JSON.parse(foreign.output) as Told).checks.find(({ id }) => id === 'port')!.status, 'fail')
  const wrong = await studio(['doctor'], { env: { ...env, STUDIO_PORT: 'x' } })
  assert.equal(wrong.code, 1)
  assert.match(wrong.output, /settings +FAIL\n[\s\S]*STUDIO_PORT: must be a port number/)
})
