import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Card } from '#agent/engine/runtimes/onnx/trial/cards.ts'
import { clock, diskSpace, folder, folderOnWindows, installCommand, memory, node } from '#cli/doctor/checks.ts'
import { checkDevices } from '#cli/doctor/devices.ts'
import { withoutBuild } from '#control-plane/features/base/media-tools/pins.ts'
import { installPython } from '#control-plane/features/machines/engines/sidecar/steps.ts'
import { type GpuCause, gpuCause } from '#shared/protocol/fields/gpu-causes.ts'
import { VERSION } from '#shared/protocol/version.ts'
import { GIB } from '#shared/runtime/memory/bytes.ts'
import { commandsOf, jsonIn, studio } from '#test/support/world/cli.ts'
import { programFolder } from '#test/support/world/programs.ts'
import { eventually, openWorld, temporaryFolder } from '#test/support/world/world.ts'

type DoctorAnswer = { ok: boolean; checks: { id: string; status: string; detail: string; fix: string | null }[] }

/** A server on a free port that is no studio, and the environment in which the studio would have that port. */
async function openForeignProgram(t: TestContext): Promise<Record<string, string>> {
  const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: String((server.address() as AddressInfo).port), STUDIO_DATA_DIR: temporaryFolder(t) }
}

test('each check has its thresholds, and a check that is not ok has a fix', (t) => {
  const states = (...checks: { status: string; fix: string | null }[]) =>
    checks.map(({ status, fix }) => {
      assert.equal(fix === null, status === 'ok')
      return status
    })
  assert.deepEqual(states(node('20.20.2'), node('22.17.1'), node('22.18.0'), node('31.1.0')), ['fail', 'fail', 'ok', 'ok'])
  assert.deepEqual(states(memory(GIB / 2), memory(4 * GIB), memory(16 * GIB)), ['fail', 'warn', 'ok'])
  assert.deepEqual(states(diskSpace(GIB / 4), diskSpace(5 * GIB), diskSpace(50 * GIB)), ['fail', 'warn', 'ok'])
  assert.deepEqual(states(clock(0), clock(Date.UTC(2027, 1, 1))), ['fail', 'ok'])
  const here = temporaryFolder(t)
  writeFileSync(join(here, 'file'), '')
  chmodSync(here, 0o755)
  assert.deepEqual(states(folder(here), folder(join(here, 'none')), folder(join(here, 'file'))), ['warn', 'ok', 'fail'])
  chmodSync(here, 0o700)
  assert.deepEqual(states(folder(here)), ['ok'])
})

test('doctor checks the machine without a running studio', async (t) => {
  const dataDir = temporaryFolder(t)
  const bin = programFolder(join(temporaryFolder(t), 'bin'), { ffmpeg: 'echo "ffmpeg version 9.9"', git: 'echo broken; exit 3' }, [])
  const env = { STUDIO_DATA_DIR: dataDir, STUDIO_HOST: '127.0.0.1', STUDIO_PORT: '0', PATH: bin }
  const { output } = await studio(['doctor', '--json'], { env })
  const { checks } = jsonIn(output) as DoctorAnswer
  const found = (id: string) => checks.find((check) => check.id === id)!
  assert.deepEqual([found('ffmpeg').status, found('ffmpeg').detail], ['ok', 'ffmpeg version 9.9'])
  assert.deepEqual([found('git').status, /does not start: broken/.test(found('git').detail)], ['warn', true])
  assert.match(found('espeak-ng').detail, /not installed; adds/)
  assert.match(found('studio').detail, /not running/)
  assert.match(found('neural engines').detail, /can use .*CPU/)
  const shown = await studio(['doctor'], { env: { ...env, PATH: '' } })
  for (const line of shown.output.split('\n')) assert.ok(line.length <= 80 || line.includes(dataDir), line)
  assert.match(shown.output, /ffmpeg +warn\n {4}not installed[\s\S]*-> Run: \.\/studio setup/)
})

