import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AsrBackend, LlmBackend, TtsBackend } from '#control-plane/features/machines/engines/engines.schema.ts'
import { asrRows, llmRows, rowsOf, ttsRows } from '#control-plane/features/machines/engines/rows.ts'
import { ENGINE_FAMILIES, ENGINES_BY_FAMILY } from '#shared/engines.ts'
import { offer } from '#test/support/doubles/offers.ts'

const scene = (...offers: ReturnType<typeof offer>[]) => ({ offers, connected: true })
const rowOf = (id: string, ...offers: ReturnType<typeof offer>[]) => ttsRows(scene(...offers)).find((row) => row.id === id)!

test('every engine of the specification has a row, in the specified order', () => {
  const specified = {
    tts: 'svc-engine cosyvoice kittentts mlx-audio voxcpm2 moss-tts-nano gpt-sovits sherpa-onnx indextts2 svc-engine-gguf supertonic3 moss-tts-v15 dots-tts svc-engine-subprocess pockettts confucius4-tts kokoro',
    asr: 'whisperx faster-whisper mlx-whisper pytorch-whisper nemo-parakeet parakeet-mlx moonshine funasr sherpa-onnx-asr openai-compat-asr pocketsphinx',
    llm: 'openai-compat off',
  }
  for (const family of ENGINE_FAMILIES) {
    assert.deepEqual(
      rowsOf(family, scene()).map(({ id }) => id),
      specified[family].split(' '),
    )
    assert.equal(new Set(ENGINES_BY_FAMILY[family].map(({ id }) => id)).size, ENGINES_BY_FAMILY[family].length)
  }
})

test('without offers nothing is available, and each row has a reason and a hint', () => {
  for (const row of [...ttsRows(scene()), ...asrRows(scene())]) {
    assert.equal(row.available, false, row.id)
    assert.match(row.reason!, /\.$/, row.id)
    assert.match(row.install_hint, /\.$/, row.id)
    assert.equal(row.routing_status, row.id === 'openai-compat-asr' ? 'n/a' : 'unavailable')
  }
  assert.deepEqual(
    llmRows(scene()).map(({ id, available, effective_device, routing_status }) => [id, available, effective_device, routing_status]),
    [
      ['openai-compat', false, 'network', 'n/a'],
      ['off', true, 'network', 'n/a'],
    ],
  )
})

test('a row is available exactly if an offer is supported, installed and downloaded', () => {
  for (let bits = 0; bits < 8; bits++) {
    const [supported, installed, downloaded] = [!!(bits & 1), !!(bits & 2), !!(bits & 4)]
    const row = rowOf('kittentts', offer({ engine: 'kittentts', supported, installed, downloaded }))
    assert.equal(row.available, bits === 7)
    assert.equal(row.reason === null, bits === 7)
    if (bits === 3) assert.equal(row.reason, 'Its model is not installed.')
    if (bits === 0) assert.match(row.reason!, /hardware/)
  }
})

test('the routing status follows from the offers', () => {
  const engine = 'moss-tts-nano'
  const routed = (...offers: ReturnType<typeof offer>[]) => {
    const { routing_status, effective_device, routing_reason } = rowOf(engine, ...offers)
    return [routing_status, effective_device, routing_reason === null]
  }
  assert.deepEqual(routed(), ['unavailable', 'none', false])
  assert.deepEqual(routed(offer({ engine })), ['cpu_only', 'cpu', true])
  assert.deepEqual(routed(offer({ engine, device: 'cuda' })), ['accelerated', 'cuda', true])
  // The CPU is the device of this machine, so a substitute on it is no fallback.
  assert.deepEqual(routed(offer({ engine, stands_in: 'A small voice answers.' })), ['cpu_only', 'cpu', false])
  // Another engine of the same machine runs on its GPU, so this one fell back to the CPU.
  assert.deepEqual(routed(offer({ engine }), offer({ engine: 'kokoro', device: 'webgpu' })), ['cpu_fallback', 'cpu', false])
  assert.deepEqual(routed(offer({ engine }), offer({ engine: 'kokoro', device: 'webgpu', workerId: 'other' })), ['cpu_only', 'cpu', true])
})

test('an engine whose licence was not accepted says so in the words that clients look for, until its model is there', () => {
  const rowsWith = (...offers: ReturnType<typeof offer>[]) => ttsRows({ ...scene(...offers), unlicensed: new Set(['pockettts']) })
  const reasonOf = (...offers: ReturnType<typeof offer>[]) => rowsWith(...offers).find(({ id }) => id === 'pockettts')!.reason
  assert.match(reasonOf()!, /license not accepted/)
  assert.match(reasonOf(offer({ engine: 'pockettts', downloaded: false }))!, /license not accepted/)
  assert.equal(reasonOf(offer({ engine: 'pockettts' })), null)
  assert.equal(rowsWith().filter(({ reason }) => /license/.test(reason ?? '')).length, 1)
})

test('the engine itself is preferred to its substitute, and a GPU to a CPU', () => {
  const standIn = offer({ engine: 'svc-engine', implementation: 'flite', stands_in: 'Flite speaks.', cloning: false })
  const real = offer({ engine: 'svc-engine', implementation: 'omnivoice', cloning: true })
  const fast = offer({ engine: 'svc-engine', implementation: 'omnivoice', device: 'cuda', cloning: true })
  assert.deepEqual([rowOf('svc-engine', standIn).hint, rowOf('svc-engine', standIn).install_hint === ''], ['Flite speaks.', false])
  assert.deepEqual([rowOf('svc-engine', standIn, real).hint, rowOf('svc-engine', standIn, real).supports_cloning], [null, true])
  assert.equal(rowOf('svc-engine', real, standIn, fast).effective_device, 'cuda')
  // A model that is not downloaded does not hide the substitute.
  assert.equal(rowOf('svc-engine', { ...real, downloaded: false }, standIn).hint, 'Flite speaks.')
})

test('an engine that only a machine offers gets a row if it can run; known engines keep their order', () => {
  const rows = ttsRows(scene(offer({ engine: 'tone' }), offer({ engine: 'broken', installed: false })))
  assert.deepEqual(
    rows.slice(ENGINES_BY_FAMILY.tts.length).map(({ id, available }) => [id, available]),
    [['tone', true]],
  )
  assert.equal(asrRows(scene(offer({ engine: 'tone' }))).length, ENGINES_BY_FAMILY.asr.length, 'a speech engine is no recogniser')
})

test('rows match their schemas, and a disconnected machine is reported', () => {
  const offers = [...ENGINES_BY_FAMILY.tts, ...ENGINES_BY_FAMILY.asr, ...ENGINES_BY_FAMILY.llm].flatMap(({ id }) => [
    offer({ engine: id }),
    offer({ engine: id, operation: 'asr' }),
  ])
  for (const row of ttsRows(scene(...offers))) assert.ok(TtsBackend.strict().parse(row).available, row.id)
  for (const row of asrRows(scene(...offers))) assert.ok(AsrBackend.strict().parse(row).available, row.id)
  for (const row of llmRows(scene(...offers))) LlmBackend.strict().parse(row)
  assert.equal(ttsRows({ offers: [], connected: false })[0]!.reason, 'No selected machine is connected.')
})
