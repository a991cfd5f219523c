// GPU placement on a machine without a GPU: the software Vulkan driver that Chromium contains is a regular provider.
// The studio runs a generated OmniVoice model on it, reports the device, and produces the same speech as on the CPU.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parseWav } from '#shared/audio/wav.ts'
import { backboneFiles, codecFiles, tokenizerJson } from '#test/agent/engine/engines/tts/omnivoice/tiny.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { eventually, openWorld, temporaryFolder } from '#test/support/world/world.ts'

const ENGINE = 'svc-engine'
const FOLDER = '/usr/lib/chromium'
const DRIVER = join(FOLDER, 'vk_swiftshader_icd.json')
const skip =
  process.platform === 'linux' && process.arch === 'x64' && existsSync(DRIVER) ? false : `there is no Vulkan in software (${DRIVER})`

async function speechOn(t: TestContext, device: string, env: Readonly<Record<string, string>>) {
  const dataDir = temporaryFolder(t)
  const model = { ...backboneFiles('pairs'), ...codecFiles(), 'tokenizer.json': tokenizerJson() }
  placeModel(join(dataDir, 'local-agent/models'), ENGINE, '', model)
  const world = await openWorld(t, { env: { STUDIO_DATA_DIR: dataDir, ...env } })
  const fields = {
    text: 'Said the same on both.',
    engine: ENGINE,
    num_step: '4',
    seed: '7',
    effect_preset: 'raw',
    postprocess_output: 'false',
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const reply = await world.post('/generate', form)
  assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
  const row = async () => (await world.get('/engines/tts')).json().backends.find(({ id }: { id: string }) => id === ENGINE)
  // The machine reports the device with its next snapshot.
  const routed = await eventually(async () => ((await row()).effective_device === device ? await row() : null))
  return { samples: parseWav(reply.body).samples, routed, reason: reply.headers.get('x-svc-routing-reason') }
}

const dot = (one: Float32Array, other: Float32Array) => one.reduce((sum, sample, at) => sum + sample * other[at]!, 0)

test('an engine runs on the GPU provider that its trial accepted, with the same output as on the CPU', { skip }, async (t) => {
  const drawn = await speechOn(t, 'webgpu', { VK_ICD_FILENAMES: DRIVER, LD_LIBRARY_PATH: FOLDER })
  assert.deepEqual([drawn.routed.routing_status, drawn.reason], ['accelerated', null])
  const plain = await speechOn(t, 'cpu', { VK_ICD_FILENAMES: '/nowhere' })
  assert.notEqual(plain.routed.routing_status, 'accelerated')
  assert.equal(drawn.samples.length, plain.samples.length)
  // Each studio adds its own watermark.
  const likeness = dot(drawn.samples, plain.samples) / Math.sqrt(dot(drawn.samples, drawn.samples) * dot(plain.samples, plain.samples))
  assert.ok(likeness > 0.98, String(likeness))
  assert.ok(plain.samples.some((sample) => Math.abs(sample) > 0.01))
})
