// A model whose files are broken is a fault of the machine, not of the request.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { KOKORO } from '#test/support/models/kokoro-and-moonshine.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { styledGraph } from '#test/support/models/styled-model.ts'
import { openWorld } from '#test/support/world/world.ts'

const skip = !findProgram('espeak-ng', process.env['PATH']) && 'espeak-ng is not installed; ./studio setup installs it'
const VOICE = KOKORO['voices/af_heart.bin']
/** In this order: the last one loads, and a loaded model is not read again. */
const BROKEN: readonly (readonly [title: string, files: Readonly<Record<string, Uint8Array | string>>, reason: RegExp])[] = [
  ['another export', { 'onnx/model.onnx': styledGraph({ idsType: 'int32' }) }, /model\.onnx is the wrong export/],
  ['an error page', { 'onnx/model.onnx': '<html>Not found</html>' }, /model\.onnx is a text document/],
  ['a cut graph', { 'onnx/model.onnx': styledGraph().subarray(0, 200) }, /model\.onnx cannot be read: it ends inside a field/],
  ['another table of symbols', { 'tokenizer.json': '{"model":{}}' }, /tokenizer\.json is not valid/],
  ['a cut voice', { 'voices/af_heart.bin': VOICE.subarray(4) }, /voice af_heart of kokoro has 522236 bytes/],
]

/** The 8-bit model is here, not the one that is installed first elsewhere. */
test('a broken model, and one that a borrowed machine lacks, is named as the one that this machine has', async (t) => {
  const { 'onnx/model.onnx': graph, ...rest } = KOKORO
  const files = { ...rest, 'onnx/model_quantized.onnx': graph.subarray(0, 200) }
  const world = await openWorld(t, {
    remote: true,
    prepare: (dataDir) => placeModel(join(dataDir, 'local-agent/models'), 'kokoro', 'q8', files),
  })
  const refused = async (path: string, body: unknown) => {
    const reply = await world.post(path, body)
    assert.equal(reply.status, 409, reply.body.toString())
    const { detail } = reply.json()
    return { message: detail.message as string, named: [detail.engine, detail.repo_ids.join(), detail.target_label] }
  }
  const ask = async () => {
    const form = new FormData()
    form.set('text', 'Hello.')
    form.set('engine', 'kokoro')
    return [await refused('/v1/audio/speech', { model: 'kokoro', input: 'Hello.' }), await refused('/generate', form)]
  }
  const model = 'onnx-community/Kokoro-82M-v1.0-ONNX:q8'
  for (const { message, named } of await ask()) {
    assert.match(message, /model_quantized\.onnx cannot be read.* The model is onnx-community\/Kokoro-82M-v1\.0-ONNX:q8\.$/)
    assert.deepEqual(named, ['kokoro', model, 'Local'])
  }
  const box = await world.machine('box')
  await world.approve(box)
  await world.post('/workers/target', { target: box.workerId })
  for (const { message, named } of await ask()) {
    assert.match(message, /is not installed on box\. Install it with \.\/studio models install onnx-community\/Kokoro-82M-v1\.0-ONNX:q8\./)
    assert.deepEqual(named, ['kokoro', model, 'box'])
  }
})

test('speech with a broken model is refused with what is broken, on both routes', { skip }, async (t) => {
  const models = (dataDir: string) => join(dataDir, 'local-agent/models')
  const world = await openWorld(t, { prepare: (dataDir) => placeModel(models(dataDir), 'kokoro', '', KOKORO) })
  for (const [title, files, reason] of BROKEN) {
    placeModel(models(world.dataDir), 'kokoro', '', { ...KOKORO, ...files })
    const speech = await world.post('/v1/audio/speech', { model: 'kokoro', input: 'Hello.' })
    const form = new FormData()
    form.set('text', 'Hello.')
    form.set('engine', 'kokoro')
    for (const reply of [speech, await world.post('/generate', form)]) {
      const said = reply.body.toString()
      assert.ok(reply.status === 409 || reply.status >= 500, `${title}: ${reply.status} ${said}`)
      assert.match(said, reason, title)
      assert.doesNotMatch(said, /request is invalid|parameters are invalid/, title)
    }
  }
})
