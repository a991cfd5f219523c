import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identifierPlan, isoCode, modelLanguage, recogniserPlan, SHERPA_ID, SHERPA_MODELS } from '#agent/engine/runtimes/sherpa/models.ts'
import { DICTATION_MODELS } from '#control-plane/features/listening/dictation/dictation.service.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import { isMeant } from '#shared/models/model.ts'

const modelOf = (name: string) => SHERPA_MODELS.find(({ model }) => model === name)!
/** Files in a repository of each kind, as its pages list them. */
const LISTINGS: Record<string, string[]> = {
  'parakeet-tdt-v3': ['encoder.int8.onnx', 'decoder.int8.onnx', 'joiner.int8.onnx', 'tokens.txt'],
  'parakeet-tdt-v2': ['encoder.int8.onnx', 'decoder.int8.onnx', 'joiner.int8.onnx', 'tokens.txt'],
  'paraformer-bilingual-zh-en': ['encoder.int8.onnx', 'encoder.onnx', 'decoder.int8.onnx', 'decoder.onnx', 'tokens.txt'],
  'whisper-tiny': ['tiny-encoder.onnx', 'tiny-encoder.int8.onnx', 'tiny-decoder.onnx', 'tiny-decoder.int8.onnx', 'tiny-tokens.txt'],
}
const ZIPFORMER = ['encoder', 'decoder', 'joiner'].flatMap((part) => [`${part}-epoch-99-avg-1.int8.onnx`, `${part}-epoch-99-avg-1.onnx`])

test('the three lists of dictation models name the same seven', () => {
  const own = SHERPA_MODELS.map(({ model, kind }) => `${model} ${kind}`)
  assert.deepEqual(
    own,
    DICTATION_MODELS.map(({ id, kind }) => `${id.replace('sherpa-', '')} ${kind}`),
  )
  assert.deepEqual(
    SHERPA_MODELS.map(({ model }) => model),
    CATALOGUE.filter(({ engine }) => engine === SHERPA_ID).map(({ model }) => model),
  )
})

for (const { model, sources } of CATALOGUE.filter(({ engine }) => engine === SHERPA_ID)) {
  test(`${model}: the downloaded files are those of the plan`, () => {
    const wanted = sources[0]!.files.map(({ path }) => path)
    const listing = LISTINGS[model] ?? [...ZIPFORMER, 'tokens.txt']
    const files = new Map(listing.filter((path) => wanted.some((one) => isMeant(one, path))).map((path) => [path, `/m/${path}`]))
    const plan = recogniserPlan(modelOf(model), files)
    const { modelConfig } = plan.config as { modelConfig: Record<string, Record<string, string> | string> }
    assert.equal(plan.kind, modelOf(model).kind.startsWith('online') ? 'online' : 'offline')
    assert.match(String(modelConfig['tokens']), /tokens\.txt$/)
    const network = (modelConfig['transducer'] ?? modelConfig['paraformer'] ?? modelConfig['whisper']) as Record<string, string>
    assert.match(network['encoder']!, /encoder.*\.int8\.onnx$/)
    assert.match(network['decoder']!, /decoder/)
    if ('joiner' in network) assert.match(network['joiner'], /joiner.*\.int8\.onnx$/)
    for (const missing of files.keys()) {
      const others = new Map([...files].filter(([name]) => name !== missing))
      const part = /encoder|joiner|tokens/.exec(missing)
      if (part)
        assert.throws(() => recogniserPlan(modelOf(model), others), {
          code: 'MODEL_NOT_DOWNLOADED',
          message: new RegExp(`${part[0]}.*missing`),
        })
    }
  })
}

test('supported languages are passed to the model, others are rejected', () => {
  assert.equal(modelLanguage(modelOf('whisper-tiny'), 'de-DE'), 'de')
  assert.equal(modelLanguage(modelOf('whisper-tiny'), null), null)
  assert.equal(modelLanguage(modelOf('parakeet-tdt-v2'), 'auto'), 'en')
  assert.equal(modelLanguage(modelOf('zipformer-bilingual-zh-en'), ''), null)
  for (const [model, language] of [
    ['whisper-tiny', 'xx'],
    ['whisper-tiny', '../..'],
    ['parakeet-tdt-v2', 'de'],
    ['zipformer-zh-14m', 'en'],
  ] as const)
    assert.throws(() => modelLanguage(modelOf(model), language), { code: 'INVALID_TASK_PARAMS', message: /^language: / })
})

test('language identification uses the smaller graphs and no tokens', () => {
  const files = new Map(LISTINGS['whisper-tiny']!.filter((name) => !name.endsWith('.txt')).map((name) => [name, `/m/${name}`]))
  const { kind, config } = identifierPlan(files)
  const { whisper } = config as { whisper: object }
  assert.equal(kind, 'identifier')
  assert.deepEqual(whisper, { encoder: '/m/tiny-encoder.int8.onnx', decoder: '/m/tiny-decoder.int8.onnx' })
  const half = new Map([...files].filter(([name]) => !name.includes('decoder')))
  assert.throws(() => identifierPlan(half), { code: 'MODEL_NOT_DOWNLOADED', message: /decoder of the model is missing/ })
})

test('languages without a two-letter code are not returned', () => {
  assert.deepEqual(
    ['de', 'jw', 'haw', '', 'x y', 'xx', '<|de|>', 'DE'].map((named) => isoCode(named)),
    ['de', 'jv', '', '', '', '', '', ''],
  )
})
