// No speech vanishes: where the voice detector found a voice, there are words, or the result names the part.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { AsrResult } from '#shared/operations/asr.ts'
import { asAudio, eventsOf, noise, resultOf } from '#test/agent/engine/audio/recording.ts'
import { plantedWhisper, stamp } from '#test/agent/engine/runtimes/transformers/planted.ts'
import { speechAt, whisper } from './open.ts'

const END = '<|endoftext|>'
const { signal } = new AbortController()
async function recognised(t: TestContext, seconds: number, chain: readonly string[], finder: ReturnType<typeof speechAt>) {
  const engine = whisper(plantedWhisper(t, { chain }), 'faster-whisper', null, finder)
  const events = await eventsOf(engine.run('asr', {}, signal, asAudio(noise(16_000 * seconds, 0.05, 1))))
  await engine.unload()
  return resultOf<AsrResult>(events)
}
const timesOf = ({ segments }: AsrResult) => segments.map(({ start, end }) => [Number(start.toFixed(2)), Number(end.toFixed(2))])
/** One word in the first second of each window. */
const ONE_WORD = [stamp(0), 'Ġhello', stamp(1), END]

test('a network that ends before the speech does is asked again for the rest', async (t) => {
  const result = await recognised(t, 5, ONE_WORD, speechAt([[0, 4]]))
  assert.deepEqual(timesOf(result), [[0, 1], [1, 2], [2, 3], [3, 4]]) // biome-ignore format: one line
  assert.deepEqual([result.speech_without_words, result.notices], [undefined, undefined])
})

test('a voice between two segments is decoded by itself, and stays in order', async (t) => {
  const chain = [stamp(0), 'Ġhello', stamp(1), stamp(3.6), 'Ġagain', stamp(5), END]
  const result = await recognised(t, 6, chain, speechAt([[0, 5]]))
  assert.deepEqual(timesOf(result), [[0, 1], [1, 2], [3.6, 5]]) // biome-ignore format: one line
  assert.deepEqual(result.segments.map(({ text }) => text).join(' '), 'hello hello again')
  assert.deepEqual(result.speech_without_words, [{ start: 2, end: 3.6 }])
})

test('a voice without words is named with its times', async (t) => {
  const silent = await recognised(t, 40, [stamp(0), END], speechAt([[2, 5], [31, 35]])) // biome-ignore format: one line
  assert.deepEqual([silent.text, silent.segments], ['', []])
  assert.deepEqual(silent.speech_without_words, [{ start: 2, end: 5 }, { start: 31, end: 35 }]) // biome-ignore format: one line
  assert.deepEqual(silent.notices, ['faster-whisper found speech but no words in these parts: 0:02 to 0:05, 0:31 to 0:35.'])
})

test('a segment over a removed pause becomes one for each side', async (t) => {
  const chain = [stamp(0), 'Ġhello', stamp(6), END]
  const result = await recognised(t, 60, chain, speechAt([[0, 3], [30, 33], [50, 53]])) // biome-ignore format: one line
  assert.deepEqual(timesOf(result), [[0, 3], [30, 33], [50, 53]]) // biome-ignore format: one line
})

test('a segment ends before a removed pause of which it has only the start of the next words', async (t) => {
  const chain = [stamp(0), 'Ġhello', stamp(3.3), stamp(3.3), 'Ġagain', stamp(6), END]
  const result = await recognised(t, 60, chain, speechAt([[0, 3], [30, 33]], [[0.2, 2.5], [30.2, 33]])) // biome-ignore format: one line
  assert.deepEqual(timesOf(result), [[0.05, 2.65], [30.3, 33]]) // biome-ignore format: one line
})
