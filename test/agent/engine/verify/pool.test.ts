// Verification in real engine hosts: weights that come with the packages, planted networks, and models that are not what they should be.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { catalog } from '#agent/engine/catalog/catalog.ts'
import { engineRow } from '#shared/engines.ts'
import { VerifyResult } from '#shared/operations/verify.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { styledGraph, voiceTable } from '#test/support/models/styled-model.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { type OpenPool, openPool } from '../host/open-pool.ts'

const environment = { PATH: process.env['PATH'] ?? '' }
const withoutEspeak = { skip: !findProgram('espeak-ng', environment.PATH) && 'espeak-ng is not installed' }

async function verified({ tts }: OpenPool, engine: string, model = '') {
  let result: unknown
  let bytes = 0
  for await (const event of tts({}, { engine, model, operation: 'verify' })) {
    if (event.kind === 'audio') bytes += event.bytes.length
    if (event.kind === 'result') result = event.result
  }
  const report = VerifyResult.parse(result)
  const differing = report.checks.filter(({ outcome }) => outcome === 'differs')
  const foundIn = (title: RegExp) => differing.find((check) => title.test(check.title))?.found ?? ''
  return { report, differing, bytes, foundIn }
}

test('every neural engine of the agent has something to verify', () => {
  const without = catalog(false)
    .filter(({ id, verification }) => engineRow(id)?.packaging === 'built-in' && !verification)
    .map(({ id }) => id)
  assert.deepEqual(without, [])
})

test('the engines whose weights come with the packages pass', async (t) => {
  const pool = await openPool(t)
  for (const [engine, file, checks] of [
    ['silero', 'silero_vad_v6.onnx', 5],
    ['rnnoise', 'rnnoise.wasm', 4],
    ['flite', 'flite.wasm', 4],
  ] as const) {
    const { report } = await verified(pool, engine)
    assert.deepEqual([...new Set(report.checks.map(({ outcome }) => outcome))], ['pass'], JSON.stringify(report.checks))
    assert.equal(report.checks.length, checks)
    // Flite returns its sentence.
    assert.deepEqual(
      [report.files.map(({ name }) => name), report.device, report.parts.length],
      [[file], 'cpu', engine === 'flite' ? 1 : 0],
    )
  }
  assert.equal(pool.hosts.length, 3)
})

const KOKORO_IDS: Readonly<Record<string, number>> = { h: 50, ə: 83, l: 54, ˈ: 156, o: 57, ʊ: 135, ' ': 16, w: 65, ɜ: 87, ː: 158, d: 46 }
const OTHERS = [...'ðkaɪbɹnfɑsdʒʌmpvɚzeigtuæɛɔŋθʃʧʤˌ.,'].filter((symbol) => !Object.hasOwn(KOKORO_IDS, symbol))
const vocab = { ...Object.fromEntries(OTHERS.map((symbol, at) => [symbol, 90 + at])), ...KOKORO_IDS }
const kokoroFiles = (ids: object, graph: Uint8Array) => ({
  'onnx/model.onnx': graph,
  'tokenizer.json': JSON.stringify({ model: { vocab: ids } }),
  'voices/af_heart.bin': new Uint8Array(voiceTable(510).buffer),
})

test('a planted model passes, and its sentence is the output', withoutEspeak, async (t) => {
  const modelsFolder = temporaryFolder(t)
  placeModel(modelsFolder, 'kokoro', '', kokoroFiles(vocab, styledGraph()))
  const pool = await openPool(t, { environment, modelsFolder })
  const { report, differing, bytes } = await verified(pool, 'kokoro')
  assert.deepEqual(differing, [])
  assert.equal(report.sentence?.text, 'The quick brown fox jumps over the lazy dog.')
  assert.equal(bytes, 2 * report.parts[0]!.samples)
  assert.equal(report.files.length, 3)
  assert.ok(report.files.every(({ isIntact, sha256 }) => isIntact && sha256.length === 64))
  assert.deepEqual(pool.pool.resident(), ['kokoro:'], 'the model that was verified stays loaded as after every run')
})

test('another vocabulary and changed bytes are named, and the checks after them still run', withoutEspeak, async (t) => {
  const modelsFolder = temporaryFolder(t)
  placeModel(modelsFolder, 'kokoro', 'q8', kokoroFiles({ ...vocab, ə: 84 }, styledGraph()))
  const voice = join(modelsFolder, 'kokoro/q8/voices/af_heart.bin')
  writeFileSync(voice, new Uint8Array(voiceTable(510).map((value) => value + 0.001).buffer)) // the same size
  const { report, differing, foundIn } = await verified(await openPool(t, { environment, modelsFolder }), 'kokoro', 'q8')
  assert.match(foundIn(/^files/), /^changed: voices\/af_heart\.bin$/)
  assert.match(foundIn(/^ids/), /^50 84 54 156/)
  assert.equal(differing.length, 2)
  assert.equal(report.checks.find(({ title }) => /^speaks/.test(title))?.outcome, 'pass')
})

test('a graph of another export is described, and nothing in the report names the machine', withoutEspeak, async (t) => {
  const modelsFolder = temporaryFolder(t)
  placeModel(modelsFolder, 'kokoro', '', kokoroFiles(vocab, styledGraph({ idsType: 'int32' })))
  const { report, foundIn } = await verified(await openPool(t, { environment, modelsFolder }), 'kokoro')
  assert.match(
    foundIn(/^graph model\.onnx/),
    /^input input_ids is int32, not int64\. It has input_ids int32\[1,\?\], style float32\[1,256\]/,
  )
  assert.match(foundIn(/^model loads/), /^MODEL_NOT_DOWNLOADED: .*int32/)
  assert.equal(report.checks.at(-1)!.outcome, 'skipped')
  assert.deepEqual([report.parts, report.sentence], [[], null])
  const text = JSON.stringify(report)
  for (const secret of [modelsFolder, homedir(), hostname()]) if (secret.length > 2) assert.ok(!text.includes(secret), secret)
  assert.doesNotMatch(text, /"[^"]*(?<![\w.])\/[\w.-]+\/[\w.-]+/)
})

test('a model that is not downloaded cannot be verified', async (t) => {
  const pool = await openPool(t)
  const offered = (await pool.pool.capabilities()).filter(({ operation }) => operation === 'verify')
  assert.deepEqual(
    offered.map(({ engine, model }) => [engine, model]),
    [
      ['silero', ''],
      ['rnnoise', ''],
      ['flite', ''],
      ['heart', ''],
    ],
  )
  for (const engine of ['kokoro', 'svc-engine', 'espeak-ng'])
    assert.throws(() => pool.tts({}, { engine, operation: 'verify' }), { code: 'OPERATION_UNSUPPORTED' })
})
