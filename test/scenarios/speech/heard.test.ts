// The default voice with its real weights: spoken by a studio without any model, and heard by its own recognition. `test/weights` has the long form.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseWav } from '#shared/audio/wav.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { fromPcm, levelDb, longestSilence } from '#test/support/audio/sound.ts'
import { plainWords, wordErrors } from '#test/support/audio/words.ts'
import { form } from '#test/support/world/http.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const SAID = ['She bought some bread and milk at the store.', 'The children are playing in the garden.']
const RECOGNISER = 'pocketsphinx'
const skip = findProgram('pocketsphinx_continuous', process.env['PATH'])
  ? false
  : 'pocketsphinx is not on this machine; ./studio setup installs it'
const AUDIBLE = 1e-2

const open = sharedWorld({ remote: true })
async function spoken(input: string, fields: object = {}) {
  const reply = await (await open()).post('/v1/audio/speech', { input, response_format: 'wav', seed: 1, ...fields })
  assert.equal(reply.status, 200, reply.body.toString())
  return { ...parseWav(reply.body), wav: Buffer.from(reply.body), voice: reply.headers.get('x-svc-voice') }
}
/** Seconds before the first sound and after the last. */
function edges(samples: Float32Array, rate: number): { readonly before: number; readonly after: number } {
  const isSound = (sample: number) => Math.abs(sample) > AUDIBLE
  return { before: samples.findIndex(isSound) / rate, after: (samples.length - 1 - samples.findLastIndex(isSound)) / rate }
}

test('the recognition of the studio understands its default voice', { skip }, async (t) => {
  const { wav, voice } = await spoken(SAID.join(' '))
  assert.equal(voice, 'heart')
  const reply = await (await open()).post('/v1/audio/transcriptions', form({ file: wav, model: RECOGNISER }))
  assert.equal(reply.status, 200, reply.body.toString())
  const words = plainWords(SAID.join(' '))
  const wrong = wordErrors(words, plainWords(reply.json().text))
  t.diagnostic(`${wrong} of ${words.length} words are wrong: ${reply.json().text}`)
  // Of the recogniser, not of the voice: noise has nearly all of them wrong.
  assert.ok(wrong <= 0.25 * words.length, reply.json().text)
})

test('the default voice has the level of the other voices as its engine speaks, before the sound is mastered', async (t) => {
  const levelOf = async (engine: string, voice: string) => {
    const reply = await (await open()).task({ engine, params: { segments: [{ text: SAID.join(' ').repeat(3), seed: 1 }], voice } })
    assert.equal(reply.status, 200, reply.body.toString())
    return levelDb(fromPcm(readFileSync(reply.json().result_ref)))
  }
  const own = await levelOf('heart', 'heart')
  const others = await Promise.all(['slt', 'rms', 'awb'].map((voice) => levelOf('flite', voice)))
  const louder = own - others.reduce((sum, level) => sum + level, 0) / others.length
  t.diagnostic(`${own.toFixed(1)} dB, others ${others.map((level) => level.toFixed(1)).join(', ')}`)
  // Its network is 7 dB quieter.
  assert.ok(Math.abs(louder) < 3.4, `${louder} dB louder`)
})

test('the default voice has the pace, the level and the pauses of another voice', async () => {
  const text = SAID.join(' ')
  const [own, other] = [await spoken(text), await spoken(text, { voice: 'slt' })]
  assert.deepEqual([own.voice, other.voice], ['heart', 'slt'])
  const secondsOf = ({ samples, sampleRate }: typeof own) => samples.length / sampleRate
  const pace = secondsOf(own) / secondsOf(other)
  assert.ok(pace > 0.8 && pace < 1.25, `${pace} times as long`)
  const louder = levelDb(own.samples) - levelDb(other.samples)
  assert.ok(Math.abs(louder) < 4, `${louder} dB louder`)
  const { before, after } = edges(own.samples, own.sampleRate)
  assert.ok(before < 0.15 && after < 0.7, `${before} s of silence before, ${after} s after`)
  const gap = longestSilence(own.samples, own.sampleRate)
  assert.ok(gap > 0.2 && gap < 0.7, `${gap} s between the sentences`)
})
