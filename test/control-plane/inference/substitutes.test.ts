// The engine that speaks when the selected one cannot.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Offer } from '#control-plane/inference/offers.ts'
import { castableVoices, choose, inPlaceOf, isNamed } from '#control-plane/inference/substitutes.ts'

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
const embedded = offer('svc-engine', ['en'], { stands_in: 'Heart answers.' })
const native = offer('svc-engine', ['*'])
const espeak = offer('espeak-ng', ['de', 'fr', 'en'])
const HELLO = 'Hello there.'
/** The engine that speaks; the request names no engine of its own. */
const answers = (language: string | null, others: Offer[], own = embedded, text = HELLO, voice: string | null = null) =>
  choose({ engine: own.engine, isNamed: false }, { language, voice, text }, [own], [own, ...others]).engine

test('the selected engine answers while it has its model and speaks the language', () => {
  const better = [espeak, offer('kokoro', ['en', 'de'])]
  for (const language of [null, '', 'auto', 'Auto', 'en', 'en-GB', 'English', 'de', 'ja'])
    assert.equal(answers(language, better, native), 'svc-engine')
  assert.equal(answers('de', [espeak, native], offer('kokoro', ['en', 'de'])), 'kokoro')
})

test('another language is spoken by an engine that is installed and supports it', () => {
  for (const language of ['de', 'de-AT', 'DE_de', 'German', ' french ']) assert.equal(answers(language, [espeak]), 'espeak-ng')
  for (const others of [[], [{ ...espeak, installed: false }], [{ ...espeak, supported: false }], [{ ...espeak, operation: 'asr' }]])
    assert.equal(answers('de', others), 'svc-engine')
  assert.equal(answers('ja', [espeak]), 'svc-engine')
  const [kitten, named] = [offer('kittentts', ['en']), { engine: 'kittentts', isNamed: true }]
  assert.equal(choose(named, { language: 'de', voice: null, text: HELLO }, [kitten], [kitten, espeak]).engine, 'kittentts', 'it was named')
  assert.equal(answers('de', [espeak], kitten), 'espeak-ng', 'it was selected')
  assert.deepEqual(
    [isNamed('kittentts', 'kokoro'), isNamed('kokoro', 'kokoro'), isNamed('svc-engine', 'kokoro'), isNamed('tts-1', 'kokoro')],
    [true, false, false, false],
  )
})

test('of every set of installed engines the best one speaks a language', () => {
  const order = ['kokoro', 'supertonic3', 'pockettts', 'moss-tts-nano', 'kittentts', 'of-the-owner', 'espeak-ng']
  const languages: Readonly<Record<string, string[]>> = {
    kokoro: ['en', 'es', 'fr'],
    supertonic3: ['en', 'de', 'es', 'ko'],
    pockettts: ['en', 'de', 'fr'],
    'moss-tts-nano': ['en', 'zh', 'de'],
    kittentts: ['en'],
    'of-the-owner': ['fi', 'de'],
    'espeak-ng': ['en', 'de', 'es', 'fr', 'zh', 'fi', 'sv'],
  }
  for (let set = 0; set < 2 ** order.length; set++)
    for (const language of ['en', 'de', 'es', 'fr', 'zh', 'ko', 'fi', 'sv']) {
      const installed = order.filter((_, at) => (set >> at) & 1)
      const able = installed.filter((engine) => languages[engine]!.includes(language))
      const neural = able.filter((engine) => !['of-the-owner', 'espeak-ng'].includes(engine))
      const expected = (language === 'en' ? neural[0] : able[0]) ?? 'svc-engine'
      const others = installed.map((engine) => offer(engine, languages[engine]!))
      assert.equal(answers(language, others.toReversed()), expected, `${language}: ${installed}`)
      // A model that is not downloaded counts for nothing.
      const without = others.filter(({ engine }) => engine !== expected).map((one) => ({ ...one }))
      const missing = others.filter(({ engine }) => engine === expected).map((one) => ({ ...one, downloaded: false }))
      assert.equal(answers(language, [...missing, ...without]), answers(language, without))
    }
})

