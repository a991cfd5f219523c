import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonical, createDictation } from '#control-plane/features/listening/dictation/dictation.service.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import { createOwnerSettings } from '#control-plane/store/setting.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { createFakeSettings } from '#test/support/doubles/settings.ts'

function open(offers: Offer[] = [], isInstalling = (_repoId: string) => false) {
  const settings = createFakeSettings()
  return { settings, dictation: createDictation({ settings: createOwnerSettings(settings), offered: () => offers, isInstalling }) }
}

test('lists seven models in the order of the specification, one of them recommended', () => {
  const { models, engine_available, engine_reason, default_model_id } = open().dictation.models()
  assert.deepEqual(
    models.map(({ id, tag, kind, size_gb, languages }) => `${id} ${tag} ${kind} ${size_gb} ${languages}`),
    [
      'sherpa-parakeet-tdt-v3 offline offline-transducer 0.67 25 European languages',
      'sherpa-parakeet-tdt-v2 offline offline-transducer 0.66 English',
      'sherpa-zipformer-bilingual-zh-en streaming online-transducer 0.2 Chinese + English',
      'sherpa-paraformer-bilingual-zh-en streaming online-paraformer 0.24 Chinese + English',
      'sherpa-zipformer-en-20m streaming online-transducer 0.044 English',
      'sherpa-zipformer-zh-14m streaming online-transducer 0.025 Chinese',
      'sherpa-whisper-tiny offline offline-whisper 0.104 90+ languages (auto-detect)',
    ],
  )
  assert.deepEqual(
    models.filter(({ recommended }) => recommended).map(({ id }) => id),
    [default_model_id],
  )
  assert.ok(models.every(({ repo_id, installed }) => repo_id.startsWith('csukuangfj/sherpa-onnx-') && !installed))
  assert.equal(engine_available, false)
  assert.match(engine_reason!, /not installed/)
})

test('a model counts as installed if this machine can run it', () => {
  const asr = { engine: 'sherpa-onnx-asr', operation: 'asr' }
  const { dictation } = open([
    offer({ ...asr, model: 'sherpa-whisper-tiny' }),
    offer({ ...asr, model: 'sherpa-zipformer-en-20m', downloaded: false }),
    offer({ ...asr, model: 'sherpa-parakeet-tdt-v2', workerId: 'attic' }),
  ])
  const { models, engine_available, engine_reason } = dictation.models()
  assert.deepEqual(
    models.flatMap(({ id, installed }) => (installed ? [id] : [])),
    ['sherpa-whisper-tiny'],
  )
  assert.deepEqual([engine_available, engine_reason], [true, null])
})

test('a model that is being installed is marked', () => {
  const repo = 'csukuangfj/sherpa-onnx-whisper-tiny'
  const { models } = open([], (id) => id === repo).dictation.models()
  assert.deepEqual(
    models.filter(({ installing }) => installing).map(({ repo_id }) => repo_id),
    [repo],
  )
})

test('all preferences are validated before any is written', async () => {
  const { dictation } = open()
  assert.deepEqual(dictation.prefs(), { enabled: true, mode: 'toggle', model_id: 'sherpa-whisper-tiny' })
  await assert.rejects(() => dictation.change({ enabled: false, mode: 'whistle' }), { code: 'BAD_REQUEST' })
  await assert.rejects(() => dictation.change({ enabled: false, mode: 'hold', model_id: '../etc' }), { code: 'BAD_REQUEST' })
  assert.deepEqual(dictation.prefs(), { enabled: true, mode: 'toggle', model_id: 'sherpa-whisper-tiny' })
  assert.deepEqual(await dictation.change({ mode: 'hold', model_id: 'parakeet-tdt-v3' }), {
    enabled: true,
    mode: 'hold',
    model_id: 'sherpa-parakeet-tdt-v3',
  })
  assert.deepEqual(await dictation.change({ enabled: false, mode: null }), {
    enabled: false,
    mode: 'hold',
    model_id: 'sherpa-parakeet-tdt-v3',
  })
})

test('stored values of another version read as the default', () => {
  const { dictation, settings } = open()
  void settings.set('dictation.mode', 'shout')
  void settings.set('dictation.model_id', 'sherpa-gone')
  assert.deepEqual(dictation.prefs(), { enabled: true, mode: 'toggle', model_id: 'sherpa-whisper-tiny' })
  assert.equal(canonical('csukuangfj/sherpa-onnx-whisper-tiny'), 'sherpa-whisper-tiny')
  assert.equal(canonical(''), null)
})
