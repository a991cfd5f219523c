// Parakeet under its own id: the choice of the model, one network for both ids, and a real host.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { nemoParakeet, sherpaOnnx } from '#agent/engine/asr/sherpa/engine.ts'
import type { SherpaLibrary } from '#agent/engine/runtimes/sherpa/library.ts'
import { PARAKEET_MODELS, SHERPA_ID } from '#agent/engine/runtimes/sherpa/models.ts'
import { createRecogniserCache } from '#agent/engine/runtimes/sherpa/recogniser-cache.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { asAudio, eventsOf, join as joined, resultOf } from '#test/agent/engine/audio/recording.ts'
import { asGiven, failsWith, openPool } from '#test/agent/engine/host/open-pool.ts'
import { filesIn } from '#test/agent/engine/runtimes/onnx/folder.ts'
import { decoder, encoder, joiner, tokens } from '#test/agent/engine/runtimes/sherpa/planted.ts'
import { placeModel } from '#test/support/models/place-model.ts'

type Result = { text: string; language: string; segments: { text: string; words?: unknown[] }[]; notices: string[] }
const { signal } = new AbortController()
const tone = Float32Array.from({ length: 16_000 }, (_, at) => 0.5 * Math.sin((2 * Math.PI * 300 * at) / 16_000))
const SONG = joined([new Float32Array(16_000), tone, new Float32Array(16_000)])
const planted = () => ({
  'encoder.int8.onnx': encoder(),
  'decoder.int8.onnx': decoder(),
  'joiner.int8.onnx': joiner(),
  'tokens.txt': Buffer.from(tokens),
})
/** Only under the name under which the models of dictation are downloaded. */
const filesOf = (t: TestContext, ...models: string[]) => {
  const files = filesIn(t, planted())
  return { filesOf: (engine: string, model: string) => (engine === SHERPA_ID && models.includes(model) ? files : null) }
}
const refusal = async (run: AsyncIterable<never>) => await eventsOf(run).catch((error: Failure) => error)

test('it runs both NeMo models, and the better downloaded one by default', async (t) => {
  assert.deepEqual(
    PARAKEET_MODELS.map(({ model }) => model),
    ['parakeet-tdt-v3', 'parakeet-tdt-v2'],
  )
  const rows = (...models: string[]) =>
    nemoParakeet
      .create(filesOf(t, ...models))
      .describe()
      .map(({ engine, model, languages, downloaded, reason }) => [engine, model, languages.length, downloaded, reason === undefined])
  const row = (model: string, languages: number, isHere: boolean) => ['nemo-parakeet', model, languages, isHere, isHere]
  const [v3, v2] = ['parakeet-tdt-v3', 'parakeet-tdt-v2']
  assert.deepEqual(rows(), [row('', 25, false), row(v3, 25, false), row(v2, 1, false)])
  assert.deepEqual(rows(v2), [row('', 1, true), row(v3, 25, false), row(v2, 1, true)])
  assert.deepEqual(rows(v3, v2, 'whisper-tiny'), [row('', 25, true), row(v3, 25, true), row(v2, 1, true)])

  const engine = nemoParakeet.create(filesOf(t, v2))
  const wish = { prompt: 'names', words: true }
  const { text, language, segments, notices } = resultOf<Result>(await eventsOf(engine.run('asr', wish, signal, asAudio(SONG))))
  assert.deepEqual([text, language, segments[0]!.words!.length], ['la la la la', 'en', 4])
  assert.deepEqual(notices, [`nemo-parakeet does not support a prompt.`])
  const asked = (params: object, model?: string) => refusal(engine.run('asr', params, signal, asAudio(SONG), model) as AsyncIterable<never>)
  for (const [params, model, code] of [
    [{ language: 'de' }, '', 'INVALID_TASK_PARAMS'],
    [{}, v3, 'MODEL_NOT_DOWNLOADED'],
    [{}, 'whisper-tiny', 'MODEL_REF_REJECTED'],
  ] as const) {
    const failure = await asked(params, model)
    assert.equal((failure as Failure).code, code, String(failure))
  }
  await engine.unload()
})

test('both engine ids open a model once and use it one run at a time', async (t) => {
  let opened = 0
  let hearing = 0
  let most = 0
  const library: SherpaLibrary = {
    identifier: () => assert.fail(),
    online: () => assert.fail(),
    async offline() {
      opened++
      return {
        createStream: () => ({ acceptWaveform: () => {} }),
        setConfig: () => assert.fail('Parakeet is told no language'),
        async decodeAsync() {
          most = Math.max(most, ++hearing)
          await new Promise((resolve) => setImmediate(resolve))
          hearing--
          return { text: 'la', tokens: ['▁la'], timestamps: [0.5] }
        },
      }
    },
  }
  const ears = createRecogniserCache(
    async () => library,
    async () => {},
  )
  const deps = filesOf(t, 'parakeet-tdt-v3', 'parakeet-tdt-v2')
  const [sherpa, parakeet] = [sherpaOnnx.create(deps, ears), nemoParakeet.create(deps, ears)]
  const heard = async (engine: typeof sherpa, model: string) =>
    resultOf<Result>(await eventsOf(engine.run('asr', {}, signal, asAudio(SONG), model))).text
  assert.deepEqual(await Promise.all([heard(sherpa, 'parakeet-tdt-v3'), heard(parakeet, ''), heard(parakeet, '')]), ['la', 'la', 'la'])
  assert.deepEqual([opened, most], [1, 1])
  assert.equal(await heard(parakeet, 'parakeet-tdt-v2'), 'la')
  assert.equal(await heard(sherpa, 'parakeet-tdt-v3'), 'la')
  assert.equal(opened, 3, 'one is open at a time')
  await parakeet.unload()
  assert.equal(await heard(sherpa, 'parakeet-tdt-v3'), 'la')
  assert.equal(opened, 4)
})

test('through the pool, both ids use one host, and both report a missing model', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'studio-models-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  placeModel(root, SHERPA_ID, 'parakeet-tdt-v3', planted())
  const { pool, hosts } = await openPool(t, { modelsFolder: root })
  const run = (engine: string, model: string) =>
    pool.run({ id: 'test', engine, model, operation: 'asr', params: {}, signal, inputs: asGiven(asAudio(SONG)) })
  for (const [engine, model] of [
    ['nemo-parakeet', ''],
    [SHERPA_ID, 'parakeet-tdt-v3'],
    ['nemo-parakeet', 'parakeet-tdt-v3'],
  ] as const) {
    const events = []
    for await (const event of run(engine, model)) events.push(event)
    assert.equal((events.at(-1) as unknown as { result: Result }).result.text, 'la la la la')
  }
  assert.equal(hosts.length, 1)
  assert.match((await failsWith(run('nemo-parakeet', 'parakeet-tdt-v2'), 'MODEL_NOT_DOWNLOADED')).message, /not downloaded/)
  assert.throws(() => run('nemo-parakeet', 'whisper-tiny'), { code: 'MODEL_REF_REJECTED' })
  const bare = await openPool(t)
  const nothing = bare.pool.run({
    id: 'test',
    engine: 'nemo-parakeet',
    model: '',
    operation: 'asr',
    params: {},
    signal,
    inputs: asGiven(asAudio(SONG)),
  })
  await failsWith(nothing, 'MODEL_NOT_DOWNLOADED')
})
