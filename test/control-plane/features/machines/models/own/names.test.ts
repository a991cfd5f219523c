// A recogniser of own files is named by its id, for transcription and dictation, and means the engine that it was added for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLive } from '#control-plane/features/listening/dictation/live/recogniser.ts'
import { findRecogniser, requireNamed } from '#control-plane/features/listening/recognition/recognisers.ts'
import { offer } from '#test/support/doubles/offers.ts'

const asr = (engine: string, model: string) => offer({ operation: 'asr', engine, model, languages: ['*'] })
const OFFERS = [
  asr('whisperx', 'own-tuned'),
  asr('faster-whisper', ''),
  asr('faster-whisper', 'own-tuned'),
  asr('sherpa-onnx-asr', 'own-quick'),
]

test('a request names an own model by its id', () => {
  for (const [id, engine, model] of [
    ['own/tuned', 'faster-whisper', 'own-tuned'],
    ['own/quick', 'sherpa-onnx-asr', 'own-quick'],
  ] as const) {
    requireNamed(OFFERS, id)
    const { recogniser, instead } = findRecogniser(OFFERS, id, 'de')!
    assert.deepEqual([recogniser.engine, recogniser.model, instead], [engine, model, null])
    const live = chooseLive(OFFERS, id, 'sherpa-whisper-tiny')
    assert.deepEqual([live.offer.engine, live.offer.model, live.instead], [engine, model, null])
  }
})

test('without its name, an own model is used only as the choice of the owner', () => {
  const only = [asr('faster-whisper', 'own-sent')]
  assert.equal(findRecogniser(only, 'whisper-1', 'de'), null)
  const unnamed = { ...asr('faster-whisper', ''), downloaded: false }
  assert.equal(findRecogniser([unnamed, ...only], 'faster-whisper', 'de'), null, 'the name of an engine is none of a model')
  const dictation = [asr('sherpa-onnx-asr', 'own-mine')]
  assert.equal(findRecogniser(dictation, 'sherpa-onnx-asr', 'de')?.recogniser.model, 'own-mine', 'its engine offers named models only')
  assert.throws(() => chooseLive(only, '', 'sherpa-whisper-tiny'), { code: 'MODEL_NOT_INSTALLED' })
  assert.equal(findRecogniser(only, 'whisper-1', 'de', () => true)?.recogniser.model, 'own-sent')
})

test('an own model that is not here, and a name that is no id, are unknown', () => {
  for (const id of ['own/other', 'own-tuned', 'own/', 'own/../x', 'tuned']) {
    assert.throws(() => requireNamed(OFFERS, id), { code: 'MODEL_NOT_FOUND' }, id)
    assert.throws(() => chooseLive(OFFERS, id, 'sherpa-whisper-tiny'), { code: 'BAD_REQUEST' }, id)
  }
})
