// Vulkan on a machine without a GPU: Chromium contains a driver that computes in software. It is never chosen, because it is far slower than the
// CPU, and it shows that graphs compute the same on the WebGPU provider as on the CPU.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { childEnvironment } from '#shared/runtime/child/environment.ts'
import { execFileSync } from '#shared/runtime/child/process.ts'
import { backboneFiles, codecFiles, tokenizerJson } from '#test/agent/engine/tts/omnivoice/tiny.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { jsonIn, studio } from '#test/support/world/cli.ts'
import { eventually, openWorld, temporaryFolder } from '#test/support/world/world.ts'

const ENGINE = 'svc-engine'
const FOLDER = '/usr/lib/chromium'
const DRIVER = join(FOLDER, 'vk_swiftshader_icd.json')
const skip =
  process.platform === 'linux' && process.arch === 'x64' && existsSync(DRIVER) ? false : `there is no Vulkan in software (${DRIVER})`
const INSTALLED = { VK_ICD_FILENAMES: DRIVER, LD_LIBRARY_PATH: FOLDER }
/** The owner permits every driver. */
const UNFILTERED = { ...INSTALLED, VK_LOADER_DRIVERS_DISABLE: '' }

/** Report of doctor about the devices. */
async function devices(t: TestContext, env: Record<string, string>): Promise<string> {
  const { output } = await studio(['doctor', '--json'], { env: { ...env, STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_PORT: '0' } })
  const { checks } = jsonIn(output) as { checks: { id: string; detail: string }[] }
  return checks.find(({ id }) => id === 'neural engines')!.detail
}

test('a software driver is no GPU for the engines: filtered, and without the filter slower than the CPU', { skip }, async (t) => {
  assert.match(await devices(t, INSTALLED), /can use CPU; .*no WebGPU: no GPU driver was found \(software drivers do not count\)/)
  assert.match(
    await devices(t, UNFILTERED),
    /can use CPU; .*no WebGPU: it is slower than the CPU \([\d,.]+ ms for a product of matrices, the CPU [\d,.]+ ms\)/,
  )
})

test('an engine that may use any device speaks on the CPU, with a software driver that the owner permits', { skip }, async (t) => {
  const dataDir = temporaryFolder(t)
  placeModel(join(dataDir, 'local-agent/models'), ENGINE, '', {
    ...backboneFiles('pairs'),
    ...codecFiles(),
    'tokenizer.json': tokenizerJson(),
  })
  const world = await openWorld(t, { env: { STUDIO_DATA_DIR: dataDir, ...UNFILTERED } })
  const form = new FormData()
  for (const [name, value] of Object.entries({ text: 'Said on the CPU.', engine: ENGINE, num_step: '4' })) form.set(name, value)
  assert.equal((await world.post('/generate', form)).status, 200)
  // The machine reports the device, and why, with its next snapshot.
  const measured = await eventually(() => world.studio.lines().find(({ msg, engine }) => msg === 'engine measured' && engine === ENGINE))
  assert.equal(measured['device'], 'cpu')
  assert.match(String(measured['reason']), /webgpu: it is slower than the CPU/)
})

test('a model computes the same on the WebGPU provider as on the CPU', { skip }, async (t) => {
  const folder = temporaryFolder(t)
  placeModel(folder, ENGINE, '', { ...backboneFiles('pairs'), ...codecFiles(), 'tokenizer.json': tokenizerJson() })
  const script = join(import.meta.dirname, 'speak-on.ts')
  const env = { ...childEnvironment(process.env), ...UNFILTERED }
  const speak = (device: string): number[] =>
    JSON.parse(execFileSync(process.execPath, [script, folder, device], { env, timeout: 240_000, maxBuffer: 2 ** 26 }))
  const [drawn, plain] = [speak('webgpu'), speak('cpu')]
  assert.equal(drawn.length, plain.length)
  assert.ok(plain.some((sample) => Math.abs(sample) > 0.01))
  const apart = Math.max(...drawn.map((sample, at) => Math.abs(sample - plain[at]!)))
  assert.ok(apart < 0.02, String(apart))
})
