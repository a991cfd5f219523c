// Real weights as other programs keep them, added as own files: Kokoro as the project kokoro-onnx has it, and Whisper in both layouts. What the added
// voice says is heard by the added recogniser. STUDIO_TEST_WEIGHTS is a folder with `whisper-base/`; the weights of Kokoro come from packages.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { plainWords, wordErrors } from '../support/audio/words.ts'
import { npy, zip } from '../support/models/own/npz.ts'
import { KOKORO_EXPORT } from '../support/weights/exports.ts'
import { whisperFiles, withoutWeights } from '../support/weights/folder.ts'
import { kokoroFiles } from '../support/weights/kokoro.ts'
import { commandsOf } from '../support/world/cli.ts'
import { form } from '../support/world/http.ts'
import { openWorld, temporaryFolder } from '../support/world/world.ts'

const missing = withoutWeights('whisper-base')
const kokoro = missing === false ? await kokoroFiles() : { skip: missing }
const skip = 'skip' in kokoro ? kokoro.skip : false
const TEXT = 'Rice is often served in round bowls.'

function written(folder: string, files: Readonly<Record<string, Buffer>>): string {
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  return folder
}
/** The tables of the voices in one archive, as the project kokoro-onnx publishes them. */
const voicesOf = (files: Readonly<Record<string, Buffer>>): Buffer =>
  zip(
    Object.fromEntries(
      Object.entries(files)
        .filter(([name]) => name.startsWith('voices/'))
        .map(([name, bytes]) => [`${basename(name, '.bin')}.npy`, npy(510, 256, new Float32Array(new Uint8Array(bytes).buffer))]),
    ),
  )

test('real weights are added as own files, and work', { skip, timeout: 1_200_000 }, async (t) => {
  const { files } = kokoro as { readonly files: Readonly<Record<string, Buffer>> }
  const here = temporaryFolder({ after })
  const world = await openWorld(t, { env: { STUDIO_MODELS_CACHE: '' } })
  const command = commandsOf(world)
  const add = async (...args: string[]) => {
    const { code, output, errors } = await command('models', 'add', ...args)
    assert.equal(code, 0, output + errors)
    t.diagnostic(output.split('\n').slice(0, 3).join(' | '))
    return output
  }

  const folder = written(join(here, 'kokoro'), { 'kokoro-v1.0.int8.onnx': files[KOKORO_EXPORT.path]!, 'voices-v1.0.bin': voicesOf(files) })
  assert.match(await add(join(folder, 'kokoro-v1.0.int8.onnx')), /^Kokoro: kokoro-v1\.0\.int8: own\/kokoro-v1\.0\.int8, \d+ files/)
  const whisper = whisperFiles()
  const flat = Object.fromEntries(Object.entries(whisper).map(([name, bytes]) => [basename(name), bytes]))
  await add(written(join(here, 'flat'), flat), '--name', 'whisper-flat')
  assert.equal((await command('models', 'remove', 'own/whisper-flat', '--yes')).code, 0)
  await add(written(join(here, 'nested'), whisper), '--name', 'whisper-nested')

  const reply = await world.post('/v1/audio/speech', { model: 'kokoro', voice: 'af_heart', input: TEXT, seed: 3, response_format: 'wav' })
  assert.deepEqual([reply.status, reply.headers.get('x-svc-voice')], [200, 'af_heart'], String(reply.body.subarray(0, 300)))
  const heard = await world.post('/v1/audio/transcriptions', form({ file: reply.body as Buffer<ArrayBuffer>, model: 'own/whisper-nested' }))
  const { text } = heard.json()
  assert.ok(wordErrors(plainWords(TEXT), plainWords(text)) <= 1, text)
  // The digests of the catalogue belong to the same files.
  const manifest = JSON.parse(readFileSync(join(world.dataDir, 'local-agent/models/kokoro/own-kokoro-v1.0.int8/manifest.json'), 'utf8'))
  assert.equal(manifest.files[0].sha256, KOKORO_EXPORT.sha256)
})
