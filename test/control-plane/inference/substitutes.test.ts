// The engine that substitutes for the native engine in a language.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Offer } from '#control-plane/inference/offers.ts'
import { answering, choose, inPlaceOf } from '#control-plane/inference/substitutes.ts'

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
  permits: 1,
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
  assert.match(inPlaceOf('svc-engine', espeak)!.stands_in, /^Using eSpeak NG, because no model of Voice Studio engine/)
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

const RUSSIAN = 'Добрый день, меня зовут Анна.'
const GERMAN = 'Wir haben das Haus nicht gesehen, und ich war auch nicht im Garten.'
const chosen = (text: string, engine: string, offers: Offer[], others: Offer[], voice: string | null = null) =>
  Object.values(choose(engine, { language: null, voice, text }, offers, others)).join(' ')

test('without a named language, the script and the words of the text choose the engine', () => {
  const all = offer('espeak-ng', ['de', 'ru', 'en'])
  const kokoro = offer('kokoro', ['en', 'hi'])
  assert.equal(chosen(RUSSIAN, 'svc-engine', [flite], [flite, all]), 'espeak-ng ru')
  assert.equal(chosen(GERMAN, 'svc-engine', [flite], [flite, all]), 'espeak-ng de')
  assert.equal(chosen('Hello there.', 'svc-engine', [flite], [flite, all]), 'svc-engine ')
  assert.equal(chosen(RUSSIAN, 'kokoro', [kokoro], [kokoro, all]), 'espeak-ng ru', 'any engine that lacks the script')
  assert.equal(chosen(GERMAN, 'kokoro', [kokoro], [kokoro, all]), 'kokoro ', 'a named engine reads Latin letters itself')
  assert.equal(chosen('नमस्ते, आप कैसे हैं?', 'kokoro', [kokoro], [kokoro, all]), 'kokoro hi')
  assert.equal(chosen('नमस्ते, आप कैसे हैं?', 'kokoro', [kokoro], [kokoro, all], 'hf_alpha'), 'kokoro ', 'a voice has a language')
  assert.equal(chosen(RUSSIAN, 'omni', [offer('omni', ['*'])], [all]), 'omni ', 'an engine of all languages detects it itself')
  assert.equal(chosen(RUSSIAN, 'svc-engine', [flite], [flite]), 'svc-engine ru', 'the engine refuses it with the remedy')
  assert.equal(chosen(RUSSIAN, 'svc-engine', [flite], [flite, offer('tone', ['*'])]), 'svc-engine ru')
  const better = offer('supertonic3', ['ru'])
  assert.equal(chosen(RUSSIAN, 'svc-engine', [flite], [all, better]), 'supertonic3 ru', 'espeak-ng comes last')
  assert.equal(chosen(RUSSIAN, 'svc-engine', [flite], [all, { ...better, downloaded: false }]), 'espeak-ng ru')
  assert.match(
    inPlaceOf('svc-engine', all, 'ru')!.stands_in,
    /^Using eSpeak NG, because no model of Voice Studio engine for Russian is installed/,
  )
})