test('a voice is spoken by the engine that has it', () => {
  const voice = (id: string, language = 'en') => ({ id, name: id.toUpperCase(), language })
  const heart = { ...embedded, voices: [voice('heart')] }
  const flite = offer('flite', ['en'], { voices: [voice('slt'), voice('rms')] })
  const kokoro = offer('kokoro', ['en'], { voices: [voice('af_bella')] })
  const speaks = (name: string, others: Offer[]) => answers(null, others, heart, HELLO, name)
  assert.equal(speaks('slt', [flite, kokoro]), 'flite')
  assert.equal(speaks('heart', [flite, kokoro]), 'svc-engine')
  assert.equal(speaks('af_bella', [flite, kokoro]), 'kokoro')
  assert.equal(speaks('unheard', [flite, kokoro]), 'kokoro')
  assert.equal(speaks('slt', [kokoro]), 'kokoro', 'no machine has it')

  const cast = (own: Offer, isOpen: boolean) => castableVoices(own.engine, 'en', [own, flite], isOpen).map(({ id }) => id)
  assert.deepEqual(cast(heart, true), ['heart', 'slt', 'rms'])
  assert.deepEqual(cast(heart, false), ['heart'])
  assert.deepEqual(cast({ ...heart, voices: [voice('heart'), voice('bf_emma'), voice('x', 'de')] }, true), ['heart', 'bf_emma'])
})

test('a substitute has a notice, the requested engine has none', () => {
  assert.match(inPlaceOf('svc-engine', espeak)!.stands_in, /^Using eSpeak NG, because the model of Voice Studio engine/)
  assert.equal(inPlaceOf('espeak-ng', espeak)!.stands_in, '')
  assert.equal(inPlaceOf('svc-engine', embedded)!.stands_in, 'Heart answers.')
  assert.equal(
    inPlaceOf('svc-engine', offer('kokoro', ['en']))!.stands_in,
    'Using Kokoro, because the model of Voice Studio engine is not installed.',
  )
  assert.equal(inPlaceOf('svc-engine', undefined), undefined)
})

test('every language name from a machine or a caller has one result', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (language, languages) => {
      assert.ok(['svc-engine', 'espeak-ng'].includes(answers(language, [offer('espeak-ng', languages)])))
    }),
  )
})

const RUSSIAN = 'Добрый день, меня зовут Анна.'
const GERMAN = 'Wir haben das Haus nicht gesehen, und ich war auch nicht im Garten.'
const chosen = (text: string, engine: string, offers: Offer[], others: Offer[], voice: string | null = null) =>
  Object.values(choose({ engine, isNamed: engine !== 'svc-engine' }, { language: null, voice, text }, offers, others)).join(' ')

test('without a named language, the script and the words of the text choose the engine', () => {
  const all = offer('espeak-ng', ['de', 'ru', 'en'])
  const kokoro = offer('kokoro', ['en', 'hi'])
  assert.equal(chosen(RUSSIAN, 'svc-engine', [embedded], [embedded, all]), 'espeak-ng ru')
  assert.equal(chosen(GERMAN, 'svc-engine', [embedded], [embedded, all]), 'espeak-ng de')
  assert.equal(chosen('Hello there.', 'svc-engine', [embedded], [embedded, all]), 'svc-engine ')
  assert.equal(chosen(RUSSIAN, 'kokoro', [kokoro], [kokoro, all]), 'espeak-ng ru', 'any engine that lacks the script')
  assert.equal(chosen(GERMAN, 'kokoro', [kokoro], [kokoro, all]), 'kokoro ', 'a named engine reads Latin letters itself')
  assert.equal(chosen('नमस्ते, आप कैसे हैं?', 'kokoro', [kokoro], [kokoro, all]), 'kokoro hi')
  assert.equal(chosen('नमस्ते, आप कैसे हैं?', 'kokoro', [kokoro], [kokoro, all], 'hf_alpha'), 'kokoro ', 'a voice has a language')
  assert.equal(chosen(RUSSIAN, 'omni', [offer('omni', ['*'])], [all]), 'omni ', 'an engine of all languages detects it itself')
  assert.equal(chosen(RUSSIAN, 'svc-engine', [embedded], [embedded]), 'svc-engine ru', 'the engine refuses it with the remedy')
  assert.equal(chosen(RUSSIAN, 'svc-engine', [embedded], [embedded, offer('tone', ['*'])]), 'svc-engine ru')
  const better = offer('supertonic3', ['ru'])
  assert.equal(chosen(RUSSIAN, 'svc-engine', [embedded], [all, better]), 'supertonic3 ru', 'espeak-ng comes last')
  assert.equal(chosen(RUSSIAN, 'svc-engine', [embedded], [all, { ...better, downloaded: false }]), 'espeak-ng ru')
  assert.match(
    inPlaceOf('svc-engine', all, 'ru')!.stands_in,
    /^Using eSpeak NG, because no model of Voice Studio engine for Russian is installed/,
  )
})
