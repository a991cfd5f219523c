// Requirements for a machine by voice and language, with machines that have different voices of one engine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { havingVoices, spokenBy, voicesNeeded } from '#control-plane/inference/substitutes.ts'
import { offer } from '#test/support/doubles/offers.ts'

const voice = (id: string, name = id) => ({ id, name, language: 'en' })
const kokoro = { engine: 'kokoro', operation: 'tts' } as const
const LOCAL = offer({ ...kokoro, workerId: 'local', languages: ['en'], voices: [voice('af_heart', 'Heart')] })
const BOX = offer({ ...kokoro, workerId: 'box', languages: ['en', 'de'], voices: [voice('af_bella', 'Bella'), voice('af_sky', 'Sky')] })
const OTHER = offer({ engine: 'piper', operation: 'tts', workerId: 'local', languages: ['fr'], voices: [voice('af_nova')] })
const ALL = [LOCAL, BOX, OTHER]
const needs = (asked: string | null, language: string | null = null, offers = ALL) => spokenBy('kokoro', { voice: asked, language }, offers)

test('a voice that a machine has is needed by its id, and each voice of a blend', () => {
  assert.deepEqual(needs('AF_Bella'), { voices: ['af_bella'], language: '' })
  assert.deepEqual(needs('Bella', 'de'), { voices: ['af_bella'], language: '' }, 'a voice speaks its own language')
  const other = offer({ ...kokoro, workerId: 'other', voices: [voice('x', 'Heart')] })
  assert.deepEqual(needs('heart', null, [other, LOCAL]), { voices: ['af_heart'], language: '' }, 'this machine first')
  assert.deepEqual(needs('Bella(2)+af_sky(1)'), { voices: ['af_bella', 'af_sky'], language: '' })
  const several = offer({ ...kokoro, workerId: 'box', model: 'aru', voices: [voice('aru:3'), { ...voice('aru:1'), default_for: ['*'] }] })
  assert.deepEqual(needs('Aru', null, [several, { ...several, model: '' }]), { voices: ['aru:1'], language: '' })
  assert.equal(needs('Aru', 'en', [several]), undefined, 'a task names no model, so the engine finds the voice')
})

test('without such a voice the language is needed where a machine speaks it', () => {
  assert.deepEqual(needs('alloy', 'de-AT'), { voices: [], language: 'de' })
  assert.deepEqual(needs(null, 'German'), { voices: [], language: 'de' })
  const all = [offer({ ...kokoro, languages: ['*'] })]
  assert.deepEqual(needs(null, 'fi-FI', all), { voices: [], language: 'fi' })
  for (const [asked, language] of [['alloy', null], [null, 'auto'], [null, 'fr'], ['af_nova', null]] as const) // biome-ignore format: one line
    assert.equal(needs(asked, language), undefined, `${asked} ${language}`)
  assert.equal(needs('Bella', null, [{ ...BOX, downloaded: false }]), undefined, 'a model that is not here has no voices')
})

test('offers without a voice are left out where another one has it', () => {
  const idsOf = (asked: string | null) =>
    havingVoices(ALL, 'kokoro', voicesNeeded('kokoro', asked, ALL)).map(({ workerId, engine }) => `${workerId} ${engine}`)
  assert.deepEqual(idsOf('af_sky'), ['box kokoro', 'local piper'])
  assert.deepEqual(idsOf('alloy').length, 3)
  assert.deepEqual(idsOf(null).length, 3)
})

test('an id that looks like a blend is one voice where a machine lists it', () => {
  for (const id of ['Alice (2)', 'Tom+Anna', 'a+b(3)', 'no (']) {
    const one = offer({ engine: 'moss', operation: 'tts', workerId: 'box', voices: [voice(id), voice('Tom'), voice('Anna')] })
    assert.deepEqual(voicesNeeded('moss', id, [one]), [id])
    assert.deepEqual(havingVoices([one], 'moss', [id]), [one])
  }
})

test('a voice that was needed stays needed when its machine has gone', () => {
  const needed = voicesNeeded('kokoro', 'Bella', ALL)
  assert.deepEqual(
    havingVoices([LOCAL, OTHER], 'kokoro', needed).map(({ engine }) => engine),
    ['piper'],
  )
})

test('what only a named model offers is needed by no task: a language, or a voice of an own model', () => {
  const own = offer({ ...kokoro, model: 'own-k', languages: ['xx'], voices: [voice('xx_own')] })
  const plain = offer({ ...kokoro, languages: ['en'], voices: [voice('af_heart')] })
  assert.equal(needs('xx_own', 'xx', [plain, own]), undefined)
  assert.equal(needs(null, 'xx', [plain, own]), undefined)
  assert.deepEqual(needs('af_heart', null, [own, plain]), { voices: ['af_heart'], language: '' })
})