test('each device that neural engines could use is tried; a card that cannot be used is a warning with its cause and a fix', async () => {
  const outcomes: Record<string, GpuCause | null> = { cuda: gpuCause('library-missing', 'libcudart.so.13'), webgpu: null, cpu: null }
  const trial = async (device: string) => outcomes[device]!
  const none = async () => []
  const some = await checkDevices({ trial, devices: ['cuda', 'webgpu', 'cpu'], cards: none })
  assert.deepEqual([some.status, some.detail], ['ok', 'can use WebGPU, CPU; no CUDA: the library libcudart.so.13 is missing'])
  const card: Card = { vendor: 'NVIDIA', model: 'NVIDIA T4', device: 'cuda' }
  const unusable = await checkDevices({ trial, devices: ['cuda', 'cpu'], cards: async () => [card] })
  assert.deepEqual(
    [unusable.status, unusable.detail, unusable.fix],
    [
      'warn',
      'NVIDIA T4: present, not usable, because the library libcudart.so.13 is missing; can use CPU',
      'Run ./studio gpu install again.',
    ],
  )
  const noDevice = await checkDevices({ trial: async () => gpuCause('driver-crash', 'SIGSEGV'), devices: ['cpu'], cards: none })
  assert.deepEqual([noDevice.status, noDevice.detail], ['warn', 'no working device; no CPU: it crashed when it was tried (SIGSEGV)'])
  assert.match(noDevice.fix!, /npm ci/)
  const intelMac = await checkDevices({ trial: async () => assert.fail('a trial'), platform: 'darwin', arch: 'x64', cards: none })
  assert.deepEqual([intelMac.status, /Intel/.test(intelMac.detail)], ['warn', true])
})

test('a running studio and its agents are listed; another program on its port and invalid settings fail', async (t) => {
  const world = await openWorld(t, { remote: true })
  const box = await world.machine('attic')
  await world.approve(box)
  await box.program.end('SIGKILL')
  await eventually(async () => {
    const { targets } = (await world.get('/workers/target')).json()
    return targets.some(({ detail }: { detail: string }) => detail === 'offline')
  })
  const { checks } = jsonIn((await commandsOf(world)('doctor', '--json')).output) as DoctorAnswer
  const lines = checks.filter(({ id }) => ['port', 'studio', 'agent'].includes(id)).map(({ status, detail }) => `${status} ${detail}`)
  assert.deepEqual(lines.slice(1), [`ok version ${VERSION} is running`, 'ok Local is connected', 'warn attic: offline'])

  const env = await openForeignProgram(t)
  const foreign = await studio(['doctor', '--json'], { env })
  assert.equal(foreign.code, 1)
  assert.equal((jsonIn(foreign.output) as DoctorAnswer).checks.find(({ id }) => id === 'port')!.status, 'fail')
  const wrong = await studio(['doctor'], { env: { ...env, STUDIO_PORT: 'x' } })
  assert.equal(wrong.code, 1)
  assert.match(wrong.output, /settings +FAIL\n[\s\S]*STUDIO_PORT: must be a port number/)
})

test('hints name the package manager of the system, and no package that is not known there', () => {
  const usual = 'apt-get install espeak-ng'
  assert.equal(installCommand('espeak-ng', usual, 'linux'), usual)
  assert.equal(installCommand('espeak-ng', usual, 'darwin'), 'brew install espeak-ng')
  assert.equal(installCommand('espeak-ng', usual, 'win32'), 'winget install eSpeak-NG.eSpeak-NG')
  for (const system of ['darwin', 'win32'])
    assert.equal(installCommand('apertium', 'apt-get install apertium', system), 'no package is known for this system')
  assert.match(withoutBuild('win32-x64'), /winget install Gyan\.FFmpeg yt-dlp\.yt-dlp/)
  assert.match(withoutBuild('darwin-arm64'), /brew install ffmpeg yt-dlp$/)
  assert.match(withoutBuild('freebsd-x64'), /package manager of this system\.$/)
  assert.match(installPython('win32'), /python\.org/)
  assert.equal(installPython('darwin'), 'Install it with brew install python.')
})

test('the data folder on Windows is judged by its list of access rights', () => {
  assert.equal(folderOnWindows('C:\\voice', []).status, 'ok')
  assert.match(folderOnWindows('C:\\voice', ['C:\\voice\\authority']).detail, /other users have access to C:\\voice\\authority/)
  assert.equal(folderOnWindows('C:\\voice', null).status, 'warn')
})
