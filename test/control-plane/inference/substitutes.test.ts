// The engine that substitutes for the native engine in a language.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Offer } from '#control-plane/inference/offers.ts'
import { answering, inPlaceOf } from '#control-plane/inference/substitutes.ts'

const offer = (engine: string, languages: string[], more: Partial<Offer> = {}): Offer => ({
  workerId: 'local',
  engine,
  model: '',
  operation: 'tts',
  implementation: engine,
  stands_in: '',
  languages,
  voices: [],
  cloning: false,
  supported: true,
  installed: true,
  downloaded: true,
  device: 'cpu',
  sample_rate: 16_000,
  ...more,
})
const flite = offer('svc-engine', ['en'], { stands_in: 'Flite answers.' })
const espeak = offer('espeak-ng', ['de', 'fr', 'en'])
const answers = (language: unknown, others: Offer[], engine = 'svc-engine') =>
  answering(engine, language, [flite], others).map((one) => one.engine)

test('the native engine answers in English and when no language is named', () => {
  for (const language of [null, undefined, '', 'auto', 'Auto', 'en', 'en-GB', 'English', 7])
    assert.deepEqual(answers(language, [espeak]), ['svc-engine'])
})

test('espeak-ng answers in another language when it is installed and supports it', () => {
  for (const language of ['de', 'de-AT', 'DE_de', 'German', ' french ']) assert.deepEqual(answers(language, [espeak]), ['espeak-ng'])
  for (const others of [[], [{ ...espeak, installed: false }], [{ ...espeak, supported: false }], [{ ...espeak, operation: 'asr' }]])
    assert.deepEqual(answers('de', others), ['svc-engine'])
  assert.deepEqual(answers('ja', [espeak]), ['svc-engine'])
  assert.deepEqual(answers('de', [espeak], 'kittentts'), ['svc-engine'], 'only the native engine has a substitute')
  assert.deepEqual(answering('svc-engine', 'de', [offer('svc-engine', ['*'])], [espeak])[0]!.engine, 'svc-engine')
})

test('a substitute has a notice, the requested engine has none', () => {
  assert.match(inPlaceOf('svc-engine', espeak)!.stands_in, /^Using espeak-ng, because no model of svc-engine/)
  assert.equal(inPlaceOf('espeak-ng', espeak)!.stands_in, '')
  assert.equal(inPlaceOf('svc-engine', flite)!.stands_in, 'Flite answers.')
  assert.equal(inPlaceOf('svc-engine', undefined), undefined)
})

test('every language name from a machine or a caller has one result', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (language, languages) => {
      assert.ok(answers(language, [offer('espeak-ng', languages)]).length === 1)
    }),
  )
})
